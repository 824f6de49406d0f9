// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replayrun.h"

#include "core/protocol/methods.h"
#include "core/replay/baseline.h"
#include "core/filter/filtermatcher.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionsnapshot.h"
#include "ui/json/background.h"

#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// What a worker finds out about a recording, of which all rows have to be looked at.
struct Prepared {
    ReplayMaterial material;
    QList<StepRow> rows;
};

StepRow rowOf(const ReplayStep &step, const Session &recording)
{
    return {step.method,     step.target, step.call.row,
            stepBadge(step), step.status, recording.durationNs(step.call.row),
            step.durationNs};
}

void choose(const ReplayPlan &plan, const Session &recording, const std::atomic_bool &stop, QList<ReplayStep> *steps)
{
    if (plan.calls == ReplayPlan::Calls::Rows) {
        const QSet<qsizetype> wanted(plan.rows.begin(), plan.rows.end());
        steps->removeIf([&wanted](const ReplayStep &step) { return !wanted.contains(step.call.row); });
    } else if (plan.calls == ReplayPlan::Calls::Matching) {
        FilterMatcher matcher(plan.filter, &recording);
        steps->removeIf([&matcher, &stop](const ReplayStep &step) { return stop || !matcher.matches(step.call.row); });
    }
}

std::shared_ptr<Prepared> prepare(const ReplayPlan &plan, const SessionSnapshot &snapshot, const std::atomic_bool &stop)
{
    const std::unique_ptr<Session> recording = snapshot.open();
    auto prepared = std::make_shared<Prepared>(Prepared{replayMaterial(*recording), {}});
    choose(plan, *recording, stop, &prepared->material.steps);
    prepared->rows.reserve(prepared->material.steps.size());
    for (const ReplayStep &step : std::as_const(prepared->material.steps))
        prepared->rows.append(rowOf(step, *recording));
    return prepared;
}

}  // namespace

ReplayRun::ReplayRun(ReplayPlan plan, SessionLibrary library, QObject *parent)
    : QObject(parent), m_plan(std::move(plan)), m_library(std::move(library))
{}

ReplayRun::~ReplayRun()
{
    dropAll();
}

// Without hearing of the ends that this brings.
void ReplayRun::dropAll()
{
    if (m_connection)
        m_connection->disconnect(this);
    if (m_replayer)
        m_replayer->disconnect(this);
    if (m_recording)
        m_recording->disconnect(this);
    if (m_stopReading)
        *m_stopReading = true;
    m_firstRows.clear();
    m_replayer.reset();
    m_connection.reset();
    m_recording.reset();
}

void ReplayRun::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

const QList<ReplayStep> &ReplayRun::steps() const
{
    static const QList<ReplayStep> none;
    return m_replayer ? m_replayer->steps() : none;
}

StepRow ReplayRun::row(qsizetype step) const
{
    const ReplayStep &from = steps().at(step);
    StepRow row = rowOf(from, *m_recording);
    if (from.method == methods::Initialize && from.hasRun())
        row.nowNs = m_connection->latencyNs();  // the connection has made it
    return row;
}

json::Value ReplayRun::arguments(qsizetype step) const
{
    const ReplayStep &from = steps().at(step);
    const json::Value params = requestOf(*m_recording, from.call).params();
    return from.method == methods::CallTool ? params[u"arguments"] : params;
}

qint64 ReplayRun::elapsedNs() const
{
    return m_elapsedNs < 0 && m_clock.isValid() ? m_clock.nsecsElapsed() : m_elapsedNs;
}

void ReplayRun::start()
{
    if (isActive() || m_isAccepting)
        return;
    dropAll();
    m_problem = {};
    m_damage.clear();
    m_newPath.clear();
    m_keptPath.clear();
    m_asked = -1;
    m_elapsedNs = -1;
    m_clock.invalidate();
    m_isStopped = false;
    m_isAccepted = false;
    Result<std::unique_ptr<Session>> opened = Session::openInBatches(m_plan.recordingPath);
    if (opened) {
        m_recording = std::move(opened).value();
        m_state = State::Loading;
        // A turn later in any case, so that nothing comes while start() runs.
        if (m_recording->isLoading())
            connect(m_recording.get(), &Session::loaded, this, &ReplayRun::onLoaded);
        else
            QMetaObject::invokeMethod(
                m_recording.get(), [this] { onLoaded(); }, Qt::QueuedConnection);
    } else {
        m_problem = opened.error();
        m_state = State::Finished;
    }
    // Last: whoever hears of it may stop the run or start it anew.
    Q_EMIT stepsReset();
    Q_EMIT stateChanged();
}

