// SPDX-License-Identifier: Apache-2.0
#include "core/connection/secretwords.h"

#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype LeastToken = 8;

// "apiKey", "API_KEY" and "x-api-key" all give "api", "key".
QStringList wordsOf(const QString &name)
{
    QStringList words;
    QString word;
    QChar previous;
    for (const QChar c : name) {
        const bool boundary = !c.isLetterOrNumber() || (c.isUpper() && previous.isLower());
        if (boundary && !word.isEmpty()) {
            words.append(word);
            word.clear();
        }
        if (c.isLetterOrNumber())
            word.append(c.toLower());
        previous = c;
    }
    if (!word.isEmpty())
        words.append(word);
    return words;
}

// Replacing such a value wherever it occurs would spoil the recording and protect nothing.
bool isInnocent(const QString &value)
{
    static const QStringList words{u"true"_s, u"false"_s, u"null"_s, u"none"_s, u"auto"_s, u"default"_s};
    if (value.size() < 4 || words.contains(value.toLower()))
        return true;
    const bool digits = std::all_of(value.begin(), value.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    return digits && value.size() < 8;
}

}  // namespace

bool isSecretName(const QString &name)
{
    static const QStringList exact{u"key"_s, u"auth"_s, u"pat"_s, u"jwt"_s, u"cookie"_s, u"bearer"_s, u"session"_s};
    static const QStringList within{u"token"_s, u"secret"_s, u"passw"_s, u"credential"_s, u"authoriz"_s, u"apikey"_s};
    const QStringList words = wordsOf(name);
    return std::any_of(words.begin(), words.end(), [](const QString &word) {
        return exact.contains(word) || (word.endsWith(u"key") && word.size() > 3) ||
               std::any_of(within.begin(), within.end(), [&](const QString &part) { return word.contains(part); });
    });
}

QStringList secretParts(const QString &value)
{
    QStringList parts;
    const auto add = [&](const QString &part) {
        if (!isInnocent(part) && !parts.contains(part))
            parts.append(part);
    };
    const QString trimmed = value.trimmed();
    add(trimmed);
    const qsizetype space = trimmed.indexOf(u' ');
    if (space > 0) {
        const QString scheme = trimmed.left(space).toLower();
        const QString rest = trimmed.mid(space + 1).trimmed();
        if (scheme == u"bearer" || scheme == u"token" || scheme == u"basic" || scheme == u"apikey")
            add(rest);
        if (scheme == u"basic") {
            const QString pair = QString::fromUtf8(QByteArray::fromBase64(rest.toLatin1()));
            add(pair.mid(pair.indexOf(u':') + 1));
        }
    }
    return parts;
}

QStringList secretsInAddress(const QString &text)
{
    QStringList secrets;
    if (!text.contains(u"://"))
        return secrets;
    // An address within a longer text: "--db=postgres://user:word@host/db".
    const qsizetype mark = text.indexOf(u"://");
    qsizetype start = mark;
    while (start > 0 && (text.at(start - 1).isLetterOrNumber() || u"+.-"_s.contains(text.at(start - 1))))
        --start;
    const QUrl url(text.mid(start), QUrl::TolerantMode);
    const auto add = [&](const QString &value) {
        for (const QString &part : secretParts(value)) {
            if (!secrets.contains(part))
                secrets.append(part);
        }
    };
    add(url.password(QUrl::FullyDecoded));
    add(url.password(QUrl::FullyEncoded));
    // https://TOKEN@host; without a web server behind it, as in postgres://postgres@host, it is a mere name.
    if (url.password().isEmpty() && url.scheme().startsWith(u"http") && url.userName().size() >= LeastToken) {
        add(url.userName(QUrl::FullyDecoded));
        add(url.userName(QUrl::FullyEncoded));
    }
    const auto items = QUrlQuery(url).queryItems(QUrl::FullyDecoded);
    for (const auto &[name, value] : items) {
        if (isSecretName(name))
            add(value);
    }
    return secrets;
}

QStringList secretsInPair(const QString &name, const QString &value)
{
    return isSecretName(name) ? secretParts(value) : secretsInAddress(value) + secretsInText(value);
}

QStringList secretsInText(const QString &text)
{
    // A name is tried once only, from its beginning: long texts without any cost no more than their length.
    static const QRegularExpression assignment(uR"((?<![\w.-])([\w.-]++)["']?\s*+[=:]\s*+["']?([^"']*+))"_s);
    QStringList secrets;
    qsizetype at = 0;
    for (auto match = assignment.match(text); match.hasMatch(); match = assignment.match(text, at)) {
        const bool isSecret = isSecretName(match.captured(1));
        at = isSecret ? match.capturedEnd(2) : match.capturedStart(2);
        if (isSecret)
            secrets += secretParts(match.captured(2));
    }
    return secrets;
}

}  // namespace sonde
