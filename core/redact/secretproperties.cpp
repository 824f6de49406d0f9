// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretproperties.h"

#include "core/json/pointer.h"

#include <vector>

namespace sonde::schema {

SecretProperties::SecretProperties(const json::Value &schema)
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

// Said of itself, of a branch, of the items or by reference. The properties of an object are asked one by one.
bool SecretProperties::isSecret(const json::Value &place)
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
json::Value SecretProperties::meantBy(const QString &reference, const json::Value &root)
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
    const bool isTooLarge = schema.slice().size() > MaxSecretSchemaBytes;
    const SecretProperties properties(isTooLarge ? json::Value() : json::parse(schema.bytes()));
    const bool isAny = isTooLarge || !properties.isComplete();
    struct Candidate {
        json::Value value;
        QString name;
        bool isSecret = false;  // or within a secret
    };
    std::vector<Candidate> open{{arguments, {}, isAny}};
    while (!open.empty()) {
        const Candidate place = open.back();
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

}  // namespace sonde::schema
