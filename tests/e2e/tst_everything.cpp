// @modelcontextprotocol/server-everything through the core: all it has, over all three transports.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/base64.h"
#include "core/protocol/uritemplate.h"
#include "tests/e2e/driver.h"
#include "tests/e2e/peers.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

namespace {

struct Example {
    QByteArray arguments;
    Outcome::Kind kind = Outcome::Kind::Ok;
    QString text;  // a part of what it says
};

// Valid arguments for every tool that this server offers to a client without capabilities.
const QMap<QString, QList<Example>> &examples()
{
    using Kind = Outcome::Kind;
    static const QMap<QString, QList<Example>> table{
        {u"echo"_s, {{R"({"message":"grüße"})", Kind::Ok, u"grüße"_s}}},
        {u"get-annotated-message"_s,
         {{R"({"messageType":"error","includeImage":true})", Kind::Ok, u"Error"_s},
          {R"({"messageType":"debug"})", Kind::Ok, u"Debug"_s}}},
        {u"get-env"_s, {{"{}", Kind::Ok, u"PATH"_s}}},
        {u"get-resource-links"_s, {{R"({"count":4})", Kind::Ok, u"resource links"_s}}},
        {u"get-resource-reference"_s,
         {{R"({"resourceType":"Text","resourceId":1})", Kind::Ok, u"Text"_s},
          {R"({"resourceType":"Blob","resourceId":2})", Kind::Ok, {}},
          {R"({"resourceType":"Text","resourceId":-1})", Kind::ToolError, u"resourceId"_s}}},
        {u"get-structured-content"_s, {{R"({"location":"New York"})", Kind::Ok, u"temperature"_s}}},
        {u"get-sum"_s,
         {{R"({"a":2,"b":40})", Kind::Ok, u"42"_s}, {R"({"a":"two","b":40})", Kind::ToolError, u"-32602"_s}}},
        {u"get-tiny-image"_s, {{"{}", Kind::Ok, u"image"_s}}},
        {u"gzip-file-as-resource"_s,
         {{R"({"name":"a.gz","data":"data:text/plain;base64,SGVsbG8=","outputType":"resource"})", Kind::Ok, {}},
          {R"({"name":"b.gz","data":"data:text/plain;base64,SGVsbG8=","outputType":"resourceLink"})", Kind::Ok, {}}}},
        {u"toggle-simulated-logging"_s, {{"{}", Kind::Ok, u"logging"_s}}},
        {u"toggle-subscriber-updates"_s, {{"{}", Kind::Ok, u"updates"_s}}},
        {u"trigger-long-running-operation"_s, {{R"({"duration":0.1,"steps":2})", Kind::Ok, u"completed"_s}}},
        // Only as a task, which a client of these capabilities does not ask for: the server says so.
        {u"simulate-research-query"_s, {{R"({"topic":"waves"})", Kind::ToolError, u"requires task"_s}}},
    };
    return table;
}

}  // namespace

