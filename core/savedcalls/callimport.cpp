// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callimport.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/savedcalls/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxFolders = 10000;  // and requests of a collection
constexpr qsizetype MaxNameLength = 80;

QString shown(const QString &name)
{
    return visibleLine(name, 80);
}

// What a file can be called on every system.
QString usableName(const QString &name)
{
    static const QRegularExpression unusual(u"[^\\p{L}\\p{N}._ -]+"_s);
    QString usable = QString(name).replace(unusual, u"_"_s).simplified().left(MaxNameLength);
    while (usable.startsWith(u'.'))
        usable.remove(0, 1);
    return usable.isEmpty() ? u"call"_s : usable;
}

QString freeName(const QString &name, const QSet<QString> &taken)
{
    QString fresh = name;
    for (int number = 2; taken.contains(fresh.toCaseFolded()); ++number)
        fresh = u"%1-%2"_s.arg(name).arg(number);
    return fresh;
}

void add(ImportedCalls *imported, SavedCall call, QSet<QString> *taken)
{
    call.name = freeName(usableName(call.name), *taken);
    taken->insert(call.name.toCaseFolded());
    imported->calls.append(std::move(call));
}

// Nothing: it is no call of a tool.
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

class PostmanReader {
public:
    ImportedCalls read(const json::Value &collection)
    {
        for (const json::Value &variable : collection[u"variable"]) {
            const json::Value value = variable[u"value"];
            if (variable[u"type"].string() != "secret"_L1 && value.exists() && !value.isContainer())
                m_values.insert(variable[u"key"].string(), value);
        }
        QList<json::Value> open = listOf(collection[u"item"]);
        for (qsizetype count = 0; !open.isEmpty() && count < MaxFolders; ++count) {
            const json::Value item = open.takeFirst();
            m_hasScripts = m_hasScripts || !item[u"event"].isEmpty();
            if (item[u"item"].isArray())
                open = listOf(item[u"item"]) + open;
            else
                readRequest(item);
        }
        if (!m_environment.isEmpty())
            m_imported.notes.append(SavedCallText::tr("Set these environment variables before running them: %1.")
                                        .arg(m_environment.join(u", "_s)));
        if (m_hasScripts)
            m_imported.notes.append(SavedCallText::tr("Scripts, such as tests, are not imported."));
        return m_imported;
    }

private:
    static QList<json::Value> listOf(const json::Value &array)
    {
        QList<json::Value> list;
        for (const json::Value &each : array)
            list.append(each);
        return list;
    }

    void skip(const json::Value &item, const QString &why)
    {
        m_imported.notes.append(SavedCallText::tr("“%1” was not imported: %2").arg(shown(item[u"name"].string()), why));
    }

    void readRequest(const json::Value &item)
    {
        const json::Value request = item[u"request"];
        if (!request.exists())
            return skip(item, SavedCallText::tr("it is no HTTP request."));
        const json::Value body = request[u"body"];
        if (body[u"mode"].string() != "raw"_L1 || body[u"raw"].string().isEmpty())
            return skip(item, SavedCallText::tr("it has no JSON as its body."));
        const json::Document document = json::Document::parse(withVariables(body[u"raw"].string()).toUtf8());
        if (!document.isValid() || !document.root().isObject())
            return skip(item, SavedCallText::tr("its body is no JSON object."));
        const QString method = document.root()[u"method"].string();
        std::optional<SavedCall> call = callOf(document.root());
        if (!call)
            return skip(item, method.isEmpty() ? SavedCallText::tr("its body is no JSON-RPC request.")
                                               : SavedCallText::tr("%1 is no call of a tool.").arg(shown(method)));
        call->name = item[u"name"].string();
        if (call->arguments.exists())
            call->arguments = json::parse(withNamedVariables(QString::fromUtf8(call->arguments.bytes())).toUtf8());
        add(&m_imported, *call, &m_taken);
    }

