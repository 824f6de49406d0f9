// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretforms.h"

#include "core/redact/secretmarks.h"

#include <QSet>
#include <algorithm>
#include <array>
#include <bitset>

namespace sonde {

namespace {

// Only the characters that depend on nothing but the secret.
QByteArray base64Core(const QByteArray &secret, int before, QByteArray::Base64Options options)
{
    static constexpr std::array<qsizetype, 3> spoiltByPrefix = {0, 2, 3};
    const QByteArray text = (QByteArray(before, '\0') + secret).toBase64(options);
    const qsizetype whole = (before + secret.size()) * 8 / 6;
    const qsizetype first = spoiltByPrefix[size_t(before)];
    return text.mid(first, whole - first);
}

}  // namespace

QList<QByteArray> plainSpellings(const QByteArray &secret)
{
    QList<QByteArray> spellings = {secret};
    if (secret.contains(' '))
        spellings.append(QByteArray(secret).replace(' ', '+'));
    return spellings;
}

QList<QByteArray> encodedSpellings(const QByteArray &secret)
{
    QSet<QByteArray> forms;
    for (int before = 0; before < 3; ++before) {
        forms.insert(base64Core(secret, before, QByteArray::Base64Encoding));
        forms.insert(base64Core(secret, before, QByteArray::Base64UrlEncoding));
    }
    forms.insert(secret.toHex());
    forms.insert(secret.toHex().toUpper());
    return forms.values();
}

bool isSearchedElsewhere(QByteArrayView secret)
{
    constexpr qsizetype leastBytes = 8;
    constexpr qsizetype leastDigits = 12;
    constexpr qsizetype leastLetters = 16;
    constexpr int leastDistinct = 5;
    const bool isPath = secret.startsWith('/') && secret.sliced(1).contains('/') && !secret.contains('+');
    if (secret.size() < leastBytes || isPath)
        return false;
    std::bitset<256> seen;
    std::bitset<4> kinds;
    qsizetype characters = 0;
    for (const char c : secret) {
        seen.set(uchar(c));
        kinds.set(c >= 'a' && c <= 'z' ? 0 : c >= 'A' && c <= 'Z' ? 1 : c >= '0' && c <= '9' ? 2 : 3);
        characters += (uchar(c) & 0xC0) != 0x80 ? 1 : 0;  // a character of UTF-8 counts once
    }
    if (characters < leastBytes || int(seen.count()) < leastDistinct)
        return false;
    if (kinds.count() > 1)
        return true;
    return characters >= (kinds[2] ? leastDigits : leastLetters);
}

bool isAllDigits(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool looksMadeUp(QByteArrayView text)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || uchar(c) >= 0x80; };
    return std::any_of(text.begin(), text.end(), isDigit) && std::any_of(text.begin(), text.end(), isLetter);
}

bool looksLikeToken(QByteArrayView text)
{
    constexpr qsizetype shortest = 20;
    if (text.size() < shortest || text.startsWith('/'))
        return false;
    bool hasDigit = false;
    bool hasLetter = false;
    for (const char c : text) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool isDigit = c >= '0' && c <= '9';
        if (!isLetter && !isDigit && !QByteArrayView("+/=_-.~").contains(c))
            return false;
        hasDigit = hasDigit || isDigit;
        hasLetter = hasLetter || isLetter;
    }
    return hasDigit && hasLetter;
}

bool isIdentifier(QByteArrayView text)
{
    constexpr qsizetype mostDigits = 4;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.startsWith("Test") || text.startsWith("test"))
        return true;
    int words = 0;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype start = at;
        while (at < text.size() && isLetterOrDigit(text[at]) && !isDigit(text[at]))
            ++at;
        const qsizetype digits = at;
        while (at < text.size() && isDigit(text[at]))
            ++at;
        if (at - digits > mostDigits || (at < text.size() && isLetterOrDigit(text[at])))
            return false;
        words += at > start ? 1 : 0;
        at += at < text.size() ? 1 : 0;
    }
    return words > 1;
}

bool looksLikePathSecret(QByteArrayView element)
{
    constexpr qsizetype shortest = 16;
    constexpr qsizetype shortestPart = 12;
    constexpr qsizetype uuidLength = 36;
    const auto isHex = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-';
    };
    if (element.size() == uuidLength && element.count('-') == 4 && std::all_of(element.begin(), element.end(), isHex))
        return true;
    if (element.size() < shortest)
        return false;
    for (qsizetype at = 0; at < element.size();) {
        const qsizetype start = at;
        while (at < element.size() && isLetterOrDigit(element[at]))
            ++at;
        if (at - start >= shortestPart && looksMadeUp(element.sliced(start, at - start)))
            return true;
        at += at < element.size() ? 1 : 0;
    }
    return false;
}

qsizetype schemeLength(QByteArrayView text)
{
    static constexpr std::array<QByteArrayView, 7> schemes = {"bearer", "basic",  "digest",   "dpop",
                                                              "token",  "apikey", "negotiate"};
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    for (const QByteArrayView scheme : schemes) {
        const qsizetype size = scheme.size();
        if (text.size() > size && isBlank(text[size]) && text.first(size).compare(scheme, Qt::CaseInsensitive) == 0) {
            qsizetype at = size;
            while (at < text.size() && isBlank(text[at]))
                ++at;
            return at;
        }
    }
    return 0;
}

qsizetype passwordOfLogin(QByteArrayView login)
{
    const qsizetype colon = login.indexOf(':');
    const QByteArrayView password = colon > 0 ? login.sliced(colon + 1) : QByteArrayView();
    const bool isNone = password.isEmpty() || password.startsWith("//") || markLength(password) > 0 ||
                        (isAllDigits(password) && isAllDigits(login.first(colon)));
    return isNone ? -1 : colon + 1;
}

}  // namespace sonde
