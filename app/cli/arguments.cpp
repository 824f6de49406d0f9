// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "app/cli/argumentcheck.h"
#include "app/cli/helptext.h"
#include "core/json/document.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct ArgumentsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
};

const QStringList &listNames()
{
    static const QStringList names{u"tools"_s, u"resources"_s, u"templates"_s, u"prompts"_s};
    return names;
}

using VerbName = std::pair<QString, Arguments::Verb>;
const QList<VerbName> &verbNames()
{
    using enum Arguments::Verb;
    static const QList<VerbName> names{
        {u"info"_s, Info},           {u"list"_s, List},          {u"call"_s, Call},   {u"read"_s, Read},
        {u"prompt"_s, Prompt},       {u"request"_s, Request},    {u"ping"_s, Ping},   {u"complete"_s, Complete},
        {u"subscribe"_s, Subscribe}, {u"log-level"_s, LogLevel}, {u"tasks"_s, Tasks}, {u"run"_s, Run},
        {u"replay"_s, Replay},       {u"mock"_s, Mock},          {u"diff"_s, Diff},   {u"login"_s, Login},
        {u"logout"_s, Logout},       {u"check"_s, Check}};
    return names;
}

QString nameOf(Arguments::Verb verb)
{
    const auto found = std::ranges::find_if(verbNames(), [verb](const VerbName &name) { return name.second == verb; });
    return found->first;
}

QString allVerbs()
{
    QStringList names;
    for (const VerbName &name : verbNames())
        names.append(name.first);
    return names.join(u", "_s);
}

class Parser {
    static constexpr int MaxShown = 60;

public:
    explicit Parser(const QStringList &words) : m_words(words) {}
    Parser(const QStringList &words, const Arguments &run) : m_words(words), m_isScriptLine(true)
    {
        out().json = run.json;
        out().verbose = run.verbose;
        out().yes = run.yes;
        out().saveFolder = run.saveFolder;
    }

    ParsedArguments run()
    {
        while (m_next < m_words.size() && m_result.problem.isEmpty() && m_result.response.isEmpty())
            word(m_words.at(m_next++));
        if (m_result.problem.isEmpty() && m_result.response.isEmpty() && !m_haveVerb)
            fail(ArgumentsText::tr("expected a verb: %1").arg(allVerbs()));
        else if (m_result.problem.isEmpty() && m_result.response.isEmpty())
            m_result.problem = problemOf(out(), m_isScriptLine);
        return std::move(m_result);
    }

private:
    using Take = std::function<void(const QString &value)>;

    void fail(const QString &problem) { m_result.problem = problem; }

    void word(const QString &text)
    {
        if (m_isScriptLine && !isAllowedInScript(text)) {
            const Option ofVerb = optionsWithValue().value(text.section(u'=', 0, 0));
            fail((ofVerb.verbs.isEmpty() ? ArgumentsText::tr("%1 belongs to the command line of run, not into a script")
                                         : ArgumentsText::tr("%1 cannot be used in a script"))
                     .arg(visibleLine(text, MaxShown)));
        } else if (text == "--"_L1) {
            out().command = m_words.mid(m_next);
            m_next = m_words.size();
            if (out().command.isEmpty())
                fail(ArgumentsText::tr("expected a command after --"));
        } else if (text.startsWith("--"_L1) || text == "-h"_L1) {
            option(text);
        } else if (!m_haveVerb) {
            verb(text);
        } else {
            operand(text);
        }
    }

    static bool isAllowedInScript(const QString &word)
    {
        static const QStringList options{u"--args"_s,  u"--params"_s, u"--prompt"_s, u"--template"_s,
                                         u"--count"_s, u"--for"_s,    u"--task"_s,   u"--ttl"_s};
        const bool isOption = word.startsWith("--"_L1) || word == "-h"_L1;
        return !isOption || options.contains(word.section(u'=', 0, 0));
    }

    void verb(const QString &text)
    {
        const auto found =
            std::ranges::find_if(verbNames(), [&text](const VerbName &name) { return name.first == text; });
        if (found == verbNames().cend()) {
            fail(ArgumentsText::tr("unknown verb '%1'").arg(visibleLine(text, MaxShown)));
            return;
        }
        if (m_isScriptLine && found->second >= Arguments::Verb::Run) {
            fail(ArgumentsText::tr("%1 cannot be used in a script").arg(text));
            return;
        }
        out().verb = found->second;
        m_haveVerb = true;
    }

