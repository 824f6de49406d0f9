// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recording.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"

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

bool isHandshake(const Session &session, const RecordedCall &call)
{
    if (call.responseRow < 0)
        return false;
    return call.isDiscovery ? responseOf(session, call).result()[u"supportedVersions"].isArray()
                            : methodOf(session, call) == methods::Initialize;
}

QByteArray recordedCapabilities(const Session &session, const QList<RecordedCall> &calls)
{
    QByteArray capabilities("{}");
    for (const RecordedCall &call : calls) {
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
