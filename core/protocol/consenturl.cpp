// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/consenturl.h"

#include "core/protocol/texts.h"
#include "core/protocol/visibletext.h"

#include <QHostAddress>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxOrdinaryLength = 2000;
constexpr qsizetype MaxLength = 16 * 1024;

bool isLoopback(const QString &host)
{
    return host == u"localhost"_s || QHostAddress(host).isLoopback();
}

// As it is written, without the user name in front of it and the port behind it.
void findHost(const QString &shown, ConsentUrl *result)
{
    const qsizetype slashes = shown.indexOf(u"://"_s);
    if (slashes < 0)
        return;
    const qsizetype start = slashes + 3;
    const auto isEnd = [](QChar c) { return c == u'/' || c == u'?' || c == u'#'; };
    const qsizetype end = std::find_if(shown.begin() + start, shown.end(), isEnd) - shown.begin();
    const QStringView authority = QStringView(shown).mid(start, end - start);
    const qsizetype user = authority.lastIndexOf(u'@') + 1;
    qsizetype port = authority.lastIndexOf(u':');
    if (port < user || authority.mid(port).contains(u']'))
        port = authority.size();
    result->hostStart = start + user;
    result->hostLength = port - user;
}

// Letters of alphabets that look alike, mixed within one word: no real name does that.
bool hasMixedLetters(const QString &host)
{
    const QStringList labels = QUrl::fromAce(host.toLatin1(), QUrl::IgnoreIDNWhitelist).split(u'.');
    return std::any_of(labels.begin(), labels.end(), [](const QString &label) {
        const auto has = [&label](QChar::Script script) {
            return std::any_of(label.begin(), label.end(), [script](QChar c) { return c.script() == script; });
        };
        return int(has(QChar::Script_Latin)) + int(has(QChar::Script_Cyrillic)) + int(has(QChar::Script_Greek)) > 1;
    });
}

QString refusalOf(const QString &address, const QUrl &url, const QString &host)
{
    if (address.isEmpty())
        return ProtocolText::tr("The server sent no URL.");
    if (address.size() > MaxLength)
        return ProtocolText::tr("Not opened: the URL is longer than %1 characters.").arg(MaxLength);
    // Browsers read a backslash as a slash, so that the host would be another one than here.
    const bool isOdd = address.contains(u'\\') || visibleText(address, {false}) != address ||
                       std::any_of(address.begin(), address.end(), [](QChar c) { return c.isSpace(); });
    if (isOdd)
        return ProtocolText::tr("Not opened: the URL contains spaces, backslashes or invisible characters.");
    if (!url.isValid() || url.scheme().isEmpty())
        return ProtocolText::tr("Not opened: this is not a valid URL.");
    if (url.scheme() != u"https"_s && url.scheme() != u"http"_s)
        return ProtocolText::tr("Not opened: the scheme “%1” is not https.").arg(visibleLine(url.scheme(), 40));
    if (host.isEmpty())
        return ProtocolText::tr("Not opened: the URL has no host.");
    if (url.scheme() == u"http"_s && !isLoopback(host))
        return ProtocolText::tr("Not opened: http is allowed to this computer only; others need https.");
    if (!url.userInfo().isEmpty() || url.authority().contains(u'@'))
        return ProtocolText::tr("Not opened: the text before “@” is a user name; the host is %1.").arg(host);
    if (hasMixedLetters(host))
        return ProtocolText::tr("Not opened: the host mixes letters of different alphabets that look alike.");
    return {};
}

}  // namespace

ConsentUrl ConsentUrl::fromText(const QString &address)
{
    ConsentUrl result;
    const QUrl url(address, QUrl::StrictMode);
    result.host = url.host(QUrl::FullyEncoded);
    findHost(visibleText(address, {false}), &result);
    result.refusal = refusalOf(address, url, result.host);
    if (!result.refusal.isEmpty())
        return result;
    result.url = url;
    if (const QString shown = url.host(QUrl::FullyDecoded); shown != result.host || result.host.contains(u"xn--"_s))
        result.warnings += ProtocolText::tr("The host is an internationalized name (%1). It may look like another one.")
                               .arg(result.host);
    if (!QHostAddress(result.host).isNull() && !isLoopback(result.host))
        result.warnings += ProtocolText::tr("The host is an IP address.");
    if (isLoopback(result.host))
        result.warnings += ProtocolText::tr("The address points to this computer.");
    else if (url.port(443) != 443)
        result.warnings += ProtocolText::tr("Unusual port: %1.").arg(url.port());
    if (address.size() > MaxOrdinaryLength)
        result.warnings += ProtocolText::tr("The URL is unusually long.");
    return result;
}

}  // namespace sonde