    void operand(const QString &text)
    {
        if (out().verb == Arguments::Verb::List) {
            if (listNames().contains(text))
                out().lists.append(text);
            else
                fail(ArgumentsText::tr("unknown list '%1'; lists are %2").arg(text, listNames().join(u", "_s)));
        } else if (isOf(Arguments::Verb::Info) || isOf(Arguments::Verb::Ping) || isOf(Arguments::Verb::Login) ||
                   isOf(Arguments::Verb::Logout)) {
            fail(ArgumentsText::tr("unexpected argument '%1'").arg(text));
        } else if (isOf(Arguments::Verb::Diff) || isOf(Arguments::Verb::Check)) {
            out().sides.append({text, false});
        } else if (isOf(Arguments::Verb::Subscribe)) {
            out().uris.append(text);
        } else if (out().target.isEmpty()) {
            out().target = text;
        } else if (isOf(Arguments::Verb::Tasks) && out().text.isEmpty()) {
            out().text = text;
        } else if (isOf(Arguments::Verb::Complete) && !m_haveText && !text.contains(u'=')) {
            out().text = text;
            m_haveText = true;
        } else if (isOf(Arguments::Verb::Replay) || isOf(Arguments::Verb::Mock) || isOf(Arguments::Verb::Request) ||
                   isOf(Arguments::Verb::LogLevel) || isOf(Arguments::Verb::Run) || isOf(Arguments::Verb::Tasks)) {
            fail(ArgumentsText::tr("unexpected argument '%1'").arg(text));
        } else {
            assignment(text);
        }
    }

    void assignment(const QString &text)
    {
        const qsizetype equals = text.indexOf(u'=');
        const bool isJson = equals > 0 && text.at(equals - 1) == u':';
        const QString key = text.left(isJson ? equals - 1 : equals);
        if (equals < 0 || key.isEmpty())
            fail(ArgumentsText::tr("'%1' is neither KEY=VALUE nor KEY:=JSON").arg(text));
        else
            out().assignments.append({key, text.mid(equals + 1), isJson});
    }

    void option(const QString &name)
    {
        if (name == "--help"_L1 || name == "-h"_L1)
            m_result.response = helpText();
        else if (name == "--version"_L1)
            m_result.response = u"sonde-cli " SONDE_VERSION "\n"_s;
        else if (name == "--http"_L1 || name.startsWith("--http="_L1))
            http(name);
        else if (!flag(name))
            optionWithValue(name);
    }

    bool flag(const QString &name)
    {
        struct Flag {
            QStringView name;
            bool Arguments::*member;
            std::optional<Arguments::Verb> verb;  // the only one that it is for
        };
        using Verb = Arguments::Verb;
        static constexpr Flag flags[] = {{u"--json", &Arguments::json, {}},
                                         {u"--verbose", &Arguments::verbose, {}},
                                         {u"--yes", &Arguments::yes, {}},
                                         {u"--inherit-env", &Arguments::inheritEnvironment, {}},
                                         {u"--login-shell-path", &Arguments::loginShellPath, {}},
                                         {u"--accept", &Arguments::accept, Verb::Replay},
                                         {u"--allow-destructive", &Arguments::allowDestructive, Verb::Replay},
                                         {u"--keep-going", &Arguments::keepGoing, Verb::Run},
                                         {u"--task", &Arguments::asTask, Verb::Call},
                                         {u"--timing", &Arguments::timing, Verb::Mock}};
        const auto found = std::ranges::find_if(flags, [&name](const Flag &each) { return each.name == name; });
        if (found == std::ranges::end(flags))
            return false;
        out().*found->member = !found->verb || only(name, {*found->verb});
        return true;
    }

    struct Option {
        Take take;
        QList<Arguments::Verb> verbs = {};  // those that it is for; empty: all
    };

