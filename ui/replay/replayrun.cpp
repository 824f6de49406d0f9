// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replayrun.h"

#include "core/protocol/methods.h"
#include "core/replay/baseline.h"
#include "core/session/filtermatcher.h"
#include "core/session/sessionfile.h"
#include "ui/json/background.h"

#include <QFileInfo>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qint64 SliceNs = 5'000'000;

}  // namespace

struct ReplayRun::Choice {
    FilterMatcher matcher;
    QList<RecordedCall> calls;
    qsizetype next = 0;
};

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
    m_choice.reset();
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
    StepRow row{from.method,     from.target, from.call.row,
                stepBadge(from), from.status, m_recording->durationNs(from.call.row),
                from.durationNs};
    if (from.method == methods::Initialize && from.hasRun())
        row.nowNs = m_connection->latencyNs();  // the connection has made it
    return row;
}

json::Value ReplayRun::arguments(qsizetype step) const
{
    const ReplayStep &from = steps().at(step);
    const json::Value params = m_recording->message(from.call.row).params();
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
    Q_EMIT stepsReset();
    setState(State::Loading);
    Result<std::unique_ptr<Session>> opened = Session::openInBatches(m_plan.recordingPath);
    if (!opened) {
        fail(opened.error());
        return;
    }
    m_recording = std::move(opened).value();
    // A turn later in any case, so that nothing comes while start() runs.
    if (m_recording->isLoading())
        connect(m_recording.get(), &Session::loaded, this, &ReplayRun::onLoaded);
    else
        QMetaObject::invokeMethod(
            m_recording.get(), [this] { onLoaded(); }, Qt::QueuedConnection);
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
    m_rows = m_plan.rows;
    if (m_plan.calls != ReplayPlan::Calls::Matching) {
        connectServer();
        return;
    }
    m_rows.clear();
    m_choice =
        std::make_unique<Choice>(Choice{FilterMatcher(m_plan.filter, m_recording.get()), recordedCalls(*m_recording)});
    chooseSlice();
}

// A recording can hold many calls, and the filter may have to read each.
void ReplayRun::chooseSlice()
{
    if (!m_choice || m_state != State::Loading)
        return;
    QElapsedTimer clock;
    clock.start();
    for (; m_choice->next < m_choice->calls.size() && clock.nsecsElapsed() < SliceNs; ++m_choice->next) {
        const qsizetype row = m_choice->calls[m_choice->next].row;
        if (m_choice->matcher.matches(row))
            m_rows.append(row);
    }
    if (m_choice->next < m_choice->calls.size()) {
        QMetaObject::invokeMethod(this, &ReplayRun::chooseSlice, Qt::QueuedConnection);
        return;
    }
    m_choice.reset();
    connectServer();
}

void ReplayRun::connectServer()
{
    ConnectionOptions options = replayOptions(*m_recording);
    if (!m_library.ensureFolder())
        options.sessionPath = m_library.newPath(m_plan.server.name, QDateTime::currentDateTime());
    m_connection = std::make_unique<Connection>(m_plan.server, options);
    m_newPath = m_connection->session()->path();
    m_replayer = std::make_unique<Replayer>(m_recording.get(), m_connection.get(), m_rules);
    m_replayer->setDestructive(m_plan.destructive);
    if (m_plan.calls != ReplayPlan::Calls::All)
        m_replayer->select(m_rows);
    connect(m_replayer.get(), &Replayer::stepChanged, this, &ReplayRun::onStepChanged);
    connect(m_replayer.get(), &Replayer::asked, this, &ReplayRun::setAsked);
    connect(m_replayer.get(), &Replayer::finished, this, &ReplayRun::onFinished);
    Q_EMIT stepsReset();
    if (m_replayer->steps().isEmpty()) {
        setState(State::Finished);
        return;
    }
    connect(m_connection.get(), &Connection::stateChanged, this, &ReplayRun::onConnectionChanged);
    setState(State::Connecting);
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
        m_replayer->start();
        return;
    }
    if (now != Connection::State::Disconnected) {
        if (m_state == State::Connecting)
            Q_EMIT stateChanged();  // its words have changed
        return;
    }
    if (m_state == State::Finished) {
        m_connection->session()->finish();
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
    setAsked(-1);
    m_state = State::Finished;
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(m_plan.recordingPath);
    m_isBeingWritten = file && (*file)->isBeingWritten();
    if (m_connection->state() == Connection::State::Disconnected)
        m_connection->session()->finish();
    else
        m_connection->close();
    Q_EMIT stateChanged();
}

void ReplayRun::fail(const Error &error)
{
    m_problem = error;
    setState(State::Finished);
}

Error ReplayRun::setRules(const ReplayRules &rules)
{
    m_rules = rules;
    if (m_replayer)
        m_replayer->setRules(rules);
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
