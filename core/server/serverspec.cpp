// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverspec.h"

#include "core/json/builder.h"
#include "core/redact/redactor.h"
#include "core/redact/secretforms.h"
#include "core/server/addcommand.h"
#include "core/server/serveraddress.h"
#include "core/server/serverspecjson.h"
#include "core/server/texts.h"
#include "core/server/transportoptions.h"
#include "core/transport/http/httppolicy.h"
#include "core/transport/process/commandline.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// "@modelcontextprotocol/server-everything@1.2" is called server-everything, "/opt/run.py" run.
// and "/opt/billing/dist/index.js" billing: what says nothing is passed over.
QString shortName(const QString &word)
{
    static const QStringList silent{u"index"_s, u"main"_s, u"server"_s, u"dist"_s,
                                    u"build"_s, u"src"_s,  u"lib"_s,    u"bin"_s};
    QStringList parts = word.split(u'/', Qt::SkipEmptyParts);
    while (parts.size() > 1 && silent.contains(parts.last().section(u'.', 0, 0)))
        parts.removeLast();
    QString name = parts.isEmpty() ? QString() : parts.last();
    const qsizetype at = name.indexOf(u'@', 1);
    if (at > 0)
        name.truncate(at);
    for (const QStringView ending : {u".js", u".mjs", u".cjs", u".ts", u".py", u".exe", u".cmd", u".sh"}) {
        if (name.endsWith(ending) && name.size() > ending.size())
            name.chop(ending.size());
    }
    return name;
}

// A runner says nothing about the server: what it runs does.
QString nameForCommand(const QStringList &words)
{
    static const QStringList runners{u"npx"_s,  u"npm"_s,     u"pnpm"_s,    u"yarn"_s,   u"bunx"_s, u"bun"_s,
                                     u"uvx"_s,  u"uv"_s,      u"pipx"_s,    u"node"_s,   u"deno"_s, u"python"_s,
                                     u"tsx"_s,  u"python3"_s, u"docker"_s,  u"podman"_s, u"sh"_s,   u"bash"_s,
                                     u"java"_s, u"cargo"_s,   u"npx.cmd"_s, u"go"_s};
    static const QStringList verbs{u"run"_s, u"exec"_s, u"dlx"_s, u"x"_s, u"tool"_s};
    const QString first = shortName(words.value(0));
    if (!runners.contains(first))
        return first;
    // An option may have a value of its own: python3 -X utf8 server.py.
    static const QStringList interpreters{u"node"_s,    u"deno"_s, u"bun"_s, u"tsx"_s, u"python"_s,
                                          u"python3"_s, u"java"_s, u"sh"_s,  u"bash"_s};
    static const QRegularExpression script(uR"(\.([cm]?[jt]s|py|jar|sh)$)"_s);
    if (interpreters.contains(first)) {
        for (const QString &word : words.mid(1)) {
            if (!word.startsWith(u'-') && word.contains(script) && !shortName(word).isEmpty())
                return shortName(word);
        }
    }
    for (const QString &word : words.mid(1)) {
        if (!word.startsWith(u'-') && !verbs.contains(word) && !shortName(word).isEmpty())
            return shortName(word);
    }
    return first;
}

// What may be a token stays out of names, which are written to files and shown everywhere.
bool isSayable(const QString &segment)
{
    constexpr qsizetype maxLength = 24;
    constexpr qsizetype maxDigits = 4;
    const auto isPlain = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || QStringView(u"-_.@").contains(c);
    };
    return segment.size() <= maxLength && std::all_of(segment.begin(), segment.end(), isPlain) &&
           std::count_if(segment.begin(), segment.end(), [](QChar c) { return c.isDigit(); }) <= maxDigits;
}

// "https://example.com/billing/mcp" is called example.com/billing: a host can have several servers.
QString nameForAddress(const QUrl &url)
{
    QStringList parts = url.path().split(u'/', Qt::SkipEmptyParts);
    while (!parts.isEmpty() && (parts.last() == u"mcp" || parts.last() == u"sse"))
        parts.removeLast();
    parts.removeIf([](const QString &segment) { return !isSayable(segment); });
    parts.prepend(url.port() > 0 ? u"%1:%2"_s.arg(url.host()).arg(url.port()) : url.host());
    return parts.join(u'/');
}

