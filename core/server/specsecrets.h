// The places of a server's description whose values may be kept in the keychain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

#include <QHash>

namespace sonde {

// A value that belongs in the keychain rather than in a file.
struct SecretPlace {
    enum class Where : quint8 { Environment, Header, Authorization };
    Where where = Where::Environment;
    QString name;  // of Authorization: the member of "oauth"
    bool operator==(const SecretPlace &) const = default;
};

// Told by name or form, or by `declared` names. A value that only refers to another is none.
QList<SecretPlace> secretPlaces(const ServerSpec &spec, const QStringList &declared = {});
// Whether a value is more than references to others: "Bearer ${TOKEN}" holds nothing that would have to be kept.
bool isOwnValue(const QString &value);

// What a secret value has to show: of an address everything but the password and the tokens in it, of anything else
// nothing. A person who decides whether to start a server has to see the hosts that it would talk to.
struct PartlyShown {
    QString shown;       // with the mark in place of each secret part
    QStringList hidden;  // these parts, in order; none: all is shown
};
// isSecret: it is one of secretPlaces(). The password of an address is masked in any value.
PartlyShown partlyShown(const QString &value, bool isSecret, const QString &mark);
// A URL for people, with LaunchLine::secretMark() in place of its secrets.
QString shownUrl(const QString &url);
// For people: the command line or the URL of a server.
QString shownTarget(const ServerSpec &spec);

// What the description refers to in the keychain, each once.
QStringList keychainNames(const ServerSpec &spec);
// With the values in their places. What is no longer there stays a reference.
ServerSpec withKeychainValues(const ServerSpec &spec, const QHash<QString, QString> &values);
// With references in these places to new names, under which `values` gets what stood there.
ServerSpec withKeychainReferences(const ServerSpec &spec, const QList<SecretPlace> &places,
                                  QHash<QString, QString> *values);

}  // namespace sonde
