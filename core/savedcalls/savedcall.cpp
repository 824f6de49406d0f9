// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/savedcall.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "core/savedcalls/texts.h"

#include <QDir>
#include <QHash>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr std::array KnownMembers{"name"_L1, "server"_L1, "tool"_L1, "arguments"_L1, "expect"_L1};
constexpr std::array KnownExpectations{"outcome"_L1, "result"_L1, "error"_L1, "ignore"_L1, "maxDurationMs"_L1};

struct OutcomeName {
    Outcome::Kind kind;
    QLatin1StringView name;
};
constexpr std::array OutcomeNames{OutcomeName{Outcome::Kind::Ok, "ok"_L1},
                                  OutcomeName{Outcome::Kind::ToolError, "tool-error"_L1},
                                  OutcomeName{Outcome::Kind::ProtocolError, "protocol-error"_L1},
                                  OutcomeName{Outcome::Kind::NoResponse, "no-response"_L1}};

QString lineOf(const QByteArray &text, qsizetype offset)
{
    return QString::number(text.first(std::min(offset, text.size())).count('\n') + 1);
}

// What has a meaning in ${calls.NAME.result/POINTER}.
bool isNameUsable(const QString &name)
{
    return !name.isEmpty() && std::ranges::none_of(name, [](QChar c) {
        return c == u'/' || c == u'{' || c == u'}' || c.unicode() < 0x20 || c.unicode() == 0x7F;
    });
}

// Reads one file. Each function returns what is wrong with its part.
class CallReader {
public:
    CallReader(const QByteArray &text, const QString &path) : m_text(text), m_path(path) {}

    Result<SavedCall> read()
    {
        const json::Document document = json::Document::parse(m_text);
        if (!document.isValid()) {
            const auto &findings = document.findings();
            const auto wrong = std::ranges::find(findings, json::Finding::Severity::Error, &json::Finding::severity);
            if (wrong == findings.end())
                return Error::local(SavedCallText::tr("%1 is not JSON.").arg(m_path));
            return Error::local(SavedCallText::tr("%1, line %2 is not JSON: %3")
                                    .arg(m_path, lineOf(m_text, wrong->offset), wrong->reason));
        }
        if (!document.root().isObject())
            return Error::local(SavedCallText::tr("%1 is not a saved call: it is not a JSON object.").arg(m_path));
        m_call.source = document.root();
        m_call.path = m_path;
        for (const Error &problem : {readNames(), readArguments(), readExpectation()}) {
            if (problem)
                return problem;
        }
        return m_call;
    }

private:
    Error problem(const json::Value &at, const QString &what, const QString &hint = {}) const
    {
        return Error::local(u"%1, line %2: %3"_s.arg(m_path, lineOf(m_text, at.offset()), what), hint);
    }

    Error readString(QStringView member, QString *text) const
    {
        const json::Value value = m_call.source[member];
        if (!value.exists())
            return {};
        if (!value.isString() || value.string().isEmpty())
            return problem(value, SavedCallText::tr("'%1' must be a string that is not empty.").arg(member));
        *text = value.string();
        return {};
    }

    Error readNames()
    {
        m_call.name = m_call.fileName();
        if (m_call.name.endsWith(SavedCall::fileEnding()))
            m_call.name.chop(SavedCall::fileEnding().size());
        for (const Error &wrong : {readString(u"name", &m_call.name), readString(u"server", &m_call.server),
                                   readString(u"tool", &m_call.tool)}) {
            if (wrong)
                return wrong;
        }
        if (!isNameUsable(m_call.name))
            return problem(m_call.source,
                           SavedCallText::tr("'%1' cannot be the name of a saved call.").arg(m_call.name),
                           SavedCallText::tr("A name is not empty and has none of / { } in it."));
        if (m_call.tool.isEmpty())
            return problem(m_call.source, SavedCallText::tr("'tool' is missing."),
                           SavedCallText::tr("A saved call has the name of a tool, such as \"tool\": \"search\"."));
        return {};
    }

    Error readArguments()
    {
        m_call.arguments = m_call.source[u"arguments"];
        if (!m_call.arguments.exists())
            return {};
        if (!m_call.arguments.isObject())
            return problem(m_call.arguments, SavedCallText::tr("'arguments' must be an object."));
        const auto placeholders = placeholdersIn(m_call.arguments);
        return placeholders ? Error()
                            : problem(m_call.arguments, placeholders.error().message, placeholders.error().hint);
    }