// What people find in a server's README: the whole file, the object of servers, or one entry.
Result<ServerSpec> fromPastedJson(const QByteArray &text)
{
    const json::Document document = json::Document::parse(text);
    if (!document.isValid())
        return Error::local(
            ServerText::tr("This looks like JSON but is invalid: %1.").arg(document.findings().value(0).reason));
    const json::Value root = document.root();
    const json::Value servers = root[u"mcpServers"].isObject() ? root[u"mcpServers"]
                                : root[u"servers"].isObject()  ? root[u"servers"]
                                                               : root;
    const bool isEntry = servers.contains(u"command") || servers.contains(u"url") || servers.contains(u"serverUrl");
    if (isEntry) {
        Result<ServerSpec> entry = ServerSpec::fromJson({}, servers);
        if (!entry)
            return entry;
        ServerSpec spec = std::move(entry).value();
        spec.name = spec.kind == ServerSpec::Kind::Http ? nameForAddress(spec.url)
                                                        : nameForCommand(QStringList{spec.command} + spec.arguments);
        return spec;
    }
    if (servers.size() != 1)
        return Error::local(
            ServerText::tr("The pasted JSON describes %1 servers. Import them with “Import…”, or add one at a time.")
                .arg(servers.size()));
    const json::Value only = *servers.begin();
    return ServerSpec::fromJson(only.key(), only);
}

void checkHeaders(const ServerSpec &spec, QStringList &problems)
{
    for (const auto &[name, value] : spec.headers) {
        const QString clean = name.trimmed();
        if (!http::isToken(clean.toUtf8())) {
            problems.append(ServerText::tr("“%1” is not a valid header name.").arg(name));
            continue;
        }
        if (http::isReserved(clean.toUtf8()))
            problems.append(ServerText::tr("The header “%1” is set by Sonde itself.").arg(clean));
        if (!http::isHeaderValue(value.toUtf8()))
            problems.append(
                ServerText::tr("The header “%1” contains a line break or another control character.").arg(clean));
        else if (std::any_of(value.begin(), value.end(), [](QChar c) { return c.unicode() > 0x7e; }))
            problems.append(
                ServerText::tr("The header “%1” contains characters that a header cannot carry.").arg(clean));
    }
}

void checkAddress(const QUrl &url, QStringList &problems)
{
    const QString scheme = url.scheme().toLower();
    if (url.isEmpty())
        problems.append(ServerText::tr("No URL is given."));
    else if (scheme.isEmpty())
        problems.append(ServerText::tr("The URL has no scheme; it must begin with https:// or http://."));
    else if (scheme != u"http" && scheme != u"https")
        problems.append(ServerText::tr("The URL must begin with https:// or http://, not %1:.").arg(scheme));
    else if (url.host().isEmpty())
        problems.append(ServerText::tr("The URL has no host."));
}

// Spec: client/roots: only file:// URIs, and none that leads elsewhere than it says.
void checkRoots(const ServerSpec &spec, QStringList &problems)
{
    for (const auto &[uri, name] : spec.roots) {
        const QUrl url(uri, QUrl::StrictMode);
        const QString path = url.path();
        if (!uri.startsWith(u"file:///"_s) || !url.isValid() || path.split(u'/').contains(u".."_s))
            problems.append(
                ServerText::tr("The root “%1” is not the absolute path of a folder, nor a file:// URI.").arg(uri));
    }
}

void checkProcess(const ServerSpec &spec, QStringList &problems)
{
    const QChar nul;
    if (spec.command.trimmed().isEmpty())
        problems.append(ServerText::tr("No command is given."));
    const auto hasNul = [&](const QString &text) { return text.contains(nul); };
    if (hasNul(spec.command) || hasNul(spec.workingDirectory) ||
        std::any_of(spec.arguments.begin(), spec.arguments.end(), hasNul))
        problems.append(ServerText::tr("The command line contains a NUL character."));
    for (const auto &[name, value] : spec.environment) {
        if (name.isEmpty() || name.contains(u'=') || hasNul(name))
            problems.append(ServerText::tr("“%1” is not a valid environment variable name.").arg(name));
        if (hasNul(value))
            problems.append(ServerText::tr("The environment variable “%1” contains a NUL character.").arg(name));
    }
}

// "~/src" rather than "/home/ada/src".
QString shortPath(const QString &path)
{
    const QString home = QDir::homePath();
    if (path.isEmpty() || path == home)
        return u"~"_s;
    return path.startsWith(home + u'/') ? u'~' + path.mid(home.size()) : path;
}

