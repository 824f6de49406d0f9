// What stands in the place of a secret: ‹kind:1a2b3c4d›.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace sonde {

inline constexpr char MarkBegin[] = "\xE2\x80\xB9";  // ‹
inline constexpr char MarkEnd[] = "\xE2\x80\xBA";    // ›

// Eight hexadecimal digits of HMAC-SHA-256 of the secret under the key.
QByteArray secretMark(const QByteArray &secret, const QByteArray &kind, const QByteArray &key);
// The length of the mark that begins at that place; 0 when there is none.
qsizetype markLength(QByteArrayView text, qsizetype at = 0);
// Nothing but a mark.
bool isMark(QByteArrayView text);
// Names of headers and variables come from outside: only what a kind may consist of.
QByteArray kindFrom(QByteArrayView name);
// Of the mark that begins at that place.
QByteArray kindOfMark(QByteArrayView text, qsizetype at);

}  // namespace sonde
