// The one list of names that say that a value is secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <bitset>

namespace sonde {

// Where a name stands. In messages "key", "code" and "auth" are ordinary words; in a header or a variable they are not.
enum class NamePlace {
    Member,    // of JSON, or in front of a value in a text
    Header,    // of HTTP
    Variable,  // of an environment
    Flag,      // of a command line, with or without its dashes
    Query      // of an address
};

// What a value of that name is: "password", "token", "pin" …; empty when the name does not say that it is secret.
// Judged by the words of the name: clientSecret, API_KEY and x-api-key.
QByteArray secretKind(QStringView name, NamePlace place);
inline bool isSecretName(QStringView name, NamePlace place = NamePlace::Member)
{
    return !secretKind(name, place).isEmpty();
}

// LOGIN, --user: secret is what follows the first colon of such a value, and only if there is one.
bool isLoginName(QStringView name, NamePlace place);

// The last three letters of a name in a number of fifteen bits. Almost every name that is not secret is told from the
// secret ones by it.
inline quint32 nameTail(char beforeLast, char last2, char last)
{
    return (quint32(beforeLast & 31) << 10) | (quint32(last2 & 31) << 5) | quint32(last & 31);
}
using NameTails = std::bitset<32768>;
// Those of names that may be secret, or may be followed by one. Names that end in a digit are not among them.
const NameTails &secretNameTails();

}  // namespace sonde
