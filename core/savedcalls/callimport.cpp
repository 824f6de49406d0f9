// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callimport.h"

#include "core/json/builder.h"
#include "core/json/stringcodec.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/redact/redactor.h"
#include "core/savedcalls/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxFolders = 10000;  // and requests of a collection
constexpr qsizetype MaxNameLength = 80;  // characters
constexpr qsizetype MaxNameBytes = 200;
constexpr qsizetype MaxVariableLength = 300;  // with its braces

QString shown(const QString &name)
{
    return visibleLine(name, 80);
}

// What a file can be called on every system.
QString usableName(const QString &name)
{
    QString usable;
    // Not with a regular expression: it leaves a text with half of a surrogate pair as it is, slashes and all.
    const QList<uint> characters = name.toUcs4();
    for (const uint c : characters) {
        if (QChar::isLetterOrNumber(c) || c == u'.' || c == u' ' || c == u'-')
            usable += QChar::fromUcs4(c);
        else if (!usable.endsWith(u'_'))
            usable += u'_';
    }
    usable = usable.simplified().left(MaxNameLength);
    // A number and the ending come behind it, and the file is written under a longer name at first.
    while (!usable.isEmpty() && (usable.back().isHighSurrogate() || usable.toUtf8().size() > MaxNameBytes))
        usable.chop(1);
    while (usable.startsWith(u'.'))
        usable.remove(0, 1);
    return usable.isEmpty() ? u"call"_s : usable;
}

// Names of files in one folder, of which no two may differ in their case alone.
class FreeNames {
public:
    void take(const QString &name) { m_taken.insert(name.toCaseFolded()); }

    // With a number behind it if it is taken; takes it.
    QString next(const QString &name)
    {
        const QString key = name.toCaseFolded();
        QString fresh = name;
        // A history may have thousands of calls of one tool.
        for (int number = m_numbers.value(key, 1) + 1; m_taken.contains(fresh.toCaseFolded()); ++number) {
            fresh = u"%1-%2"_s.arg(name).arg(number);
            m_numbers[key] = number;
        }
        take(fresh);
        return fresh;
    }

private:
    QSet<QString> m_taken;
    QHash<QString, int> m_numbers;  // given last, by name
};

void add(ImportedCalls *imported, SavedCall call, FreeNames *names)
{
    call.name = names->next(usableName(call.name));
    imported->calls.append(std::move(call));
}

// Nothing: it is not a tool call.
std::optional<SavedCall> callOf(const json::Value &request)
{
    const json::Value params = request[u"params"];
    if (request[u"method"].string() != methods::CallTool || params[u"name"].string().isEmpty())
        return std::nullopt;
    SavedCall call;
    call.tool = params[u"name"].string();
    call.name = call.tool;
    if (const json::Value arguments = params[u"arguments"]; arguments.isObject())
        call.arguments = json::parse(withoutPlaceholders(arguments));
    return call;
}

QList<json::Value> listOf(const json::Value &array)
{
    QList<json::Value> list;
    for (const json::Value &each : array)
        list.append(each);
    return list;
}

// HTTP requests that a program keeps in a collection: those with a JSON-RPC request as their body.
class CollectionReader {
public:
    // How a variable is written in a body: {{name}}. program: in front of names that no environment variable can have.
    struct Syntax {
        QString open;
        QString close;
        QString program;
    };
    explicit CollectionReader(const Syntax &syntax)
        : m_syntax(syntax),
          // Insomnia also writes {{ _.name }}.
          m_variable(QRegularExpression::escape(syntax.open) + u"\\s*(?:_\\.)?([^{}<>\"\\\\]+?)\\s*"_s +
                     QRegularExpression::escape(syntax.close))
    {}

    // Missing or empty: none.
    void addVariable(const QString &name, const json::Value &value)
    {
        if (value.exists() && !value.isContainer())
            m_values.insert(name, value);
    }
    void addScripts(bool hasScripts) { m_hasScripts = m_hasScripts || hasScripts; }

    void skip(const QString &name, const QString &why)
    {
        m_imported.notes.append(SavedCallText::tr("“%1” was not imported: %2").arg(shown(name), why));
    }

