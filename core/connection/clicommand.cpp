// SPDX-License-Identifier: Apache-2.0
#include "core/connection/clicommand.h"

#include "core/calls/exchange.h"
#include "core/connection/headeredit.h"
#include "core/json/builder.h"
#include "core/json/document.h"
#include "core/protocol/methods.h"
#include "core/redact/secretmarks.h"
#include "core/server/serverstore.h"
#include "core/transport/process/commandline.h"

#include <QSet>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// A word that arrives as it is: NUL ends it, and halves of characters have no bytes.
bool isWord(const QString &text)
{
    return !text.isEmpty() && !text.startsWith(u'-') && !text.contains(QChar(u'\0')) && text.isValidUtf16();
}

// Each once, and told from its value by the first equals sign.
bool areAssignable(const json::Value &arguments)
{
    QSet<QString> seen;
    for (const json::Value &member : arguments) {
        const QString key = member.key();
        if (!isWord(key) || key.contains(u'=') || seen.contains(key))
            return false;
        seen.insert(key);
    }
    return arguments.isObject();
}

// What a verb takes to say nothing but what the params say; empty: there is more to them. The token that asks for
// progress is no part of a call, since each call gets its own.
QStringList plainWords(QStringView method, const json::Value &params)
{
    const bool isRead = method == methods::ReadResource;
    const json::Value subject = params[isRead ? u"uri" : u"name"];
    const json::Value arguments = params[u"arguments"];
    const json::Value meta = params[u"_meta"];
    if (!subject.isString() || !isWord(subject.string()))
        return {};
    for (const json::Value &member : params) {
        const bool isToken = member.isSameNode(meta) && meta.size() == 1 && meta[u"progressToken"].exists();
        if (!member.isSameNode(subject) && !(member.isSameNode(arguments) && !isRead) && !isToken)
            return {};
    }
    // Without any, a tool is called with an empty object and a prompt with none.
    const bool isCall = method == methods::CallTool;
    if (arguments.exists() ? !areAssignable(arguments) || (!isCall && arguments.isEmpty()) : isCall)
        return {};
    QStringList words{subject.string()};
    for (const json::Value &member : arguments)
        words << member.key() + u":="_s + QString::fromUtf8(json::compact(member));
    return words;
}

bool isOfTransport(const QString &header)
{
    static const QSet<QString> names{u"accept"_s,     u"accept-encoding"_s, u"accept-language"_s,
                                     u"connection"_s, u"content-length"_s,  u"content-type"_s,
                                     u"host"_s,       u"last-event-id"_s,   u"proxy-authorization"_s,
                                     u"user-agent"_s};
    const QString lower = header.toLower();
    return names.contains(lower) || lower.startsWith(u"mcp-"_s);
}

QString headerWord(const QString &name, const QString &value)
{
    return value.isEmpty() ? name + u';' : name + u": "_s + value;
}

// One with a mark in it would be asked like any other, and somebody else than the server might answer.
QString urlToFillIn(const QString &url)
{
    return withPlaceholders(url, urlPlaceholder());
}

constexpr QLatin1StringView WithShellSession = " --header \"Mcp-Session-Id: $session\""_L1;

// The recorded session id is masked, and the session has ended: commands that begin one of their own and put its id
// into a variable of the shell.
QString sessionCommands(const EventFacts::Pairs &recorded, const QString &url)
{
    static const QSet<QString> ofTheMessage{
        u"accept"_s,        u"connection"_s,     u"content-type"_s, u"content-length"_s, u"host"_s,
        u"last-event-id"_s, u"mcp-session-id"_s, u"mcp-method"_s,   u"mcp-name"_s,       u"proxy-authorization"_s};
    QString revision = u"2025-03-26"_s;  // the first with such headers did not say which it is
    QStringList headers{u"--header"_s, u"Accept: application/json, text/event-stream"_s, u"--header"_s,
                        u"Content-Type: application/json"_s};
    for (const auto &[name, value] : recorded) {
        if (name.compare(u"MCP-Protocol-Version"_s, Qt::CaseInsensitive) == 0)
            revision = value;
        if (!ofTheMessage.contains(name.toLower()))
            headers << u"--header"_s << headerWord(name, value);
    }
    const QString initialize =
        uR"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%1,"capabilities":{},)"
        uR"("clientInfo":{"name":"curl","version":"1"}}})"_s.arg(QString::fromUtf8(json::quoted(revision)));
    const QStringList silent{u"curl"_s,     u"--globoff"_s, u"--silent"_s,  u"--show-error"_s,
                             u"--output"_s, u"/dev/null"_s, u"--request"_s, u"POST"_s};
    const auto command = [&](const QStringList &more, const QString &body) {
        return joinCommandLine(silent + more + headers + QStringList{u"--data-raw"_s, body, u"--url"_s, url});
    };
    return u"session=$("_s + command({u"--dump-header"_s, u"-"_s}, initialize) +
           u" | tr -d '\\r' | awk 'tolower($1) == \"mcp-session-id:\" {print $2}')\n"_s +
           command({}, u"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"_s) + WithShellSession + u'\n';
}

}  // namespace

