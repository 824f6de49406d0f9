// The spellings in which a secret may come back, and which values are looked for in them.
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
// stands around it; and its bytes in hexadecimal digits, in lower and in upper case. Distinct.
QList<QByteArray> encodedSpellings(const QByteArray &secret);

// Whether a secret is long and random enough that what looks like it elsewhere is the same secret: eight characters or
// more, five of them different, of two kinds at least (small letters, capitals, digits, others); or twelve digits or
// sixteen letters. A path is not. Everything else is masked only where it is known to be secret.
bool isSearchedElsewhere(QByteArrayView secret);
bool isAllDigits(QByteArrayView text);
inline bool isLetterOrDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Letters and digits: a word such as "required" behind "password:" is no password.
bool looksMadeUp(QByteArrayView text);
// The name of a test or a function rather than a password: words with a number at most, and signs between them.
bool isIdentifier(QByteArrayView text);
// Twenty or more letters and digits without anything that a path, an address or a sentence would have between them.
bool looksLikeToken(QByteArrayView text);

// Whether an element of a path is long and random enough to be what lets somebody in: a UUID, or sixteen characters and
// more of which some mix letters and digits. Names with a version or a date in them are not.
bool looksLikePathSecret(QByteArrayView element);

// How much of a credential's text is its scheme and the blanks behind it, such as "Bearer "; 0 without one.
qsizetype schemeLength(QByteArrayView text);
// Where the password of name:password begins; -1 when it is no login, such as an address or two numbers.
qsizetype passwordOfLogin(QByteArrayView login);

}  // namespace sonde
