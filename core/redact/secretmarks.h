// The replacement of a secret: ‹kind:1a2b3c4d›, or -0e1234567890 where it was a number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace sonde {

inline constexpr char MarkBegin[] = "\xE2\x80\xB9";  // ‹
inline constexpr char MarkEnd[] = "\xE2\x80\xBA";    // ›

// Eight hexadecimal digits of HMAC-SHA-256 of the secret under the key.
QByteArray secretMark(const QByteArray &secret, const QByteArray &kind, const QByteArray &key);
// A number that is zero and that nobody else writes in this way, with ten digits of the same.
QByteArray secretNumberMark(const QByteArray &secret, const QByteArray &key);
// What both say of a secret, and what the mark at that place says.
quint32 secretDigest(const QByteArray &secret, const QByteArray &key);
quint32 digestOfMark(QByteArrayView text, qsizetype at);
// The length of the mark that begins at that place; 0 when there is none.
qsizetype markLength(QByteArrayView text, qsizetype at = 0);
// The place of the first one from there on; -1 when there is none.
qsizetype nextMark(QByteArrayView text, qsizetype from = 0);
// With words that people read in place of each.
QString withPlaceholders(const QString &text, const QString &placeholder);
// "SECRET", for a part of a URL.
QString urlPlaceholder();
// Nothing but a mark.
bool isMark(QByteArrayView text);
// Names of headers and variables come from outside: only what a kind may consist of.
QByteArray kindFrom(QByteArrayView name);
// Of the mark that begins at that place.
QByteArray kindOfMark(QByteArrayView text, qsizetype at);

}  // namespace sonde
