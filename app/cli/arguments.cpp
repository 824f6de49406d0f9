// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "core/connection/loglevelchoice.h"
#include "core/connection/serveraddress.h"
#include "core/connection/serverstore.h"
#include "core/json/document.h"

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

QStringList revisionNames()
{
    QStringList names;
    for (const Revision revision : statelessRevisions() + statefulRevisions())
        names.append(toString(revision));
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
        {u"replay"_s, Replay},       {u"mock"_s, Mock},          {u"diff"_s, Diff}};
    return names;
}

QString nameOf(Arguments::Verb verb)
{
    const auto found = std::ranges::find_if(verbNames(), [verb](const VerbName &name) { return name.second == verb; });
    return found->first;
}

QString helpText()
{
    return ArgumentsText::
        tr("Usage: sonde-cli VERB [OPTIONS] (-- COMMAND… | --url URL | --server NAME)\n"
           "\n"
           "Connects to an MCP server, makes one request and prints the outcome.\n"
           "\n"
           "Verbs:\n"
           "  info                          server information and what it offers\n"
           "  list [tools] [resources] [templates] [prompts]\n"
           "                                everything the server offers, or only these lists\n"
           "  call TOOL [KEY=VALUE…]        call a tool\n"
           "  read URI [NAME=VALUE…]        read a resource; with values, URI is a template\n"
           "  prompt NAME [KEY=VALUE…]      get a prompt\n"
           "  request METHOD                send any other request, with --params\n"
           "  ping                          send a ping and print how long the response took\n"
           "  complete ARGUMENT [TEXT] [KEY=VALUE…]\n"
           "                                suggestions for an argument of --prompt NAME or --template URI; KEY=VALUE\n"
           "                                are the other arguments\n"
           "  subscribe URI…                print these resources each time they are updated, until Ctrl+C\n"
           "  log-level LEVEL               set the server's log level and print its log messages, until Ctrl+C\n"
           "  tasks [list | get ID | result ID | cancel ID]\n"
           "                                the tasks of the server; result waits until the task is over\n"
           "  run SCRIPT                    run one verb per line over one connection; - for standard input\n"
           "  export FILE --format FORMAT   export a session as jsonl, har, markdown or html; see export --help\n"
           "  log FILE [--filter FILTER]    print the records of a session\n"
           "  stats FILE                    print call statistics of a session\n"
           "  replay FILE                   repeat the calls of a session and compare the responses\n"
           "  mock FILE                     serve the recorded responses of a session, over stdio\n"
           "  diff A B                      compare what two servers offer; each is a session file, a URL, a\n"
           "                                command line in quotes, or --server NAME\n"
           "\n"
           "Arguments of a call:\n"
           "  KEY=VALUE                     typed by the tool's schema: numbers keep their digits; true, false\n"
           "                                and null where allowed; JSON for objects and arrays; otherwise a\n"
           "                                string. Repeating a key appends to an array\n"
           "  KEY:=JSON                     sent as is, whatever the schema says\n"
           "  --args FILE                   a JSON object, - for standard input; KEY=VALUE overrides it\n"
           "  --params JSON                 the complete params of call, read or prompt, sent as is, instead of\n"
           "                                TOOL, URI or NAME and the arguments; the params of request METHOD\n"
           "\n"
           "Server:\n"
           "  -- COMMAND [ARGUMENT…]        start this program and use its standard input and output\n"
           "  --url URL                     connect over HTTP; without a scheme, http:// for this machine and "
           "https://\n"
           "                                for others\n"
           "  --transport TRANSPORT         of a URL: streamable-http, sse (HTTP+SSE) or automatic, which tries both\n"
           "  --server NAME                 a server saved in Sonde\n"
           "  --header 'NAME: VALUE'        send this HTTP header; can be repeated\n"
           "  --env NAME=VALUE              set this environment variable; can be repeated\n"
           "  --inherit-env                 pass the full environment to the program\n"
           "  --cwd FOLDER                  working directory of the program (default: current)\n"
           "  --revision REVISION           automatic, or the protocol revision to use: %1\n"
           "\n"
           "Call:\n"
           "  --task                        run the tool as a task where it allows that, and wait for its result\n"
           "  --ttl SECONDS                 the same; how long the server should keep the task\n"
           "\n"
           "Complete, subscribe and log-level:\n"
           "  --prompt NAME, --template URI what the argument to complete belongs to\n"
           "  --count N                     end after N updates\n"
           "  --for SECONDS                 end after this time\n"
           "\n"
           "Run:\n"
           "  SCRIPT                        a line is a verb from info to tasks with its arguments, quoted as for\n"
           "                                a shell; # begins a comment line\n"
           "  --keep-going                  continue after a line that failed; the exit code is that of the worst "
           "line\n"
           "\n"
           "Replay:\n"
           "  --rules FILE                  ignore rules (default: NAME.rules.json beside NAME.mcpsession)\n"
           "  --filter FILTER               only matching calls; see filter-language.md\n"
           "  --allow-destructive           also call tools that are not annotated as read-only or non-destructive\n"
           "  --accept                      make the new responses the baseline; the previous session is kept\n"
           "  --junit FILE                  write a JUnit XML report\n"
           "\n"
           "Mock:\n"
           "  --timing                      respond with the recorded delays\n"
           "  --http [PORT]                 serve over HTTP instead, on 127.0.0.1 only; any program on this machine\n"
           "                                can then read the session\n"
           "\n"
           "Other options:\n"
           "  --timeout SECONDS             max time to wait for each response (60)\n"
           "  --json                        print one JSON object for scripts\n"
           "  --responses FILE|ask          responses to server requests: a JSON object with a result, or a list of\n"
           "                                results, for each of elicitation/create, sampling/createMessage and\n"
           "                                roots/list; only these are declared to the server. ask: enter them on the\n"
           "                                terminal. Default: elicitation and sampling are declined\n"
           "  --roots FOLDER                a folder to tell the server when it asks for roots; can be repeated\n"
           "  --save FOLDER                 save images, audio and other binary content there; not with --json\n"
           "  --record FILE                 write the session to a new file\n"
           "  --verbose                     print the server's log messages to standard error\n"
           "  --help, --version\n"
           "\n"
           "Exit codes:\n"
           "  0  OK: a result\n"
           "  1  tool error: the tool ran and reported a failure\n"
           "  2  protocol error: the server returned a JSON-RPC error\n"
           "  3  no response: not connected, timed out, cancelled or connection lost; also when output could not be\n"
           "     written\n"
           "  4  usage error: no request was made\n"
           "\n"
           "Exit codes of replay:\n"
           "  0  all responses are the same, except for what the rules ignore\n"
           "  1  some responses changed\n"
           "  2  a new or different JSON-RPC error\n"
           "  3  no response: not connected, timed out or connection lost\n"
           "  4  usage error, or all calls of tools, prompts, resources and completions were skipped\n"
           "\n"
           "Exit codes of diff: 0 same offering, 1 different, 2 breaking differences, 3 no response, or a list could "
           "not\n"
           "  be read, 4 usage error\n")
            .arg(revisionNames().join(u", "_s));
}