    void readBody(const QString &name, const QString &body)
    {
        if (body.isEmpty())
            return skip(name, SavedCallText::tr("it has no JSON as its body."));
        const json::Document document = json::Document::parse(withVariables(body).toUtf8());
        if (!document.isValid() || !document.root().isObject())
            return skip(name, SavedCallText::tr("its body is not a JSON object."));
        const QString method = document.root()[u"method"].string();
        std::optional<SavedCall> call = callOf(document.root());
        if (!call)
            return skip(name, method.isEmpty() ? SavedCallText::tr("its body is not a JSON-RPC request.")
                                               : SavedCallText::tr("%1 is not a tool call.").arg(shown(method)));
        call->name = name;
        if (call->arguments.exists())
            call->arguments = json::parse(withEnvironment(QString::fromUtf8(call->arguments.bytes())).toUtf8());
        add(&m_imported, *call, &m_names);
    }

    // Depth first, as the program shows them. children: of a folder; null: it is a request, for read.
    template <typename Children, typename Read>
    void walk(QList<json::Value> open, Children children, Read read)
    {
        std::ranges::reverse(open);  // the next one is the last
        for (qsizetype count = 0; !open.isEmpty(); ++count) {
            if (count == MaxFolders) {
                m_imported.notes.append(
                    SavedCallText::tr("Only the first %1 folders and requests were read.").arg(MaxFolders));
                return;
            }
            const json::Value item = open.takeLast();
            if (const std::optional<QList<json::Value>> inside = children(item))
                std::copy(inside->crbegin(), inside->crend(), std::back_inserter(open));
            else
                read(item);
        }
    }

    ImportedCalls finish()
    {
        if (!m_environment.isEmpty())
            m_imported.notes.append(SavedCallText::tr("Set these environment variables before running them: %1.")
                                        .arg(m_environment.join(u", "_s)));
        if (m_hasScripts)
            m_imported.notes.append(SavedCallText::tr("Scripts, such as tests, are not imported."));
        return m_imported;
    }

private:
    std::optional<QRegularExpressionMatch> variableAt(const QString &raw, qsizetype at) const
    {
        const QStringView rest = QStringView(raw).sliced(at).left(MaxVariableLength);
        const qsizetype close = rest.startsWith(m_syntax.open) ? rest.indexOf(m_syntax.close) : -1;
        if (close < 0)
            return std::nullopt;
        const QRegularExpressionMatch match =
            m_variable.match(rest.first(close + m_syntax.close.size()).toString(), 0, QRegularExpression::NormalMatch,
                             QRegularExpression::AnchorAtOffsetMatchOption);
        return match.hasMatch() ? std::optional(match) : std::nullopt;
    }

    static QString plainText(const json::Value &value)
    {
        return value.isString() ? value.string() : QString::fromUtf8(value.bytes());
    }

    // In the middle of a string. Without a value it stays as it is.
    QString inString(const QRegularExpressionMatch &variable) const
    {
        const json::Value value = m_values.value(variable.captured(1));
        if (!value.exists())
            return variable.captured();
        const QByteArray quoted = json::quoted(plainText(value));
        return QString::fromUtf8(quoted.sliced(1, quoted.size() - 2));
    }

    // In the place of a value.
    QString asValue(const QRegularExpressionMatch &variable) const
    {
        const json::Value value = m_values.value(variable.captured(1));
        const bool isJson = value.exists() && json::Document::parse(plainText(value).toUtf8()).isValid();
        return isJson ? plainText(value) : u'"' + inString(variable) + u'"';
    }

    // These programs replace text: what stands where a value is expected may be a number, and is no JSON until then.
    QString withVariables(const QString &raw) const
    {
        QString text;
        bool isInString = false;
        for (qsizetype i = 0; i < raw.size(); ++i) {
            const QChar c = raw[i];
            if (const std::optional<QRegularExpressionMatch> variable = variableAt(raw, i)) {
                text += isInString ? inString(*variable) : asValue(*variable);
                i += variable->capturedLength() - 1;
                continue;
            }
            if (isInString && c == u'\\')
                text += raw[i++];
            else if (c == u'"')
                isInString = !isInString;
            if (i < raw.size())
                text += raw[i];
        }
        return text;
    }

    // Variables without a value. The others have theirs already: in a value, ${…} is text like any other.
    QString withEnvironment(const QString &json)
    {
        static const QRegularExpression unusual(u"[^A-Z0-9]+"_s);
        QString text;
        qsizetype at = 0;
        for (auto found = m_variable.globalMatch(json); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            text += json.sliced(at, match.capturedStart() - at);
            at = match.capturedEnd();
            QString environment = match.captured(1).toUpper().replace(unusual, u"_"_s);
            if (!environment.front().isLetter())
                environment.prepend(m_syntax.program + (environment.startsWith(u'_') ? QString() : u"_"_s));
            if (!m_environment.contains(environment))
                m_environment.append(environment);
            text += u"${env:%1}"_s.arg(environment);
        }
        return text + json.sliced(at);
    }

