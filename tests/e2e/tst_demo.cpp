// The demo server through the core, over both transports: everything it offers, used.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/protocol/base64.h"
#include "core/protocol/methods.h"
#include "tests/e2e/driver.h"
#include "tests/support/testregistry.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

class tst_Demo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void connectsAndLists_data() { transports(); }
    void connectsAndLists()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.connection().serverInfo().implementation.name, u"sonde-demo-server"_s);
        QCOMPARE(driver.connection().serverInfo().protocolVersion, u"2025-11-25"_s);
        QVERIFY(driver.catalog().tools().size() >= 14);
        QCOMPARE(driver.catalog().tools().first().name, u"add"_s);
        QCOMPARE(driver.catalog().tools().first().annotations.readOnly, std::optional<bool>(true));
        QVERIFY(driver.catalog().resources().size() >= 5);
        QCOMPARE(driver.catalog().resourceTemplates().size(), 2);
        QCOMPARE(driver.catalog().prompts().size(), 3);
        QVERIFY(driver.close());
        QVERIFY2(driver.connection().error().kind == Error::Kind::None, driver.describe().constData());
    }

    void callsEveryTool_data()
    {
        QTest::addColumn<bool>("http");
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::addColumn<QString>("text");
        for (const bool http : {false, true}) {
            const auto row = [http](const char *tool, const QByteArray &arguments, Outcome::Kind kind,
                                    const QString &text) {
                QTest::addRow("%s over %s", tool, http ? "HTTP" : "stdio")
                    << http << QString::fromLatin1(tool) << arguments << kind << text;
            };
            rows(row);
        }
    }
    void callsEveryTool()
    {
        QFETCH(bool, http);
        QFETCH(QString, tool);
        QFETCH(QByteArray, arguments);
        QFETCH(Outcome::Kind, kind);
        QFETCH(QString, text);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(tool, arguments);
        QVERIFY2(outcome.kind == kind, outcome.error.message.toUtf8().constData());
        const QString said = kind == Outcome::Kind::ProtocolError ? outcome.error.message : test::textOf(outcome);
        QVERIFY2(said.contains(text), said.left(300).toUtf8().constData());
        QVERIFY(outcome.durationNs > 0);
    }

    void noToolIsForgotten()
    {
        QStringList known;
        rows([&known](const char *tool, const QByteArray &, Outcome::Kind, const QString &) {
            known.append(QString::fromLatin1(tool));
        });
        Driver driver(test::demoServer());
        QVERIFY2(driver.open(), driver.describe().constData());
        for (const Tool &tool : driver.catalog().tools())
            QVERIFY2(known.contains(tool.name), tool.name.toUtf8().constData());
    }

    void numbersSurviveBothWays()
    {
        Driver driver(test::demoServer());
        QVERIFY2(driver.open(), driver.describe().constData());
        const QByteArray value = R"({"b":1.0,"a":9007199254740993,"b":1e400,"c":-0.0})";
        QCOMPARE(test::textOf(driver.callTool(u"echo"_s, R"({"value":)" + value + "}")).toUtf8(), value);
        const Outcome sum = driver.callTool(u"add"_s, R"({"a":9007199254740993,"b":0.10})");
        QCOMPARE(sum.result()[u"structuredContent"][u"sum"].numberText(), "9007199254740993.1"_ba);
    }

    void readsEveryResource_data() { transports(); }
    void readsEveryResource()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        for (const Resource &resource : driver.catalog().resources()) {
            const Outcome outcome = driver.run(driver.connection().readResource(resource.uri));
            QCOMPARE(outcome.kind, Outcome::Kind::Ok);
            const Content content = readResourceContents(outcome.result()[u"contents"].at(0));
            const qint64 size =
                content.data.isString() ? decodeBase64(content.data).bytes.size() : content.text.utf8().size();
            QVERIFY2(size > 0, resource.uri.toUtf8().constData());
            if (resource.size)
                QCOMPARE(size, *resource.size);
        }
        const Outcome missing = driver.run(driver.connection().readResource(u"demo://nowhere"_s));
        QCOMPARE(missing.kind, Outcome::Kind::ProtocolError);
        QCOMPARE(missing.error.code, -32002);
        QCOMPARE(missing.error.data[u"uri"].string(), u"demo://nowhere"_s);
    }

    void getsEveryPrompt()
    {
        Driver driver(test::demoServer());
        QVERIFY2(driver.open(), driver.describe().constData());
        for (const Prompt &prompt : driver.catalog().prompts()) {
            json::Builder arguments;
            arguments.beginObject();
            for (const PromptArgument &argument : prompt.arguments)
                arguments.member(argument.name, QStringView(u"waves"));
            arguments.endObject();
            const Outcome outcome = driver.run(driver.connection().getPrompt(prompt.name, arguments.take()));
            QCOMPARE(outcome.kind, Outcome::Kind::Ok);
            QVERIFY(!outcome.result()[u"messages"].isEmpty());
        }
        const Outcome incomplete = driver.run(driver.connection().getPrompt(u"summarize"_s, {}));
        QCOMPARE(incomplete.kind, Outcome::Kind::ProtocolError);
    }

    void progressComesBeforeTheResponse_data() { transports(); }
    void progressComesBeforeTheResponse()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"progress"_s, R"({"steps":4,"intervalMs":1})");
        QList<double> steps;
        connect(call, &Call::progressed, this, [&steps](const Progress &progress) { steps.append(progress.progress); });
        QCOMPARE(driver.run(call).kind, Outcome::Kind::Ok);
        QCOMPARE(steps, QList<double>({1, 2, 3, 4}));
    }

    void cancelledCallsEnd_data() { transports(); }
    void cancelledCallsEnd()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"slow"_s, R"({"seconds":600})");
        call->cancel();
        const Outcome outcome = driver.run(call);
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY2(outcome.error.kind == Error::Kind::Cancelled, driver.describe().constData());
        QCOMPARE(driver.callTool(u"add"_s, R"({"a":1,"b":1})").kind, Outcome::Kind::Ok);
    }

    void listsFollowTheServer_data() { transports(); }
    void listsFollowTheServer()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QVERIFY(!driver.catalog().tool(u"now-you-see-me"));
        QCOMPARE(driver.callTool(u"toggle-tools"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return driver.catalog().tool(u"now-you-see-me") != nullptr; }));
        QCOMPARE(driver.callTool(u"now-you-see-me"_s, "{}").kind, Outcome::Kind::Ok);
    }

    void hearsOfUpdatedResources_data() { transports(); }
    void hearsOfUpdatedResources()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QSignalSpy notified(&driver.connection(), &Connection::notified);
        const QByteArray clock = R"({"uri":"demo://live/clock"})";
        QCOMPARE(driver.run(driver.connection().request(u"resources/subscribe", clock)).kind, Outcome::Kind::Ok);
        QCOMPARE(driver.callTool(u"touch-resource"_s, clock).kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return !notified.isEmpty(); }));
        QCOMPARE(notified.first().first().value<Message>().method(), methods::ResourceUpdated.toString());
    }

    void setsTheLogLevelAndPings()
    {
        Driver driver(test::demoServer());
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.run(driver.connection().request(methods::SetLogLevel, R"({"level":"alert"})")).kind,
                 Outcome::Kind::Ok);
        const json::Value info = driver.callTool(u"session-info"_s, "{}").result()[u"structuredContent"];
        QCOMPARE(info[u"logLevel"].string(), u"alert"_s);
        QCOMPARE(info[u"processId"].toInteger(), std::optional(driver.connection().processId()));
        QCOMPARE(driver.run(driver.connection().ping()).kind, Outcome::Kind::Ok);
    }

    void negotiatesEveryRevision_data()
    {
        QTest::addColumn<bool>("http");
        QTest::addColumn<QString>("revision");
        for (const bool http : {false, true}) {
            for (const char *revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
                QTest::addRow("%s over %s", revision, http ? "HTTP" : "stdio") << http << QString::fromLatin1(revision);
        }
    }
    void negotiatesEveryRevision()
    {
        QFETCH(bool, http);
        QFETCH(QString, revision);
        const auto [server, spec] = start(http, {u"--revision"_s, revision});
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.connection().serverInfo().protocolVersion, revision);
        QCOMPARE(driver.callTool(u"add"_s, R"({"a":1,"b":2})").kind, Outcome::Kind::Ok);
        QVERIFY(driver.close());
    }

    void manyCallsAtOnce_data() { transports(); }
    void manyCallsAtOnce()
    {
        QFETCH(bool, http);
        const auto [server, spec] = start(http);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        constexpr int count = 40;
        int good = 0;
        int ended = 0;
        for (int i = 0; i < count; ++i) {
            const QByteArray number = QByteArray::number(i);
            Call *call = driver.connection().callTool(u"add"_s, R"({"a":)" + number + R"(,"b":1000})");
            connect(call, &Call::finished, this, [&, i](const Outcome &outcome) {
                ++ended;
                good += test::textOf(outcome) == QString::number(1000 + i);
            });
        }
        QVERIFY(driver.waitUntil([&] { return ended == count; }));
        QCOMPARE(good, count);
    }

