// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "core/connection/serveraddress.h"
#include "core/connection/serverstore.h"
#include "core/json/document.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <functional>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct ArgumentsText {
    Q_DECLARE_TR_FUNCTIONS(sonde - cli)
};

const QStringList &listNames()
{
    static const QStringList names{u"tools"_s, u"resources"_s, u"templates"_s, u"prompts"_s};
    return names;
}

QString helpText()
{
    return ArgumentsText::tr(
        "Usage: sonde-cli VERB [OPTIONS] (-- COMMAND… | --url URL | --server NAME)\n"
        "\n"
        "Talks to an MCP server once and says what came of it.\n"
        "\n"
        "Verbs:\n"
        "  info                          who the server is and what it offers\n"
        "  list [tools] [resources] [templates] [prompts]\n"
        "                                everything on offer, or these lists only\n"
        "  call TOOL [KEY=VALUE…]        call a tool\n"
        "  read URI [NAME=VALUE…]        read a resource; with values, URI is a template\n"
        "  prompt NAME [KEY=VALUE…]      get a prompt\n"
        "  export FILE --format FORMAT   a recorded session as jsonl, har, markdown or html; see export --help\n"
        "  log FILE [--filter FILTER]    rows of a recorded session\n"
        "  stats FILE                    how long the calls of a recorded session took\n"
        "  replay FILE                   make the calls of a recorded session again and compare the answers\n"
        "  mock FILE                     be the server that a session recorded, over standard input and output\n"
        "  diff A B                      compare what two servers offer; each is a session file, an address, a\n"
        "                                command line in quotes, or --server NAME\n"
        "\n"
        "Arguments of a call:\n"
        "  KEY=VALUE                     typed by the tool's schema: numbers keep their digits, true, false\n"
        "                                and null where they are allowed, JSON for objects and lists, text\n"
        "                                otherwise. A key given again adds to a list\n"
        "  KEY:=JSON                     sent as it is, whatever the schema says\n"
        "  --args FILE                   a JSON object, - for standard input; KEY=VALUE changes it\n"
        "  --params JSON                 the whole params of call, read or prompt, sent as they are, instead of\n"
        "                                TOOL, URI or NAME and what follows\n"
        "\n"
        "The server:\n"
        "  -- COMMAND [ARGUMENT…]        a program to start, over standard input and output\n"
        "  --url URL                     an address, over Streamable HTTP; without a scheme it is http:// for this\n"
        "                                machine and https:// for others\n"
        "  --server NAME                 one of the servers kept by Sonde\n"
        "  --header 'NAME: VALUE'        send this HTTP header; can be repeated\n"
        "  --env NAME=VALUE              set this in the program's environment; can be repeated\n"
        "  --inherit-env                 give the program the whole environment\n"
        "  --cwd FOLDER                  start the program there; otherwise here\n"
        "\n"
        "Replay:\n"
        "  --rules FILE                  what may differ; otherwise NAME.rules.json beside NAME.mcpsession\n"
        "  --filter FILTER               only calls that it lets through; see filter-language.md\n"
        "  --allow-destructive           also call tools that are not annotated as harmless\n"
        "  --accept                      the new answers become the recording; the old one is kept beside it\n"
        "  --junit FILE                  write a report in JUnit's form\n"
        "\n"
        "Mock:\n"
        "  --timing                      answer as slowly as it was recorded\n"
        "  --http [PORT]                 serve over HTTP instead, on 127.0.0.1 only; any program of this machine\n"
        "                                can read the recording then\n"
        "\n"
        "Other options:\n"
        "  --timeout SECONDS             wait this long for each answer (60)\n"
        "  --json                        print one JSON object for machines\n"
        "  --answers FILE                answer what the server asks meanwhile: a JSON object with a result, or a\n"
        "                                list of results, for each of elicitation/create, sampling/createMessage\n"
        "                                and roots/list. Only these are declared to the server\n"
        "  --save FOLDER                 keep pictures, sounds and other bytes as files there; not with --json\n"
        "  --record FILE                 write the session to a new file\n"
        "  --verbose                     show what the server logs meanwhile, on standard error\n"
        "  --help, --version\n"
        "\n"
        "Exit codes:\n"
        "  0  OK: a result\n"
        "  1  tool error: the tool ran and says that it failed\n"
        "  2  protocol error: the server answered with a JSON-RPC error\n"
        "  3  no answer: not connected, timed out, cancelled or connection lost; also when output could not be\n"
        "     written\n"
        "  4  wrong use: nothing was asked\n"
        "\n"
        "Exit codes of replay:\n"
        "  0  all answers are the same, but for what the rules allow\n"
        "  1  some changed\n"
        "  2  a JSON-RPC error where none was, or another one\n"
        "  3  no answer: not connected, timed out or connection lost\n"
        "  4  wrong use, or every call of a tool, a prompt, a resource or a completion was left out\n"
        "\n"
        "Exit codes of diff: 0 the same offer, however started, 1 different, 2 different in ways that can break "
        "clients,\n"
        "  3 no response, or a list that a server offers could not be read, 4 wrong use\n");
}