    const Syntax m_syntax;
    const QRegularExpression m_variable;
    QHash<QString, json::Value> m_values;
    QStringList m_environment;
    FreeNames m_names;
    ImportedCalls m_imported;
    bool m_hasScripts = false;
};

CollectionReader::Syntax postmanSyntax()
{
    return {u"{{"_s, u"}}"_s, u"POSTMAN"_s};
}

ImportedCalls readPostman(const json::Value &collection)
{
    CollectionReader reader(postmanSyntax());
    for (const json::Value &variable : collection[u"variable"]) {
        if (variable[u"type"].string() != "secret"_L1)
            reader.addVariable(variable[u"key"].string(), variable[u"value"]);
    }
    reader.walk(
        listOf(collection[u"item"]),
        [&reader](const json::Value &item) -> std::optional<QList<json::Value>> {
            reader.addScripts(!item[u"event"].isEmpty());
            if (item[u"item"].isArray())
                return listOf(item[u"item"]);
            return std::nullopt;
        },
        [&reader](const json::Value &item) {
            const QString name = item[u"name"].string();
            const json::Value body = item[u"request"][u"body"];
            if (!item[u"request"].exists())
                reader.skip(name, SavedCallText::tr("it is not an HTTP request."));
            else
                reader.readBody(name, body[u"mode"].string() == "raw"_L1 ? body[u"raw"].string() : QString());
        });
    return reader.finish();
}

// All of it is one list. Of its environments only the base one counts: which other is chosen is not in the file.
ImportedCalls readInsomnia(const json::Value &exported)
{
    CollectionReader reader({u"{{"_s, u"}}"_s, u"INSOMNIA"_s});
    for (const json::Value &each : exported[u"resources"]) {
        if (each[u"_type"].string() != "environment"_L1 || !each[u"parentId"].string().startsWith("wrk"_L1))
            continue;
        for (const json::Value &variable : each[u"data"])
            reader.addVariable(variable.key(), variable);
    }
    reader.walk(
        listOf(exported[u"resources"]), [](const json::Value &) { return std::optional<QList<json::Value>>(); },
        [&reader](const json::Value &item) {
            if (item[u"_type"].string() != "request"_L1)
                return;
            reader.addScripts(!item[u"preRequestScript"].string().isEmpty() ||
                              !item[u"afterResponseScript"].string().isEmpty());
            reader.readBody(item[u"name"].string(), item[u"body"][u"text"].string());
        });
    return reader.finish();
}

// A collection or a list of them. Variables of folders count for all: their names are rarely used twice.
ImportedCalls readHoppscotch(const json::Value &root)
{
    CollectionReader reader({u"<<"_s, u">>"_s, u"HOPPSCOTCH"_s});
    reader.walk(
        root.isArray() ? listOf(root) : QList<json::Value>{root},
        [&reader](const json::Value &item) -> std::optional<QList<json::Value>> {
            if (!item[u"requests"].isArray())
                return std::nullopt;
            for (const json::Value &variable : item[u"variables"]) {
                const json::Value current = variable[u"currentValue"];
                if (!variable[u"secret"].toBool())
                    reader.addVariable(variable[u"key"].string(),
                                       current.string().isEmpty() ? variable[u"initialValue"] : current);
            }
            return listOf(item[u"folders"]) + listOf(item[u"requests"]);
        },
        [&reader](const json::Value &item) {
            reader.addScripts(!item[u"preRequestScript"].string().isEmpty() || !item[u"testScript"].string().isEmpty());
            reader.readBody(item[u"name"].string(), item[u"body"][u"body"].string());
        });
    return reader.finish();
}

