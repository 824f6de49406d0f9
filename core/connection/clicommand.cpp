// SPDX-License-Identifier: Apache-2.0
#include "core/connection/clicommand.h"

#include "core/json/builder.h"
#include "core/json/document.h"
#include "core/protocol/methods.h"
#include "core/transport/commandline.h"

using namespace Qt::StringLiterals;

namespace sonde {

QString cliCommand(const QString &serverName, QStringView method, const QByteArray &params)
{
    const json::Value given = json::parse(params);
    QStringList words{u"sonde-cli"_s};
    if (method == methods::ReadResource)
        words << u"read"_s << given[u"uri"].string();
    else if (method == methods::CallTool)
        words << u"call"_s << given[u"name"].string();
    else if (method == methods::PromptGet)
        words << u"prompt"_s << given[u"name"].string();
    else
        return {};
    words << u"--server"_s << serverName;
    for (const json::Value &member : given[u"arguments"])
        words << member.key() + u":="_s + QString::fromUtf8(json::compact(member));
    return joinCommandLine(words);
}

QString curlCommand(const QByteArray &facts, const QByteArray &body)
{
    const json::Value request = json::parse(facts);
    const QString url = request[u"url"].string();
    if (url.isEmpty())
        return {};
    // Globbing off: brackets and braces of an address are its own. Streams are shown as they come.
    QStringList words{u"curl"_s, u"--globoff"_s, u"--no-buffer"_s, u"--request"_s, request[u"method"].string(u"GET"_s)};
    // curl's own affair; and it would take "Name:" for the wish to leave the header out.
    static const QStringList own{u"host"_s, u"connection"_s, u"content-length"_s};
    for (const json::Value &header : request[u"headers"]) {
        const QString name = header.at(0).string();
        const QString value = header.at(1).string();
        if (!own.contains(name.toLower()))
            words << u"--header"_s << (value.isEmpty() ? name + u';' : name + u": "_s + value);
    }
    if (!body.isEmpty())
        words << u"--data-raw"_s << QString::fromUtf8(body);
    words << u"--url"_s << url;
    return joinCommandLine(words);
}

}  // namespace sonde
