// SPDX-License-Identifier: Apache-2.0
#include "core/calls/recordedcalls.h"

#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"

#include <QHash>

namespace sonde {

QList<RecordedCall> recordedCalls(const Session &session, Direction asked)
{
    QList<RecordedCall> calls;
    QHash<std::pair<int, RequestId>, qsizetype> open;  // those of batches, or answered in one
    int begun = -1;                                    // the connection that is past its discovery
    for (qsizetype row = 0; row < session.size(); ++row) {
        const RecordInfo &info = session.at(row);
        if (info.kind == WireEvent::Kind::Open)
            open.removeIf([&info](const auto &entry) { return entry.key().first == info.connection; });
        if (info.kind != WireEvent::Kind::Message)
            continue;
        const bool asks = info.direction == asked;
        if (asks && info.messageKind == Message::Kind::Request) {
            RecordedCall call{row, session.partnerOf(row)};
            // What came after the client had given up was no response to it.
            if (call.responseRow >= 0 && (session.at(call.responseRow).kind != WireEvent::Kind::Message ||
                                          info.outcome == RowOutcome::NoResponse))
                call.responseRow = -1;
            call.isDiscovery = begun != info.connection && session.name(info.method) == methods::Discover;
            if (!call.isDiscovery)
                begun = info.connection;
            if (call.responseRow >= 0 && session.at(call.responseRow).messageKind == Message::Kind::Batch)
                open.insert({info.connection, session.message(row).id()}, calls.size());
            calls.append(call);
        } else if (asks && info.messageKind == Message::Kind::Batch) {
            for (const Message &element : session.message(row).batch()) {
                if (element.kind() != Message::Kind::Request)
                    continue;
                open.insert({info.connection, element.id()}, calls.size());
                calls.append({row, -1, element});
            }
        } else if (!asks && !open.isEmpty()) {
            const Message message = session.message(row);
            const bool isBatch = message.kind() == Message::Kind::Batch;
            for (const Message &response : isBatch ? message.batch() : QList<Message>{message}) {
                const auto answered = open.constFind({info.connection, response.id()});
                if (!response.isResponse() || answered == open.constEnd())
                    continue;
                calls[*answered].responseRow = row;
                if (isBatch)
                    calls[*answered].response = response;
                open.erase(answered);
            }
        }
    }
    return calls;
}

Message requestOf(const Session &session, const RecordedCall &call)
{
    return call.request.kind() == Message::Kind::Request ? call.request : session.message(call.row);
}

Message responseOf(const Session &session, const RecordedCall &call)
{
    if (call.responseRow < 0 || call.response.isResponse())
        return call.response;
    const Message message = session.message(call.responseRow);
    return message.kind() == Message::Kind::Batch ? message.responseInBatch(requestOf(session, call).id()) : message;
}

Message responseTo(const Session &session, qsizetype row)
{
    return responseOf(session, {row, session.partnerOf(row)});
}

QString methodOf(const Session &session, const RecordedCall &call)
{
    const QString inBatch = call.request.method();
    return inBatch.isEmpty() ? session.name(session.at(call.row).method) : inBatch;
}

QString targetOf(const Session &session, const RecordedCall &call)
{
    return call.request.method().isEmpty() ? session.name(session.at(call.row).target) : targetOf(call.request);
}

}  // namespace sonde
