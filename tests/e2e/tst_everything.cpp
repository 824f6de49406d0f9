// @modelcontextprotocol/server-everything through the core: every tool, resource and prompt, over both transports.
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
        m_http = std::make_unique<test::HttpProcess>(
            test::peerNode(),
            QStringList{u"--require"_s, QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/loopback.cjs"),
                        test::peerScript(u"server-everything"_s), u"streamableHttp"_s},
            "loopback port ", u"http://127.0.0.1:%1/mcp"_s);
        QVERIFY(m_http->isListening());
    }

    void lists_data() { transports(); }
    void lists()
    {
        QFETCH(bool, http);
        Driver driver(spec(http));
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
        QFETCH(bool, http);
        Driver driver(spec(http));
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
        Driver driver(spec(false));
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
        Driver driver(spec(false));
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(u"get-structured-content"_s, R"({"location":"Chicago"})");
        const json::Value structured = outcome.result()[u"structuredContent"];
        QVERIFY(structured.isObject());
        QVERIFY(json::equal(json::parse(test::textOf(outcome).toUtf8()), structured));
    }

    void pagesProgressAndImages_data() { transports(); }
    void pagesProgressAndImages()
    {
        QFETCH(bool, http);
        Driver driver(spec(http));
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
        QFETCH(bool, http);
        Driver driver(spec(http));
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
        QFETCH(bool, http);
        Driver driver(spec(http));
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

private:
    ServerSpec spec(bool http) const { return http ? m_http->spec() : test::peer(u"server-everything"_s); }

    static void transports()
    {
        QTest::addColumn<bool>("http");
        QTest::newRow("stdio") << false;
        QTest::newRow("HTTP") << true;
    }

    std::unique_ptr<test::HttpProcess> m_http;
};

SONDE_TEST(tst_Everything)
#include "tst_everything.moc"
