// SPDX-License-Identifier: Apache-2.0
#include "core/client/requestmeta.h"

#include "core/json/builder.h"
#include "core/json/bytesearch.h"

namespace sonde {

namespace {

QByteArray memberText(const MetaMember &member)
{
    return '"' + member.key + "\":" + member.value;
}

// params: an object without _meta, or empty.
QByteArray withNewMeta(const QByteArray &params, const QList<MetaMember> &members)
{
    QByteArray text = params.left(qMax<qsizetype>(0, params.lastIndexOf('}'))).trimmed();
    if (text.isEmpty())
        text = "{";
    if (text.size() > 1)
        text.append(',');
    text.append("\"_meta\":{");
    for (const MetaMember &member : members)
        text.append(memberText(member)).append(',');
    text.back() = '}';
    return text.append('}');
}

RequestId tokenIn(const QList<MetaMember> &members)
{
    for (const MetaMember &member : members) {
        if (member.key == "progressToken")
            return RequestId::fromValue(json::parse(member.value));
    }
    return {};
}

}  // namespace

ParamsWithMeta withMeta(const QByteArray &params, const QList<MetaMember> &members)
{
    // Without that name, and without an escape that could stand for a part of it, there is nothing to look for.
    static const CaseInsensitiveMatcher metaName("_meta");
    const bool isPlain = params.isEmpty() || (params.startsWith('{') && !params.contains('\\'));
    if (isPlain && !metaName.isIn(params))
        return members.isEmpty() ? ParamsWithMeta{params, {}}
                                 : ParamsWithMeta{withNewMeta(params, members), tokenIn(members)};

    const json::Value object = params.isEmpty() ? json::Value() : json::Document::parse(params).root();
    const json::Value meta = object[u"_meta"];
    const RequestId own = RequestId::fromValue(meta[u"progressToken"]);
    const bool hasRoom = (params.isEmpty() || object.isObject()) && (!meta.exists() || meta.isObject());
    QList<MetaMember> missing;
    for (const MetaMember &member : members) {
        if (!meta[QString::fromLatin1(member.key)].exists())
            missing.append(member);
    }
    if (!hasRoom || missing.isEmpty())
        return {params, own};
    if (!meta.exists())
        return {withNewMeta(params, missing), tokenIn(missing)};

    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : object) {
        builder.rawKey(member.keySlice());
        if (!member.isSameNode(meta)) {
            builder.value(member);
            continue;
        }
        builder.beginObject();
        for (const json::Value &entry : meta)
            builder.rawKey(entry.keySlice()).value(entry);
        for (const MetaMember &entry : std::as_const(missing))
            builder.rawMember(QString::fromLatin1(entry.key), entry.value);
        builder.endObject();
    }
    const RequestId added = tokenIn(missing);
    return {builder.endObject().take(), added.isNone() ? own : added};
}

}  // namespace sonde
