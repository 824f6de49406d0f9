// What the server asks in the course of a replay, and what it is answered.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/replay/replayer.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 ReadingNs = 4'000'000;          // of a turn of the event loop
constexpr qint64 LeastSettlingNs = 500'000'000;  // after the start, when the machine is busy with it
constexpr qint64 MaxSettlingNs = 1'000'000'000;
constexpr qint64 MaxWaitingNs = 2'000'000'000;
constexpr qint64 ServerRequestNsPerMs = 1'000'000;

}  // namespace

void Replayer::readServerRequests()
{
    if (m_phase != Phase::Reading)
        return;
    if (!m_serverRequests.advance(ReadingNs)) {
        QMetaObject::invokeMethod(this, &Replayer::readServerRequests, Qt::QueuedConnection);
        return;
    }
    m_phase = Phase::Running;
    for (const auto &[serverRequest, request] : std::exchange(m_earlyServerRequests, {}))
        takeServerRequest(serverRequest, request);
    startCalls();
}

// request: to be answered; null when the client has refused it already, or when nobody waits for the response any more.
void Replayer::takeServerRequest(const Message &serverRequest, InputRequest *request)
{
    if (m_phase == Phase::Ready || m_phase == Phase::Reading) {
        m_earlyServerRequests.append({serverRequest, request});
        return;
    }
    ReplayStep *step = m_current >= 0 && m_current < m_steps.size() ? &m_steps[m_current] : nullptr;
    const bool isRunning = step && step->status == ReplayStep::Status::Running;
    const qsizetype index = m_serverRequests.take(serverRequest, isRunning ? step->call.row : -1);
    ReplayServerRequest asked;
    asked.method = serverRequest.method();
    asked.live = masked(serverRequest);
    if (index >= 0) {
        asked.recorded = requestOf(*m_recording, m_serverRequests.at(index));
        asked.isWithheld = request && !responseAgain(m_serverRequests.at(index), request);
    } else if (request) {
        request->fail(errorcodes::InternalError, u"The session contains no response to this server request."_s);
    }
    if (isRunning)
        step->serverRequests.append(asked);
    else
        addLooseServerRequest(asked);
    if (m_settling.isActive())
        m_settling.start(0);
}

// False: it held a secret, and an error was sent in its place.
bool Replayer::responseAgain(const RecordedServerRequest &recorded, InputRequest *request) const
{
    if (recorded.responseRow < 0)
        return true;
    const Message response = responseOf(*m_recording, recorded);
    if (holdsSecretMark(QString::fromUtf8(response.raw()))) {
        request->fail(errorcodes::InternalError, u"The recorded response contained a secret that was redacted."_s);
        return false;
    }
    if (response.kind() == Message::Kind::Result) {
        request->respond(response.result().bytes());
    } else {
        const Error error = response.toError();
        request->fail(error.code, error.message, error.data.bytes());
    }
    return true;
}

// Of no call: where it is worth a remark, the step that is nearest has it.
void Replayer::addLooseServerRequest(const ReplayServerRequest &serverRequest)
{
    if (m_phase == Phase::Finished || m_steps.isEmpty())
        return;
    const qsizetype at = qBound(qsizetype(0), m_current, m_steps.size() - 1);
    ReplayStep &step = m_steps[at];
    ReplayStep alone;
    alone.target = step.target;
    alone.serverRequests = {serverRequest};
    if (m_judge.judgeServerRequests(alone))
        return;
    step.serverRequests.append(alone.serverRequests);
    if (step.status == ReplayStep::Status::Same)
        step.status = ReplayStep::Status::Changed;
    Q_EMIT stepChanged(at);
}

// What a server does with a response that it got outside of its calls nobody can see, and its later responses may
// depend on it. So the server request is waited for, a while, and then the time that had passed before this call was
// made.
int Replayer::settlingMs(const ReplayStep &step) const
{
    const qint64 nowNs = monotonicNs();
    qint64 untilNs = nowNs;
    if (m_serverRequests.awaitsBefore(step.call.row))
        untilNs = qMax(untilNs, m_startedNs + MaxWaitingNs);
    for (const qsizetype index : m_serverRequests.takenSince(nowNs - MaxSettlingNs)) {
        const RecordedServerRequest &serverRequest = m_serverRequests.at(index);
        if (serverRequest.responseRow > step.call.row)
            continue;
        const qint64 passedNs =
            m_recording->at(step.call.row).timeNs - m_recording->at(serverRequest.responseRow).timeNs;
        const bool isEarly = serverRequest.takenNs < m_startedNs + MaxWaitingNs;
        untilNs = qMax(untilNs, serverRequest.takenNs + qBound(isEarly ? LeastSettlingNs : 0, passedNs, MaxSettlingNs));
    }
    return int((untilNs - nowNs + ServerRequestNsPerMs - 1) / ServerRequestNsPerMs);
}

void Replayer::settleServerRequests(ReplayStep &step)
{
    for (const qsizetype index : m_serverRequests.left(step.call.row)) {
        ReplayServerRequest missing;
        missing.method = m_serverRequests.at(index).method;
        missing.recorded = requestOf(*m_recording, m_serverRequests.at(index));
        step.serverRequests.append(missing);
    }
    m_judge.judgeServerRequests(step);
}

QStringList Replayer::serverRequestsLeft() const
{
    QStringList methods;
    for (const qsizetype index : m_serverRequests.left(-1)) {
        if (!methods.contains(m_serverRequests.at(index).method))
            methods.append(m_serverRequests.at(index).method);
    }
    return methods;
}

}  // namespace sonde