    // Postman replaces text: what stands where a value is expected may be a number, and is no JSON until then.
    QString withVariables(const QString &raw) const
    {
        QString text;
        bool isInString = false;
        for (qsizetype i = 0; i < raw.size(); ++i) {
            const QChar c = raw[i];
            const qsizetype end = !isInString && raw.sliced(i).startsWith("{{"_L1) ? raw.indexOf(u"}}"_s, i) : -1;
            if (end > 0) {
                const QString name = raw.sliced(i + 2, end - i - 2).trimmed();
                const json::Value value = m_values.value(name);
                const bool isJson = json::Document::parse(value.string().toUtf8()).isValid();
                text += value.isString() && isJson            ? value.string()
                        : value.exists() && !value.isString() ? QString::fromUtf8(value.bytes())
                                                              : u"\"{{%1}}\""_s.arg(name);
                i = end + 1;
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

    // Those in strings.
    QString withNamedVariables(const QString &json)
    {
        static const QRegularExpression variable(u"\\{\\{\\s*([^{}\"\\\\]+?)\\s*\\}\\}"_s);
        static const QRegularExpression unusual(u"[^A-Z0-9]+"_s);
        QString text;
        qsizetype at = 0;
        for (auto found = variable.globalMatch(json); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            text += json.sliced(at, match.capturedStart() - at);
            at = match.capturedEnd();
            const QString name = match.captured(1);
            if (const json::Value value = m_values.value(name); value.exists()) {
                const QString plain = value.isString() ? value.string() : QString::fromUtf8(value.bytes());
                const QByteArray quoted = json::Builder().string(plain).take();
                text += QString::fromUtf8(quoted.sliced(1, quoted.size() - 2));
                continue;
            }
            QString environment = name.toUpper().replace(unusual, u"_"_s);
            if (!environment.front().isLetter())
                environment.prepend(u"POSTMAN"_s + (environment.startsWith(u'_') ? QString() : u"_"_s));
            if (!m_environment.contains(environment))
                m_environment.append(environment);
            text += u"${env:%1}"_s.arg(environment);
        }
        return text + json.sliced(at);
    }

    QHash<QString, json::Value> m_values;
    QStringList m_environment;
    QSet<QString> m_taken;
    ImportedCalls m_imported;
    bool m_hasScripts = false;
};

// Entries as Inspector keeps them: {"direction":"request","origin":"client","message":{…},"response":{…}}; or messages.
ImportedCalls readInspector(const json::Value &root)
{
    ImportedCalls imported;
    QSet<QString> taken;
    QSet<QByteArray> seen;
    qsizetype others = 0;
    const auto read = [&](const json::Value &entry) {
        const json::Value message = entry[u"message"].isObject() ? entry[u"message"] : entry;
        const bool isFromServer = entry[u"origin"].string() == "server"_L1;
        std::optional<SavedCall> call = isFromServer ? std::nullopt : callOf(message);
        if (!call) {
            ++others;
            return;
        }
        const json::Value response = entry[u"response"];
        if (response[u"error"].exists())
            call->expect.outcome = Outcome::Kind::ProtocolError;
        else if (response[u"result"][u"isError"].toBool())
            call->expect.outcome = Outcome::Kind::ToolError;
        const QByteArray same = call->tool.toUtf8() + '\n' + json::compact(call->arguments) + '\n' +
                                outcomeName(call->expect.outcome).toUtf8();
        if (seen.contains(same))
            return;
        seen.insert(same);
        add(&imported, *call, &taken);
    };
    if (root.isArray()) {
        for (const json::Value &entry : root)
            read(entry);
    } else {
        read(root);
    }
    if (others > 0)
        imported.notes.append(others == 1 ? SavedCallText::tr("1 other message is no call of a tool.")
                                          : SavedCallText::tr("%1 other messages are no calls of a tool.").arg(others));
    return imported;
}

bool isInspectorEntry(const json::Value &value)
{
    return value[u"message"][u"jsonrpc"].exists() || value[u"jsonrpc"].exists();
}

}  // namespace

Result<ImportedCalls> importCalls(const QByteArray &text, const QString &path)
{
    const json::Document document = json::Document::parse(text);
    const json::Value root = document.root();
    if (!document.isValid())
        return Error::local(SavedCallText::tr("%1 is not JSON.").arg(path));
    if (root[u"info"].isObject() && root[u"item"].isArray())
        return PostmanReader().read(root);
    const bool isHistory = root.isArray() && (root.isEmpty() || isInspectorEntry(root.at(0)));
    if (isHistory || isInspectorEntry(root))
        return readInspector(root);
    if (root[u"mcpServers"].isObject())
        return Error::local(SavedCallText::tr("%1 is a list of servers, without calls.").arg(path),
                            SavedCallText::tr("Import it as servers."));
    return Error::local(
        SavedCallText::tr("%1 is no export with calls of tools.").arg(path),
        SavedCallText::tr("A Postman collection and the history that MCP Inspector exports can be read."));
}

Result<QList<SavedCall>> saveImported(const QList<SavedCall> &calls, const QString &folder)
{
    const QDir directory(folder);
    QSet<QString> taken;
    const QStringList files = directory.entryList({u'*' + SavedCall::fileEnding()}, QDir::Files | QDir::Hidden);
    for (const QString &file : files)
        taken.insert(file.chopped(SavedCall::fileEnding().size()).toCaseFolded());
    QList<SavedCall> saved;
    for (SavedCall call : calls) {
        call.name = freeName(call.name, taken);
        taken.insert(call.name.toCaseFolded());
        call.path = directory.filePath(call.name + SavedCall::fileEnding());
        if (const Error error = call.save(call.path))
            return error;
        saved.append(call);
    }
    return saved;
}

}  // namespace sonde
