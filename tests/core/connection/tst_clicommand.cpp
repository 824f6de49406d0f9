// Commands to copy do what was recorded, and tell no secret.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/clicommand.h"
#include "core/json/builder.h"
#include "core/session/session.h"
#include "core/transport/process/commandline.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

class CliCommandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curlSendsTheSame()
    {
        const QByteArray facts =
            QByteArray(R"({"stream":1,"method":"POST","url":"http:\/\/localhost\/mcp?a=[1]&b={2}",)"
                       R"("headers":[["Host","localhost"],["Connection","Keep-Alive"],)"
                       R"(["Accept","application/json, text/event-stream"],["X-Empty",""],)"
                       R"(["Authorization","Bearer MARK"],["User-Agent","Sonde"],["content-type","text/plain"],)"
                       R"(["Content-Length","12"]]})")
                .replace("MARK",
                         "\xE2\x80\xB9"
                         "authorization:00c0ffee"
                         "\xE2\x80\xBA");
        const QByteArray body = "{\"method\":\"it's $HOME `x` \\\\ \\\"q\\\"\"}";
        const QString command = curlCommand(facts, body);
        const Result<CommandLine> words = splitCommandLine(command);
        QVERIFY(words.ok());
        const QStringList expected{u"curl"_s,
                                   u"--globoff"_s,
                                   u"--no-buffer"_s,
                                   u"--request"_s,
                                   u"POST"_s,
                                   u"--header"_s,
                                   u"Accept: application/json, text/event-stream"_s,
                                   u"--header"_s,
                                   u"X-Empty;"_s,
                                   u"--header"_s,
                                   u"Authorization: Bearer ‹authorization:00c0ffee›"_s,
                                   u"--header"_s,
                                   u"User-Agent: Sonde"_s,
                                   u"--header"_s,
                                   u"content-type: text/plain"_s,
                                   u"--data-raw"_s,
                                   QString::fromUtf8(body),
                                   u"--url"_s,
                                   u"http://localhost/mcp?a=[1]&b={2}"_s};
        QCOMPARE(words->words, expected);
    }

    void cliSendsTheSame_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QStringList>("words");  // empty: behind --params
        const auto row = [](const char *name, const char *method, const char *params, const QStringList &words = {}) {
            QTest::newRow(name) << QString::fromLatin1(method) << QByteArray(params) << words;
        };
        row("a call", "tools/call", R"({"name":"add","arguments":{"a":1.0,"b":"a b"},"_meta":{"progressToken":7}})",
            {u"call"_s, u"add"_s, u"a:=1.0"_s, u"b:=\"a b\""_s});
        row("a call of nothing", "tools/call", R"({"name":"now","arguments":{}})", {u"call"_s, u"now"_s});
        row("a prompt", "prompts/get", R"({"name":"greet","arguments":{"who":"Ada"}})",
            {u"prompt"_s, u"greet"_s, u"who:=\"Ada\""_s});
        row("a prompt alone", "prompts/get", R"({"name":"greet"})", {u"prompt"_s, u"greet"_s});
        row("a resource", "resources/read", R"({"uri":"demo:\/\/a?b=c"})", {u"read"_s, u"demo://a?b=c"_s});
        row("equals sign in a name", "tools/call", R"({"name":"x","arguments":{"a=b":"1"}})");
        row("name like an option", "tools/call", R"({"name":"x","arguments":{"--json":"1"}})");
        row("tool like an option", "tools/call", R"({"name":"--json","arguments":{}})");
        row("no name for an argument", "tools/call", R"({"name":"x","arguments":{"":1}})");
        row("NUL in a name", "tools/call", R"({"name":"x","arguments":{"a\u0000b":1}})");
        row("half a character", "tools/call", R"({"name":"x","arguments":{"a\ud800":1}})");
        row("twice the same", "tools/call", R"({"name":"x","arguments":{"a":1,"a":2}})");
        row("two names", "tools/call", R"({"name":"x","name":"y","arguments":{}})");
        row("metadata", "tools/call", R"({"name":"x","arguments":{},"_meta":{"progressToken":1,"trace":"t"}})");
        row("metadata of a resource", "resources/read", R"({"uri":"demo:\/\/a","_meta":{"trace":"t"}})");
        row("another member", "tools/call", R"({"name":"x","arguments":{},"task":{"ttl":1}})");
        row("arguments of a resource", "resources/read", R"({"uri":"demo:\/\/a","arguments":{}})");
        row("arguments that are a list", "tools/call", R"({"name":"x","arguments":[1,2]})");
        row("arguments that are null", "tools/call", R"({"name":"x","arguments":null})");
        row("no arguments", "tools/call", R"({"name":"x"})");
        row("a prompt's empty ones", "prompts/get", R"({"name":"x","arguments":{}})");
        row("no name", "tools/call", R"({"arguments":{}})");
        row("a name that is a number", "tools/call", R"({"name":1,"arguments":{}})");
        row("nothing", "resources/read", "{}");
    }
    void cliSendsTheSame()
    {
        QFETCH(const QString, method);
        QFETCH(const QByteArray, params);
        QFETCH(QStringList, words);
        if (words.isEmpty()) {
            const QString verb = method == u"tools/call"_s    ? u"call"_s
                                 : method == u"prompts/get"_s ? u"prompt"_s
                                                              : u"read"_s;
            words = QStringList{verb, u"--params"_s, QString::fromUtf8(params)};
        }
        const QString command = cliCommand({u"--server"_s, u"my server"_s}, method, params);
        const Result<CommandLine> split = splitCommandLine(command);
        QVERIFY2(split.ok(), qPrintable(command));
        QCOMPARE(split->words, QStringList{u"sonde-cli"_s} + words + QStringList({u"--server"_s, u"my server"_s}));
    }

    void cliSaysNothingItCannotDo()
    {
        QVERIFY(cliCommand({}, u"tools/list", "{}").isEmpty());
        QVERIFY(cliCommand({}, u"tools/call", "[1]").isEmpty());
        QVERIFY(cliCommand({}, u"tools/call", {}).isEmpty());
    }

    // A server that is kept nowhere is named as it was started, each time anew.
    void recordedServersAreNamedInFull()
    {
        Session session;
        const auto open = [&session](const QByteArray &facts, int connection) {
            WireEvent event;
            event.kind = WireEvent::Kind::Open;
            event.facts = facts;
            session.append(event, connection);
        };
        QVERIFY(recordedServerWords(session, -1).isEmpty());
        open(R"({"transport":"stdio","program":"/usr/bin/node","argv":["node","a b.js","--x"],)"
             R"("cwd":"/tmp","environment":["MODE"],"variables":[["HOME","/root"],["MODE","a=b"]],"inherited":[]})",
             1);
        open(R"({"argv":["x"],"inherited":["DISPLAY"]})", 2);
        open(R"({"transport":"http","url":"http:\/\/localhost\/mcp"})", 3);
        session.flush();
        const QStringList first{u"--env"_s, u"MODE=a=b"_s, u"--cwd"_s,  u"/tmp"_s,
                                u"--"_s,    u"node"_s,     u"a b.js"_s, u"--x"_s};
        QCOMPARE(recordedServerWords(session, 0), first);
        QCOMPARE(runningServerWords(session, 0, nullptr), first);
        QCOMPARE(recordedServerWords(session, 1), QStringList({u"--inherit-env"_s, u"--"_s, u"x"_s}));
        QCOMPARE(
            recordedServerWords(session, 2,
                                R"({"headers":[["Host","localhost"],["Accept","text/plain"],["Mcp-Session-Id","1"],)"
                                R"(["X-Team","a"],["Content-Type","application/json"]]})"),
            QStringList({u"--header"_s, u"X-Team: a"_s, u"--url"_s, u"http://localhost/mcp"_s}));
    }

    // An address with a mark in it would be asked all the same, and answer that there is nothing.
    void whatIsMaskedInAnAddressHasToBeFilledIn()
    {
        const QByteArray url = json::quoted(
            u"https://\u2039userinfo:00c0ffee\u203A@h/s/\u2039path:00c0ffee\u203A/mcp?token="
            "\u2039query:00c0ffee\u203A"_s);
        const QString expected = u"https://SECRET@h/s/SECRET/mcp?token=SECRET"_s;
        Session session;
        WireEvent event;
        event.kind = WireEvent::Kind::Open;
        event.facts = R"({"transport":"http","url":)" + url + '}';
        session.append(event, 1);
        session.flush();
        QCOMPARE(recordedServerWords(session, 0), QStringList({u"--url"_s, expected}));
        const QString mark = u"\u2039mcp-session-id:00c0ffee\u203A"_s;
        const QByteArray facts =
            R"({"method":"POST","url":)" + url + R"(,"headers":[["Mcp-Session-Id",)" + json::quoted(mark) + "]]}";
        const QString command = curlCommand(facts, "{}");
        QCOMPARE(command.count(expected), 3);
        QVERIFY2(!command.contains(u"query:"_s), qPrintable(command));
    }

    // Headers of a message that was edited: what was left out curl must not make up, what was replaced it must send.
    void curlLeavesOutWhatWasLeftOut()
    {
        const QString command = curlCommand(R"({"method":"POST","url":"http://localhost:80/mcp","headers":[)"
                                            R"(["Host","evil.example"],["Connection","close"],["X-A","1"]]})",
                                            "{}");
        const Result<CommandLine> words = splitCommandLine(command);
        QVERIFY(words.ok());
        QStringList headers;
        for (qsizetype i = 0; i + 1 < words->words.size(); ++i) {
            if (words->words.at(i) == u"--header")
                headers << words->words.at(i + 1);
        }
        QCOMPARE(headers, (QStringList{u"Host: evil.example"_s, u"Connection: close"_s, u"X-A: 1"_s, u"Accept:"_s,
                                       u"User-Agent:"_s, u"Content-Type:"_s}));
    }

    // The recorded id of a session is masked, and that session is over: the command begins one of its own.
    void curlBeginsItsOwnSession()
    {
        if (QStandardPaths::findExecutable(u"curl"_s).isEmpty())
            QSKIP("curl is missing");
        FakeHttpServer server([](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            const bool isBegin = message.method() == u"initialize";
            if (!isBegin && request.header("Mcp-Session-Id") != "fresh-session")
                return peer.response(404, {}, {});
            if (isBegin)
                return peer.json(R"({"jsonrpc":"2.0","id":0,"result":{}})", {{"MCP-Session-Id", "fresh-session"}});
            if (message.kind() == Message::Kind::Notification)
                return peer.response(202, {}, {});
            return peer.json(R"({"jsonrpc":"2.0","id":5,"result":{"it":"works"}})");
        });
        const QByteArray mark =
            "\xE2\x80\xB9"
            "mcp-session-id:00c0ffee"
            "\xE2\x80\xBA";
        const auto text = [](const QByteArray &bytes) { return json::quoted(QString::fromUtf8(bytes)); };
        const QByteArray facts =
            R"({"method":"POST","url":)" + text(server.url().toEncoded()) + R"(,"headers":[["X-A",)" + text("a 'b'") +
            R"(],["Accept","application/json, text/event-stream"],["Content-Type","application/json"],)"
            R"(["MCP-Protocol-Version","2025-06-18"],["Mcp-Session-Id",)" +
            text(mark) + "]]}";
        const QString command = curlCommand(facts, R"({"jsonrpc":"2.0","id":5,"method":"tools/call"})");
        QVERIFY2(!command.contains(u'‹'), qPrintable(command));
        QProcess shell;
        shell.start(u"/bin/sh"_s, {u"-c"_s, command});
        QVERIFY(QTest::qWaitFor([&shell] { return shell.state() == QProcess::NotRunning; }, Patience));
        const QByteArray said = shell.readAllStandardOutput();
        QVERIFY2(said.contains("works"), (said + shell.readAllStandardError() + command.toUtf8()).constData());
        const auto posts = server.requests("POST");
        QCOMPARE(posts.size(), 3);
        QCOMPARE(Message::parse(posts.first().body).params()[u"protocolVersion"].string(), u"2025-06-18"_s);
        for (const auto &post : posts)
            QCOMPARE(post.header("X-A"), "a 'b'"_ba);
    }

    void curlWithoutBodyOrAddress()
    {
        const QString get =
            curlCommand(R"({"method":"GET","url":"x:y","headers":[["Accept","a"],["User-Agent","b"]]})", {});
        QVERIFY(get.endsWith(u"--header 'User-Agent: b' --url x:y"_s) && !get.contains(u"--data-raw"_s));
        QVERIFY(curlCommand("{}", "{}").isEmpty());
        QVERIFY(curlCommand({}, {}).isEmpty());
    }
};

SONDE_TEST(CliCommandTest)
#include "tst_clicommand.moc"