// Words that only a shell would do anything with, standing alone as a person would type them there.
QString shellFinding(const QStringList &arguments)
{
    static const QStringList shell{u"|"_s, u"||"_s, u"&&"_s, u"&"_s, u";"_s, u">"_s, u">>"_s, u"<"_s, u"2>&1"_s};
    for (const QString &argument : arguments) {
        if (shell.contains(argument))
            return ServerText::tr("“%1” is passed as is: no shell is used. Use sh -c '…' if you need a shell.")
                .arg(argument);
    }
    return {};
}

QString withStart(const QString &text, ServerSpec::Start start, const QString &onConnect)
{
    return text + u' ' +
           (start == ServerSpec::Start::OnConnect ? onConnect : ServerText::tr("Takes effect at the next start."));
}

QString processPreview(const ServerSpec &spec, ServerSpec::Start start)
{
    const QString onConnect = ServerText::tr("Nothing runs until you click Connect.");
    const StdioOptions options = stdioOptions(spec);
    if (spec.loginShellPath && options.loginShellPath.isEmpty())
        return withStart(ServerText::tr("Asks your login shell for its PATH, and runs the “%1” that is found there.")
                             .arg(spec.command),
                         start, onConnect);
    const ProgramLookup lookup = findProgram(options);
    if (lookup.error)
        return lookup.error.hint.isEmpty() ? lookup.error.message : lookup.error.message + u' ' + lookup.error.hint;
    if (!options.workingDirectory.isEmpty() && !QFileInfo(options.workingDirectory).isDir())
        return ServerText::tr("The working directory %1 does not exist.").arg(options.workingDirectory);
    const QString folder = shortPath(options.workingDirectory);
    const qsizetype count = spec.arguments.size();
    QString text;
    if (count == 0)
        text = ServerText::tr("Runs %1 without arguments in %2.").arg(lookup.path, folder);
    else if (count == 1)
        text = ServerText::tr("Runs %1 with 1 argument in %2.").arg(lookup.path, folder);
    else
        text = ServerText::tr("Runs %1 with %2 arguments in %3.").arg(lookup.path, QString::number(count), folder);
    const QString finding = shellFinding(spec.arguments);
    if (!finding.isEmpty())
        text += u' ' + finding;
    return withStart(text, start, onConnect);
}

QString addressPreview(const ServerSpec &spec, ServerSpec::Start start)
{
    if (const QString problem = spec.networkFileProblem(); !problem.isEmpty())
        return problem;
    const qsizetype count = spec.headers.size();
    QString text;
    if (count == 0)
        text = ServerText::tr("Connects to %1.").arg(spec.line());
    else if (count == 1)
        text = ServerText::tr("Connects to %1 with 1 custom header.").arg(spec.line());
    else
        text = ServerText::tr("Connects to %1 with %2 custom headers.").arg(spec.line(), QString::number(count));
    return withStart(text, start, ServerText::tr("Nothing is sent until you click Connect."));
}

}  // namespace

Result<ServerSpec> ServerSpec::fromLine(const QString &typed, const QString &base)
{
    const QString text = typed.trimmed();
    if (text.isEmpty())
        return Error::local(ServerText::tr("Nothing was entered."), ServerText::tr("Enter a command line or URL."));
    if (text.startsWith(u'{'))
        return fromPastedJson(text.toUtf8());
    ServerSpec spec;
    if (const std::optional<TypedUrl> address = addressFromText(text)) {
        spec.kind = Kind::Http;
        spec.url = *address;
        if (!spec.url.isValid())
            return Error::local(ServerText::tr("Not a valid URL: %1.").arg(spec.url.errorString()));
        spec.name = nameForAddress(spec.url);
    } else {
        const Result<StartLine> start = readStartLine(text);
        if (!start)
            return start.error();
        const CommandLine &command = start->command;
        if (command.words.isEmpty())
            return Error::local(ServerText::tr("The line sets environment variables but contains no command."));
        if (std::optional<Result<ServerSpec>> added = serverFromAddCommand(command.words))
            return *std::move(added);
        spec.command = command.words.first();
        spec.arguments = command.words.mid(1);
        spec.environment = command.environment;
        if (!start->folder.isEmpty())
            spec.workingDirectory =
                QDir::cleanPath(QDir(base.isEmpty() ? QDir::homePath() : base).absoluteFilePath(start->folder));
        spec.name = nameForCommand(command.words);
    }
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return Error::local(problems.join(u' '));
    return spec;
}

QString ServerSpec::transportName() const
{
    if (kind == Kind::Stdio)
        return ServerText::tr("stdio");
    return httpKind == HttpKind::Sse ? ServerText::tr("HTTP+SSE") : ServerText::tr("HTTP");
}

