// What a schema declares to be secret: format "password", writeOnly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/schema/budget.h"

#include <QHash>
#include <QSet>

namespace sonde::schema {

// Nobody looks through a longer one.
inline constexpr qsizetype MaxSecretSchemaBytes = 1'000'000;

// The names of properties whose values are secret, wherever in the schema they stand.
class SecretProperties {
public:
    explicit SecretProperties(const json::Value &schema);

    bool contains(const QString &name) const { return m_names.contains(name); }
    bool isComplete() const { return !m_budget.isSpent(); }

private:
    bool isSecret(const json::Value &place);
    json::Value meantBy(const QString &reference, const json::Value &root);

    QSet<QString> m_names;
    QHash<QString, json::Value> m_references;
    Budget m_budget;
};

struct SecretValue {
    QString name;  // of the member that it is, or in whose list it is
    QString value;

    bool operator==(const SecretValue &) const = default;
};
// The values that the schema declares to be secret (format "password", writeOnly), wherever they occur in the
// arguments: texts, and numbers as they are written. All of them when the schema declares some and is too large, or
// leads too far, to tell which.
QList<SecretValue> secretValues(const json::Value &arguments, const json::Value &schema);
// Whether it may declare any, at a glance.
bool maySaySecret(const json::Value &schema);

}  // namespace sonde::schema