void ReplayRun::onLoaded()
{
    if (m_state != State::Loading)
        return;
    if (const QList<DamagedRange> &damage = m_recording->damage(); !damage.isEmpty())
        m_damage = tr("The recording is damaged at byte %1: %2 What can be read is replayed.")
                       .arg(damage.first().offset)
                       .arg(damage.first().reason);
    const Error unusable = loadRules();
    if (unusable) {
        fail(unusable);
        return;
    }
    m_stopReading = std::make_shared<std::atomic_bool>(false);
    runInBackground<std::shared_ptr<Prepared>>(
        this,
        [plan = m_plan, snapshot = SessionSnapshot(*m_recording), stop = m_stopReading] {
            return prepare(plan, snapshot, *stop);
        },
        [this, stop = m_stopReading](const std::shared_ptr<Prepared> &prepared) {
            if (*stop || m_state != State::Loading)
                return;
            m_firstRows = std::move(prepared->rows);
            connectServer(std::move(prepared->material));
        });
}

void ReplayRun::connectServer(ReplayMaterial material)
{
    ConnectionOptions options = replayOptions(material);
    options.ifSessionTaken = Session::IfTaken::NumberIt;
    options.recordingLimit = m_library.recordingLimit();
    if (!m_library.ensureFolder())
        options.sessionPath = m_library.newReplayPath(m_plan.server.name, QDateTime::currentDateTime());
    m_connection = std::make_unique<Connection>(m_plan.server, options);
    m_newPath = m_connection->session()->path();
    m_replayer = std::make_unique<Replayer>(m_recording.get(), std::move(material), m_connection.get(), m_rules);
    m_replayer->setDestructive(m_plan.destructive);
    connect(m_replayer.get(), &Replayer::stepChanged, this, &ReplayRun::onStepChanged);
    connect(m_replayer.get(), &Replayer::asked, this, &ReplayRun::setAsked);
    connect(m_replayer.get(), &Replayer::finished, this, &ReplayRun::onFinished);
    connect(m_replayer.get(), &Replayer::judged, this, &ReplayRun::judged);
    connect(m_connection.get(), &Connection::stateChanged, this, &ReplayRun::onConnectionChanged);
    m_state = m_replayer->steps().isEmpty() ? State::Finished : State::Connecting;
    Q_EMIT stepsReset();
    Q_EMIT stateChanged();
    if (m_state == State::Connecting && !m_isStopped)
        m_connection->open();
}

// A file that cannot be understood might have ignored what would now be called a difference.
Error ReplayRun::loadRules()
{
    m_rules = {};
    const QString path = ReplayRules::pathBeside(m_plan.recordingPath);
    if (!QFileInfo::exists(path))
        return {};
    const Result<ReplayRules> rules = ReplayRules::load(path);
    if (!rules)
        return rules.error();
    m_rules = *rules;
    return {};
}

void ReplayRun::onConnectionChanged()
{
    const Connection::State now = m_connection->state();
    if (now == Connection::State::Connected && m_state == State::Connecting && !m_isStopped) {
        m_clock.start();
        setState(State::Running);
        if (m_state == State::Running && !m_isStopped)
            m_replayer->start();
        return;
    }
    if (now != Connection::State::Disconnected) {
        if (m_state == State::Connecting)
            Q_EMIT stateChanged();  // its words have changed
        return;
    }
    if (m_state == State::Finished) {
        endRecording();
        Q_EMIT stateChanged();
        return;
    }
    if (!m_isStopped)
        m_problem =
            m_connection->error() ? m_connection->error() : Error::local(tr("The server ended the connection."));
    if (m_state == State::Running && m_asked < 0)
        return;  // the replayer notices, and what has run stays
    setAsked(-1);
    if (m_state == State::Connecting && !m_isStopped) {
        m_replayer->start();  // it says so of every step
    } else {
        m_replayer->cancel();
    }
}