private:
    struct Started {
        std::unique_ptr<test::HttpProcess> process;
        ServerSpec spec;
    };

    static Started start(bool http, const QStringList &switches = {})
    {
        if (!http)
            return {nullptr, test::demoServer(switches)};
        auto process = test::HttpProcess::demo(switches);
        const ServerSpec spec = process->spec();
        return {std::move(process), spec};
    }

    static void transports()
    {
        QTest::addColumn<bool>("http");
        QTest::newRow("stdio") << false;
        QTest::newRow("HTTP") << true;
    }

    template <typename Row>
    static void rows(const Row &row)
    {
        using Kind = Outcome::Kind;
        row("add", R"({"a":2,"b":40})", Kind::Ok, u"42"_s);
        row("every-field-kind",
            R"({"text":"t","color":"red","version":"v1","serial":9223372036854775807,"people":[{"name":"A"}]})",
            Kind::Ok, u"9223372036854775807"_s);
        row("every-content-kind", "{}", Kind::Ok, u"ünïcödé"_s);
        row("echo", R"({"value":[1.0]})", Kind::Ok, u"[1.0]"_s);
        row("progress", R"({"steps":1,"intervalMs":0})", Kind::Ok, u"1 steps"_s);
        row("log", R"({"count":3})", Kind::Ok, u"3 of level info"_s);
        row("fail", "{}", Kind::ToolError, u"The disk is full."_s);
        row("protocol-error", R"({"code":-32001})", Kind::ProtocolError, u"The tool broke down."_s);
        row("structured-report", "{}", Kind::Ok, u"Höhe 7"_s);
        row("structured-wrong", "{}", Kind::Ok, u"warm"_s);
        row("slow", R"({"seconds":0.01})", Kind::Ok, u"0.01 seconds"_s);
        row("big", R"({"bytes":300000})", Kind::Ok, u"0123456789"_s);
        row("delete-everything", R"({"confirm":true})", Kind::Ok, u"nothing to delete"_s);
        row("toggle-tools", "{}", Kind::Ok, u"is there"_s);
        row("touch-resource", "{}", Kind::Ok, u"Nobody subscribed"_s);
        row("ping-back", "{}", Kind::Ok, u"The client responded"_s);
        row("session-info", "{}", Kind::Ok, u"2025-11-25"_s);
        row("regional-report", R"({"region":"Bern"})", Kind::Ok, u"Bern"_s);
        // Nobody responds here, so that the client declares nothing.
        for (const char *asking : {"ask-form", "ask-url", "ask-model", "ask-roots", "ask-twice", "ask-everything"})
            row(asking, "{}", Kind::ToolError, u"did not declare the capability"_s);
        row("run-as-task", R"({"seconds":0.01})", Kind::Ok, u"0.01 seconds"_s);
        row("hostile-text", "{}", Kind::Ok, u"\u202e"_s);
        row("a-name-of-the-greatest-length-that-the-protocol-recommends.which-has-one-hundred-and-twenty-eight-"
            "characters_so-it-has-to-be-cut",
            {}, Kind::Ok, u"A long name"_s);
    }
};

SONDE_TEST(tst_Demo)
#include "tst_demo.moc"