// The text of one member of a YAML file, at whatever depth it is: in quotes, in the rest of its line, or as a block.
QString yamlText(const QString &yaml, const QString &member)
{
    const QStringList lines = yaml.split(u'\n');
    const QRegularExpression start(u"^( *)%1:(.*)$"_s.arg(member));
    static const QRegularExpression block(u"^[|>][-+0-9]*$"_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QRegularExpressionMatch match = start.match(lines[i]);
        if (!match.hasMatch())
            continue;
        QString text = match.captured(2).trimmed();
        if (text.startsWith(u'\''))
            return text.sliced(1).chopped(text.size() > 1 && text.endsWith(u'\'') ? 1 : 0).replace(u"''"_s, u"'"_s);
        if (text.startsWith(u'"'))
            return json::parse(text.toUtf8()).string();
        if (!text.isEmpty() && !block.match(text).hasMatch())
            return text;
        text.clear();
        const qsizetype indent = match.capturedLength(1);
        const auto indentOf = [](const QString &line) {
            return std::find_if(line.begin(), line.end(), [](QChar c) { return c != u' '; }) - line.begin();
        };
        for (++i; i < lines.size() && (lines[i].trimmed().isEmpty() || indentOf(lines[i]) > indent); ++i)
            text += lines[i] + u'\n';
        return text;
    }
    return {};
}

// A request of a Postman workspace kept as files: "$kind: mcp-request" has the message, "$kind: http-request" a body.
// Nothing: it is no such file.
std::optional<ImportedCalls> readPostmanFile(const QString &yaml, const QString &path)
{
    static const QRegularExpression kind(u"^\\$kind: *(?:mcp|http)-request *\r?$"_s,
                                         QRegularExpression::MultilineOption);
    const QRegularExpressionMatch match = kind.match(yaml);
    if (!match.hasMatch())
        return std::nullopt;
    static const QRegularExpression ending(u"(?:\\.request)?\\.ya?ml$"_s, QRegularExpression::CaseInsensitiveOption);
    CollectionReader reader(postmanSyntax());
    reader.readBody(QFileInfo(path).fileName().remove(ending),
                    yamlText(yaml, match.captured().contains("mcp-"_L1) ? u"message"_s : u"content"_s));
    return reader.finish();
}

// What came back: JSON, or the events of a stream that has it.
json::Value responseIn(const QString &body)
{
    const json::Document whole = json::Document::parse(body.toUtf8());
    if (whole.isValid())
        return whole.root();
    json::Value response;
    const QStringList lines = body.split(u'\n');
    for (const QString &line : lines) {
        const json::Value event = line.startsWith("data:"_L1) ? json::parse(line.sliced(5).toUtf8()) : json::Value();
        if (event[u"result"].exists() || event[u"error"].exists())
            response = event;
    }
    return response;
}

// Entries as Inspector keeps them: {"direction":"request","origin":"client","message":{…},"response":{…}}, those of its
// network page: {"requestBody":"…","responseBody":"…"}, or messages.
ImportedCalls readInspector(const json::Value &root)
{
    ImportedCalls imported;
    FreeNames names;
    QSet<QByteArray> seen;
    qsizetype others = 0;
    const auto read = [&](const json::Value &entry) {
        const bool isOfNetwork = entry[u"requestBody"].isString();
        const json::Value message = entry[u"message"].isObject() ? entry[u"message"]
                                    : isOfNetwork                ? json::parse(entry[u"requestBody"].string().toUtf8())
                                                                 : entry;
        const bool isFromServer = entry[u"origin"].string() == "server"_L1;
        std::optional<SavedCall> call = isFromServer ? std::nullopt : callOf(message);
        if (!call) {
            ++others;
            return;
        }
        const json::Value response = isOfNetwork ? responseIn(entry[u"responseBody"].string()) : entry[u"response"];
        if (response[u"error"].exists())
            call->expect.outcome = Outcome::Kind::ProtocolError;
        else if (response[u"result"][u"isError"].toBool())
            call->expect.outcome = Outcome::Kind::ToolError;
        const QByteArray same = call->tool.toUtf8() + '\n' + json::compact(call->arguments) + '\n' +
                                outcomeName(call->expect.outcome).toUtf8();
        if (seen.contains(same))
            return;
        seen.insert(same);
        add(&imported, *call, &names);
    };
    if (root.isArray()) {
        for (const json::Value &entry : root)
            read(entry);
    } else {
        read(root);
    }
    if (others > 0)
        imported.notes.append(others == 1 ? SavedCallText::tr("1 other message is not a tool call.")
                                          : SavedCallText::tr("%1 other messages are not tool calls.").arg(others));
    return imported;
}

