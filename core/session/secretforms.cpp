// SPDX-License-Identifier: Apache-2.0
#include "core/session/secretforms.h"

#include <QSet>
#include <QString>
#include <algorithm>
#include <array>

namespace sonde {

namespace {

enum class JsonStyle { Minimal, AsciiLower, AsciiUpper };

void appendUnit(QByteArray &out, char16_t unit, bool upper)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        out.append(digits[(unit >> shift) & 15]);
}

QByteArray jsonEscaped(const QByteArray &text, JsonStyle style, bool escapeSlash)
{
    QByteArray out;
    const QString units = QString::fromUtf8(text);
    for (qsizetype i = 0; i < units.size(); ++i) {
        const char16_t unit = units.at(i).unicode();
        switch (unit) {
            case u'"':
                out.append("\\\"");
                continue;
            case u'\\':
                out.append("\\\\");
                continue;
            case u'\b':
                out.append("\\b");
                continue;
            case u'\f':
                out.append("\\f");
                continue;
            case u'\n':
                out.append("\\n");
                continue;
            case u'\r':
                out.append("\\r");
                continue;
            case u'\t':
                out.append("\\t");
                continue;
            case u'/':
                out.append(escapeSlash ? "\\/" : "/");
                continue;
            default:
                break;
        }
        const bool ascii = unit >= 0x20 && unit < 0x7F;
        if (ascii)
            out.append(char(unit));
        else if (unit < 0x20 || style != JsonStyle::Minimal)
            appendUnit(out, unit, style == JsonStyle::AsciiUpper);
        else if (QChar::isHighSurrogate(unit) && i + 1 < units.size())
            out.append(units.mid(i++, 2).toUtf8());
        else
            out.append(QString(QChar(unit)).toUtf8());
    }
    return out;
}

QByteArray lowerEscapes(QByteArray percent)
{
    for (qsizetype at = percent.indexOf('%'); at >= 0; at = percent.indexOf('%', at + 3))
        percent.replace(at, 3, percent.mid(at, 3).toLower());
    return percent;
}

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

QList<QByteArray> textSpellings(const QByteArray &secret)
{
    QList<QByteArray> plain = {secret};
    for (const JsonStyle style : {JsonStyle::Minimal, JsonStyle::AsciiLower, JsonStyle::AsciiUpper}) {
        for (const bool escapeSlash : {false, true}) {
            const QByteArray once = jsonEscaped(secret, style, escapeSlash);
            plain << once << jsonEscaped(once, style, escapeSlash);
        }
    }
    // Libraries agree on how to escape, but not on what: encodeURIComponent, Python's quote (keeps the slash),
    // encodeURI.
    for (const char *kept : {"", "!*'()", "/", ":/@", "!*'();:@&=+$,/?[]", "!*'();:@&=+$,/?#"}) {
        const QByteArray percent = secret.toPercentEncoding(kept);
        QByteArray form = percent;
        plain << percent << lowerEscapes(percent) << form.replace("%20", "+");
    }
    return QSet<QByteArray>(plain.cbegin(), plain.cend()).values();
}

QList<QByteArray> base64Spellings(const QByteArray &secret)
{
    QSet<QByteArray> forms;
    for (int before = 0; before < 3; ++before) {
        forms.insert(base64Core(secret, before, QByteArray::Base64Encoding));
        forms.insert(base64Core(secret, before, QByteArray::Base64UrlEncoding));
    }
    return forms.values();
}

bool isCredentialName(QByteArrayView name)
{
    static const std::array<QByteArray, 12> parts = {"authorization", "apikey",     "api-key",  "api_key",
                                                     "token",         "secret",     "password", "passwd",
                                                     "passphrase",    "credential", "cookie",   "mcp-session-id"};
    static const std::array<QByteArray, 7> names = {"code", "key", "sig", "signature", "auth", "x-auth", "pwd"};
    const QByteArray lower = name.toByteArray().toLower();
    for (const QByteArray &part : parts) {
        if (lower.contains(part))
            return true;
    }
    for (const QByteArray &whole : names) {
        if (lower == whole)
            return true;
    }
    return false;
}

bool isCredentialVariable(QByteArrayView name)
{
    if (isCredentialName(name))
        return true;
    static const QSet<QByteArray> words = {"pass",  "pwd", "pw",   "pat",     "jwt", "auth", "dsn",  "cred",
                                           "creds", "key", "keys", "private", "pin", "otp",  "salt", "seed"};
    const QList<QByteArray> parts = name.toByteArray().toLower().replace('-', '_').split('_');
    return std::any_of(parts.begin(), parts.end(), [](const QByteArray &part) {
        return words.contains(part) || part.endsWith("pass") || part.endsWith("key") || part.endsWith("pwd");
    });
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

}  // namespace sonde
