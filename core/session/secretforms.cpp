// SPDX-License-Identifier: Apache-2.0
#include "core/session/secretforms.h"

#include <QSet>
#include <algorithm>
#include <array>

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

QList<QByteArray> base64Spellings(const QByteArray &secret)
{
    QSet<QByteArray> forms;
    for (int before = 0; before < 3; ++before) {
        forms.insert(base64Core(secret, before, QByteArray::Base64Encoding));
        forms.insert(base64Core(secret, before, QByteArray::Base64UrlEncoding));
    }
    return forms.values();
}

bool isOrdinaryWord(QByteArrayView secret)
{
    // The longer words of the protocol. A secret that consists of anything else is not likely to be met by chance.
    static const QSet<QByteArray> words = {
        "protocolVersion",   "capabilities",  "clientInfo", "serverInfo",  "instructions", "initialize",
        "initialized",       "resources",     "templates",  "completion",  "completions",  "notifications",
        "elicitation",       "sampling",      "arguments",  "annotations", "inputSchema",  "outputSchema",
        "structuredContent", "contents",      "messages",   "description", "mimeType",     "progress",
        "progressToken",     "requestId",     "subscribe",  "listChanged", "experimental", "password",
        "assistant",         "resource_link", "text/plain"};
    constexpr qsizetype longestShort = 7;
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (secret.size() > longestShort)
        return words.contains(secret.toByteArray());
    return std::all_of(secret.begin(), secret.end(), isLetter) || std::all_of(secret.begin(), secret.end(), isDigit);
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

bool isCredentialFlag(QByteArrayView name)
{
    if (isCredentialName(name))
        return true;
    const QList<QByteArray> parts = name.toByteArray().toLower().replace('_', '-').replace('.', '-').split('-');
    return std::any_of(parts.begin(), parts.end(), [](const QByteArray &part) {
        return part.endsWith("pass") || part.endsWith("pwd") || part == "pw";
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
