// SPDX-License-Identifier: Apache-2.0
#include "core/connection/secretarguments.h"

#include "core/json/builder.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretproperties.h"
#include "core/session/session.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int MaxDepth = 64;  // of the arguments

// {"name":"Authorization","value":"…"}: the name alone is of no use.
bool isNamedPair(const json::Value &value)
{
    return value.size() == 2 && value.contains(u"value");
}

// Empty where the value must not be kept. masked: as the session records it.
QByteArray keptOf(const json::Value &masked, const schema::SecretProperties &properties, const QStringList &secrets,
                  int depth)
{
    if (depth > MaxDepth)
        return {};
    if (!masked.isContainer()) {
        // A credential that says so itself is one, however short.
        const QString text = masked.string();
        const auto isWithin = [&text](const QString &secret) { return !secret.isEmpty() && text.contains(secret); };
        const bool isSecret = nextMark(masked.slice()) >= 0 || schemeLength(text.toUtf8()) > 0 ||
                              std::any_of(secrets.begin(), secrets.end(), isWithin);
        return isSecret ? QByteArray() : masked.bytes();
    }
    json::Builder builder;
    masked.isObject() ? builder.beginObject() : builder.beginArray();
    for (const json::Value &child : masked) {
        const bool isSecret =
            masked.isObject() && (properties.contains(child.key()) || nextMark(child.keySlice()) >= 0);
        const QByteArray kept = isSecret ? QByteArray() : keptOf(child, properties, secrets, depth + 1);
        if (kept.isEmpty() && (masked.isArray() || isNamedPair(masked)))
            return {};
        if (kept.isEmpty())
            continue;
        if (masked.isObject())
            builder.rawKey(child.keySlice());
        builder.raw(kept);
    }
    masked.isObject() ? builder.endObject() : builder.endArray();
    return builder.take();
}

}  // namespace

QByteArray withoutSecrets(const json::Value &arguments, const json::Value &schema, const QStringList &secrets,
                          const Session &session)
{
    if (!arguments.isObject() || schema.slice().size() > schema::MaxSecretSchemaBytes)
        return {};
    // A document of its own: references are meant within the schema, which came within a list.
    const schema::SecretProperties properties(json::parse(schema.bytes()));
    if (!properties.isComplete())
        return {};
    return keptOf(json::parse(session.masked(arguments.bytes())), properties, secrets, 0);
}

QByteArray withoutMasked(const json::Value &recorded)
{
    return recorded.isObject() ? keptOf(recorded, schema::SecretProperties({}), {}, 0) : QByteArray();
}

QByteArray textWithoutSecrets(const QByteArray &text, const json::Value &schema, const QStringList &secrets,
                              const Session &session)
{
    const json::Document document = json::Document::parse(text);
    if (document.isValid() && document.root().isObject()) {
        const QByteArray kept = withoutSecrets(document.root(), schema, secrets, session);
        return kept == json::compact(document.root()) ? text : kept;
    }
    const auto isWithin = [&text](const QString &secret) {
        return !secret.isEmpty() && text.contains(secret.toUtf8());
    };
    const bool isSecret = schema::maySaySecret(schema) || nextMark(session.masked(text)) >= 0 ||
                          std::any_of(secrets.begin(), secrets.end(), isWithin);
    return isSecret ? QByteArray() : text;
}

}  // namespace sonde
