// The ways in which a secret can be spelled, and the names that give one away.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace sonde {

// What to look for in a text and in what remains of it without its escapes: the secret itself, and as forms write it,
// with a plus for each space. Distinct.
QList<QByteArray> plainSpellings(const QByteArray &secret);
// For each of the three ways in which its bytes can fall into groups, the part of its base64 that is the same whatever
// stands around it. Distinct.
QList<QByteArray> base64Spellings(const QByteArray &secret);
// Whether it may as well be an ordinary part of a message: true, 4096, tools.
bool isOrdinaryWord(QByteArrayView secret);

// Whether a header, variable, query parameter or flag of that name carries a credential.
bool isCredentialName(QByteArrayView name);
// The same for environment variables, by the words of their names too: DB_PASS, SENTRY_DSN, SIGNING_KEY.
bool isCredentialVariable(QByteArrayView name);
// Of a flag, without its dashes: --db-pass too.
bool isCredentialFlag(QByteArrayView name);
// Twenty or more letters and digits without anything that a path, an address or a sentence would have between them.
bool looksLikeToken(QByteArrayView text);

}  // namespace sonde