class Parser {
public:
    explicit Parser(const QStringList &words) : m_words(words) {}

    ParsedArguments run()
    {
        while (m_next < m_words.size() && m_result.problem.isEmpty() && m_result.response.isEmpty())
            word(m_words.at(m_next++));
        if (m_result.problem.isEmpty() && m_result.response.isEmpty())
            check();
        return std::move(m_result);
    }

private:
    using Take = std::function<void(const QString &value)>;

    void fail(const QString &problem) { m_result.problem = problem; }

    void word(const QString &text)
    {
        if (text == "--"_L1) {
            out().command = m_words.mid(m_next);
            m_next = m_words.size();
            if (out().command.isEmpty())
                fail(ArgumentsText::tr("a command is expected after --"));
        } else if (text.startsWith("--"_L1) || text == "-h"_L1) {
            option(text);
        } else if (!m_haveVerb) {
            verb(text);
        } else {
            operand(text);
        }
    }

    void verb(const QString &text)
    {
        static const QHash<QString, Arguments::Verb> verbs{
            {u"info"_s, Arguments::Verb::Info},     {u"list"_s, Arguments::Verb::List},
            {u"call"_s, Arguments::Verb::Call},     {u"read"_s, Arguments::Verb::Read},
            {u"prompt"_s, Arguments::Verb::Prompt}, {u"replay"_s, Arguments::Verb::Replay},
            {u"mock"_s, Arguments::Verb::Mock},     {u"diff"_s, Arguments::Verb::Diff}};
        if (!verbs.contains(text)) {
            fail(ArgumentsText::tr("there is no verb '%1'").arg(text));
            return;
        }
        out().verb = verbs.value(text);
        m_haveVerb = true;
    }