class tst_Everything : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
        m_http = serve(u"streamableHttp"_s, u"http://127.0.0.1:%1/mcp"_s);
        QVERIFY(m_http->isListening());
        m_sse = serve(u"sse"_s, u"http://127.0.0.1:%1/sse"_s);
        QVERIFY(m_sse->isListening());
    }

    void lists_data() { transports(); }
    void lists()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.connection().serverInfo().implementation.name, u"mcp-servers/everything"_s);
        QCOMPARE(driver.connection().serverInfo().protocolVersion, u"2025-11-25"_s);
        QVERIFY(driver.catalog().tools().size() >= 12);
        QVERIFY(!driver.catalog().resources().isEmpty());
        QVERIFY(!driver.catalog().resourceTemplates().isEmpty());
        QVERIFY(!driver.catalog().prompts().isEmpty());
        for (const Tool &tool : driver.catalog().tools())
            QVERIFY2(examples().contains(tool.name), tool.name.toUtf8().constData());
        QVERIFY(driver.close());
    }

    void callsEveryTool_data() { transports(); }
    void callsEveryTool()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.open(), driver.describe().constData());
        QStringList names;  // a copy: the list may be refreshed meanwhile
        for (const Tool &tool : driver.catalog().tools())
            names.append(tool.name);
        for (const QString &name : std::as_const(names)) {
            for (const Example &example : examples().value(name)) {
                const Outcome outcome = driver.callTool(name, example.arguments);
                const QString said =
                    outcome.kind == Outcome::Kind::ProtocolError ? outcome.error.message : test::textOf(outcome);
                const QByteArray evidence = (name + u": "_s + outcome.error.message + said.left(300)).toUtf8();
                QVERIFY2(outcome.kind == example.kind, evidence.constData());
                QVERIFY2(said.contains(example.text, Qt::CaseInsensitive), evidence.constData());
            }
        }
    }

    void takesTheSharedArguments()
    {
        if (test::sharedInstances(u"server-everything"_s, u"echo"_s).isEmpty())
            QSKIP("the shared argument objects are not on this machine");
        Driver driver(spec(u"stdio"_s));
        QVERIFY2(driver.open(), driver.describe().constData());
        // Without those that fetch from elsewhere, run for hours or switch something on.
        for (const QString &name :
             {u"echo"_s, u"get-annotated-message"_s, u"get-env"_s, u"get-resource-links"_s, u"get-resource-reference"_s,
              u"get-structured-content"_s, u"get-sum"_s, u"get-tiny-image"_s}) {
            const QList<QByteArray> instances = test::sharedInstances(u"server-everything"_s, name);
            QVERIFY2(!instances.isEmpty(), name.toUtf8().constData());
            for (const QByteArray &arguments : instances) {
                const Outcome outcome = driver.callTool(name, arguments);
                const QByteArray evidence = name.toUtf8() + ' ' + arguments + ' ' + outcome.error.message.toUtf8();
                // Valid by the schema; what it makes of half a resource is the server's own affair.
                QVERIFY2(outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError,
                         evidence.constData());
                if (name == "echo"_L1) {
                    const QString message = json::parse(arguments)[u"message"].string();
                    QCOMPARE(test::textOf(outcome), u"Echo: "_s + message);
                }
            }
        }
    }

    void structuredContentMatchesItsText()
    {
        Driver driver(spec(u"stdio"_s));
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(u"get-structured-content"_s, R"({"location":"Chicago"})");
        const json::Value structured = outcome.result()[u"structuredContent"];
        QVERIFY(structured.isObject());
        QVERIFY(json::equal(json::parse(test::textOf(outcome).toUtf8()), structured));
    }

    void pagesProgressAndImages_data() { transports(); }
    void pagesProgressAndImages()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"trigger-long-running-operation"_s, R"({"duration":0.3,"steps":3})");
        int steps = 0;
        connect(call, &Call::progressed, this, [&steps] { ++steps; });
        QCOMPARE(driver.run(call).kind, Outcome::Kind::Ok);
        QCOMPARE(steps, 3);
        const Outcome image = driver.callTool(u"get-tiny-image"_s, "{}");
        bool found = false;
        for (const Content &content : readContents(image.result()[u"content"])) {
            if (content.kind == Content::Kind::Image)
                found = decodeBase64(content.data).bytes.startsWith("\x89PNG");
        }
        QVERIFY(found);
    }

    void readsEveryResource_data() { transports(); }
    void readsEveryResource()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.open(), driver.describe().constData());
        QStringList addresses;
        for (const Resource &resource : driver.catalog().resources())
            addresses.append(resource.uri);
        for (const ResourceTemplate &each : driver.catalog().resourceTemplates()) {
            const Result<UriTemplate> uriTemplate = UriTemplate::parse(each.uriTemplate);
            QVERIFY2(uriTemplate, each.uriTemplate.toUtf8().constData());
            QMap<QString, UriTemplate::Value> values;
            for (const QString &variable : uriTemplate->variables())
                values.insert(variable, u"1"_s);
            addresses.append(*uriTemplate->expand(values));
        }
        QVERIFY(addresses.size() >= 4);
        for (const QString &uri : std::as_const(addresses)) {
            const Outcome outcome = driver.run(driver.connection().readResource(uri));
            QVERIFY2(outcome.kind == Outcome::Kind::Ok, (uri + outcome.error.message).toUtf8().constData());
            QVERIFY(!outcome.result()[u"contents"].isEmpty());
        }
        const Outcome missing = driver.run(driver.connection().readResource(u"demo://resource/nowhere"_s));
        QCOMPARE(missing.kind, Outcome::Kind::ProtocolError);
    }

    void getsEveryPrompt_data() { transports(); }
    void getsEveryPrompt()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.open(), driver.describe().constData());
        const QMap<QString, QString> values{
            {u"city"_s, u"Bern"_s},  {u"state"_s, u"BE"_s},          {u"department"_s, u"Engineering"_s},
            {u"name"_s, u"Alice"_s}, {u"resourceType"_s, u"Text"_s}, {u"resourceId"_s, u"1"_s}};
        for (const Prompt &prompt : driver.catalog().prompts()) {
            json::Builder arguments;
            arguments.beginObject();
            for (const PromptArgument &argument : prompt.arguments) {
                QVERIFY2(values.contains(argument.name), argument.name.toUtf8().constData());
                arguments.member(argument.name, values.value(argument.name));
            }
            arguments.endObject();
            const Outcome outcome = driver.run(driver.connection().getPrompt(prompt.name, arguments.take()));
            QVERIFY2(outcome.kind == Outcome::Kind::Ok, (prompt.name + outcome.error.message).toUtf8().constData());
            QVERIFY(!outcome.result()[u"messages"].isEmpty());
        }
    }

    void completesArguments_data() { transports(); }
    void completesArguments()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        const auto complete = [&driver](const QByteArray &params) {
            return driver.run(driver.connection().request(u"completion/complete", params))
                .result()[u"completion"][u"values"]
                .bytes();
        };
        QCOMPARE(complete(R"({"ref":{"type":"ref/prompt","name":"completable-prompt"},)"
                          R"("argument":{"name":"department","value":"S"}})"),
                 R"(["Sales","Support"])"_ba);
        QCOMPARE(complete(R"({"ref":{"type":"ref/prompt","name":"completable-prompt"},)"
                          R"("argument":{"name":"name","value":""},"context":{"arguments":{"department":"Sales"}}})"),
                 R"(["David","Eve","Frank"])"_ba);
        QCOMPARE(complete(R"({"ref":{"type":"ref/resource","uri":"demo://resource/dynamic/text/{resourceId}"},)"
                          R"("argument":{"name":"resourceId","value":"12"}})"),
                 R"(["12"])"_ba);
    }

    void tellsOfUpdatesAndLogs_data() { transports(); }
    void tellsOfUpdatesAndLogs()
    {
        QFETCH(const QString, transport);
        Driver driver(spec(transport));
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        const QByteArray resource = R"({"uri":"demo://resource/dynamic/text/1"})";
        QList<QByteArray> updated;
        QList<QByteArray> logged;
        connect(&driver.connection(), &Connection::notified, this, [&](const Message &notification) {
            if (notification.method() == "notifications/resources/updated"_L1)
                updated << notification.params().bytes();
            else if (notification.method() == "notifications/message"_L1)
                logged << notification.params().bytes();
        });
        QCOMPARE(driver.run(driver.connection().request(u"resources/subscribe", resource)).kind, Outcome::Kind::Ok);
        QCOMPARE(driver.callTool(u"toggle-subscriber-updates"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return !updated.isEmpty(); }));
        QCOMPARE(updated.constFirst(), resource);
        QCOMPARE(driver.callTool(u"toggle-subscriber-updates"_s, "{}").kind, Outcome::Kind::Ok);
        QCOMPARE(driver.run(driver.connection().request(u"resources/unsubscribe", resource)).kind, Outcome::Kind::Ok);

        // The first line comes at once, if its level, which is left to chance, is high enough.
        QCOMPARE(driver.run(driver.connection().request(u"logging/setLevel", R"({"level":"debug"})")).kind,
                 Outcome::Kind::Ok);
        logged.clear();
        QCOMPARE(driver.callTool(u"toggle-simulated-logging"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return !logged.isEmpty(); }));
        QVERIFY2(logged.constFirst().contains("evel"), logged.constFirst().constData());
        QCOMPARE(driver.callTool(u"toggle-simulated-logging"_s, "{}").kind, Outcome::Kind::Ok);
    }

    // Tools that only a client with these capabilities is offered.
    void asksForRootsSamplingAndElicitation_data() { transports(); }
    void asksForRootsSamplingAndElicitation()
    {
        QFETCH(const QString, transport);
        Asked asked;
        Driver driver(spec(transport), capable());
        respond(driver, &asked);
        QVERIFY2(driver.open(), driver.describe().constData());
        const auto says = [&driver](const QString &tool, const QByteArray &arguments, const QString &text) {
            const Outcome outcome = driver.callTool(tool, arguments);
            const QString said = test::textOf(outcome);
            if (outcome.kind == Outcome::Kind::Ok && said.contains(text))
                return true;
            qWarning("%s: %s %s", qUtf8Printable(tool), qUtf8Printable(outcome.error.message), qUtf8Printable(said));
            return false;
        };
        QVERIFY(says(u"get-roots-list"_s, "{}", u"file:///srv/demo"_s));
        QVERIFY(says(u"trigger-sampling-request"_s, R"({"prompt":"hello"})", u"written by hand"_s));
        QVERIFY2(asked.sampling.contains("hello"), asked.sampling.constData());

        QVERIFY(says(u"trigger-elicitation-request"_s, "{}", u"Favorite Number: 3.14"_s));
        asked.action = Asked::Action::Decline;
        QVERIFY(says(u"trigger-elicitation-request"_s, "{}", u"declined"_s));
        asked.action = Asked::Action::Cancel;
        QVERIFY(says(u"trigger-elicitation-request"_s, "{}", u"cancelled"_s));

        const QByteArray page = R"({"url":"https://example.org/consent","message":"Sign in","errorPath":false})";
        asked.action = Asked::Action::Accept;
        QVERIFY(says(u"trigger-url-elicitation"_s, page, u"completed the URL elicitation"_s));
        asked.action = Asked::Action::Decline;
        QVERIFY(says(u"trigger-url-elicitation"_s, page, u"declined to open"_s));
        const QByteArray byError = QByteArray(page).replace("false", "true");
        const Outcome outcome = driver.callTool(u"trigger-url-elicitation"_s, byError);
        QCOMPARE(outcome.kind, Outcome::Kind::ProtocolError);
        QCOMPARE(outcome.error.code, -32042);
        QVERIFY(says(u"trigger-url-elicitation"_s, byError, u"declined to open"_s));
        QCOMPARE(asked.elicitations, 6);
    }

    // It asks for something on the way, in the stream of the request for the result. Written by hand, each is one
    // request and no more.
    void worksOnATask_data() { transports(); }
    void worksOnATask()
    {
        QFETCH(const QString, transport);
        Asked asked;
        asked.content = R"({"interpretation":"historical"})";
        Driver driver(spec(transport), capable());
        respond(driver, &asked);
        QVERIFY2(driver.openOnly(), driver.describe().constData());
        int messages = 0;
        const auto ask = [&](const QByteArray &method, const QByteArray &params) {
            return driver.run(driver.connection().sendRaw(R"({"jsonrpc":"2.0","id":"t)" +
                                                          QByteArray::number(++messages) + R"(","method":")" + method +
                                                          R"(","params":)" + params + '}'));
        };
        const Outcome started = ask("tools/call", R"({"name":"simulate-research-query","task":{"ttl":60000},)"
                                                  R"("arguments":{"topic":"waves","ambiguous":true}})");
        const QByteArray id = started.result()[u"task"][u"taskId"].bytes();
        QVERIFY2(!id.isEmpty(), started.message.raw().constData());
        const QByteArray named = "{\"taskId\":" + id + '}';
        QCOMPARE(ask("tasks/get", named).result()[u"status"].string(), u"working"_s);
        QVERIFY(ask("tasks/list", "{}").result()[u"tasks"].bytes().contains(id));
        const Outcome done = ask("tasks/result", named);
        QCOMPARE(done.kind, Outcome::Kind::Ok);
        QVERIFY2(test::textOf(done).contains(u"waves (historical)"), qUtf8Printable(test::textOf(done)));
        QCOMPARE(asked.elicitations, 1);
        QCOMPARE(ask("tasks/get", named).result()[u"status"].string(), u"completed"_s);
        QCOMPARE(ask("tasks/cancel", named).kind, Outcome::Kind::ProtocolError);
    }