    Error readExpectation()
    {
        const json::Value expect = m_call.source[u"expect"];
        if (!expect.exists())
            return {};
        if (!expect.isObject())
            return problem(expect, SavedCallText::tr("'expect' must be an object."));
        CallExpectation &expected = m_call.expect;
        if (const Error wrong = readOutcome(expect[u"outcome"]))
            return wrong;
        expected.result = expect[u"result"];
        expected.error = expect[u"error"];
        const bool isError = expected.outcome == Outcome::Kind::ProtocolError;
        if (isError && expected.result.exists())
            return problem(expected.result, SavedCallText::tr("A protocol error has no result."),
                           SavedCallText::tr("Write \"error\" instead of \"result\", or another outcome."));
        if (!isError && expected.error.exists())
            return problem(expected.error, SavedCallText::tr("'error' needs the outcome protocol-error."),
                           SavedCallText::tr("Add \"outcome\": \"protocol-error\"."));
        if (const json::Value ignore = expect[u"ignore"]; ignore.exists()) {
            const Result<ReplayRules> rules = ReplayRules::fromList(ignore);
            if (!rules)
                return problem(ignore, u"'ignore': "_s + rules.error().message);
            expected.ignore = *rules;
        }
        if (const json::Value limit = expect[u"maxDurationMs"]; limit.exists()) {
            expected.maxDurationMs = limit.toInteger();
            if (expected.maxDurationMs.value_or(0) <= 0)
                return problem(limit,
                               SavedCallText::tr("'maxDurationMs' must be a whole number of milliseconds above 0."));
        }
        return {};
    }

    Error readOutcome(const json::Value &outcome)
    {
        if (!outcome.exists())
            return {};
        const auto found = std::ranges::find(OutcomeNames, outcome.string(), &OutcomeName::name);
        if (found == OutcomeNames.end() || found->kind == Outcome::Kind::NoResponse)
            return problem(outcome, SavedCallText::tr("'outcome' must be ok, tool-error or protocol-error."));
        m_call.expect.outcome = found->kind;
        return {};
    }

    const QByteArray &m_text;
    const QString m_path;
    SavedCall m_call;
};

using Members = QList<std::pair<QLatin1StringView, QByteArray>>;  // JSON; empty: there is no such member

// An object with these members, and all others of the source, in the order of the source.
QByteArray merged(const json::Value &source, const Members &members)
{
    json::Builder builder;
    builder.beginObject();
    QStringList written;
    for (const json::Value &old : source) {
        const QString key = old.key();
        const auto known = std::ranges::find_if(members, [&key](const auto &each) { return each.first == key; });
        if (known == members.end()) {
            builder.rawKey(old.keySlice()).value(old);
        } else if (!written.contains(key)) {
            written.append(key);
            if (!known->second.isEmpty())
                builder.rawKey(old.keySlice()).raw(known->second);
        }
    }
    for (const auto &[name, json] : members) {
        if (!json.isEmpty() && !written.contains(name))
            builder.rawMember(QString(name), json);
    }
    return builder.endObject().take();
}

QByteArray stringJson(const QString &text)
{
    return text.isEmpty() ? QByteArray() : json::Builder().string(text).take();
}

template <size_t Count>
void addUnknown(QStringList *found, const json::Value &object, const std::array<QLatin1StringView, Count> &known)
{
    for (const json::Value &member : object) {
        if (std::ranges::find(known, member.key()) == known.end())
            found->append(json::Pointer::to(member).toString());
    }
}

}  // namespace

QString SavedCall::fileEnding()
{
    return u".call.json"_s;
}

Result<SavedCall> SavedCall::parse(const QByteArray &text, const QString &path)
{
    if (text.size() > filelimits::SavedCalls)
        return Error::local(SavedCallText::tr("%1 is larger than the %2 MiB that a saved call may have.")
                                .arg(path, QString::number(filelimits::SavedCalls / filelimits::MiB)));
    return CallReader(text, path).read();
}

Result<SavedCall> SavedCall::load(const QString &path)
{
    const Result<QByteArray> text = readFile(path, filelimits::SavedCalls);
    return text ? parse(*text, path) : Result<SavedCall>(text.error());
}

Result<QList<SavedCall>> SavedCall::loadFolder(const QString &folder)
{
    const QDir directory(folder);
    if (!directory.isReadable())
        return Error::local(SavedCallText::tr("The folder %1 cannot be read.").arg(folder));
    QList<SavedCall> calls;
    const QStringList names = directory.entryList({u'*' + fileEnding()}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        Result<SavedCall> call = load(directory.filePath(name));
        if (!call)
            return call.error();
        calls.append(std::move(call).value());
    }
    return calls;
}

bool SavedCall::isMeantBy(const QByteArray &text)
{
    return text.trimmed().startsWith('{');
}

QStringList SavedCall::unknownMembers() const
{
    QStringList found;
    addUnknown(&found, source, KnownMembers);
    addUnknown(&found, source[u"expect"], KnownExpectations);
    return found;
}

