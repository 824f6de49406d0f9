// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recording.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

#include <QHash>

namespace sonde {

QList<RecordedCall> recordedCalls(const Session &session, Direction asked)
{
    QList<RecordedCall> calls;
    QHash<std::pair<int, RequestId>, qsizetype> open;  // those of batches, or answered in one
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

QString methodOf(const Session &session, const RecordedCall &call)
{
    const QString inBatch = call.request.method();
    return inBatch.isEmpty() ? session.name(session.at(call.row).method) : inBatch;
}

QString targetOf(const Session &session, const RecordedCall &call)
{
    return call.request.method().isEmpty() ? session.name(session.at(call.row).target) : targetOf(call.request);
}

QByteArray recordedCapabilities(const Session &session)
{
    QByteArray capabilities("{}");
    for (const RecordedCall &call : recordedCalls(session)) {
        if (call.responseRow < 0 || session.name(session.at(call.row).method) != methods::Initialize)
            continue;
        const Message request = session.message(call.row);
        const json::Value declared = request.params()[u"capabilities"];
        capabilities = declared.isObject() ? declared.bytes() : QByteArray("{}");
    }
    return capabilities;
}

QByteArray paramsWithoutToken(const json::Value &params)
{
    const json::Value meta = params[u"_meta"];
    const json::Value token = meta[u"progressToken"];
    if (!token.exists())
        return params.bytes();
    json::Builder builder;
    builder.beginObject();
    bool isEmpty = true;
    for (const json::Value &member : params) {
        if (member.isSameNode(meta) && meta.size() == 1)
            continue;
        isEmpty = false;
        builder.rawKey(member.keySlice());
        if (!member.isSameNode(meta)) {
            builder.value(member);
            continue;
        }
        builder.beginObject();
        for (const json::Value &entry : meta) {
            if (!entry.isSameNode(token))
                builder.rawKey(entry.keySlice()).value(entry);
        }
        builder.endObject();
    }
    builder.endObject();
    return isEmpty ? QByteArray() : builder.take();
}

json::Value comparableParams(const json::Value &params)
{
    const QByteArray text = paramsWithoutToken(params);
    return json::parse(text.isEmpty() ? QByteArrayLiteral("{}") : text);
}

bool haveSameParams(const json::Value &left, const json::Value &right)
{
    return json::equal(comparableParams(left), comparableParams(right));
}

QByteArray withReplaced(const json::Value &value, QByteArrayView replacement)
{
    const QByteArrayView text = value.document().text();
    QByteArray result;
    result.reserve(text.size() + replacement.size());
    result.append(text.first(value.offset()));
    result.append(replacement);
    result.append(text.sliced(value.offset() + value.slice().size()));
    return result;
}

}  // namespace sonde