    QHash<QString, Option> optionsWithValue()
    {
        using Verb = Arguments::Verb;
        const auto text = [this](QString Arguments::*member) {
            return [this, member](const QString &value) { out().*member = value; };
        };
        const auto time = [this](std::optional<std::chrono::milliseconds> Arguments::*member) {
            return [this, member](const QString &value) { out().*member = duration(value); };
        };
        return {
            {u"--url"_s, {text(&Arguments::url)}},
            {u"--server"_s, {[this](const QString &value) { server(value); }}},
            {u"--rules"_s, {text(&Arguments::rulesPath), {Verb::Replay}}},
            {u"--filter"_s, {text(&Arguments::filter), {Verb::Replay}}},
            {u"--junit"_s, {text(&Arguments::junitPath), {Verb::Replay, Verb::Check}}},
            {u"--prompt"_s, {text(&Arguments::promptName), {Verb::Complete}}},
            {u"--template"_s, {text(&Arguments::uriTemplate), {Verb::Complete}}},
            {u"--pages"_s,
             {[this](const QString &value) { out().pages = number(value, ArgumentsText::tr("pages")); }, {Verb::List}}},
            {u"--count"_s,
             {[this](const QString &value) { out().count = number(value, ArgumentsText::tr("updates")); },
              {Verb::Subscribe}}},
            {u"--for"_s, {time(&Arguments::duration), {Verb::Subscribe, Verb::LogLevel}}},
            {u"--ttl"_s,
             {[this](const QString &value) {
                  out().asTask = true;
                  out().taskTtl = duration(value);
              },
              {Verb::Call}}},
            {u"--every"_s, {time(&Arguments::every), {Verb::Check}}},
            {u"--transport"_s, {[this](const QString &value) { transport(value); }}},
            {u"--revision"_s, {[this](const QString &value) { revision(value); }}},
            {u"--args"_s, {text(&Arguments::argumentsFile)}},
            {u"--params"_s, {[this](const QString &value) { params(value); }}},
            {u"--cwd"_s, {text(&Arguments::workingDirectory)}},
            {u"--record"_s, {text(&Arguments::recordPath)}},
            {u"--responses"_s, {text(&Arguments::responsesPath)}},
            {u"--answers"_s, {text(&Arguments::responsesPath)}},  // its name in 0.1.0
            {u"--roots"_s, {[this](const QString &value) { root(value); }}},
            {u"--without"_s, {[this](const QString &value) { without(value); }}},
            {u"--save"_s, {text(&Arguments::saveFolder)}},
            {u"--timeout"_s, {time(&Arguments::timeout)}},
            {u"--proxy"_s, {network(&http::NetworkOptions::proxy)}},
            {u"--ca"_s, {networkFile(&http::NetworkOptions::caFile)}},
            {u"--client-cert"_s, {networkFile(&http::NetworkOptions::clientCertificate)}},
            {u"--client-key"_s, {networkFile(&http::NetworkOptions::clientKey)}},
            {u"--accept-certificate"_s, {network(&http::NetworkOptions::acceptedCertificate)}},
            {u"--allow-host"_s, {[this](const QString &value) { out().network.allowedHosts.append(value); }}},
            {u"--env"_s, {[this](const QString &value) { pair(value, u'=', &out().environment, "NAME=VALUE"); }}},
            {u"--header"_s, {[this](const QString &value) { pair(value, u':', &out().headers, "'NAME: VALUE'"); }}},
        };
    }

    Take network(http::NetworkOptions::Member member)
    {
        return [this, member](const QString &value) { out().network.*member = value; };
    }

    Take networkFile(http::NetworkOptions::Member member)
    {
        return [this, member](const QString &value) { out().network.*member = QFileInfo(value).absoluteFilePath(); };
    }

    void optionWithValue(const QString &text)
    {
        const qsizetype equals = text.indexOf(u'=');
        const QString name = text.left(equals);
        const QHash<QString, Option> options = optionsWithValue();
        const auto option = options.constFind(name);
        if (option == options.constEnd())
            fail(ArgumentsText::tr("unknown option '%1'").arg(name));
        else if (const QString value = equals >= 0 ? text.mid(equals + 1) : nextValue(); value.isEmpty())
            fail(ArgumentsText::tr("%1 needs a value").arg(name));
        else if (option->verbs.isEmpty() || only(name, option->verbs))
            option->take(value);
    }

    void params(const QString &text)
    {
        const json::Document document = json::Document::parse(text.toUtf8());
        if (document.isValid() && document.root().isObject())
            out().params = document.root().bytes();
        else
            fail(ArgumentsText::tr("--params must be a JSON object"));
    }

    // Empty where there is none, as it is for an unset variable of the shell: neither is a value.
    QString nextValue()
    {
        return m_next >= m_words.size() || m_words.at(m_next) == "--"_L1 ? QString() : m_words.at(m_next++);
    }

    bool isOf(Arguments::Verb verb) { return m_haveVerb && out().verb == verb; }

    // An option of one verb comes after it.
    bool only(const QString &option, const QList<Arguments::Verb> &verbs)
    {
        if (!m_haveVerb || !verbs.contains(out().verb)) {
            QStringList names;
            for (const Arguments::Verb verb : verbs)
                names.append(nameOf(verb));
            fail(ArgumentsText::tr("%1 is allowed only with %2, after it")
                     .arg(option, names.join(ArgumentsText::tr(" and "))));
        }
        return m_result.problem.isEmpty();
    }