QByteArray SavedCall::toJson() const
{
    const json::Value old = source[u"expect"];
    const bool isOutcomeSaid = old[u"outcome"].exists() || !source.exists() || expect.outcome != Outcome::Kind::Ok;
    const QByteArray rules =
        expect.ignore.isEmpty() ? QByteArray() : json::parse(expect.ignore.toJson())[u"ignore"].bytes();
    const QByteArray expected = merged(
        old, {{"outcome"_L1, isOutcomeSaid ? stringJson(outcomeName(expect.outcome)) : QByteArray()},
              {"result"_L1, expect.result.bytes()},
              {"error"_L1, expect.error.bytes()},
              {"ignore"_L1, rules},
              {"maxDurationMs"_L1, expect.maxDurationMs ? QByteArray::number(*expect.maxDurationMs) : QByteArray()}});
    const bool isNameSaid = !source.exists() || source.contains(u"name") || fileName() != name + fileEnding();
    const QByteArray text =
        merged(source, {{"name"_L1, isNameSaid ? stringJson(name) : QByteArray()},
                        {"server"_L1, stringJson(server)},
                        {"tool"_L1, stringJson(tool)},
                        {"arguments"_L1, arguments.bytes()},
                        {"expect"_L1, expected == "{}" && !old.exists() ? QByteArray() : expected}});
    return json::indented(json::parse(text)) + '\n';
}

Error SavedCall::save(const QString &to) const
{
    return saveFile(to, toJson(), ReadableBy::Usual);
}

QString problemOfCallName(const QString &name)
{
    constexpr qsizetype maxLength = 200;  // with the ending, most file systems have room for 255 bytes
    if (name.isEmpty())
        return SavedCallText::tr("Enter a name.");
    if (!isNameUsable(name) || name.startsWith(u'.'))
        return SavedCallText::tr("A name has none of / { } in it and does not begin with a dot.");
    return name.toUtf8().size() > maxLength ? SavedCallText::tr("The name is too long.") : QString();
}

QString outcomeName(Outcome::Kind kind)
{
    return std::ranges::find(OutcomeNames, kind, &OutcomeName::kind)->name;
}

QString outcomeWords(Outcome::Kind kind)
{
    switch (kind) {
        case Outcome::Kind::Ok:
            return SavedCallText::tr("a result");
        case Outcome::Kind::ToolError:
            return SavedCallText::tr("a tool error");
        case Outcome::Kind::ProtocolError:
            return SavedCallText::tr("a protocol error");
        case Outcome::Kind::NoResponse:
            break;
    }
    return SavedCallText::tr("no response");
}

QList<Placeholder> placeholdersOf(const SavedCall &call)
{
    QList<Placeholder> all;
    const Result<QList<PlaceholderUse>> found = placeholdersIn(call.arguments);
    const QList<PlaceholderUse> uses = found ? *found : QList<PlaceholderUse>();
    for (const PlaceholderUse &use : uses)
        all += use.placeholders;
    return all;
}

QStringList unsetVariables(const SavedCall &call)
{
    QStringList unset;
    const QList<Placeholder> placeholders = placeholdersOf(call);
    for (const Placeholder &each : placeholders) {
        if (each.kind == Placeholder::Kind::Environment && !unset.contains(each.name) &&
            !qEnvironmentVariableIsSet(each.name.toLocal8Bit().constData()))
            unset.append(each.name);
    }
    return unset;
}

UnwrittenCalls changeCalls(const QStringList &paths, const std::function<bool(SavedCall &)> &change)
{
    UnwrittenCalls unwritten;
    for (const QString &path : paths) {
        const Result<SavedCall> read = SavedCall::load(path);
        Error error = read ? Error() : read.error();
        if (read) {
            SavedCall call = *read;
            if (change(call))
                error = call.save(path);
        }
        if (!error)
            continue;
        if (unwritten.names.isEmpty())
            unwritten.why = error;
        unwritten.names.append(path.section(u'/', -1));
    }
    return unwritten;
}

Error problemOfSuite(const QList<SavedCall> &calls, const QString &howToOrder)
{
    QHash<QString, const SavedCall *> before;
    for (const SavedCall &call : calls) {
        const QList<Placeholder> placeholders = placeholdersOf(call);
        for (const Placeholder &each : placeholders) {
            if (each.kind == Placeholder::Kind::Result && !before.contains(each.name))
                return Error::local(
                    SavedCallText::tr("%1: %2 needs the result of the saved call '%3', which is not run before it.")
                        .arg(call.path, each.text, each.name),
                    howToOrder.isEmpty() ? SavedCallText::tr("Run it in the same command, in a file before this one.")
                                         : howToOrder);
        }
        if (const SavedCall *other = before.value(call.name))
            return Error::local(
                SavedCallText::tr("%1 and %2 are both named '%3'.").arg(other->path, call.path, call.name),
                SavedCallText::tr("Give each its own \"name\"."));
        before.insert(call.name, &call);
    }
    return {};
}

}  // namespace sonde
