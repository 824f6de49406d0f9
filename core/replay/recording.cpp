// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recording.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/session/sessionindex.h"

#include <QHash>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

const std::array<QString, 4> OwnMeta{u"progressToken"_s, u"io.modelcontextprotocol/protocolVersion"_s,
                                     u"io.modelcontextprotocol/clientInfo"_s,
                                     u"io.modelcontextprotocol/clientCapabilities"_s};

bool isOwnMeta(const json::Value &member)
{
    const QString key = member.key();
    return std::find(OwnMeta.begin(), OwnMeta.end(), key) != OwnMeta.end();
}

}  // namespace

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

QString methodOf(const Session &session, const RecordedCall &call)
{
    const QString inBatch = call.request.method();
    return inBatch.isEmpty() ? session.name(session.at(call.row).method) : inBatch;
}

QString targetOf(const Session &session, const RecordedCall &call)
{
    return call.request.method().isEmpty() ? session.name(session.at(call.row).target) : targetOf(call.request);
}

bool isHandshake(const Session &session, const RecordedCall &call)
{
    if (call.responseRow < 0)
        return false;
    return call.isDiscovery ? responseOf(session, call).result()[u"supportedVersions"].isArray()
                            : methodOf(session, call) == methods::Initialize;
}

QByteArray recordedCapabilities(const Session &session)
{
    QByteArray capabilities("{}");
    for (const RecordedCall &call : recordedCalls(session)) {
        if (!isHandshake(session, call))
            continue;
        const json::Value params = session.message(call.row).params();
        const json::Value declared = call.isDiscovery ? params[u"_meta"][u"io.modelcontextprotocol/clientCapabilities"]
                                                      : params[u"capabilities"];
        capabilities = declared.isObject() ? declared.bytes() : QByteArray("{}");
    }
    return capabilities;
}

QByteArray repeatableParams(const json::Value &params)
{
    const json::Value meta = params[u"_meta"];
    qsizetype own = 0;
    for (const json::Value &entry : meta)
        own += isOwnMeta(entry) ? 1 : 0;
    if (own == 0)
        return params.bytes();
    json::Builder builder;
    builder.beginObject();
    bool isEmpty = true;
    for (const json::Value &member : params) {
        if (member.isSameNode(meta) && meta.size() == own)
            continue;
        isEmpty = false;
        builder.rawKey(member.keySlice());
        if (!member.isSameNode(meta)) {
            builder.value(member);
            continue;
        }
        builder.beginObject();
        for (const json::Value &entry : meta) {
            if (!isOwnMeta(entry))
                builder.rawKey(entry.keySlice()).value(entry);
        }
        builder.endObject();
    }
    builder.endObject();
    return isEmpty ? QByteArray() : builder.take();
}

json::Value comparableParams(const json::Value &params)
{
    const QByteArray text = repeatableParams(params);
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
