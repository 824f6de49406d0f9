// SPDX-License-Identifier: Apache-2.0
#include "core/server/serveraddress.h"

#include <QHostAddress>
#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// Endings of files that are top-level domains, or look like one.
bool isFileEnding(const QString &label)
{
    static const QStringList endings{u"sh"_s,  u"py"_s,  u"js"_s,  u"mjs"_s, u"cjs"_s, u"ts"_s,   u"rb"_s,  u"pl"_s,
                                     u"rs"_s,  u"go"_s,  u"exe"_s, u"cmd"_s, u"bat"_s, u"jar"_s,  u"php"_s, u"bin"_s,
                                     u"out"_s, u"run"_s, u"d"_s,   u"old"_s, u"lua"_s, u"json"_s, u"zip"_s};
    return endings.contains(label.toLower());
}

bool isDomain(const QString &host)
{
    static const QRegularExpression label(u"\\A[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\z"_s);
    static const QRegularExpression top(u"\\A[A-Za-z][A-Za-z0-9-]+\\z"_s);
    const QStringList labels = host.split(u'.');
    for (const QString &each : labels) {
        if (!label.match(each).hasMatch())
            return false;
    }
    return labels.size() >= 2 && top.match(labels.last()).hasMatch();
}

bool isLocalName(const QString &host)
{
    return host.compare(u"localhost", Qt::CaseInsensitive) == 0 || host.endsWith(u".localhost", Qt::CaseInsensitive);
}

bool isFourNumbers(const QString &host)
{
    static const QRegularExpression form(u"\\A\\d+\\.\\d+\\.\\d+\\.\\d+\\z"_s);
    return form.match(host).hasMatch() && !QHostAddress(host).isNull();
}

// A name alone may well be that of a program; a name with a port is none.
enum class LoneName { IsProgram, IsHost };

std::optional<TypedUrl> read(const QString &text, LoneName loneName)
{
    const QString address = text.trimmed();
    static const QRegularExpression blank(u"\\s"_s);
    if (address.startsWith(u"http://", Qt::CaseInsensitive) || address.startsWith(u"https://", Qt::CaseInsensitive))
        return TypedUrl::fromText(address);
    if (address.isEmpty() || address.contains(blank))
        return {};
    static const QRegularExpression scheme(u"\\A[A-Za-z][A-Za-z0-9+.-]*://"_s);
    if (scheme.match(address).hasMatch())
        return TypedUrl::fromText(address);

    // HOST, HOST:PORT, each with a path or a query after it.
    static const QRegularExpression form(u"\\A(\\[[0-9A-Fa-f:.]+\\]|[^:/?#@\\[\\]]+)(:(\\d{1,5}))?([/?#].*)?\\z"_s);
    const QRegularExpressionMatch match = form.match(address);
    if (!match.hasMatch())
        return {};
    const QString host = match.captured(1);
    const bool hasPort = match.hasCaptured(3);
    if (hasPort && (match.captured(3).toInt() < 1 || match.captured(3).toInt() > 65535))
        return {};
    const bool hasPath = match.hasCaptured(4);
    const bool isNumeric = host.startsWith(u'[') || isFourNumbers(host);
    static const QRegularExpression name(u"\\A[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\z"_s);
    const bool isMeantAsHost = loneName == LoneName::IsHost;
    const bool isFile = !isMeantAsHost && isFileEnding(host.section(u'.', -1));
    const bool isHost = isNumeric || isLocalName(host) || ((hasPort || isMeantAsHost) && name.match(host).hasMatch()) ||
                        ((hasPort || hasPath || isMeantAsHost) && isDomain(host) && !isFile);
    if (!isHost)
        return {};
    const bool isLoopback = isLocalName(host) ||
                            QHostAddress(host.startsWith(u'[') ? host.mid(1, host.size() - 2) : host).isLoopback() ||
                            host == u"0.0.0.0"_s;
    const TypedUrl url = TypedUrl::fromText((isLoopback ? u"http://"_s : u"https://"_s) + address);
    return url.isValid() ? std::optional(url) : std::nullopt;
}

}  // namespace

std::optional<TypedUrl> addressFromText(const QString &text)
{
    return read(text, LoneName::IsProgram);
}

TypedUrl urlFromText(const QString &text)
{
    return read(text, LoneName::IsHost).value_or(TypedUrl::fromText(text, QUrl::StrictMode));
}

}  // namespace sonde
