// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedresponder.h"

#include "core/protocol/error.h"
#include "core/replay/rules.h"
#include "core/transport/monotonicclock.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qint64 LeastSettlingNs = 500'000'000;  // after the start, when the machine is busy with it
constexpr qint64 MaxSettlingNs = 1'000'000'000;
constexpr qint64 MaxWaitingNs = 2'000'000'000;
constexpr qint64 ServerRequestNsPerMs = 1'000'000;

}  // namespace

RecordedResponder::RecordedResponder(const Session *recording, RecordedServerRequests asked)
    : m_recording(recording), m_asked(std::move(asked))
{}

void RecordedResponder::begin()
{
    m_startedNs = monotonicNs();
}

ReplayServerRequest RecordedResponder::respond(const Message &serverRequest, InputRequest *request, qsizetype callRow)
{
    ReplayServerRequest asked;
    asked.method = serverRequest.method();
    const qsizetype index = m_asked.take(*m_recording, serverRequest, callRow);
    if (index >= 0) {
        asked.recorded = requestOf(*m_recording, m_asked.at(index));
        asked.isWithheld = request && !giveRecorded(m_asked.at(index), request);
    } else if (request) {
        request->fail(errorcodes::InternalError, u"The session contains no response to this server request."_s);
    }
    return asked;
}

// False: it held a secret, and an error was sent in its place.
bool RecordedResponder::giveRecorded(const RecordedServerRequest &recorded, InputRequest *request) const
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

QList<ReplayServerRequest> RecordedResponder::missing(qsizetype callRow) const
{
    QList<ReplayServerRequest> missing;
    for (const qsizetype index : m_asked.left(callRow)) {
        ReplayServerRequest one;
        one.method = m_asked.at(index).method;
        one.recorded = requestOf(*m_recording, m_asked.at(index));
        missing.append(one);
    }
    return missing;
}

QStringList RecordedResponder::missingMethods() const
{
    QStringList methods;
    for (const qsizetype index : m_asked.left(-1)) {
        if (!methods.contains(m_asked.at(index).method))
            methods.append(m_asked.at(index).method);
    }
    return methods;
}

// What a server does with a response that it got outside of its calls nobody can see, and its later responses may
// depend on it. So the server request is waited for, a while, and then the time that had passed before this call was
// made.
int RecordedResponder::settlingMs(qsizetype callRow) const
{
    const qint64 nowNs = monotonicNs();
    qint64 untilNs = nowNs;
    if (m_asked.awaitsBefore(callRow))
        untilNs = qMax(untilNs, m_startedNs + MaxWaitingNs);
    for (const qsizetype index : m_asked.takenSince(nowNs - MaxSettlingNs)) {
        const RecordedServerRequest &serverRequest = m_asked.at(index);
        if (serverRequest.responseRow > callRow)
            continue;
        const qint64 passedNs = m_recording->at(callRow).timeNs - m_recording->at(serverRequest.responseRow).timeNs;
        const bool isEarly = serverRequest.takenNs < m_startedNs + MaxWaitingNs;
        untilNs = qMax(untilNs, serverRequest.takenNs + qBound(isEarly ? LeastSettlingNs : 0, passedNs, MaxSettlingNs));
    }
    return int((untilNs - nowNs + ServerRequestNsPerMs - 1) / ServerRequestNsPerMs);
}

}  // namespace sonde
