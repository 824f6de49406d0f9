// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedrounds.h"

#include "core/client/inputrequest.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// The operations with which this request may go on, the likeliest first.
std::vector<qsizetype> goesOnWith(const Operations &operations, qsizetype row)
{
    if (operations.role(row) == RecordRole::Retry)
        return {operations.operationOf(row)};
    return operations.candidates(row);
}

// What the response to `call` asked for, and `round` gave.
QList<RecordedServerRequest> entriesOf(const Session &recording, const RecordedCall &call, const RecordedCall &round)
{
    QList<RecordedServerRequest> entries;
    const json::Value given = requestOf(recording, round).params()[u"inputResponses"];
    for (const json::Value &entry : responseOf(recording, call).result()[u"inputRequests"]) {
        const json::Value response = given[entry.key()];
        const QString method = entry[u"method"].string();
        if (!response.exists() || !InputRequest::kindOf(method))
            continue;
        RecordedServerRequest request;
        request.row = call.responseRow;
        request.responseRow = round.row;
        request.request = Message::request(RequestId(entry.key()), method, entry[u"params"].bytes());
        request.response = Message::response(RequestId(entry.key()), response.bytes());
        request.callRow = call.row;
        request.method = method;
        entries.append(request);
    }
    return entries;
}

}  // namespace

RecordedRounds joinRounds(const Session &recording, const Operations &operations, const QList<RecordedCall> &calls)
{
    RecordedRounds joined;
    QHash<qsizetype, qsizetype> waiting;  // places of calls whose latest response asks for input, by operation
    for (const RecordedCall &call : calls) {
        qsizetype place = -1;
        for (const qsizetype operation : goesOnWith(operations, call.row)) {
            if (place < 0 && waiting.contains(operation))
                place = waiting.take(operation);
        }
        if (place < 0) {
            place = joined.calls.size();
            joined.calls.append(call);
        } else {
            RecordedCall &first = joined.calls[place];
            joined.serverRequests.append(entriesOf(recording, first, call));
            first.responseRow = call.responseRow;
            first.response = call.response;
        }
        if (call.responseRow >= 0 && recording.at(call.responseRow).outcome == RowOutcome::InputRequired)
            waiting.insert(operations.operationOf(call.row), place);
    }
    return joined;
}

}  // namespace sonde
