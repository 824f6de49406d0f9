// How a configuration names a secret that is kept elsewhere: ${keychain:NAME}, alone or within a text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace sonde {

QString secretReference(const QString &name);
// A name that nothing is kept under yet. label: what the value is for; part of the name, for people.
QString newSecretName(const QString &label);
QStringList secretNamesIn(const QString &text);
inline bool hasSecretReference(const QString &text)
{
    return !secretNamesIn(text).isEmpty();
}
// With the values in the places of their names; others stay as they are.
QString withSecrets(const QString &text, const QHash<QString, QString> &values);

}  // namespace sonde