private:
    // What the server wanted to know, and what it is told.
    struct Asked {
        enum class Action { Accept, Decline, Cancel };
        Action action = Action::Accept;
        QByteArray content = R"({"name":"Ada","number":3.14,"untitledMultipleSelectEnum":["Piano"],"check":true})";
        QByteArray sampling;
        int elicitations = 0;
    };

    static ConnectionOptions capable()
    {
        ConnectionOptions options;
        options.capabilities = R"({"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}})";
        return options;
    }

    void respond(Driver &driver, Asked *asked)
    {
        Connection &connection = driver.connection();
        connection.setResponder(InputRequest::Kind::Roots, this, [](InputRequest *request) {
            const QByteArray roots = R"({"roots":[{"uri":"file:///srv/demo","name":"demo"}]})";
            QVERIFY(!request->respond(roots));
        });
        connection.setResponder(InputRequest::Kind::Sampling, this, [asked](InputRequest *request) {
            asked->sampling = request->params().bytes();
            const QByteArray message = R"({"role":"assistant","model":"nobody","stopReason":"endTurn",)"
                                       R"("content":{"type":"text","text":"written by hand"}})";
            QVERIFY(!request->respond(message));
        });
        connection.setResponder(InputRequest::Kind::Elicitation, this, [asked](InputRequest *request) {
            ++asked->elicitations;
            const bool isForm = request->params()[u"mode"].string() != "url"_L1;
            const QByteArray content = isForm ? ",\"content\":" + asked->content : QByteArray();
            switch (asked->action) {
                case Asked::Action::Accept:
                    QVERIFY(!request->respond("{\"action\":\"accept\"" + content + '}'));
                    return;
                case Asked::Action::Decline:
                    QVERIFY(!request->decline());
                    return;
                case Asked::Action::Cancel:
                    QVERIFY(!request->cancel());
                    return;
            }
        });
    }

    ServerSpec spec(const QString &transport) const
    {
        if (transport == "stdio"_L1)
            return test::peer(u"server-everything"_s);
        return transport == "SSE"_L1 ? m_sse->spec() : m_http->spec();
    }

    static std::unique_ptr<test::HttpProcess> serve(const QString &transport, const QString &address)
    {
        return std::make_unique<test::HttpProcess>(
            test::peerNode(),
            QStringList{u"--require"_s, QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/loopback.cjs"),
                        test::peerScript(u"server-everything"_s), transport},
            "loopback port ", address);
    }

    static void transports()
    {
        QTest::addColumn<QString>("transport");
        for (const char *name : {"stdio", "HTTP", "SSE"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    std::unique_ptr<test::HttpProcess> m_http;
    std::unique_ptr<test::HttpProcess> m_sse;
};

SONDE_TEST(tst_Everything)
#include "tst_everything.moc"
