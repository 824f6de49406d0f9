// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recordedlists.h"

#include "core/json/document.h"
#include "core/protocol/visibletext.h"
#include "core/session/linesource.h"
#include "core/session/recordline.h"
#include "core/session/sessionlibrary.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// A shell waits for this after each press of Tab.
constexpr qint64 MaxScanned = 32 * 1024 * 1024;  // bytes of a session; lists are near its beginning
constexpr int MaxSessions = 5;                   // of the server, from the newest on
constexpr qsizetype MaxHelp = 60;

QString savedServerOf(const QStringList &line)
{
    const QString option = u"--server"_s;
    for (qsizetype i = 0; i < line.size() - 1; ++i) {
        if (line.at(i) == option)
            return line.at(i + 1);
        if (line.at(i).startsWith(option + u'='))
            return line.at(i).mid(option.size() + 1);
    }
    return {};
}

// The entries of a list, by the names that this member of each has. Of one that was listed again the later is taken.
class Entries {
public:
    // Whether there are any.
    bool read(const QString &path, const QByteArray &list, const QString &nameMember)
    {
        const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(path);
        if (!file)
            return false;
        // As it stands within the string of a record.
        const QByteArray mark = "\\\"" + list + "\\\"";
        LineSource lines(**file, 0);
        QByteArray bytes;
        while (lines.next() && lines.offset() < MaxScanned) {
            RecordLine record;
            if (!lines.line().contains(mark) || readRecordLine(lines.line(), &record, bytes) != LineState::Good)
                continue;
            if (record.kind != WireEvent::Kind::Message || record.direction != Direction::FromServer)
                continue;
            for (const json::Value &entry : json::parse(bytes)[u"result"][QString::fromLatin1(list)])
                add(entry[nameMember].string(), entry);
        }
        return !m_entries.isEmpty();
    }

    const QList<std::pair<QString, json::Value>> &all() const { return m_entries; }

private:
    void add(const QString &name, const json::Value &entry)
    {
        // A shell could not type the others.
        if (name.isEmpty() || visibleLine(name, -1) != name)
            return;
        const auto known = std::ranges::find(m_entries, name, &std::pair<QString, json::Value>::first);
        if (known == m_entries.end())
            m_entries.emplaceBack(name, entry);
        else
            known->second = entry;
    }

    QList<std::pair<QString, json::Value>> m_entries;
};

QList<std::pair<QString, json::Value>> lastRecorded(const QStringList &line, const QByteArray &list,
                                                    const QString &nameMember)
{
    const QString server = savedServerOf(line);
    if (server.isEmpty())
        return {};
    int tried = 0;
    for (const SessionEntry &session : SessionLibrary().entries()) {
        if (session.serverName != server || !session.problem.isEmpty())
            continue;
        Entries entries;
        if (entries.read(session.path, list, nameMember))
            return entries.all();
        if (++tried == MaxSessions)
            break;
    }
    return {};
}

QList<app::Choice> choicesFrom(const QStringList &line, const QByteArray &list, const QString &nameMember)
{
    QList<app::Choice> choices;
    for (const auto &[name, entry] : lastRecorded(line, list, nameMember)) {
        const QString title = entry[u"title"].string();
        choices.append({name, visibleLine(title.isEmpty() ? entry[u"description"].string() : title, MaxHelp)});
    }
    return choices;
}

// The entry that a word of the line names.
json::Value namedEntry(const QStringList &line, const QByteArray &list)
{
    for (const auto &[name, entry] : lastRecorded(line, list, u"name"_s)) {
        if (line.first(line.size() - 1).contains(name))
            return entry;
    }
    return {};
}

bool isGiven(const QStringList &line, const QString &key)
{
    const QStringList before = line.first(line.size() - 1);
    return std::ranges::any_of(
        before, [&](const QString &word) { return word.startsWith(key + u'=') || word.startsWith(key + u":="_s); });
}

bool canBeTyped(const QString &key)
{
    return !key.isEmpty() && !key.contains(u'=') && visibleLine(key, -1) == key;
}

QStringList valuesOf(const json::Value &schema)
{
    QStringList values;
    if (schema[u"type"].string() == "boolean"_L1)
        values = {u"true"_s, u"false"_s};
    for (const json::Value &each : schema[u"enum"])
        values.append(each.isString() ? each.string() : QString::fromUtf8(each.bytes()));
    values.removeIf([](const QString &value) { return value.isEmpty() || visibleLine(value, -1) != value; });
    return values;
}

}  // namespace

QList<app::Choice> recordedTools(const QStringList &line)
{
    return choicesFrom(line, "tools", u"name"_s);
}

QList<app::Choice> recordedPrompts(const QStringList &line)
{
    return choicesFrom(line, "prompts", u"name"_s);
}

QList<app::Choice> recordedResources(const QStringList &line)
{
    return choicesFrom(line, "resources", u"uri"_s) + choicesFrom(line, "resourceTemplates", u"uriTemplate"_s);
}

QList<app::Choice> recordedToolArguments(const QStringList &line)
{
    QList<app::Choice> choices;
    const json::Value properties = namedEntry(line, "tools")[u"inputSchema"][u"properties"];
    for (const json::Value &schema : properties) {
        const QString key = schema.key();
        const bool isList = schema[u"type"].string() == "array"_L1;  // takes its key again for each item
        if (!canBeTyped(key) || (!isList && isGiven(line, key)))
            continue;
        if (!line.constLast().startsWith(key + u'=')) {
            choices.append({key + u'=', visibleLine(schema[u"description"].string(), MaxHelp)});
            continue;
        }
        for (const QString &value : valuesOf(isList ? schema[u"items"] : schema))
            choices.append({key + u'=' + value});
    }
    return choices;
}

QList<app::Choice> recordedPromptArguments(const QStringList &line)
{
    QList<app::Choice> choices;
    const json::Value prompt = namedEntry(line, "prompts");
    for (const json::Value &argument : prompt[u"arguments"]) {
        const QString key = argument[u"name"].string();
        if (canBeTyped(key) && !isGiven(line, key))
            choices.append({key + u'=', visibleLine(argument[u"description"].string(), MaxHelp)});
    }
    return choices;
}

}  // namespace sonde::cli
