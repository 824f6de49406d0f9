// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedrounds.h"

#include "core/client/inputrequest.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// A call whose latest response asks for input.
struct AwaitedRound {
    qsizetype call = -1;  // its place in what was joined
    json::Value result;
};

class RoundJoiner {
public:
    explicit RoundJoiner(const Session &recording) : m_recording(recording) {}

    RecordedRounds join(const QList<RecordedCall> &calls)
    {
        for (const RecordedCall &call : calls) {
            if (call.isDiscovery && isHandshake(m_recording, call))
                m_stateless.insert(connectionOf(call));
            if (!mayHaveRounds(call)) {
                m_joined.calls.append(call);
                continue;
            }
            qsizetype place = continued(call);
            if (place < 0) {
                place = m_joined.calls.size();
                m_joined.calls.append(call);
            }
            const json::Value result = responseOf(m_recording, call).result();
            if (result[u"resultType"].string() == u"input_required")
                m_awaited.append({place, result});
        }
        return std::move(m_joined);
    }

private:
    int connectionOf(const RecordedCall &call) const { return m_recording.at(call.row).connection; }

    bool mayHaveRounds(const RecordedCall &call) const
    {
        const QString method = methodOf(m_recording, call);
        return m_stateless.contains(connectionOf(call)) &&
               (method == methods::CallTool || method == methods::ReadResource || method == methods::GetPrompt);
    }

    // The place of the call that this request continues; -1: it begins one.
    qsizetype continued(const RecordedCall &call)
    {
        const json::Value params = requestOf(m_recording, call).params();
        if (!params.contains(u"inputResponses") && !params.contains(u"requestState"))
            return -1;
        for (qsizetype i = 0; i < m_awaited.size(); ++i) {
            const AwaitedRound awaited = m_awaited[i];
            RecordedCall &first = m_joined.calls[awaited.call];
            if (!continues(call, first, awaited.result, params))
                continue;
            takeEntries(first, call, awaited.result, params);
            first.responseRow = call.responseRow;
            first.response = call.response;
            m_awaited.removeAt(i);
            return awaited.call;
        }
        return -1;
    }

    bool continues(const RecordedCall &call, const RecordedCall &first, const json::Value &result,
                   const json::Value &params) const
    {
        if (connectionOf(call) != connectionOf(first) || methodOf(m_recording, call) != methodOf(m_recording, first) ||
            targetOf(m_recording, call) != targetOf(m_recording, first) ||
            !json::equal(params[u"requestState"], result[u"requestState"]))
            return false;
        for (const json::Value &response : params[u"inputResponses"]) {
            if (!result[u"inputRequests"].contains(response.key()))
                return false;
        }
        return true;
    }

    void takeEntries(const RecordedCall &first, const RecordedCall &call, const json::Value &result,
                     const json::Value &params)
    {
        for (const json::Value &entry : result[u"inputRequests"]) {
            const json::Value response = params[u"inputResponses"][entry.key()];
            const QString method = entry[u"method"].string();
            if (!response.exists() || !InputRequest::kindOf(method))
                continue;
            RecordedServerRequest request;
            request.row = first.responseRow;
            request.responseRow = call.row;
            request.request = Message::request(RequestId(entry.key()), method, entry[u"params"].bytes());
            request.response = Message::response(RequestId(entry.key()), response.bytes());
            request.callRow = first.row;
            request.method = method;
            m_joined.serverRequests.append(request);
        }
    }

    const Session &m_recording;
    RecordedRounds m_joined;
    QSet<int> m_stateless;  // connections
    QList<AwaitedRound> m_awaited;
};

}  // namespace

RecordedRounds joinRounds(const Session &recording, const QList<RecordedCall> &calls)
{
    return RoundJoiner(recording).join(calls);
}

}  // namespace sonde
