// SPDX-License-Identifier: Apache-2.0
#include "core/connection/secretarguments.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "core/schema/budget.h"
#include "core/session/secretforms.h"
#include "core/session/session.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <vector>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int MaxDepth = 64;  // of the arguments
constexpr qsizetype MaxSchemaBytes = 1'000'000;

// The names of properties whose values are secret, wherever in the schema they stand.
class SecretProperties {
public:
    explicit SecretProperties(const json::Value &schema)
    {
        std::vector<json::Value> open{schema};
        while (!open.empty()) {
            const json::Value node = open.back();
            open.pop_back();
            for (const json::Value &property : node[u"properties"]) {
                if (isSecret(property))
                    m_names.insert(property.key());
            }
            for (const json::Value &child : node) {
                if (child.isContainer())
                    open.push_back(child);
            }
        }
    }
    bool contains(const QString &name) const { return m_names.contains(name); }
    bool isComplete() const { return !m_budget.isSpent(); }

private:
    // Said of itself, of a branch, of the items or by reference. The properties of an object are asked one by one.
    bool isSecret(const json::Value &place)
    {
        std::vector<json::Value> open{place};
        while (!open.empty() && m_budget.spend(16)) {
            const json::Value schema = open.back();
            open.pop_back();
            if (!m_budget.spend(schema.size()))
                return false;
            if (schema[u"format"].string() == u"password" || schema[u"writeOnly"].toBool())
                return true;
            for (const QStringView keyword : {u"anyOf", u"oneOf", u"allOf", u"prefixItems"}) {
                const json::Value branches = schema[keyword];
                if (!m_budget.spend(branches.size()))
                    return false;
                for (const json::Value &branch : branches)
                    open.push_back(branch);
            }
            for (const QStringView keyword : {u"items", u"additionalProperties"}) {
                if (schema[keyword].isObject())
                    open.push_back(schema[keyword]);
            }
            if (schema[u"$ref"].isString())
                open.push_back(meantBy(schema[u"$ref"].string(), schema.document().root()));
        }
        return false;
    }

    // Each reference is looked up once: that may mean a walk over all of a large schema.
    json::Value meantBy(const QString &reference, const json::Value &root)
    {
        const auto known = m_references.constFind(reference);
        if (known != m_references.cend())
            return *known;
        json::Value place = root;
        const auto pointer = json::Pointer::fromFragment(reference);
        for (const QString &token : pointer ? pointer->tokens() : QStringList()) {
            m_budget.spend(place.size() / 8);
            place = json::Pointer(QStringList{token}).resolve(place);
        }
        return *m_references.insert(reference, pointer ? place : json::Value());
    }

    QSet<QString> m_names;
    QHash<QString, json::Value> m_references;
    schema::Budget m_budget;
};

// {"name":"Authorization","value":"…"}: the name alone is of no use.
bool isNamedPair(const json::Value &value)
{
    return value.size() == 2 && value.contains(u"value");
}

// Empty where the value must not be kept. masked: as the session records it.
QByteArray keptOf(const json::Value &value, const json::Value &masked, const SecretProperties &properties,
                  const QStringList &secrets, int depth)
{
    if (depth > MaxDepth || value.size() != masked.size())
        return {};
    if (!value.isContainer()) {
        // A credential that says so itself is one, however short.
        const QString text = value.string();
        const auto isWithin = [&text](const QString &secret) { return !secret.isEmpty() && text.contains(secret); };
        const bool isSecret = value.slice() != masked.slice() || schemeLength(text.toUtf8()) > 0 ||
                              std::any_of(secrets.begin(), secrets.end(), isWithin);
        return isSecret ? QByteArray() : value.bytes();
    }
    json::Builder builder;
    value.isObject() ? builder.beginObject() : builder.beginArray();
    auto next = masked.begin();
    for (const json::Value &child : value) {
        const json::Value other = *next;
        ++next;
        const bool isSecret =
            value.isObject() && (properties.contains(child.key()) || child.keySlice() != other.keySlice());
        const QByteArray kept = isSecret ? QByteArray() : keptOf(child, other, properties, secrets, depth + 1);
        if (kept.isEmpty() && (value.isArray() || isNamedPair(value)))
            return {};
        if (kept.isEmpty())
            continue;
        if (value.isObject())
            builder.rawKey(child.keySlice());
        builder.raw(kept);
    }
    value.isObject() ? builder.endObject() : builder.endArray();
    return builder.take();
}

}  // namespace

QByteArray withoutSecrets(const json::Value &arguments, const json::Value &schema, const QStringList &secrets,
                          const Session &session)
{
    if (!arguments.isObject() || schema.slice().size() > MaxSchemaBytes)
        return {};
    // A document of its own: references are meant within the schema, which came within a list.
    const SecretProperties properties(json::parse(schema.bytes()));
    if (!properties.isComplete())
        return {};
    const json::Value masked = json::parse(session.masked(arguments.bytes()));
    return keptOf(arguments, masked, properties, secrets, 0);
}

// Most schemas declare no secret at all, which their bytes tell.
bool maySaySecret(const json::Value &schema)
{
    const QByteArrayView text = schema.slice();
    return text.contains("password") || text.contains("writeOnly") || text.contains("\\u");
}

QList<SecretValue> secretValues(const json::Value &arguments, const json::Value &schema)
{
    QList<SecretValue> values;
    if (!maySaySecret(schema))
        return values;
    const bool isTooLarge = schema.slice().size() > MaxSchemaBytes;
    const SecretProperties properties(isTooLarge ? json::Value() : json::parse(schema.bytes()));
    const bool isAny = isTooLarge || !properties.isComplete();
    struct Place {
        json::Value value;
        QString name;
        bool isSecret = false;  // or within a secret
    };
    std::vector<Place> open{{arguments, {}, isAny}};
    while (!open.empty()) {
        const Place place = open.back();
        open.pop_back();
        const json::Value &value = place.value;
        if (place.isSecret && value.isString())
            values.append({place.name, value.string()});
        else if (place.isSecret && value.isNumber())
            values.append({place.name, QString::fromUtf8(value.slice())});
        for (const json::Value &child : value) {
            const QString name = value.isObject() ? child.key() : place.name;
            open.push_back({child, name, place.isSecret || (value.isObject() && properties.contains(name))});
        }
    }
    return values;
}

}  // namespace sonde
