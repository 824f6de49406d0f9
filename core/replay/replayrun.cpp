// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replayrun.h"

#include "core/filter/filtermatcher.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/worker.h"
#include "core/replay/baseline.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionsnapshot.h"

#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// What a worker finds out about a recording, of which all rows have to be looked at.
struct ReadRecording {
    ReplayMaterial material;
    std::function<void()> onRead;
};

void chooseSteps(const ReplayPlan &plan, const Session &recording, const std::atomic_bool &stop,
                 QList<ReplayStep> *steps)
{
    if (plan.calls == ReplayPlan::Calls::Rows) {
        const QSet<qsizetype> wanted(plan.rows.begin(), plan.rows.end());
        steps->removeIf([&wanted](const ReplayStep &step) { return !wanted.contains(step.call.row); });
    } else if (plan.calls == ReplayPlan::Calls::Matching) {
        FilterMatcher matcher(plan.filter, &recording);
        steps->removeIf([&matcher, &stop](const ReplayStep &step) { return stop || !matcher.matches(step.call.row); });
    }
}

ReplayMaterial materialOf(const ReplayPlan &plan, const Session &recording, const std::atomic_bool &stop)
{
    ReplayMaterial material = replayMaterial(recording, &stop);
    chooseSteps(plan, recording, stop, &material.steps);
    return material;
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
    m_connection = nullptr;
    if (m_replayer)
        m_replayer->disconnect(this);
    if (m_recording)
        m_recording->disconnect(this);
    if (m_stopReading)
        *m_stopReading = true;
    m_material = {};
    m_replayer.reset();
    m_ownConnection.reset();
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

qint64 ReplayRun::durationNs(qsizetype step) const
{
    const ReplayStep &from = steps().at(step);
    if (from.isHandshake() && from.hasRun())
        return m_connection->latencyNs();  // the connection has made it
    return from.durationNs;
}

QString ReplayRun::damage() const
{
    if (!m_recording || m_recording->isLoading() || m_recording->damage().isEmpty())
        return {};
    const DamagedRange &first = m_recording->damage().first();
    return tr("The session is damaged at byte %1: %2 The readable part is replayed.")
        .arg(first.offset)
        .arg(first.reason);
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
    m_newPath.clear();
    m_previousPath.clear();
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
    // Last: a receiver may stop the run or restart it.
    Q_EMIT stepsReset();
    Q_EMIT stateChanged();
}

void ReplayRun::onLoaded()
{
    if (m_state != State::Loading)
        return;
    if (const Error unusable = loadRules()) {
        fail(unusable);
        return;
    }
    m_stopReading = std::make_shared<std::atomic_bool>(false);
    const auto read = [plan = m_plan, snapshot = SessionSnapshot(*m_recording), stop = m_stopReading,
                       onRead = m_onRead] {
        const std::unique_ptr<Session> recording = snapshot.open();
        auto result = std::make_shared<ReadRecording>();
        result->material = materialOf(plan, *recording, *stop);
        if (onRead)
            result->onRead = onRead(result->material.steps, *recording);
        return result;
    };
    runOnWorker(this, read, [this, stop = m_stopReading](const std::optional<std::shared_ptr<ReadRecording>> &result) {
        if (*stop || m_state != State::Loading)
            return;
        if (!result) {
            fail(Error::local(tr("There is not enough memory to read the recording.")));
            return;
        }
        m_material = std::move((*result)->material);
        if ((*result)->onRead)
            (*result)->onRead();
        connectServer();
    });
}

Error ReplayRun::read()
{
    dropAll();
    Result<std::unique_ptr<Session>> opened = Session::open(m_plan.recordingPath);
    if (!opened)
        return opened.error();
    m_recording = std::move(opened).value();
    m_material = materialOf(m_plan, *m_recording, false);
    return loadRules();
}

void ReplayRun::connectServer()
{
    ConnectionOptions options = connectionOptions();
    options.take(m_plan.server.timeouts);
    options.ifSessionTaken = Session::IfTaken::NumberIt;
    options.recordingLimit = m_library.recordingLimit();
    options.profile = m_plan.profile;
    options.profile.tasks.reset();  // nobody goes on with those of a replay
    options.profile.tools.reset();  // nor has seen its tools
    options.hasPerson = false;
    if (!m_library.ensureFolder())
        options.sessionPath = m_library.newReplayPath(m_plan.server.name, QDateTime::currentDateTime());
    m_ownConnection = std::make_unique<Connection>(m_plan.server, options);
    attach(m_ownConnection.get());
    m_state = m_replayer->steps().isEmpty() ? State::Finished : State::Connecting;
    Q_EMIT stepsReset();
    Q_EMIT stateChanged();
    if (m_state == State::Connecting && !m_isStopped)
        m_ownConnection->open();
}

void ReplayRun::startOn(Connection *connection)
{
    attach(connection);
    m_clock.start();
    m_state = State::Running;
    Q_EMIT stepsReset();
    Q_EMIT stateChanged();
    if (!m_isStopped)
        m_replayer->start();
}

void ReplayRun::attach(Connection *connection)
{
    m_connection = connection;
    m_newPath = connection->session()->path();
    m_replayer = std::make_unique<Replayer>(m_recording.get(), std::exchange(m_material, {}), connection, m_rules);
    m_replayer->setDestructive(m_plan.destructive);
    connect(m_replayer.get(), &Replayer::stepChanged, this, &ReplayRun::stepChanged);
    connect(m_replayer.get(), &Replayer::asked, this, &ReplayRun::setAsked);
    connect(m_replayer.get(), &Replayer::finished, this, &ReplayRun::onFinished);
    connect(m_replayer.get(), &Replayer::judged, this, &ReplayRun::judged);
    connect(connection, &Connection::stateChanged, this, &ReplayRun::onConnectionChanged);
}

QString ReplayRun::rulesPath() const
{
    return m_plan.rulesPath.isEmpty() ? ReplayRules::pathBeside(m_plan.recordingPath) : m_plan.rulesPath;
}

// A file that cannot be understood might have ignored what would now be called a difference.
Error ReplayRun::loadRules()
{
    m_rules = {};
    const QString path = rulesPath();
    const bool isNamed = !m_plan.rulesPath.isEmpty();
    if (!isNamed && !QFileInfo::exists(path))
        return {};
    const Result<ReplayRules> rules =
        ReplayRules::load(path, isNamed ? ReplayRules::Named::OnCommandLine : ReplayRules::Named::ByItsPlace);
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
        if (m_ownConnection)
            endRecording();
        Q_EMIT stateChanged();
        return;
    }
    if (!m_isStopped)
        m_problem =
            m_connection->error() ? m_connection->error() : Error::local(tr("The server closed the connection."));
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
        fail(Error::local(tr("The replay was stopped before it started.")));
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

void ReplayRun::onFinished()
{
    m_elapsedNs = m_clock.isValid() ? m_clock.nsecsElapsed() : -1;
    m_state = State::Finished;
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(m_plan.recordingPath);
    m_isBeingWritten = file && (*file)->isBeingWritten();
    if (m_ownConnection && m_ownConnection->state() == Connection::State::Disconnected)
        endRecording();
    else if (m_ownConnection)
        m_ownConnection->close();
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
        return step.hasRun() && (isAll || !step.isHandshake());
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
    return rules.save(rulesPath());
}

QString ReplayRun::acceptProblem() const
{
    if (m_isAccepted)
        return tr("The new responses are accepted as the baseline.");
    if (m_state != State::Finished)
        return tr("The replay has not finished.");
    if (!m_replayer || m_replayer->steps().isEmpty())
        return tr("No calls were made.");
    if (!m_recording->damage().isEmpty())
        return tr("The session is damaged; the unreadable part would be lost.");
    if (m_plan.calls != ReplayPlan::Calls::All)
        return tr("Only some of the calls were made; a baseline needs all of them.");
    Session *live = m_connection->session();
    if (const qint64 leftOut = live->leftOut().records(); leftOut > 0)
        return tr("%1 records of this run were not stored. A session of no more than %2 bytes is recorded now.")
            .arg(grouped(leftOut), grouped(live->limit()));
    if (!m_replayer->isAcceptable())
        return tr("Not every call with a recorded response got a response now.");
    if (m_isBeingWritten)
        return tr("The session is still being recorded; only a finished session can be replaced.");
    if (m_newPath.isEmpty() || live->error())
        return tr("The new responses could not be recorded.");
    if (m_ownConnection && m_ownConnection->state() != Connection::State::Disconnected)
        return tr("The server is still shutting down.");
    return {};
}

void ReplayRun::accept()
{
    if (!acceptProblem().isEmpty() || m_isAccepting)
        return;
    m_isAccepting = true;
    const QString kept = keptRecordingPath(m_plan.recordingPath, QDateTime::currentDateTime());
    m_connection->session()->finish();
    runOnWorker(
        this, [path = m_plan.recordingPath, from = m_newPath, kept] { return replaceRecording(path, from, kept); },
        [this, kept](const std::optional<Error> &result) {
            const Error error = result ? *result : Error::local(tr("There is not enough memory."));
            m_isAccepting = false;
            if (!error) {
                m_isAccepted = true;
                m_previousPath = kept;
                m_newPath.clear();
            }
            Q_EMIT accepted(error);
            Q_EMIT stateChanged();
        });
}

}  // namespace sonde
