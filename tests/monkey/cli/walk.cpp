// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/cli/walk.h"

#include "tests/monkey/cli/world.h"

#include <csignal>

namespace sonde::monkey {

using namespace Qt::StringLiterals;

namespace {

const QStringList &tools()
{
    static const QStringList names{u"add"_s,
                                   u"every-field-kind"_s,
                                   u"every-content-kind"_s,
                                   u"echo"_s,
                                   u"progress"_s,
                                   u"log"_s,
                                   u"fail"_s,
                                   u"protocol-error"_s,
                                   u"hostile-text"_s,
                                   u"structured-report"_s,
                                   u"slow"_s,
                                   u"structured-wrong"_s,
                                   u"big"_s,
                                   u"toggle-tools"_s,
                                   u"delete-everything"_s,
                                   u""_s,
                                   u"session-info"_s,
                                   u"regional-report"_s,
                                   u"ask-form"_s,
                                   u"ask-url"_s,
                                   u"--"_s,
                                   u"ask-model"_s,
                                   u"ask-roots"_s,
                                   u"ask-twice"_s,
                                   u"ask-everything"_s,
                                   u"nope"_s,
                                   u"run-as-task"_s,
                                   u"ping-back"_s,
                                   u"touch-resource"_s};
    return names;
}

const QStringList &uris()
{
    static const QStringList all{u"demo://text/greeting"_s,
                                 u"demo://data/all-bytes"_s,
                                 u"demo://media/wave.png"_s,
                                 u"demo://live/clock"_s,
                                 u"demo://weather/{city}{?unit}"_s,
                                 u"demo://files{/path*}"_s,
                                 u"demo://nothing"_s,
                                 u"{"_s,
                                 QString(),
                                 u"file:///etc/passwd"_s};
    return all;
}

const QStringList &numbers()
{
    static const QStringList all{u"1"_s, u"2"_s};
    return all;
}

const QStringList &wrongNumbers()
{
    static const QStringList all{u"0"_s, u"-1"_s, u"1e9"_s, u"99999999999999999999"_s, u"x"_s, QString(), u"0x10"_s};
    return all;
}

const QStringList &filters()
{
    static const QStringList all{u"tool == add"_s, u"ms > 1"_s, u"kind == request and not error"_s};
    return all;
}

const QStringList &wrongFilters()
{
    static const QStringList all{u"((("_s, QString(), u"tool =="_s, u"text ~ /[a-z/"_s};
    return all;
}

const QStringList &methods()
{
    static const QStringList all{u"ping"_s,       u"tools/list"_s,         u"no/such"_s,         u"initialize"_s,
                                 QString(),       u"tools/call"_s,         u"server/discover"_s, u"resources/read"_s,
                                 u"tasks/list"_s, u"completion/complete"_s};
    return all;
}

}  // namespace

CliStep CliWalk::next()
{
    CliStep step;
    chooseVerb(&step);
    if (chance(6))
        spoil(&step);
    chooseStreams(&step);
    return step;
}

void CliWalk::chooseVerb(CliStep *step)
{
    static const QStringList sessionVerbs{u"export"_s, u"log"_s, u"stats"_s, u"import"_s, u"export-servers"_s};
    static const QStringList verbs{u"info"_s,      u"list"_s,      u"call"_s, u"call"_s,  u"call"_s,     u"read"_s,
                                   u"prompt"_s,    u"request"_s,   u"ping"_s, u"run"_s,   u"complete"_s, u"replay"_s,
                                   u"subscribe"_s, u"log-level"_s, u"mock"_s, u"tasks"_s, u"check"_s,    u"diff"_s,
                                   u"login"_s,     u"logout"_s,    u"list"_s, u"check"_s};
    if (chance(25)) {
        chooseSessionVerb(step, oneOf(sessionVerbs));
        return;
    }
    const QString verb = oneOf(verbs, verbs + QStringList{u"nonsense"_s, u"--help"_s, u"--version"_s, QString()});
    step->words.append(verb);
    chooseOperands(step, verb);
    const QStringList server = chooseServer(verb);
    chooseOptions(step, verb);
    chooseServerOptions(step, server);
    if (verb != u"mock" && verb != u"diff" && !verb.startsWith(u'-'))
        step->words += server;
}

void CliWalk::chooseSessionVerb(CliStep *step, const QString &verb)
{
    static const QStringList formats{u"jsonl"_s, u"har"_s, u"markdown"_s, u"html"_s};
    step->words.append(verb);
    if (verb == u"export-servers") {
        if (chance(30))
            step->words.append(oneOf({u"demo"_s, u"nobody"_s, QString()}));
        if (chance(20))
            step->words.append(u"--include-secrets"_s);
    } else if (verb == u"import") {
        step->words.append(oneOf({u"--found"_s, u"%home%/hosts.json"_s, u"%home%/half.json"_s, u"%home%/huge.json"_s,
                                  u"-"_s, u"%home%/whole.mcpsession"_s, u"%home%/deep.json"_s, u"%home%/out"_s}));
        if (chance(60))
            step->words.append(u"--list"_s);
    } else {
        step->words.append(oneOf(CliWorld::sessions()));
        if (verb == u"export")
            step->words << u"--format"_s << oneOf(formats, {u"pdf"_s, QString()});
        if (verb == u"export" && chance(20))
            step->words.append(u"--preview"_s);
        if (verb == u"export" && chance(20))
            step->words << u"--secret"_s << oneOf({u"hello"_s, u"a"_s, QString()});
        if (verb != u"stats" && chance(40))
            step->words << u"--filter"_s << oneOf(filters(), wrongFilters());
    }
    if (verb.startsWith(u"export") && chance(40))
        step->words << u"-o"_s << newFile(u"export"_s);
    if (chance(verb.startsWith(u"export") ? 5 : 40))
        step->words.append(u"--json"_s);
}

QString CliWalk::newFile(const QString &name)
{
    return oneOf({u"%home%/out/"_s + name}, CliWorld::places());
}

QString CliWalk::json()
{
    return oneOf({u"{}"_s, u"{\"a\":1,\"b\":2}"_s, u"{\"a\":"_s, u"[]"_s, u"null"_s, u"{\"name\":\"add\"}"_s,
                  u"{\"text\":\"%1\"}"_s.arg(QString(int(m_random.bounded(60'000)), u'y')), QString(),
                  u"{\"a\":%1%2}"_s.arg(QString(5000, u'['), QString(5000, u']')), u"\"\\ud800\""_s});
}

QString CliWalk::assignment()
{
    return oneOf({u"a=1"_s, u"b=2"_s, u"a=0.1e400"_s, u"a"_s, u"=1"_s, u"text=héllo\n"_s, u"value:={}"_s, u"value:={"_s,
                  u"steps=3"_s, u"ms=200"_s, u"bytes=100000"_s, u"a=%1"_s.arg(QString(300, u'9')), u"city=Rome"_s,
                  u"a:=99999999999999999999999"_s, u"path=x"_s, u"a=null"_s});
}

void CliWalk::chooseOperands(CliStep *step, const QString &verb)
{
    QStringList &words = step->words;
    const auto assignments = [this, &words] {
        for (int i = int(m_random.bounded(4)); i > 0; --i)
            words.append(assignment());
    };
    if (verb == u"list") {
        for (const QString &list : {u"tools"_s, u"resources"_s, u"templates"_s, u"prompts"_s, u"nothing"_s}) {
            if (chance(list == u"nothing" ? 3 : 15))
                words.append(list);
        }
    } else if (verb == u"call") {
        words.append(oneOf(tools()));
        assignments();
    } else if (verb == u"read") {
        words.append(oneOf(uris()));
        assignments();
    } else if (verb == u"prompt") {
        words.append(oneOf({u"greeting"_s, u"summarize"_s, u"gallery"_s, u"nope"_s, QString()}));
        assignments();
    } else if (verb == u"request") {
        words.append(oneOf(methods()));
        if (chance(50))
            words << u"--params"_s << json();
    } else if (verb == u"complete") {
        words << oneOf({u"topic"_s, u"city"_s, QString()}) << oneOf({u"a"_s, QString(), u"Ro"_s});
        words << oneOf({u"--prompt"_s, u"--template"_s}) << oneOf({u"summarize"_s, u"demo://weather/{city}{?unit}"_s});
    } else if (verb == u"subscribe") {
        words.append(oneOf(uris()));
        if (chance(60))
            words << oneOf({u"--count"_s, u"--for"_s}) << oneOf(numbers(), wrongNumbers());
    } else if (verb == u"log-level") {
        words.append(oneOf({u"debug"_s, u"error"_s, u"loud"_s, QString()}));
        if (chance(60))
            words << u"--for"_s << oneOf(numbers(), wrongNumbers());
    } else if (verb == u"tasks") {
        if (chance(80))
            words.append(oneOf({u"list"_s, u"get"_s, u"result"_s, u"cancel"_s}, {u"nothing"_s}));
        if (chance(60))
            words.append(oneOf({u"1"_s, u"no-such-task"_s, QString()}));
    } else if (verb == u"run") {
        words.append(oneOf(CliWorld::scripts()));
        if (chance(40))
            words.append(u"--keep-going"_s);
    } else if (verb == u"replay" || verb == u"mock") {
        words.append(oneOf(CliWorld::sessions()));
    } else if (verb == u"diff" || (verb == u"check" && chance(40))) {
        for (int i = verb == u"diff" ? 2 : 1 + int(m_random.bounded(2)); i > 0; --i)
            words.append(oneOf(CliWorld::sessions() + QStringList{u"%demo%"_s, u"%demo% --page-size 3"_s, u"%http%"_s,
                                                                  u"%fake% signal:11"_s, u"http://127.0.0.1:1"_s,
                                                                  u"'unclosed"_s, QString(), u"%fake% hang"_s}));
    }
}

void CliWalk::chooseOptions(CliStep *step, const QString &verb)
{
    QStringList &words = step->words;
    if (chance(45))
        words.append(u"--json"_s);
    if (chance(50))
        words << u"--timeout"_s << oneOf({u"0.2"_s, u"1"_s, u"2"_s, u"5"_s}, {u"0"_s, u"-1"_s, u"x"_s, u"1e9"_s});
    if (chance(15))
        words.append(u"--verbose"_s);
    if (chance(20))
        words << u"--record"_s << newFile(QString::number(m_random.bounded(1000)) + u".mcpsession"_s);
    if (chance(8))
        words << u"--save"_s << oneOf({u"%home%/out"_s}, CliWorld::places());
    if (chance(12))
        words << u"--responses"_s
              << oneOf({u"%home%/responses.json"_s, u"ask"_s}, CliWorld::jsonFiles() + QStringList{u"-"_s});
    if (chance(8))
        words << u"--roots"_s << oneOf({u"%home%"_s}, {u"%home%/missing"_s, QString()});
    if (chance(8))
        words << u"--without"_s << oneOf({u"sampling"_s, u"roots,tasks"_s}, {u"everything"_s, QString()});
    if (chance(4))
        words << u"--revision"_s << oneOf({u"automatic"_s, u"2024-11-05"_s, u"2026-07-28"_s}, {u"1999-01-01"_s});
    if ((verb == u"call" || verb == u"read" || verb == u"prompt") && chance(25))
        words << u"--args"_s << oneOf({u"%home%/object.json"_s, u"%home%/twice.json"_s, u"-"_s}, CliWorld::jsonFiles());
    else if ((verb == u"call" || verb == u"read") && chance(10))
        words << u"--params"_s << json();
    if (verb == u"call" && chance(15))
        words << oneOf({u"--task"_s, u"--ttl=5"_s}, {u"--ttl=x"_s});
    if (verb == u"list" && chance(20))
        words << u"--pages"_s << oneOf(numbers(), wrongNumbers());
    if (verb == u"replay") {
        if (chance(30))
            words << u"--rules"_s << oneOf({u"%home%/rules.json"_s}, CliWorld::jsonFiles());
        if (chance(30))
            words << u"--filter"_s << oneOf(filters(), wrongFilters());
        if (chance(30))
            words.append(u"--allow-destructive"_s);
        if (chance(25))
            words.append(u"--accept"_s);
    }
    if ((verb == u"replay" || verb == u"check") && chance(25))
        words << u"--junit"_s << newFile(u"junit.xml"_s);
    if (verb == u"check" && chance(10))
        words << u"--every"_s << oneOf(numbers(), wrongNumbers());
    if (verb == u"mock" && chance(25))
        words << oneOf({u"--http"_s, u"--timing"_s}, {u"--http=1"_s, u"--http=x"_s});
}

void CliWalk::chooseServerOptions(CliStep *step, const QStringList &server)
{
    QStringList &words = step->words;
    const bool isHttp = chance(90) == server.contains(u"--url"_s);
    if (!isHttp && chance(9))
        words << u"--env"_s << oneOf({u"A=b"_s, u"PASSWORD=x7"_s}, {u"=b"_s, QString()});
    if (!isHttp && chance(9))
        words << u"--cwd"_s << oneOf({u"%home%/out"_s}, {u"%home%/missing"_s, u"%home%/object.json"_s});
    if (!isHttp && chance(8))
        words.append(u"--inherit-env"_s);
    if (isHttp && chance(10))
        words << u"--header"_s << oneOf({u"X-A: b"_s, u"Authorization: Bearer x"_s}, {u"X-A"_s, u"X-A: b\r\nX-B: c"_s});
    if (isHttp && chance(8))
        words << u"--proxy"_s << oneOf({u"none"_s, u"system"_s, u"http://127.0.0.1:1"_s}, {u"nonsense"_s});
    if (isHttp && chance(7))
        words << oneOf({u"--ca"_s, u"--client-cert"_s, u"--client-key"_s}) << oneOf(CliWorld::jsonFiles());
}

QStringList CliWalk::chooseServer(const QString &verb)
{
    QList<QStringList> all = CliWorld::servers();
    const bool needsUrl = (verb == u"login" || verb == u"logout") && chance(90);
    if (needsUrl)
        all.removeIf([](const QStringList &server) { return !server.contains(u"--url"_s); });
    else if (chance(90))
        all.removeIf([](const QStringList &server) { return server.isEmpty() || server.contains(u"nobody"_s); });
    return all.at(m_random.bounded(int(all.size())));
}

void CliWalk::chooseStreams(CliStep *step)
{
    const auto output = [this] {
        return chance(80) ? CliStep::Output::Read : chance(30) ? CliStep::Output::Closed : CliStep::Output::Broken;
    };
    const bool readsInput =
        step->words.contains(u"-"_s) || step->words.contains(u"mock"_s) || step->words.contains(u"ask"_s);
    if (readsInput || chance(15)) {
        step->input = CliStep::Input(m_random.bounded(4));
        if (step->input == CliStep::Input::Given || step->input == CliStep::Input::Open)
            step->text =
                oneOf(CliWorld::jsonFiles() + CliWorld::scripts() +
                      QStringList{u"y\n"_s, QString(), u"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"_s});
    }
    step->output = output();
    step->errors = chance(90) ? CliStep::Output::Read : output();
    if (chance(15)) {
        step->signal = chance(50) ? SIGINT : SIGTERM;
        step->delayMs = int(m_random.bounded(chance(50) ? 60 : 800));
        step->again = chance(20);
    }
}

// As a person mistypes.
void CliWalk::spoil(CliStep *step)
{
    if (step->words.isEmpty())
        return;
    const int at = int(m_random.bounded(int(step->words.size())));
    switch (m_random.bounded(4)) {
        case 0:
            step->words.removeAt(at);
            break;
        case 1:
            step->words.insert(at, step->words.at(int(m_random.bounded(int(step->words.size())))));
            break;
        case 2:
            step->words[at] = oneOf({QString(), u"--"_s, u"-"_s, u"--nonsense"_s, u"\u202e\u0007"_s, u"="_s, u":="_s,
                                     u"--json=1"_s, QString(5000, u'z')});
            break;
        default:
            step->words[at].chop(1);
    }
}

}  // namespace sonde::monkey
