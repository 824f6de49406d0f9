// All of server-everything: whatever it lists is used, recorded, mocked, replayed and found to be the same.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/protocol/uritemplate.h"
#include "core/replay/replayer.h"
#include "tests/core/replay/person.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/e2e/driver.h"
#include "tests/e2e/peers.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::Person;
using sonde::test::tell;
using Status = ReplayStep::Status;

namespace {

// Everything that makes this server offer or ask more.
const QByteArray CircleCapabilities =
    R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{"listChanged":true},)"
    R"("tasks":{"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}})";

// Valid and invalid arguments for every tool.
const QList<std::pair<QString, QByteArray>> CircleCalls{
    {u"echo"_s, R"({"message":"grüße"})"},
    {u"get-annotated-message"_s, R"({"messageType":"error","includeImage":true})"},
    {u"get-env"_s, "{}"},
    {u"get-resource-links"_s, R"({"count":4})"},
    {u"get-resource-reference"_s, R"({"resourceType":"Text","resourceId":1})"},
    {u"get-resource-reference"_s, R"({"resourceType":"Blob","resourceId":2})"},
    {u"get-resource-reference"_s, R"({"resourceType":"Text","resourceId":-1})"},
    {u"get-structured-content"_s, R"({"location":"New York"})"},
    {u"get-sum"_s, R"({"a":2,"b":40})"},
    {u"get-sum"_s, R"({"a":"two","b":40})"},
    {u"get-tiny-image"_s, "{}"},
    {u"gzip-file-as-resource"_s, R"({"name":"a.gz","data":"data:text/plain;base64,SGVsbG8=","outputType":"resource"})"},
    {u"trigger-long-running-operation"_s, R"({"duration":0.1,"steps":2})"},
    {u"no-such-tool"_s, "{}"},
    {u"trigger-elicitation-request"_s, "{}"},
    {u"trigger-elicitation-request"_s, "{}"},
    {u"trigger-elicitation-request"_s, "{}"},
    {u"trigger-elicitation-request-async"_s, "{}"},
    {u"trigger-sampling-request"_s, R"({"prompt":"What is it?","maxTokens":10})"},
    {u"trigger-sampling-request"_s, R"({"prompt":"And that?","maxTokens":10})"},
    {u"trigger-sampling-request-async"_s, R"({"prompt":"And later?","maxTokens":10})"},
    {u"get-roots-list"_s, "{}"},
    {u"trigger-url-elicitation"_s, R"({"url":"https://example.org/","elicitationId":"here"})"},
    {u"trigger-url-elicitation"_s, R"({"url":"https://example.org/"})"},
    {u"trigger-url-elicitation"_s, R"({"url":"https://example.org/","errorPath":true})"},
    {u"simulate-research-query"_s, R"({"topic":"only as a task"})"},
};

// Times, a random name in a server request and, over HTTP, the identifier of the session; into some of the
// resources the server puts the time as base64.
const QByteArray RandomParts =
    R"({"ignore":[{"pattern":"timestamp"},{"pattern":"uuid"},)"
    R"({"pointer":"/contents/*/blob","method":"resources/read"},)"
    R"({"pointer":"/content/*/resource/blob","method":"tools/call","target":"get-resource-reference"}]})";

// "/content/0/text" and "/content/1/text" are the same place of two responses.
QString withoutIndexes(const QString &pointer)
{
    QStringList steps = pointer.split(u'/');
    for (QString &step : steps) {
        bool isNumber = false;
        step.toInt(&isNumber);
        if (isNumber)
            step = u"*"_s;
    }
    return steps.join(u'/');
}

}  // namespace

class tst_WholeCircle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
        QVERIFY(m_folder.isValid());
        for (const bool http : {false, true}) {
            record(http);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void nothingIsLeftOut_data() { transports(); }
    void nothingIsLeftOut()
    {
        QFETCH(bool, http);
        const Result<std::unique_ptr<Session>> opened = Session::open(path(http));
        QVERIFY(opened);
        const Session &session = **opened;
        QSet<QString> untried;
        QSet<QString> tried;
        for (const RecordedCall &call : recordedCalls(session)) {
            const QString method = session.name(session.at(call.row).method);
            const json::Value params = session.message(call.row).params();
            tried.insert(method);
            tried.insert(method + u' ' + session.name(session.at(call.row).target));
            if (method == u"completion/complete"_s)
                tried.insert(method + u' ' + params[u"ref"][u"name"].string() + params[u"ref"][u"uri"].string() + u' ' +
                             params[u"argument"][u"name"].string());
            QVERIFY2(call.responseRow >= 0, qPrintable(method));
            const json::Value result = session.message(call.responseRow).result();
            for (const json::Value &tool : result[u"tools"])
                untried.insert(u"tools/call "_s + tool[u"name"].string());
            for (const json::Value &prompt : result[u"prompts"])
                untried.insert(u"prompts/get "_s + prompt[u"name"].string());
            for (const json::Value &prompt : result[u"prompts"]) {
                for (const json::Value &argument : prompt[u"arguments"])
                    untried.insert(u"completion/complete "_s + prompt[u"name"].string() + u' ' +
                                   argument[u"name"].string());
            }
            for (const json::Value &each : result[u"resourceTemplates"]) {
                const QString text = each[u"uriTemplate"].string();
                const Result<UriTemplate> parsed = UriTemplate::parse(text);
                QVERIFY(parsed);
                const QStringList variables = parsed->variables();
                for (const QString &variable : variables)
                    untried.insert(u"completion/complete "_s + text + u' ' + variable);
            }
            for (const json::Value &resource : result[u"resources"]) {
                for (const char *verb : {"read ", "subscribe ", "unsubscribe "})
                    untried.insert(u"resources/"_s + QString::fromLatin1(verb) + resource[u"uri"].string());
            }
        }
        QVERIFY(untried.size() > 40);
        // All requests of a client in this revision of the protocol.
        for (const char *method :
             {"initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list",
              "resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get",
              "completion/complete", "logging/setLevel", "tasks/list", "tasks/get", "tasks/result", "tasks/cancel"})
            untried.insert(QString::fromLatin1(method));
        untried.subtract(tried);
        QVERIFY2(untried.isEmpty(), qPrintable(untried.values().join(u", "_s)));

        // And of what a server sends by itself.
        QSet<QString> unheard{u"roots/list"_s,
                              u"sampling/createMessage"_s,
                              u"elicitation/create"_s,
                              u"notifications/progress"_s,
                              u"notifications/message"_s,
                              u"notifications/resources/list_changed"_s,
                              u"notifications/resources/updated"_s};
        for (qsizetype row = 0; row < session.size(); ++row) {
            if (session.at(row).direction == Direction::FromServer)
                unheard.remove(session.name(session.at(row).method));
        }
        QVERIFY2(unheard.isEmpty(), qPrintable(unheard.values().join(u", "_s)));
    }

    void mockedAndReplayed_data() { transports(); }
    void mockedAndReplayed()
    {
        QFETCH(bool, http);
        ServerSpec mock;
        mock.name = u"mock"_s;
        mock.command = test::builtProgram(QStringLiteral("sonde-cli"));
        mock.arguments = QStringList{u"mock"_s, path(http)};
        if (!http)
            mock.revision = Revision::R20251125;  // as everything()
        if (http) {
            start(mock.command, mock.arguments + QStringList{u"--http"_s}, "listening on ", u"%1"_s);
            mock = m_process->spec();
        }
        const QString second = m_folder.filePath(u"second-%1.mcpsession"_s.arg(int(http)));
        replay(mock, path(http), second);
        if (QTest::currentTestFailed())
            return;
        // What the mock was recorded saying is what the server was recorded saying, call by call.
        const Result<std::unique_ptr<Session>> first = Session::open(path(http));
        const Result<std::unique_ptr<Session>> again = Session::open(second);
        QVERIFY(first && again);
        const QList<RecordedCall> calls = callsOf(**first);
        const QList<RecordedCall> callsAgain = callsOf(**again);
        QCOMPARE(callsAgain.size(), calls.size());
        for (qsizetype i = 0; i < calls.size(); ++i) {
            const Message request = (*first)->message(calls[i].row);
            const Message response = (*first)->message(calls[i].responseRow);
            const Message responseAgain = (*again)->message(callsAgain[i].responseRow);
            QCOMPARE((*again)->message(callsAgain[i].row).method(), request.method());
            QVERIFY2(haveSameParams((*again)->message(callsAgain[i].row).params(), request.params()) ||
                         request.method() == u"initialize"_s,
                     request.raw().constData());
            QVERIFY2(responseAgain.kind() == response.kind(), response.raw().constData());
            QVERIFY2(json::equal(responseAgain.result(), response.result()), response.raw().constData());
            QVERIFY2(json::equal(responseAgain.error(), response.error()), response.raw().constData());
        }
        QCOMPARE(heard(**again), heard(**first));
    }

    // Without any rule it is what is random or says when, and nothing else.
    void replayedAgainstAFreshStart_data() { transports(); }
    void replayedAgainstAFreshStart()
    {
        QFETCH(bool, http);
        const Result<std::unique_ptr<Session>> session = Session::open(path(http));
        QVERIFY(session);
        test::Replay again(**session, everything(http), {}, replayOptions(replayMaterial(**session)));
        QVERIFY(again.run());
        Replayer &replayer = again.replayer;
        QSet<QString> places;
        for (const ReplayStep &step : replayer.steps()) {
            QVERIFY2(step.live.isResponse(), tell(replayer).constData());
            QVERIFY2(step.live.kind() == step.recorded.kind(), tell(replayer).constData());
            for (const json::Difference &difference : step.differences)
                places.insert(step.method + u' ' + withoutIndexes(difference.pointer) +
                              (step.method == u"tools/call"_s ? u' ' + step.target : QString()));
            for (const ReplayServerRequest &serverRequest : step.serverRequests) {
                for (const json::Difference &difference : serverRequest.differences)
                    places.insert(serverRequest.method + u' ' + withoutIndexes(difference.pointer));
            }
        }
        const QSet<QString> expected{
            u"elicitation/create /elicitationId"_s,
            u"prompts/get /messages/*/content/resource/text"_s,
            u"resources/read /contents/*/blob"_s,
            u"resources/read /contents/*/text"_s,
            u"tasks/cancel /createdAt"_s,
            u"tasks/cancel /lastUpdatedAt"_s,
            u"tasks/get /createdAt"_s,
            u"tasks/get /lastUpdatedAt"_s,
            u"tasks/list /tasks/*/createdAt"_s,
            u"tasks/list /tasks/*/lastUpdatedAt"_s,
            u"tools/call /content/*/resource/blob get-resource-reference"_s,
            u"tools/call /content/*/resource/text get-resource-reference"_s,
            u"tools/call /content/*/text trigger-url-elicitation"_s,
            u"tools/call /data/elicitations/*/elicitationId trigger-url-elicitation"_s,
            u"tools/call /task/createdAt simulate-research-query"_s,
            u"tools/call /task/lastUpdatedAt simulate-research-query"_s,
        };
        const QSet<QString> odd = (places - expected) + (expected - places);
        QVERIFY2(places == expected, qPrintable(QStringList(odd.values()).join(u'\n')));
        // And with rules for these it is all the same.
        replayer.setRules(*ReplayRules::parse(RandomParts, u"rules"_s));
        QTRY_VERIFY(!replayer.isJudging());
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
    }

private:
    static void transports()
    {
        QTest::addColumn<bool>("http");
        QTest::newRow("stdio") << false;
        QTest::newRow("HTTP") << true;
    }

    QString path(bool http) const { return m_folder.filePath(u"recorded-%1.mcpsession"_s.arg(int(http))); }

    void start(const QString &program, const QStringList &arguments, const QByteArray &before, const QString &address)
    {
        m_process = std::make_unique<test::HttpProcess>(program, arguments, before, address);
        QVERIFY(m_process->isListening());
    }

    // Freshly started.
    ServerSpec everything(bool http)
    {
        // Which revision it speaks is not the question here, and a busy machine may be slower than the wait for that.
        if (!http) {
            ServerSpec server = test::peer(u"server-everything"_s);
            server.revision = Revision::R20251125;
            return server;
        }
        start(test::peerNode(),
              QStringList{u"--require"_s, QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/loopback.cjs"),
                          test::peerScript(u"server-everything"_s), u"streamableHttp"_s},
              "loopback port ", u"http://127.0.0.1:%1/mcp"_s);
        return m_process->spec();
    }

    // Without pings, which are not replayed.
    static QList<RecordedCall> callsOf(const Session &session)
    {
        QList<RecordedCall> calls;
        for (const RecordedCall &call : recordedCalls(session)) {
            if (session.name(session.at(call.row).method) != u"ping"_s)
                calls.append(call);
        }
        return calls;
    }

    // What the server sent by itself, how often.
    static QMap<QString, int> heard(const Session &session)
    {
        QMap<QString, int> counts;
        for (qsizetype row = 0; row < session.size(); ++row) {
            const RecordInfo &info = session.at(row);
            if (info.direction == Direction::FromServer &&
                (info.messageKind == Message::Kind::Notification || info.messageKind == Message::Kind::Request))
                ++counts[session.name(info.method)];
        }
        return counts;
    }

    void record(bool http)
    {
        ConnectionOptions options;
        options.sessionPath = path(http);
        options.capabilities = CircleCapabilities;
        Driver driver(everything(http), options);
        Person person(&driver.connection(), {u"/tmp/a"_s, u"/tmp/b"_s});
        QVERIFY2(driver.open(), driver.describe().constData());
        // It asks for the roots when it likes.
        const auto says = [&driver](const QByteArray &text) {
            return driver.waitUntil([&] { return driver.hasRecord(WireEvent::Kind::Message, text); });
        };
        QVERIFY(says("2 root(s) received"));
        const auto ask = [&driver](const QString &method, const QByteArray &params) {
            return driver.run(driver.connection().request(method, params));
        };
        const auto isAnswered = [](const Outcome &outcome) { return outcome.kind != Outcome::Kind::NoResponse; };
        QVERIFY(isAnswered(driver.run(driver.connection().ping())));
        QVERIFY(isAnswered(driver.run(driver.connection().request(methods::SetLogLevel, R"({"level":"debug"})"))));
        for (const auto &[tool, arguments] : CircleCalls) {
            QVERIFY2(isAnswered(driver.callTool(tool, arguments)), qPrintable(tool));
            // It has made a resource: the list is read again, before anything else is asked.
            if (tool == u"gzip-file-as-resource"_s)
                QVERIFY(driver.waitUntil([&driver] {
                    const QList<Resource> &all = driver.catalog().resources();
                    const auto isMade = [](const Resource &each) { return each.uri.endsWith(u".gz"); };
                    return !driver.catalog().isLoading() && std::any_of(all.begin(), all.end(), isMade);
                }));
        }
        QCOMPARE(person.asked[u"elicitation/create"_s], 6);
        QCOMPARE(person.asked[u"sampling/createMessage"_s], 3);

        recordResources(driver, ask, says);
        if (QTest::currentTestFailed())
            return;
        recordPrompts(driver, ask);
        if (QTest::currentTestFailed())
            return;
        recordTasks(ask);
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(person.asked[u"elicitation/create"_s], 7);
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    template <typename Ask, typename Says>
    void recordResources(Driver &driver, const Ask &ask, const Says &says)
    {
        QStringList addresses;
        for (const Resource &resource : driver.catalog().resources())
            addresses.append(resource.uri);
        QStringList templates;
        for (const ResourceTemplate &each : driver.catalog().resourceTemplates())
            templates.append(each.uriTemplate);
        for (const QString &uri : std::as_const(addresses)) {
            const QByteArray params = "{\"uri\":" + json::quoted(uri) + '}';
            QCOMPARE(driver.run(driver.connection().readResource(uri)).kind, Outcome::Kind::Ok);
            QCOMPARE(ask(u"resources/subscribe"_s, params).kind, Outcome::Kind::Ok);
        }
        // Both send at once what they send, and again every five seconds.
        for (const auto &[tool, text] : {std::pair(u"toggle-subscriber-updates"_s, "notifications/resources/updated"),
                                         std::pair(u"toggle-simulated-logging"_s, "-level message")}) {
            QCOMPARE(driver.callTool(tool, "{}").kind, Outcome::Kind::Ok);
            QVERIFY2(says(text), text);
            QCOMPARE(driver.callTool(tool, "{}").kind, Outcome::Kind::Ok);
        }
        for (const QString &uri : std::as_const(addresses))
            QCOMPARE(ask(u"resources/unsubscribe"_s, "{\"uri\":" + json::quoted(uri) + '}').kind, Outcome::Kind::Ok);
        for (const QString &text : std::as_const(templates)) {
            const Result<UriTemplate> uriTemplate = UriTemplate::parse(text);
            QMap<QString, UriTemplate::Value> values;
            for (const QString &variable : uriTemplate->variables()) {
                values.insert(variable, u"1"_s);
                QCOMPARE(ask(u"completion/complete"_s, completion(u"ref/resource"_s, u"uri"_s, text, variable)).kind,
                         Outcome::Kind::Ok);
            }
            QCOMPARE(driver.run(driver.connection().readResource(*uriTemplate->expand(values))).kind,
                     Outcome::Kind::Ok);
        }
        QCOMPARE(driver.run(driver.connection().readResource(u"demo://resource/nowhere"_s)).kind,
                 Outcome::Kind::ProtocolError);
    }

    template <typename Ask>
    void recordPrompts(Driver &driver, const Ask &ask)
    {
        const QMap<QString, QString> known{
            {u"department"_s, u"Engineering"_s}, {u"resourceType"_s, u"Text"_s}, {u"resourceId"_s, u"1"_s}};
        QList<std::pair<QString, QStringList>> prompts;
        for (const Prompt &prompt : driver.catalog().prompts()) {
            QStringList names;
            for (const PromptArgument &argument : prompt.arguments)
                names.append(argument.name);
            prompts.append({prompt.name, names});
        }
        for (const auto &[prompt, names] : std::as_const(prompts)) {
            json::Builder arguments;
            arguments.beginObject();
            for (const QString &name : names) {
                arguments.member(name, known.value(name, u"Bern"_s));
                const Outcome outcome =
                    ask(u"completion/complete"_s, completion(u"ref/prompt"_s, u"name"_s, prompt, name));
                QVERIFY(outcome.kind != Outcome::Kind::NoResponse);
            }
            arguments.endObject();
            QCOMPARE(driver.run(driver.connection().getPrompt(prompt, arguments.take())).kind, Outcome::Kind::Ok);
        }
    }

    // As a person would by hand: a task that asks back and comes to its end, and one that is cancelled.
    template <typename Ask>
    void recordTasks(const Ask &ask)
    {
        const auto make = [&ask](const QByteArray &arguments) {
            return ask(u"tools/call"_s,
                       R"({"name":"simulate-research-query","task":{"ttl":60000},"arguments":)" + arguments + '}');
        };
        const auto of = [](const Outcome &made) {
            return "{\"taskId\":" + json::quoted(made.result()[u"task"][u"taskId"].string()) + '}';
        };
        const Outcome cancelled = make(R"({"topic":"waves"})");
        QVERIFY(cancelled.result()[u"task"][u"taskId"].isString());
        QCOMPARE(ask(u"tasks/cancel"_s, of(cancelled)).kind, Outcome::Kind::Ok);
        const Outcome made = make(R"({"topic":"python","ambiguous":true})");
        QCOMPARE(ask(u"tasks/get"_s, of(made)).kind, Outcome::Kind::Ok);
        QCOMPARE(ask(u"tasks/list"_s, {}).kind, Outcome::Kind::Ok);
        const Outcome result = ask(u"tasks/result"_s, of(made));
        QVERIFY2(test::textOf(result).contains(u"snake"_s), result.message.raw().constData());
        QCOMPARE(ask(u"tasks/get"_s, of(made)).kind, Outcome::Kind::Ok);
        QCOMPARE(ask(u"tasks/get"_s, R"({"taskId":"none"})").kind, Outcome::Kind::ProtocolError);
    }

    static QByteArray completion(const QString &type, const QString &key, const QString &of, const QString &argument)
    {
        json::Builder params;
        params.beginObject().key(u"ref").beginObject().member(u"type", type).member(key, of).endObject();
        params.key(u"argument").beginObject().member(u"name", argument).member(u"value", u"").endObject();
        return params.endObject().take();
    }

    void replay(const ServerSpec &server, const QString &from, const QString &to)
    {
        const Result<std::unique_ptr<Session>> session = Session::open(from);
        QVERIFY2(session, qPrintable(session ? QString() : session.error().message));
        ConnectionOptions options = replayOptions(replayMaterial(**session));
        options.sessionPath = to;
        test::Replay again(**session, server, {}, options);
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
        QVERIFY2(replayer.serverRequestsLeft().isEmpty(), qPrintable(replayer.serverRequestsLeft().join(u' ')));
        QVERIFY(again.driver.close());
    }

    QTemporaryDir m_folder;
    std::unique_ptr<test::HttpProcess> m_process;
};

SONDE_TEST(tst_WholeCircle)
#include "tst_wholecircle.moc"