class Parser {
public:
    explicit Parser(const QStringList &words) : m_words(words) {}
    Parser(const QStringList &words, const Arguments &run) : m_words(words), m_isScriptLine(true)
    {
        out().json = run.json;
        out().verbose = run.verbose;
        out().saveFolder = run.saveFolder;
    }

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
        if (m_isScriptLine && !isAllowedInScript(text)) {
            fail(ArgumentsText::tr("%1 belongs to the command line of run, not into a script").arg(text));
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
            fail(ArgumentsText::tr("unknown verb '%1'").arg(text));
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
        } else if (isOf(Arguments::Verb::Info) || isOf(Arguments::Verb::Ping)) {
            fail(ArgumentsText::tr("unexpected argument '%1'").arg(text));
        } else if (out().verb == Arguments::Verb::Diff) {
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
        else if (name == "--json"_L1)
            out().json = true;
        else if (name == "--verbose"_L1)
            out().verbose = true;
        else if (name == "--inherit-env"_L1)
            out().inheritEnvironment = true;
        else if (name == "--accept"_L1)
            out().accept = only(name, {Arguments::Verb::Replay});
        else if (name == "--allow-destructive"_L1)
            out().allowDestructive = only(name, {Arguments::Verb::Replay});
        else if (name == "--keep-going"_L1)
            out().keepGoing = only(name, {Arguments::Verb::Run});
        else if (name == "--task"_L1)
            out().asTask = only(name, {Arguments::Verb::Call});
        else if (name == "--timing"_L1)
            out().timing = only(name, {Arguments::Verb::Mock});
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
                 if (only(u"--rules"_s, {Arguments::Verb::Replay}))
                     out().rulesPath = value;
             }},
            {u"--filter"_s,
             [this](const QString &value) {
                 if (only(u"--filter"_s, {Arguments::Verb::Replay}))
                     out().filter = value;
             }},
            {u"--junit"_s,
             [this](const QString &value) {
                 if (only(u"--junit"_s, {Arguments::Verb::Replay}))
                     out().junitPath = value;
             }},
            {u"--prompt"_s,
             [this](const QString &value) {
                 if (only(u"--prompt"_s, {Arguments::Verb::Complete}))
                     out().promptName = value;
             }},
            {u"--template"_s,
             [this](const QString &value) {
                 if (only(u"--template"_s, {Arguments::Verb::Complete}))
                     out().uriTemplate = value;
             }},
            {u"--count"_s, [this](const QString &value) { count(value); }},
            {u"--for"_s,
             [this](const QString &value) {
                 if (only(u"--for"_s, {Arguments::Verb::Subscribe, Arguments::Verb::LogLevel}))
                     out().duration = duration(value);
             }},
            {u"--ttl"_s,
             [this](const QString &value) {
                 out().asTask = only(u"--ttl"_s, {Arguments::Verb::Call});
                 out().taskTtl = duration(value);
             }},
            {u"--transport"_s, [this](const QString &value) { transport(value); }},
            {u"--revision"_s, [this](const QString &value) { revision(value); }},
            {u"--args"_s, [this](const QString &value) { out().argumentsFile = value; }},
            {u"--params"_s, [this](const QString &value) { params(value); }},
            {u"--cwd"_s, [this](const QString &value) { out().workingDirectory = value; }},
            {u"--record"_s, [this](const QString &value) { out().recordPath = value; }},
            {u"--responses"_s, [this](const QString &value) { out().responsesPath = value; }},
            {u"--roots"_s, [this](const QString &value) { root(value); }},
            {u"--answers"_s, [this](const QString &value) { out().responsesPath = value; }},  // its name in 0.1.0
            {u"--save"_s, [this](const QString &value) { out().saveFolder = value; }},
            {u"--timeout"_s, [this](const QString &value) { out().timeout = duration(value); }},
            {u"--env"_s, [this](const QString &value) { pair(value, u'=', &out().environment, "NAME=VALUE"); }},
            {u"--header"_s, [this](const QString &value) { pair(value, u':', &out().headers, "'NAME: VALUE'"); }},
        };
        const auto take = takes.constFind(name);
        if (take == takes.constEnd())
            fail(ArgumentsText::tr("unknown option '%1'").arg(name));
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
        if (isOf(Arguments::Verb::Diff))
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

    void count(const QString &text)
    {
        if (!only(u"--count"_s, {Arguments::Verb::Subscribe}))
            return;
        out().count = text.toInt();
        if (out().count <= 0)
            fail(ArgumentsText::tr("'%1' is not a number of updates above 0").arg(text));
    }

    void root(const QString &text)
    {
        const QFileInfo folder(text);
        if (folder.isDir())
            out().roots.append(QDir::cleanPath(folder.absoluteFilePath()));
        else
            fail(ArgumentsText::tr("--roots: folder %1 does not exist").arg(text));
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

    void check()
    {
        if (!m_haveVerb) {
            QStringList names;
            for (const VerbName &name : verbNames())
                names.append(name.first);
            fail(ArgumentsText::tr("expected a verb: %1").arg(names.join(u", "_s)));
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
            fail(ArgumentsText::tr("expected a session file"));
        else if (!isMock && out().sides.size() != 2)
            fail(ArgumentsText::tr(
                "expected two sides, each a session file, a URL, a command line in quotes, or --server NAME"));
        else if (!out().command.isEmpty() || !out().url.isEmpty() || !out().serverName.isEmpty())
            fail(isMock ? ArgumentsText::tr("mock is itself a server and connects to no other")
                        : ArgumentsText::tr("give the two sides after diff: each a session file, a URL, a command line "
                                            "in quotes, or --server NAME"));
        else if (!out().recordPath.isEmpty())
            fail(ArgumentsText::tr("--record cannot be used with this verb"));
        else if (!out().responsesPath.isEmpty())
            fail(ArgumentsText::tr("--responses cannot be used with this verb"));
        else if (!out().headers.isEmpty() || !out().environment.isEmpty() || out().inheritEnvironment ||
                 !out().workingDirectory.isEmpty())
            fail(ArgumentsText::tr("--header, --env, --inherit-env and --cwd cannot be used with this verb"));
        else if (!out().roots.isEmpty())
            fail(ArgumentsText::tr("--roots cannot be used with this verb"));
        else if (out().httpKind)
            fail(ArgumentsText::tr("--transport cannot be used with this verb"));
        else if (out().revision && isMock)
            fail(ArgumentsText::tr("--revision cannot be used with this verb"));
    }

    void checkServer()
    {
        const int ways = int(!out().command.isEmpty()) + int(!out().url.isEmpty()) + int(!out().serverName.isEmpty());
        if (!out().params.isEmpty())
            checkParams();
        else
            checkOperands();
        if (!m_result.problem.isEmpty() || m_isScriptLine)
            return;
        if (ways == 0)
            fail(ArgumentsText::tr("no server: give -- COMMAND, --url URL or --server NAME"));
        else if (ways > 1)
            fail(ArgumentsText::tr("more than one server: give only one of -- COMMAND, --url URL and --server NAME"));
        else if (out().command.value(0).contains("://"_L1))
            fail(ArgumentsText::tr("'%1' is a URL, not a command: use --url %1").arg(out().command.first()));
        else if (!out().headers.isEmpty() && !out().command.isEmpty())
            fail(ArgumentsText::tr("--header requires a URL, not a command"));
        else if (out().httpKind && !out().command.isEmpty())
            fail(ArgumentsText::tr("--transport requires a URL, not a command"));
        else if (!out().url.isEmpty() &&
                 (!out().environment.isEmpty() || out().inheritEnvironment || !out().workingDirectory.isEmpty()))
            fail(ArgumentsText::tr("--env, --inherit-env and --cwd require a command, not a URL"));
        else if (isOf(Arguments::Verb::Replay) && !out().responsesPath.isEmpty())
            fail(ArgumentsText::tr("--responses cannot be used with replay, which sends the recorded responses"));
        else if (isOf(Arguments::Verb::Replay) && !out().roots.isEmpty())
            fail(ArgumentsText::tr("--roots cannot be used with replay, which sends the recorded responses"));
        else if (out().responsesPath == "ask"_L1 &&
                 (out().argumentsFile == "-"_L1 || (isOf(Arguments::Verb::Run) && out().target == "-"_L1)))
            fail(ArgumentsText::tr("--responses ask needs standard input, which is already read as a file"));
        else if (out().accept && !out().recordPath.isEmpty())
            fail(ArgumentsText::tr("--accept already records and cannot be used with --record"));
        else if (out().accept && !out().filter.isEmpty())
            fail(ArgumentsText::tr("--accept needs all calls and cannot be used with --filter"));
    }

    void checkOperands()
    {
        const bool needsTarget = !isOf(Arguments::Verb::Info) && !isOf(Arguments::Verb::List) &&
                                 !isOf(Arguments::Verb::Ping) && !isOf(Arguments::Verb::Tasks);
        if (needsTarget && out().target.isEmpty() && out().uris.isEmpty())
            fail(missingOperand());
        else if (isOf(Arguments::Verb::Complete) && out().promptName.isEmpty() == out().uriTemplate.isEmpty())
            fail(ArgumentsText::tr("complete needs either --prompt NAME or --template URI"));
        else if (isOf(Arguments::Verb::LogLevel) && !LogLevelChoice::all().contains(out().target))
            fail(ArgumentsText::tr("unknown log level '%1'; use one of %2")
                     .arg(out().target, LogLevelChoice::all().join(u", "_s)));
        else if (isOf(Arguments::Verb::Request))
            checkMethod();
        else if (isOf(Arguments::Verb::Tasks))
            checkTasks();
    }

    void checkTasks()
    {
        static const QStringList ofOne{u"get"_s, u"result"_s, u"cancel"_s};
        const QString what = out().target;
        if (!what.isEmpty() && what != "list"_L1 && !ofOne.contains(what))
            fail(ArgumentsText::tr("'%1' cannot be done with tasks; use list, get, result or cancel").arg(what));
        else if (ofOne.contains(what) && out().text.isEmpty())
            fail(ArgumentsText::tr("expected the ID of a task"));
        else if (!ofOne.contains(what) && !out().text.isEmpty())
            fail(ArgumentsText::tr("unexpected argument '%1'").arg(out().text));
    }

    QString missingOperand()
    {
        switch (out().verb) {
            case Arguments::Verb::Read:
            case Arguments::Verb::Subscribe:
                return ArgumentsText::tr("expected a resource URI");
            case Arguments::Verb::Replay:
                return ArgumentsText::tr("expected a session file");
            case Arguments::Verb::Run:
                return ArgumentsText::tr("expected a script");
            case Arguments::Verb::Request:
                return ArgumentsText::tr("expected a method");
            case Arguments::Verb::LogLevel:
                return ArgumentsText::tr("expected a log level: one of %1").arg(LogLevelChoice::all().join(u", "_s));
            default:
                return ArgumentsText::tr("expected a name");
        }
    }

    void checkMethod()
    {
        if (out().target.isEmpty())
            fail(missingOperand());
        else if (out().target.startsWith("notifications/"_L1))
            fail(ArgumentsText::tr("'%1' is a notification, which has no response; request sends requests only")
                     .arg(out().target));
    }

    bool isOneRequest()
    {
        return isOf(Arguments::Verb::Call) || isOf(Arguments::Verb::Prompt) || isOf(Arguments::Verb::Read);
    }

    void checkParams()
    {
        if (isOf(Arguments::Verb::Request))
            checkMethod();
        else if (!isOneRequest())
            fail(ArgumentsText::tr("--params is allowed only with call, read, prompt and request"));
        else if (!out().target.isEmpty() || !out().argumentsFile.isEmpty())
            fail(ArgumentsText::tr("--params replaces the name, URI and arguments; do not give both"));
        else if (out().asTask)
            fail(ArgumentsText::tr("--params are sent as they are; put a member task into them instead of --task"));
    }

    void checkFiles()
    {
        if (!out().argumentsFile.isEmpty() && out().verb != Arguments::Verb::Call &&
            out().verb != Arguments::Verb::Prompt)
            fail(ArgumentsText::tr("--args is allowed only with call and prompt"));
        else if (!out().saveFolder.isEmpty() && !m_isScriptLine && !isOneRequest() &&
                 !isOf(Arguments::Verb::Subscribe) && !isOf(Arguments::Verb::Run))
            fail(ArgumentsText::tr("--save is allowed only with call, read, prompt, subscribe and run"));
        else if (!out().saveFolder.isEmpty() && out().json)
            fail(ArgumentsText::tr("--save cannot be used with --json, which prints binary data in base64"));
        else if (!out().recordPath.isEmpty() && QFileInfo::exists(out().recordPath))
            fail(ArgumentsText::tr("%1 already exists; --record needs a new file").arg(out().recordPath));
        else if (!out().recordPath.isEmpty() && !QFileInfo(out().recordPath).absoluteDir().exists())
            fail(ArgumentsText::tr("folder %1 does not exist").arg(QFileInfo(out().recordPath).absolutePath()));
        else if (!out().saveFolder.isEmpty() && !QFileInfo(out().saveFolder).isDir())
            fail(ArgumentsText::tr("folder %1 does not exist").arg(out().saveFolder));
        else if (!out().junitPath.isEmpty() && !QFileInfo(out().junitPath).absoluteDir().exists())
            fail(ArgumentsText::tr("folder %1 does not exist").arg(QFileInfo(out().junitPath).absolutePath()));
    }

    Arguments &out() { return m_result.arguments; }

    const QStringList &m_words;
    qsizetype m_next = 0;
    bool m_haveVerb = false;
    bool m_haveText = false;
    const bool m_isScriptLine = false;
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
                        known.isEmpty() ? QString() : ArgumentsText::tr("Known servers: %1").arg(known.join(u", "_s)));
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

ParsedArguments parseScriptLine(const QStringList &words, const Arguments &run)
{
    return Parser(words, run).run();
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
    if (arguments.httpKind && spec.startsProcess())
        return Error::local(ArgumentsText::tr("--transport requires a URL, but '%1' is a command").arg(spec.name));
    if (arguments.httpKind)
        spec.httpKind = *arguments.httpKind;
    if (arguments.revision)
        spec.revision = *arguments.revision;
    spec.pageByPage = false;  // nobody is there to ask for more
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return Error::local(problems.join(u'\n'));
    return spec;
}

}  // namespace sonde::cli
