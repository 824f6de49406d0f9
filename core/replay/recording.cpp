// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recording.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"

namespace sonde {

QList<RecordedCall> recordedCalls(const Session &session)
{
    QList<RecordedCall> calls;
    for (qsizetype row = 0; row < session.size(); ++row) {
        const RecordInfo &info = session.at(row);
        if (info.kind != WireEvent::Kind::Message || info.direction != Direction::ToServer ||
            info.messageKind != Message::Kind::Request)
            continue;
        RecordedCall call{row, session.partnerOf(row)};
        // What came after the client had given up was no answer to it.
        if (call.answerRow >= 0 &&
            (session.at(call.answerRow).kind != WireEvent::Kind::Message || session.at(call.answerRow).isLate))
            call.answerRow = -1;
        calls.append(call);
    }
    return calls;
}

QByteArray recordedCapabilities(const Session &session)
{
    QByteArray capabilities("{}");
    for (const RecordedCall &call : recordedCalls(session)) {
        if (call.answerRow < 0 || session.name(session.at(call.row).method) != methods::Initialize)
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