    // The port may be left out.
    void http(const QString &option)
    {
        if (!only(u"--http"_s, {Arguments::Verb::Mock}))
            return;
        out().http = true;
        const auto isNumber = [](const QString &word) {
            return !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) { return c.isDigit(); });
        };
        QString text;
        if (const qsizetype equals = option.indexOf(u'='); equals >= 0)
            text = option.mid(equals + 1);
        else if (m_next < m_words.size() && isNumber(m_words.at(m_next)))
            text = m_words.at(m_next++);
        else
            return;
        bool ok = false;
        out().port = text.toUShort(&ok);
        if (!ok)
            fail(ArgumentsText::tr("'%1' is not a port").arg(text));
    }

    void server(const QString &name)
    {
        if (isOf(Arguments::Verb::Diff) || isOf(Arguments::Verb::Check))
            out().sides.append({name, true});
        else
            out().serverName = name;
    }

    std::chrono::milliseconds duration(const QString &text)
    {
        bool ok = false;
        const double seconds = text.toDouble(&ok);
        if (ok && seconds > 0 && seconds <= 1e6)
            return std::chrono::milliseconds(qMax(qint64(1), qRound64(seconds * 1000)));
        fail(ArgumentsText::tr("'%1' is not a number of seconds above 0").arg(text));
        return {};
    }

    int number(const QString &text, const QString &what)
    {
        const int number = text.toInt();
        if (number <= 0)
            fail(ArgumentsText::tr("'%1' is not a number of %2 above 0").arg(text, what));
        return number;
    }

    void root(const QString &text)
    {
        const QFileInfo folder(text);
        if (folder.isDir())
            out().roots.append(QDir::cleanPath(folder.absoluteFilePath()));
        else
            fail(ArgumentsText::tr("--roots: folder %1 does not exist").arg(text));
    }

    // "elicitation" stands for both of its modes.
    void without(const QString &text)
    {
        const QStringList names = text.split(u',');
        for (const QString &name : names) {
            const QString trimmed = name.trimmed();
            const QStringList parts = trimmed == "elicitation"_L1
                                          ? QStringList{u"elicitation.form"_s, u"elicitation.url"_s}
                                          : QStringList{trimmed};
            if (!ServerSpec::capabilityNames().contains(parts.first()))
                return fail(ArgumentsText::tr("--without: unknown capability '%1'; use elicitation, %2")
                                .arg(trimmed, ServerSpec::capabilityNames().join(u", "_s)));
            out().undeclaredCapabilities += parts;
        }
    }

    void transport(const QString &text)
    {
        if (text == "automatic"_L1)
            out().httpKind = ServerSpec::HttpKind::Automatic;
        else if (text == "streamable-http"_L1)
            out().httpKind = ServerSpec::HttpKind::Streamable;
        else if (text == "sse"_L1)
            out().httpKind = ServerSpec::HttpKind::Sse;
        else
            fail(ArgumentsText::tr("unknown transport '%1'; use automatic, streamable-http or sse").arg(text));
    }

    void revision(const QString &text)
    {
        const std::optional<Revision> revision = revisionFromString(text);
        if (revision || text == "automatic"_L1)
            out().revision = revision;
        else
            fail(ArgumentsText::tr("unknown revision '%1'; use automatic or one of %2")
                     .arg(text, revisionNames().join(u", "_s)));
    }

    void pair(const QString &text, QChar separator, QList<std::pair<QString, QString>> *list, const char *form)
    {
        const qsizetype at = text.indexOf(separator);
        if (at <= 0)
            fail(ArgumentsText::tr("'%1' is not of the form %2").arg(text, QLatin1StringView(form)));
        else if (separator == u':')
            list->emplaceBack(text.left(at).trimmed(), text.mid(at + 1).trimmed());
        else
            list->emplaceBack(text.left(at), text.mid(at + 1));
    }

    Arguments &out() { return m_result.arguments; }

    const QStringList &m_words;
    qsizetype m_next = 0;
    bool m_haveVerb = false;
    bool m_haveText = false;
    const bool m_isScriptLine = false;
    ParsedArguments m_result;
};

}  // namespace

ParsedArguments parseArguments(const QStringList &words)
{
    return Parser(words).run();
}

ParsedArguments parseScriptLine(const QStringList &words, const Arguments &run)
{
    return Parser(words, run).run();
}

}  // namespace sonde::cli