void ReplayRun::stop()
{
    if (!isActive())
        return;
    m_isStopped = true;
    setAsked(-1);
    if (m_state == State::Loading) {
        m_recording->disconnect(this);
        if (m_stopReading)
            *m_stopReading = true;
        fail(Error::local(tr("The replay was stopped before it began.")));
        return;
    }
    m_replayer->cancel();
}

void ReplayRun::decide(bool run, bool ofAll)
{
    if (m_asked < 0)
        return;
    setAsked(-1);
    if (ofAll)
        m_replayer->setDestructive(run ? Replayer::Destructive::Allow : Replayer::Destructive::Skip);
    m_replayer->decide(run);
}

void ReplayRun::setAsked(qsizetype step)
{
    if (m_asked == step)
        return;
    m_asked = step;
    Q_EMIT askedChanged();
}

void ReplayRun::onStepChanged(qsizetype step)
{
    Q_EMIT stepChanged(step);
}

void ReplayRun::onFinished()
{
    m_elapsedNs = m_clock.isValid() ? m_clock.nsecsElapsed() : -1;
    m_state = State::Finished;
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(m_plan.recordingPath);
    m_isBeingWritten = file && (*file)->isBeingWritten();
    if (m_connection->state() == Connection::State::Disconnected)
        endRecording();
    else
        m_connection->close();
    setAsked(-1);
    Q_EMIT stateChanged();
}

// Of a replay that came to nothing nothing is kept. A handshake alone is nothing, unless it was all there was to make.
void ReplayRun::endRecording()
{
    m_connection->session()->finish();
    m_newPath = m_connection->session()->path();  // none any more where nothing could be written
    const bool isAll = m_replayer->isAcceptable();
    const bool anyRun = std::any_of(steps().begin(), steps().end(), [isAll](const ReplayStep &step) {
        return step.hasRun() && (isAll || step.method != methods::Initialize);
    });
    if (!anyRun && !m_newPath.isEmpty() && !m_library.remove(m_newPath))
        m_newPath.clear();
}

void ReplayRun::fail(const Error &error)
{
    m_problem = error;
    setState(State::Finished);
}

Error ReplayRun::setRules(const ReplayRules &rules, qsizetype first)
{
    m_rules = rules;
    if (m_replayer)
        m_replayer->setRules(rules, first);
    return rules.save(ReplayRules::pathBeside(m_plan.recordingPath));
}

QString ReplayRun::acceptProblem() const
{
    if (m_isAccepted)
        return tr("Accepted: the recording holds the new answers.");
    if (m_state != State::Finished)
        return tr("The replay has not come to its end.");
    if (!m_replayer || m_replayer->steps().isEmpty())
        return tr("No call was made.");
    if (!m_damage.isEmpty())
        return tr("The recording is damaged: what of it cannot be read now would be lost.");
    if (m_plan.calls != ReplayPlan::Calls::All)
        return tr("Only some of the calls were made; a baseline holds them all.");
    if (!m_replayer->isAcceptable())
        return tr("Not every call that was answered in the recording was made and answered now.");
    if (m_isBeingWritten)
        return tr("The recording is still being written; only one that has ended can be replaced.");
    if (m_newPath.isEmpty() || m_connection->session()->error())
        return tr("What was answered now could not be recorded.");
    if (m_connection->state() != Connection::State::Disconnected)
        return tr("The server is still ending.");
    return {};
}

void ReplayRun::accept()
{
    if (!acceptProblem().isEmpty() || m_isAccepting)
        return;
    m_isAccepting = true;
    const QString kept = keptRecordingPath(m_plan.recordingPath, QDateTime::currentDateTime());
    runInBackground<Error>(
        this, [path = m_plan.recordingPath, from = m_newPath, kept] { return replaceRecording(path, from, kept); },
        [this, kept](const Error &error) {
            m_isAccepting = false;
            if (!error) {
                m_isAccepted = true;
                m_keptPath = kept;
                m_newPath.clear();
            }
            Q_EMIT accepted(error);
            Q_EMIT stateChanged();
        });
}

}  // namespace sonde::ui