QString cliCommand(const QStringList &server, QStringView method, const QByteArray &params)
{
    QStringList words{u"sonde-cli"_s};
    if (method == methods::ReadResource)
        words << u"read"_s;
    else if (method == methods::CallTool)
        words << u"call"_s;
    else if (method == methods::GetPrompt)
        words << u"prompt"_s;
    else
        return {};
    const json::Value given = json::parse(params);
    if (!given.isObject())
        return {};
    const QStringList plain = plainWords(method, given);
    if (plain.isEmpty())
        words << u"--params"_s << QString::fromUtf8(json::compact(given));
    else
        words << plain;
    return joinCommandLine(words + server);
}

QStringList recordedServerWords(const Session &session, qsizetype row, const QByteArray &httpRequest)
{
    const QByteArray opening = openingFactsOf(session, row);
    QStringList words;
    if (opening.isEmpty())
        return words;
    const EventFacts facts = EventFacts::read(opening);
    if (facts.url) {
        for (const auto &[name, value] : EventFacts::read(httpRequest).headers.value_or(EventFacts::Pairs())) {
            if (!isOfTransport(name))
                words << u"--header"_s << name + u": "_s + value;
        }
        return words << u"--url"_s << urlToFillIn(*facts.url);
    }
    const QStringList own = facts.environment.value_or(QStringList());
    for (const auto &[name, value] : facts.variables.value_or(EventFacts::Pairs())) {
        if (own.contains(name))
            words << u"--env"_s << name + u'=' + value;
    }
    if (facts.inherited && !facts.inherited->isEmpty())
        words << u"--inherit-env"_s;
    if (facts.cwd && !facts.cwd->isEmpty())
        words << u"--cwd"_s << *facts.cwd;
    return words << u"--"_s << facts.argv.value_or(QStringList());
}

QStringList runningServerWords(const Session &session, qsizetype row, const ServerStore *servers,
                               const QByteArray &httpRequest)
{
    const QString name = session.serverName();
    const QStringList inFull = recordedServerWords(session, row, httpRequest);
    ServerStore kept(servers ? servers->path() : QString());
    const Error unread = kept.load();
    const bool isKept = unread || kept.server(name);  // what cannot be read now may be mended until it is needed
    return isKept || inFull.isEmpty() ? QStringList{u"--server"_s, name} : inFull;
}

QString curlCommand(const QByteArray &facts, const QByteArray &body)
{
    const EventFacts request = EventFacts::read(facts);
    const QString url = urlToFillIn(request.url.value_or(QString()));
    if (url.isEmpty())
        return {};
    // Globbing off: brackets and braces of an address are its own. Streams are shown as they come.
    QStringList words{u"curl"_s, u"--globoff"_s, u"--no-buffer"_s, u"--request"_s, request.method.value_or(u"GET"_s)};
    // What curl adds by itself unless it is told another value, or none ("Name:"; an empty value is "Name;").
    QStringList added{u"Accept"_s, u"User-Agent"_s};
    if (!body.isEmpty())
        added << u"Content-Type"_s;
    const QUrl address = QUrl::fromEncoded(url.toUtf8());
    bool needsSession = false;
    const EventFacts::Pairs headers = request.headers.value_or(EventFacts::Pairs());
    for (const auto &header : headers) {
        const QString &name = header.first;
        const QString &value = header.second;
        added.removeIf([&name](const QString &each) { return each.compare(name, Qt::CaseInsensitive) == 0; });
        if (name.compare(u"Mcp-Session-Id"_s, Qt::CaseInsensitive) == 0 && isMark(value.toUtf8()))
            needsSession = true;
        else if (!isAddedByHttp(name, value, address))
            words << u"--header"_s << headerWord(name, value);
    }
    for (const QString &name : std::as_const(added))
        words << u"--header"_s << name + u':';
    if (!body.isEmpty())
        words << u"--data-raw"_s << QString::fromUtf8(body);
    words << u"--url"_s << url;
    const QString command = joinCommandLine(words);
    return needsSession ? sessionCommands(headers, url) + command + WithShellSession : command;
}

}  // namespace sonde