// Earlier versions of Inspector, and Postman, leave "jsonrpc" out.
bool isInspectorEntry(const json::Value &value)
{
    return value[u"message"][u"jsonrpc"].exists() || value[u"jsonrpc"].exists() || callOf(value) ||
           (value[u"category"].isString() && value[u"method"].isString() && value[u"url"].isString());
}

// Of a file that is not JSON.
Result<ImportedCalls> importYaml(const QString &text, const QString &path)
{
    if (const std::optional<ImportedCalls> calls = readPostmanFile(text, path))
        return *calls;
    if (text.contains("mcpClient.insomnia"_L1))
        return Error::local(SavedCallText::tr("%1 is an MCP client of Insomnia, which has no calls in it.").arg(path));
    if (text.contains("insomnia.rest/5"_L1) || text.contains("$kind: "_L1))
        return Error::local(SavedCallText::tr("%1 is YAML.").arg(path),
                            SavedCallText::tr("Export it as JSON: Insomnia 4, or a Postman collection 2.1."));
    return Error::local(SavedCallText::tr("%1 is not JSON.").arg(path));
}

// Files of saved calls are made to be shared; these values came from one that was not.
ImportedCalls withNotesOfSecrets(ImportedCalls imported)
{
    for (const SavedCall &call : std::as_const(imported.calls)) {
        const QByteArray arguments = call.arguments.bytes();
        Redactor redactor({});
        const std::vector<Redactor::Hit> hits = redactor.find(arguments);
        const bool hasSecret = std::ranges::any_of(hits, [&arguments](const Redactor::Hit &hit) {
            return !arguments.mid(hit.start, hit.end - hit.start).contains("${");
        });
        if (hasSecret)
            imported.notes.append(
                SavedCallText::tr("“%1” has what looks like a secret in its arguments: put ${env:NAME} or "
                                  "${keychain:NAME} in its place before you share the file.")
                    .arg(shown(call.name)));
    }
    return imported;
}

Result<ImportedCalls> readExport(const QByteArray &text, const QString &path)
{
    const json::Document document = json::Document::parse(text);
    const json::Value root = document.root();
    if (!document.isValid())
        return importYaml(QString::fromUtf8(text), path);
    if (root[u"info"].isObject() && root[u"item"].isArray())
        return readPostman(root);
    if (root[u"_type"].string() == "export"_L1 && root[u"resources"].isArray())
        return readInsomnia(root);
    const json::Value first = root.isArray() ? root.at(0) : root;
    if (first[u"requests"].isArray() && first[u"folders"].isArray())
        return readHoppscotch(root);
    if ((root.isArray() && root.isEmpty()) || isInspectorEntry(first))
        return readInspector(root);
    if (root[u"mcpServers"].isObject())
        return Error::local(SavedCallText::tr("%1 is a list of servers, without calls.").arg(path),
                            SavedCallText::tr("Import it as servers."));
    return Error::local(SavedCallText::tr("%1 is not an export with tool calls.").arg(path),
                        SavedCallText::tr("Collections of Postman, Insomnia and Hoppscotch, and what MCP Inspector "
                                          "exports, can be read."));
}

}  // namespace

Result<ImportedCalls> importCalls(const QByteArray &text, const QString &path)
{
    const Result<ImportedCalls> imported = readExport(text, path);
    return imported ? withNotesOfSecrets(*imported) : imported;
}

QList<SavedCall> placedIn(const QString &folder, const QList<SavedCall> &calls)
{
    const QDir directory(folder);
    FreeNames names;
    const QStringList files = directory.entryList({u'*' + SavedCall::fileEnding()}, QDir::Files | QDir::Hidden);
    for (const QString &file : files)
        names.take(file.chopped(SavedCall::fileEnding().size()));
    QList<SavedCall> placed;
    for (SavedCall call : calls) {
        call.name = names.next(call.name);
        call.path = directory.filePath(call.name + SavedCall::fileEnding());
        placed.append(call);
    }
    return placed;
}

SavedImport saveImported(const QList<SavedCall> &calls, const QString &folder)
{
    SavedImport result;
    const QList<SavedCall> placed = placedIn(folder, calls);
    for (const SavedCall &each : placed) {
        // Another import may have written a file of that name meanwhile.
        const SavedCall call = QFileInfo::exists(each.path) ? placedIn(folder, {each}).constFirst() : each;
        result.problem = call.save(call.path);
        if (result.problem)
            return result;
        result.saved.append(call);
    }
    return result;
}

}  // namespace sonde
