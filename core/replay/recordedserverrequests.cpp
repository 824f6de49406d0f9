// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedserverrequests.h"

#include "core/client/inputrequest.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/transport/monotonicclock.h"

#include <algorithm>

namespace sonde {

namespace {

// The same for params that haveSameParams().
size_t hashOf(const json::Value &params)
{
    const json::Value compared = params[u"_meta"][u"progressToken"].exists() ? comparableParams(params) : params;
    return compared.exists() ? json::hash(compared) : 0;  // as of an empty object
}

}  // namespace

QList<RecordedServerRequest> recordedServerRequests(const Session &recording)
{
    QList<RecordedServerRequest> serverRequests;
    for (const RecordedCall &call : recordedCalls(recording, Direction::FromServer)) {
        const RecordedServerRequest serverRequest{call, -1, methodOf(recording, call)};
        if (InputRequest::kindOf(serverRequest.method))
            serverRequests.append(serverRequest);
    }
    return serverRequests;
}

RecordedServerRequests::RecordedServerRequests(const Session &recording, QList<RecordedServerRequest> asked)
    : m_serverRequests(std::move(asked))
{
    for (qsizetype index = 0; index < m_serverRequests.size(); ++index) {
        const RecordedServerRequest &serverRequest = m_serverRequests.at(index);
        if (serverRequest.method == methods::ListRoots)
            m_lastRoots = index;
        const Place place{serverRequest.callRow, serverRequest.method};
        m_byCall[serverRequest.callRow].append(index);
        m_byPlace[place].append(index);
        m_byParams[{hashOf(requestOf(recording, serverRequest).params()), place}].append(index);
        if (serverRequest.callRow < 0 && serverRequest.responseRow >= 0)
            m_awaited.insert({serverRequest.responseRow, index});
    }
}

qsizetype RecordedServerRequests::take(const Session &recording, const Message &serverRequest, qsizetype callRow)
{
    const json::Value params = serverRequest.params();
    const size_t hash = hashOf(params);
    // A server request of this call before one of no call, and one that is the same before one of the same method.
    for (const qsizetype owner : {callRow, qsizetype(-1)}) {
        const Place place{owner, serverRequest.method()};
        if (const qsizetype same = firstSame(recording, {hash, place}, params); same >= 0)
            return markTaken(same);
        if (const qsizetype next = first(place); next >= 0)
            return markTaken(next);
    }
    return serverRequest.method() == methods::ListRoots ? m_lastRoots : -1;
}

qsizetype RecordedServerRequests::firstSame(const Session &recording, const Params &wanted, const json::Value &params)
{
    const auto found = m_byParams.find(wanted);
    if (found == m_byParams.end())
        return -1;
    QList<qsizetype> &indexes = found->second;
    dropTaken(indexes);
    const auto same = std::find_if(indexes.cbegin(), indexes.cend(), [&](qsizetype index) {
        const RecordedServerRequest &recorded = m_serverRequests.at(index);
        return !recorded.isTaken && haveSameParams(requestOf(recording, recorded).params(), params);
    });
    return same == indexes.cend() ? -1 : *same;
}

qsizetype RecordedServerRequests::first(const Place &wanted)
{
    const auto found = m_byPlace.find(wanted);
    if (found == m_byPlace.end())
        return -1;
    dropTaken(found->second);
    return found->second.value(0, -1);
}

void RecordedServerRequests::dropTaken(QList<qsizetype> &indexes) const
{
    while (!indexes.isEmpty() && m_serverRequests[indexes.constFirst()].isTaken)
        indexes.removeFirst();
}

qsizetype RecordedServerRequests::markTaken(qsizetype index)
{
    RecordedServerRequest &serverRequest = m_serverRequests[index];
    serverRequest.isTaken = true;
    serverRequest.takenNs = monotonicNs();
    if (m_awaited.erase({serverRequest.responseRow, index}) > 0)
        m_loose.append(index);
    return index;
}

QList<qsizetype> RecordedServerRequests::left(qsizetype callRow) const
{
    QList<qsizetype> indexes;
    const auto found = m_byCall.find(callRow);
    for (const qsizetype index : found == m_byCall.end() ? QList<qsizetype>() : found->second) {
        if (!m_serverRequests[index].isTaken)
            indexes.append(index);
    }
    return indexes;
}

QList<qsizetype> RecordedServerRequests::takenSince(qint64 monotonic) const
{
    const auto isEarlier = [this](qsizetype index, qint64 time) { return m_serverRequests[index].takenNs < time; };
    return {std::lower_bound(m_loose.cbegin(), m_loose.cend(), monotonic, isEarlier), m_loose.cend()};
}

}  // namespace sonde