QString ServerSpec::line() const
{
    if (kind == Kind::Http)
        return url.password().isEmpty() ? url.text() : url.toString(QUrl::RemovePassword);
    return joinCommandLine(QStringList{command} + arguments);
}

QStringList ServerSpec::problems() const
{
    QStringList problems;
    // Of the entry as it would be written: what was edited since is no problem any more.
    if (!original.isEmpty())
        problems = readEntry(name, json::parse(toJson())).problems;
    if (!problems.isEmpty())
        return problems;
    if (kind == Kind::Http) {
        checkAddress(url, problems);
        checkHeaders(*this, problems);
        problems += networkProblems();
        if (httpKind == HttpKind::Sse && revision && statelessRevisions().contains(*revision))
            problems.append(ServerText::tr("Revision %1 does not work over HTTP+SSE. Choose another transport or "
                                           "another revision.")
                                .arg(toString(*revision)));
    } else {
        checkProcess(*this, problems);
    }
    checkRoots(*this, problems);
    return problems;
}

// What can be told from the texts alone.
QStringList ServerSpec::networkProblems() const
{
    QStringList problems;
    if (const auto proxy = http::proxyFromText(network.proxy); !proxy)
        problems.append(proxy.error().message + u' ' + proxy.error().hint);
    for (const QString &path : {network.caFile, network.clientCertificate, network.clientKey}) {
        if (!path.isEmpty() && !path.startsWith(u"~/"_s) && QDir::isRelativePath(path))
            problems.append(ServerText::tr("“%1” is not the absolute path of a file.").arg(path));
    }
    if (network.clientCertificate.isEmpty() && !network.clientKey.isEmpty())
        problems.append(ServerText::tr("There is a client key, but no client certificate."));
    if (!network.acceptedCertificate.isEmpty() && http::fingerprintFromText(network.acceptedCertificate).isEmpty())
        problems.append(ServerText::tr("“%1” is not a SHA-256 fingerprint, which has 64 hexadecimal digits.")
                            .arg(network.acceptedCertificate));
    for (const QString &host : network.allowedHosts) {
        if (QUrl(u"http://%1/"_s.arg(host)).host() != host.toLower())
            problems.append(ServerText::tr("“%1” is not the name of a host.").arg(host));
    }
    return problems;
}

QString ServerSpec::networkFileProblem() const
{
    const auto read = http::Network::from(network);
    return read ? QString() : read.error().message + u' ' + read.error().hint;
}

QString ServerSpec::preview(Start start) const
{
    const QStringList wrong = problems();
    if (!wrong.isEmpty())
        return wrong.join(u' ');
    QString text = kind == Kind::Http ? addressPreview(*this, start) : processPreview(*this, start);
    if (!original.isEmpty()) {
        for (const QString &finding : readEntry(name, json::parse(toJson())).findings)
            text += u' ' + finding;
    }
    for (const auto &root : roots) {
        if (const QString folder = QUrl(root.first).toLocalFile(); !QFileInfo(folder).isDir())
            text += ServerText::tr(" The root %1 is not a folder.").arg(folder);
    }
    return text;
}

const QStringList &ServerSpec::capabilityNames()
{
    static const QStringList names{u"elicitation.form"_s, u"elicitation.url"_s, u"sampling"_s,
                                   u"sampling.tools"_s,   u"roots"_s,           u"tasks"_s,
                                   u"clientInfo"_s};
    return names;
}

// As a recording of how it is started would have them.
QByteArray ServerSpec::secretFacts() const
{
    const auto addPairs = [](json::Builder &facts, const QList<std::pair<QString, QString>> &pairs) {
        facts.beginArray();
        for (const auto &[key, value] : pairs)
            facts.beginArray().string(key).string(value).endArray();
        facts.endArray();
    };
    json::Builder facts;
    facts.beginObject();
    addPairs(facts.key(u"headers"), headers);
    addPairs(facts.key(u"variables"), environment);
    facts.member(u"url", url.toString(QUrl::FullyEncoded)).member(u"proxy", network.proxy).key(u"argv").beginArray();
    for (const QString &argument : arguments)
        facts.string(argument);
    return facts.endArray().endObject().take();
}

QStringList ServerSpec::secrets() const
{
    QStringList secrets;
    Redactor redactor({});
    redactor.setWitness([&secrets](const SecretMatch &match) {
        const QString secret = QString::fromUtf8(match.value);
        if (isSearchedElsewhere(match.value) && !secrets.contains(secret))
            secrets.append(secret);
    });
    redactor.learn(json::Document::parse(secretFacts()));
    return secrets;
}

}  // namespace sonde