    void operand(const QString &text)
    {
        if (out().verb == Arguments::Verb::List) {
            if (listNames().contains(text))
                out().lists.append(text);
            else
                fail(ArgumentsText::tr("there is no list '%1'; the lists are %2").arg(text, listNames().join(u", "_s)));
        } else if (out().verb == Arguments::Verb::Info) {
            fail(ArgumentsText::tr("'%1' is not expected here").arg(text));
        } else if (out().verb == Arguments::Verb::Diff) {
            out().sides.append({text, false});
        } else if (out().target.isEmpty()) {
            out().target = text;
        } else if (isOf(Arguments::Verb::Replay) || isOf(Arguments::Verb::Mock)) {
            fail(ArgumentsText::tr("'%1' is not expected here").arg(text));
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
        else if (name == "--json"_L1)
            out().json = true;
        else if (name == "--verbose"_L1)
            out().verbose = true;
        else if (name == "--inherit-env"_L1)
            out().inheritEnvironment = true;
        else if (name == "--accept"_L1)
            out().accept = only(name, Arguments::Verb::Replay);
        else if (name == "--allow-destructive"_L1)
            out().allowDestructive = only(name, Arguments::Verb::Replay);
        else if (name == "--timing"_L1)
            out().timing = only(name, Arguments::Verb::Mock);
        else if (name == "--http"_L1 || name.startsWith("--http="_L1))
            http(name);
        else
            optionWithValue(name);
    }

    void optionWithValue(const QString &option)
    {
        const qsizetype equals = option.indexOf(u'=');
        const QString name = option.left(equals);
        const QHash<QString, Take> takes{
            {u"--url"_s, [this](const QString &value) { out().url = value; }},
            {u"--server"_s, [this](const QString &value) { server(value); }},
            {u"--rules"_s,
             [this](const QString &value) {
                 if (only(u"--rules"_s, Arguments::Verb::Replay))
                     out().rulesPath = value;
             }},
            {u"--filter"_s,
             [this](const QString &value) {
                 if (only(u"--filter"_s, Arguments::Verb::Replay))
                     out().filter = value;
             }},
            {u"--junit"_s,
             [this](const QString &value) {
                 if (only(u"--junit"_s, Arguments::Verb::Replay))
                     out().junitPath = value;
             }},
            {u"--args"_s, [this](const QString &value) { out().argumentsFile = value; }},
            {u"--params"_s, [this](const QString &value) { params(value); }},
            {u"--cwd"_s, [this](const QString &value) { out().workingDirectory = value; }},
            {u"--record"_s, [this](const QString &value) { out().recordPath = value; }},
            {u"--answers"_s, [this](const QString &value) { out().responsesPath = value; }},
            {u"--save"_s, [this](const QString &value) { out().saveFolder = value; }},
            {u"--timeout"_s, [this](const QString &value) { timeout(value); }},
            {u"--env"_s, [this](const QString &value) { pair(value, u'=', &out().environment, "NAME=VALUE"); }},
            {u"--header"_s, [this](const QString &value) { pair(value, u':', &out().headers, "'NAME: VALUE'"); }},
        };
        const auto take = takes.constFind(name);
        if (take == takes.constEnd())
            fail(ArgumentsText::tr("there is no option '%1'").arg(name));
        else if (const QString value = equals >= 0 ? option.mid(equals + 1) : nextValue(); value.isEmpty())
            fail(ArgumentsText::tr("%1 needs a value").arg(name));
        else
            (*take)(value);
    }

    void params(const QString &text)
    {
        const json::Document document = json::Document::parse(text.toUtf8());
        if (document.isValid() && document.root().isObject())
            out().params = document.root().bytes();
        else
            fail(ArgumentsText::tr("what follows --params is not a JSON object"));
    }

    // Empty where there is none, as it is for an unset variable of the shell: neither is a value.
    QString nextValue()
    {
        return m_next >= m_words.size() || m_words.at(m_next) == "--"_L1 ? QString() : m_words.at(m_next++);
    }

    bool isOf(Arguments::Verb verb) { return m_haveVerb && out().verb == verb; }

    // An option of one verb comes after it.
    bool only(const QString &option, Arguments::Verb verb)
    {
        if (!isOf(verb))
            fail(ArgumentsText::tr("%1 goes with %2 only, and comes after it")
                     .arg(option, verb == Arguments::Verb::Mock ? u"mock"_s : u"replay"_s));
        return m_result.problem.isEmpty();
    }

    // The port may be left out.
    void http(const QString &option)
    {
        if (!only(u"--http"_s, Arguments::Verb::Mock))
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
            fail(ArgumentsText::tr("'%1' is no port").arg(text));
    }

    void server(const QString &name)
    {
        if (isOf(Arguments::Verb::Diff))
            out().sides.append({name, true});
        else
            out().serverName = name;
    }

    void timeout(const QString &text)
    {
        bool ok = false;
        const double seconds = text.toDouble(&ok);
        if (!ok || !(seconds > 0) || seconds > 1e6)
            fail(ArgumentsText::tr("'%1' is no number of seconds above 0").arg(text));
        else
            out().timeout = std::chrono::milliseconds(qMax(qint64(1), qRound64(seconds * 1000)));
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

    void check()
    {
        if (!m_haveVerb) {
            fail(ArgumentsText::tr("a verb is expected: info, list, call, read, prompt, replay, mock or diff"));
            return;
        }
        if (isOf(Arguments::Verb::Mock) || isOf(Arguments::Verb::Diff))
            checkServerless();
        else
            checkServer();
        if (m_result.problem.isEmpty())
            checkFiles();
    }

    // Verbs that bring their servers with them.
    void checkServerless()
    {
        const bool isMock = isOf(Arguments::Verb::Mock);
        if (isMock && out().target.isEmpty())
            fail(ArgumentsText::tr("a session file is expected"));
        else if (!isMock && out().sides.size() != 2)
            fail(ArgumentsText::tr(
                "two sides are expected: each a session file, an address, a command line in quotes, or "
                "--server NAME"));
        else if (!out().command.isEmpty() || !out().url.isEmpty() || !out().serverName.isEmpty())
            fail(isMock ? ArgumentsText::tr("mock is a server itself: it takes no other")
                        : ArgumentsText::tr(
                              "the sides of diff follow it: an address, a command line in quotes, or --server NAME"));
        else if (!out().recordPath.isEmpty())
            fail(ArgumentsText::tr("--record does not go with this verb"));
        else if (!out().responsesPath.isEmpty())
            fail(ArgumentsText::tr("--answers does not go with this verb"));
        else if (!out().headers.isEmpty() || !out().environment.isEmpty() || out().inheritEnvironment ||
                 !out().workingDirectory.isEmpty())
            fail(ArgumentsText::tr("--header, --env, --inherit-env and --cwd do not go with this verb"));
    }

    void checkServer()
    {
        const int ways = int(!out().command.isEmpty()) + int(!out().url.isEmpty()) + int(!out().serverName.isEmpty());
        const bool needsTarget = out().verb != Arguments::Verb::Info && out().verb != Arguments::Verb::List;
        if (!out().params.isEmpty())
            checkParams();
        else if (needsTarget && out().target.isEmpty())
            fail(isOf(Arguments::Verb::Read)     ? ArgumentsText::tr("the address of a resource is expected")
                 : isOf(Arguments::Verb::Replay) ? ArgumentsText::tr("a session file is expected")
                                                 : ArgumentsText::tr("a name is expected"));
        if (!m_result.problem.isEmpty())
            return;
        if (ways == 0)
            fail(ArgumentsText::tr("no server: give -- COMMAND, --url URL or --server NAME"));
        else if (ways > 1)
            fail(ArgumentsText::tr("several servers: give one of -- COMMAND, --url URL and --server NAME"));
        else if (out().command.value(0).contains("://"_L1))
            fail(ArgumentsText::tr("'%1' is an address, not a command: give --url %1").arg(out().command.first()));
        else if (!out().headers.isEmpty() && !out().command.isEmpty())
            fail(ArgumentsText::tr("--header goes with an address, not with a command"));
        else if (!out().url.isEmpty() &&
                 (!out().environment.isEmpty() || out().inheritEnvironment || !out().workingDirectory.isEmpty()))
            fail(ArgumentsText::tr("--env, --inherit-env and --cwd go with a command, not with an address"));
        else if (isOf(Arguments::Verb::Replay) && !out().responsesPath.isEmpty())
            fail(ArgumentsText::tr("replay gives the recorded answers: it takes no --answers"));
        else if (out().accept && !out().recordPath.isEmpty())
            fail(ArgumentsText::tr("--accept records already: it does not go with --record"));
        else if (out().accept && !out().filter.isEmpty())
            fail(ArgumentsText::tr("--accept needs all calls: it does not go with --filter"));
    }

    bool isOneRequest()
    {
        return isOf(Arguments::Verb::Call) || isOf(Arguments::Verb::Prompt) || isOf(Arguments::Verb::Read);
    }

    void checkParams()
    {
        if (!isOneRequest())
            fail(ArgumentsText::tr("--params goes with call, read and prompt only"));
        else if (!out().target.isEmpty() || !out().argumentsFile.isEmpty())
            fail(ArgumentsText::tr("--params says all of it: it takes no name, address or arguments besides"));
    }

    void checkFiles()
    {
        if (!out().argumentsFile.isEmpty() && out().verb != Arguments::Verb::Call &&
            out().verb != Arguments::Verb::Prompt)
            fail(ArgumentsText::tr("--args goes with call and prompt only"));
        else if (!out().saveFolder.isEmpty() && !isOneRequest())
            fail(ArgumentsText::tr("--save goes with call, read and prompt only"));
        else if (!out().saveFolder.isEmpty() && out().json)
            fail(ArgumentsText::tr("--save does not go with --json, which prints all bytes in base64"));
        else if (!out().recordPath.isEmpty() && QFileInfo::exists(out().recordPath))
            fail(ArgumentsText::tr("%1 exists; a session is written to a new file").arg(out().recordPath));
        else if (!out().recordPath.isEmpty() && !QFileInfo(out().recordPath).absoluteDir().exists())
            fail(ArgumentsText::tr("there is no folder %1").arg(QFileInfo(out().recordPath).absolutePath()));
        else if (!out().saveFolder.isEmpty() && !QFileInfo(out().saveFolder).isDir())
            fail(ArgumentsText::tr("there is no folder %1").arg(out().saveFolder));
        else if (!out().junitPath.isEmpty() && !QFileInfo(out().junitPath).absoluteDir().exists())
            fail(ArgumentsText::tr("there is no folder %1").arg(QFileInfo(out().junitPath).absolutePath()));
    }

    Arguments &out() { return m_result.arguments; }

    const QStringList &m_words;
    qsizetype m_next = 0;
    bool m_haveVerb = false;
    ParsedArguments m_result;
};

Result<ServerSpec> storedSpec(const QString &name)
{
    ServerStore store;
    if (const Error error = store.load())
        return error;
    if (const ServerSpec *spec = store.server(name))
        return *spec;
    QStringList known;
    for (const ServerSpec &spec : store.servers())
        known.append(spec.name);
    return Error::local(ArgumentsText::tr("There is no server '%1' in %2.").arg(name, store.path()),
                        known.isEmpty() ? QString() : ArgumentsText::tr("Known are: %1").arg(known.join(u", "_s)));
}

ServerSpec typedSpec(const Arguments &arguments)
{
    ServerSpec spec;
    if (!arguments.url.isEmpty()) {
        spec.kind = ServerSpec::Kind::Http;
        spec.url = addressFromText(arguments.url).value_or(QUrl(arguments.url, QUrl::StrictMode));
        spec.name = spec.url.host();
        return spec;
    }
    spec.command = arguments.command.first();
    spec.arguments = arguments.command.mid(1);
    spec.name = QFileInfo(spec.command).fileName();
    // As every program that starts another one does; a server kept by Sonde starts where its entry says.
    spec.workingDirectory = QDir::currentPath();
    return spec;
}

}  // namespace

ParsedArguments parseArguments(const QStringList &words)
{
    return Parser(words).run();
}

Result<ServerSpec> serverSpec(const Arguments &arguments)
{
    const Result<ServerSpec> found =
        arguments.serverName.isEmpty() ? Result<ServerSpec>(typedSpec(arguments)) : storedSpec(arguments.serverName);
    if (!found)
        return found.error();
    ServerSpec spec = *found;
    spec.headers += arguments.headers;
    spec.environment += arguments.environment;
    if (arguments.inheritEnvironment)
        spec.inheritEnvironment = true;
    if (!arguments.workingDirectory.isEmpty())
        spec.workingDirectory = QDir(arguments.workingDirectory).absolutePath();
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return Error::local(problems.join(u'\n'));
    return spec;
}

}  // namespace sonde::cli
