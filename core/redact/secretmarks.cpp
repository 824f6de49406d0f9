// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretmarks.h"

#include "core/redact/secretforms.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QtEndian>

namespace sonde {

namespace {

constexpr qsizetype EdgeLength = sizeof MarkBegin - 1;  // and that of the end
constexpr qsizetype CodeLength = 8;
constexpr qsizetype MaxKindLength = 40;
constexpr QByteArrayView NumberBegin = "-0e";
constexpr qsizetype NumberDigits = 10;

bool isKindByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

bool isHexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

}  // namespace

quint32 secretDigest(const QByteArray &secret, const QByteArray &key)
{
    const QByteArray code = QMessageAuthenticationCode::hash(secret, key, QCryptographicHash::Sha256);
    return qFromBigEndian<quint32>(code.constData());
}

QByteArray secretMark(const QByteArray &secret, const QByteArray &kind, const QByteArray &key)
{
    const QByteArray code = QByteArray::number(secretDigest(secret, key), 16);
    return MarkBegin + kind + ':' + code.rightJustified(CodeLength, '0') + MarkEnd;
}

QByteArray secretNumberMark(const QByteArray &secret, const QByteArray &key)
{
    return NumberBegin.toByteArray() + QByteArray::number(secretDigest(secret, key)).rightJustified(NumberDigits, '0');
}

namespace {

qsizetype numberMarkLength(QByteArrayView text, qsizetype at)
{
    const auto isDigit = [text](qsizetype place) {
        return place < text.size() && text[place] >= '0' && text[place] <= '9';
    };
    if (!text.sliced(at).startsWith(NumberBegin))
        return 0;
    qsizetype end = at + NumberBegin.size();
    for (qsizetype i = 0; i < NumberDigits; ++i, ++end) {
        if (!isDigit(end))
            return 0;
    }
    return isDigit(end) ? 0 : end - at;
}

}  // namespace

qsizetype markLength(QByteArrayView text, qsizetype at)
{
    if (at < text.size() && text[at] == '-')
        return numberMarkLength(text, at);
    if (!text.sliced(at).startsWith(MarkBegin))
        return 0;
    qsizetype end = at + EdgeLength;
    while (end < text.size() && end - at - EdgeLength < MaxKindLength && isKindByte(text[end]))
        ++end;
    if (end == at + EdgeLength || end >= text.size() || text[end] != ':')
        return 0;
    ++end;
    for (qsizetype i = 0; i < CodeLength; ++i, ++end) {
        if (end >= text.size() || !isHexadecimal(text[end]))
            return 0;
    }
    return text.sliced(end).startsWith(MarkEnd) ? end + EdgeLength - at : 0;
}

qsizetype nextMark(QByteArrayView text, qsizetype from)
{
    const auto next = [from](QByteArrayView within, QByteArrayView begin) {
        qsizetype at = within.indexOf(begin, from);
        while (at >= 0 && markLength(within, at) == 0)
            at = within.indexOf(begin, at + 1);
        return at;
    };
    const qsizetype mark = next(text, MarkBegin);
    const qsizetype number = next(mark < 0 ? text : text.first(mark), NumberBegin);
    return number < 0 ? mark : number;
}

QString withPlaceholders(const QString &text, const QString &placeholder)
{
    QByteArray shown = text.toUtf8();
    for (qsizetype at = nextMark(shown); at >= 0; at = nextMark(shown, at + 1))
        shown.replace(at, markLength(shown, at), placeholder.toUtf8());
    return QString::fromUtf8(shown);
}

QString urlPlaceholder()
{
    return QStringLiteral("SECRET");
}

quint32 digestOfMark(QByteArrayView text, qsizetype at)
{
    const qsizetype end = at + markLength(text, at);
    const bool isNumber = text[at] == '-';
    const QByteArrayView digits = isNumber ? text.sliced(end - NumberDigits, NumberDigits)
                                           : text.sliced(end - EdgeLength - CodeLength, CodeLength);
    return digits.toByteArray().toUInt(nullptr, isNumber ? 10 : 16);
}

bool isMark(QByteArrayView text)
{
    return !text.isEmpty() && markLength(text) == text.size();
}

QByteArray kindFrom(QByteArrayView name)
{
    // What stands behind a name, such as a value that was taken for a part of it, is told to nobody.
    static const QByteArrayView within = "_-. ";
    QByteArray kind;
    const QByteArray lower = name.toByteArray().toLower();
    for (const char c : lower) {
        if (isKindByte(c))
            kind.append(c);
        else if (!kind.isEmpty() && !within.contains(c))
            break;
    }
    if (looksLikeToken(name))
        kind.clear();
    return kind.isEmpty() ? QByteArray("secret") : kind.left(MaxKindLength);
}

QByteArray kindOfMark(QByteArrayView text, qsizetype at)
{
    if (text[at] == '-')
        return "number";
    const qsizetype start = at + EdgeLength;
    const qsizetype end = at + markLength(text, at) - EdgeLength - CodeLength - 1;
    return text.sliced(start, end - start).toByteArray();
}

}  // namespace sonde
