// SPDX-License-Identifier: Apache-2.0
#include "core/session/secretmarks.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

namespace sonde {

namespace {

constexpr qsizetype edgeLength = sizeof MarkBegin - 1;  // and that of the end
constexpr qsizetype codeLength = 8;
constexpr qsizetype longestKind = 40;

bool isKindByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

bool isHexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

}  // namespace

QByteArray secretMark(const QByteArray &secret, const QByteArray &kind, const QByteArray &key)
{
    const QByteArray code = QMessageAuthenticationCode::hash(secret, key, QCryptographicHash::Sha256);
    return MarkBegin + kind + ':' + code.left(codeLength / 2).toHex() + MarkEnd;
}

qsizetype markLength(QByteArrayView text, qsizetype at)
{
    if (!text.sliced(at).startsWith(MarkBegin))
        return 0;
    qsizetype end = at + edgeLength;
    while (end < text.size() && end - at - edgeLength < longestKind && isKindByte(text[end]))
        ++end;
    if (end == at + edgeLength || end >= text.size() || text[end] != ':')
        return 0;
    ++end;
    for (qsizetype i = 0; i < codeLength; ++i, ++end) {
        if (end >= text.size() || !isHexadecimal(text[end]))
            return 0;
    }
    return text.sliced(end).startsWith(MarkEnd) ? end + edgeLength - at : 0;
}

bool isMark(QByteArrayView text)
{
    return !text.isEmpty() && markLength(text) == text.size();
}

QByteArray kindFrom(QByteArrayView name)
{
    QByteArray kind;
    for (const char c : name.toByteArray().toLower()) {
        if (isKindByte(c))
            kind.append(c);
    }
    return kind.isEmpty() ? QByteArray("secret") : kind.left(longestKind);
}

QByteArray kindOfMark(QByteArrayView text, qsizetype at)
{
    const qsizetype start = at + edgeLength;
    const qsizetype end = at + markLength(text, at) - edgeLength - codeLength - 1;
    return text.sliced(start, end - start).toByteArray();
}

}  // namespace sonde
