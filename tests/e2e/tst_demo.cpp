// The demo server through the core, over both transports: everything it offers, used.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/subscriptions.h"
#include "core/json/builder.h"
#include "core/protocol/base64.h"
#include "core/protocol/extensionresources.h"
#include "core/protocol/methods.h"
#include "tests/e2e/driver.h"
#include "tests/support/testregistry.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <array>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

class tst_Demo : public QObject {
    Q_OBJECT
public:
    enum class Way { Stdio, Http, HttpSse, Stateless, StatelessHttp };

private Q_SLOTS:
    void connectsAndLists_data() { ways(Ways); }
    void connectsAndLists()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.connection().serverInfo().implementation.name, u"sonde-demo-server"_s);
        QCOMPARE(driver.connection().serverInfo().protocolVersion,
                 isStateless(way) ? u"2026-07-28"_s : u"2025-11-25"_s);
        QCOMPARE(driver.connection().transportName(), way == Way::HttpSse    ? u"HTTP+SSE"_s
                                                      : spec.startsProcess() ? u"stdio"_s
                                                                             : u"HTTP"_s);
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
        QTest::addColumn<Way>("way");
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<Outcome::Kind>("kind");
        QTest::addColumn<QString>("text");
        for (const Way way : Ways) {
            rows(way, [way](const char *tool, const QByteArray &arguments, Outcome::Kind kind, const QString &text) {
                QTest::addRow("%s over %s", tool, nameOf(way))
                    << way << QString::fromLatin1(tool) << arguments << kind << text;
            });
        }
    }
    void callsEveryTool()
    {
        QFETCH(Way, way);
        QFETCH(QString, tool);
        QFETCH(QByteArray, arguments);
        QFETCH(Outcome::Kind, kind);
        QFETCH(QString, text);
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        const Outcome outcome = driver.callTool(tool, arguments);
        QVERIFY2(outcome.kind == kind, outcome.error.message.toUtf8().constData());
        const QString said = outcome.error ? outcome.error.message : test::textOf(outcome);
        QVERIFY2(said.contains(text), said.left(300).toUtf8().constData());
        QVERIFY(outcome.durationNs > 0 || outcome.error.kind == Error::Kind::Local);
    }

    void noToolIsForgotten_data() { ways(Ways); }
    void noToolIsForgotten()
    {
        QFETCH(Way, way);
        QStringList known;
        rows(way, [&known](const char *tool, const QByteArray &, Outcome::Kind, const QString &) {
            known.append(QString::fromLatin1(tool));
        });
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        for (const Tool &tool : driver.catalog().tools())
            QVERIFY2(known.contains(tool.name), tool.name.toUtf8().constData());
    }

    // What a tool asks for is asked in both eras, and its result tells that the response has come back.
    void asksAndUsesTheResponses_data() { ways(Ways); }
    void asksAndUsesTheResponses()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        ConnectionOptions options;
        options.capabilities = R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}})";
        Driver driver(spec, options);
        const auto give = [&driver](InputRequest::Kind kind, const QByteArray &result) {
            driver.connection().setResponder(kind, &driver.connection(),
                                             [result](InputRequest *request) { request->respond(result); });
        };
        give(InputRequest::Kind::Elicitation, R"({"action":"accept","content":{"name":"Ada","color":"blue"}})");
        give(InputRequest::Kind::Sampling,
             R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"none","stopReason":"endTurn"})");
        give(InputRequest::Kind::Roots, "{\"roots\":[{\"uri\":\"file:///srv/one\",\"name\":\"one\"}]}");
        QVERIFY2(driver.open(), driver.describe().constData());
        const std::array expected{std::pair{"ask-form", "Ada"},    std::pair{"ask-url", "accept"},
                                  std::pair{"ask-model", "Paris"}, std::pair{"ask-roots", "file:///srv/one"},
                                  std::pair{"ask-twice", "blue"},  std::pair{"ask-everything", "Paris"}};
        for (const auto &[tool, text] : expected) {
            const Outcome outcome = driver.callTool(QString::fromLatin1(tool), "{}");
            QVERIFY2(outcome.kind == Outcome::Kind::Ok, outcome.error.message.toUtf8().constData());
            QVERIFY2(test::textOf(outcome).contains(QLatin1StringView(text)),
                     test::textOf(outcome).toUtf8().constData());
        }
    }

    // 2026-07-28: what a client may read of a request's log depends on that request.
    void logsWithoutHandshake_data() { ways({Way::Stateless, Way::StatelessHttp}); }
    void logsWithoutHandshake()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QSignalSpy notified(&driver.connection(), &Connection::notified);
        QCOMPARE(driver.callTool(u"log"_s, R"({"level":"warning","count":2})").kind, Outcome::Kind::Ok);
        QCOMPARE(notified.size(), 0);
        CallOptions options;
        options.logLevel = u"info"_s;
        const QByteArray params = R"({"name":"log","arguments":{"level":"warning","count":2}})";
        QCOMPARE(driver.run(driver.connection().request(methods::CallTool, params, options)).kind, Outcome::Kind::Ok);
        QCOMPARE(notified.size(), 2);
    }

    // Messages that nobody wanted do no harm in either era.
    void aFloodBelongsToBothEras_data() { ways(Ways); }
    void aFloodBelongsToBothEras()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way, {u"--flood"_s, u"200"_s, u"--huge-line"_s, u"300000"_s});
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QVERIFY2(driver.waitUntil([&] { return driver.session().messageCount() > 201; }),
                 QByteArray::number(driver.session().messageCount()).constData());
        QVERIFY(driver.catalog().tool(u"add"_s));
        QCOMPARE(driver.callTool(u"add"_s, R"({"a":1,"b":1})").kind, Outcome::Kind::Ok);
    }

    // The page of an app and a skill are resources; in 2026-07-28 the skill is listed with digests of its files.
    void offersAnAppAndASkill()
    {
        ServerSpec spec = test::demoServer();
        spec.revision = std::nullopt;
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        const Tool *tool = driver.catalog().tool(u"structured-report"_s);
        QVERIFY(tool);
        QCOMPARE(appUriOf(*tool), u"ui://demo/report"_s);
        const Outcome page = driver.run(driver.connection().readResource(appUriOf(*tool)));
        const json::Value content = page.result()[u"contents"].at(0);
        QCOMPARE(content[u"mimeType"].string(), u"text/html;profile=mcp-app"_s);
        QVERIFY(content[u"_meta"][u"ui"][u"csp"].isObject());

        QVERIFY(
            driver.connection().serverInfo().capabilities[u"extensions"].contains(u"io.modelcontextprotocol/skills"));
        const Outcome skills = driver.run(driver.connection().request(u"skills/list"));
        const json::Value skill = skills.result()[u"skills"].at(0);
        QCOMPARE(skill[u"frontmatter"][u"name"].string(), u"read-the-station"_s);
        QCOMPARE(skill[u"resources"].size(), 2);
        for (const json::Value &file : skill[u"resources"]) {
            const Outcome read = driver.run(driver.connection().readResource(file[u"uri"].string()));
            const QByteArray text = read.result()[u"contents"].at(0)[u"text"].string().toUtf8();
            QCOMPARE(file[u"size"].toInteger().value_or(-1), text.size());
            QCOMPARE(file[u"digest"].string().toLatin1(),
                     "sha256:" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
        }
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

    void readsEveryResource_data() { ways(Ways); }
    void readsEveryResource()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
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
        QCOMPARE(missing.error.code, isStateless(way) ? -32602 : -32002);
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

    void progressComesBeforeTheResponse_data() { ways(Ways); }
    void progressComesBeforeTheResponse()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"progress"_s, R"({"steps":4,"intervalMs":1})");
        QList<double> steps;
        connect(call, &Call::progressed, this, [&steps](const Progress &progress) { steps.append(progress.progress); });
        QCOMPARE(driver.run(call).kind, Outcome::Kind::Ok);
        QCOMPARE(steps, QList<double>({1, 2, 3, 4}));
    }

    void cancelledCallsEnd_data() { ways(Ways); }
    void cancelledCallsEnd()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        Call *call = driver.connection().callTool(u"slow"_s, R"({"seconds":600})");
        call->cancel();
        const Outcome outcome = driver.run(call);
        QCOMPARE(outcome.kind, Outcome::Kind::NoResponse);
        QVERIFY2(outcome.error.kind == Error::Kind::Cancelled, driver.describe().constData());
        QCOMPARE(driver.callTool(u"add"_s, R"({"a":1,"b":1})").kind, Outcome::Kind::Ok);
    }

    void listsFollowTheServer_data() { ways(Ways); }
    void listsFollowTheServer()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec, following());
        driver.catalog().setRefreshInterval({});
        QVERIFY2(driver.open(), driver.describe().constData());
        QVERIFY(!isStateless(way) || driver.waitUntil([&] { return isActive(driver.connection()); }));
        QVERIFY(!driver.catalog().tool(u"now-you-see-me"));
        QCOMPARE(driver.callTool(u"toggle-tools"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return driver.catalog().tool(u"now-you-see-me") != nullptr; }));
        QCOMPARE(driver.callTool(u"now-you-see-me"_s, "{}").kind, Outcome::Kind::Ok);
        QCOMPARE(driver.callTool(u"toggle-tools"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return driver.catalog().tool(u"now-you-see-me") == nullptr; }));
        QCOMPARE(faultsIn(driver.session()).join(u'|'), QString());
    }

    void hearsOfUpdatedResources_data() { ways(Ways); }
    void hearsOfUpdatedResources()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        Subscriptions *subscriptions = driver.connection().subscriptions();
        QSignalSpy updated(subscriptions, &Subscriptions::updated);
        const QString clock = u"demo://live/clock"_s;
        subscriptions->subscribe(clock);
        QVERIFY(driver.waitUntil([&] { return subscriptions->stateOf(clock) == Subscriptions::State::Active; }));
        QCOMPARE(driver.callTool(u"touch-resource"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return !updated.isEmpty(); }));
        QCOMPARE(updated.first(), QVariantList({clock, clock}));
        subscriptions->unsubscribe(clock);
        QVERIFY(driver.waitUntil(
            [&] { return test::textOf(driver.callTool(u"touch-resource"_s, "{}")).contains(u"Nobody subscribed"_s); }));
        QCOMPARE(updated.size(), 1);
        QCOMPARE(faultsIn(driver.session()).join(u'|'), QString());
    }

    // 2026-07-28: a call that tells of its progress and logs, while subscriptions tell of changes; each its own.
    void streamsDoNotMix_data() { ways({Way::Stateless, Way::StatelessHttp}); }
    void streamsDoNotMix()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
        Driver driver(spec, following());
        driver.catalog().setRefreshInterval({});
        QVERIFY2(driver.open(), driver.describe().constData());
        Subscriptions *subscriptions = driver.connection().subscriptions();
        const QString clock = u"demo://live/clock"_s;
        subscriptions->subscribe(clock);
        QVERIFY(driver.waitUntil([&] { return subscriptions->stateOf(clock) == Subscriptions::State::Active; }));
        QSignalSpy updated(subscriptions, &Subscriptions::updated);
        QSignalSpy notified(&driver.connection(), &Connection::notified);

        CallOptions options;
        options.logLevel = u"info"_s;
        const auto call = [&](const QByteArray &params) {
            return driver.connection().request(methods::CallTool, params, options);
        };
        Call *stepping = call(R"({"name":"progress","arguments":{"steps":3,"intervalMs":1}})");
        QList<double> steps;
        connect(stepping, &Call::progressed, this, [&](const Progress &progress) { steps.append(progress.progress); });
        QSignalSpy stepped(stepping, &Call::finished);
        QSignalSpy logged(call(R"({"name":"log","arguments":{"level":"warning","count":2}})"), &Call::finished);
        QSignalSpy touched(call(R"({"name":"touch-resource","arguments":{}})"), &Call::finished);
        QSignalSpy toggled(call(R"({"name":"toggle-tools","arguments":{}})"), &Call::finished);
        QVERIFY(driver.waitUntil([&] {
            return !stepped.isEmpty() && !logged.isEmpty() && !touched.isEmpty() && !toggled.isEmpty() &&
                   !updated.isEmpty() && driver.catalog().tool(u"now-you-see-me");
        }));
        QCOMPARE(steps, QList<double>({1, 2, 3}));
        QCOMPARE(updated.size(), 1);
        QStringList methods;
        for (const QVariantList &each : std::as_const(notified))
            methods.append(each.first().value<Message>().method());
        methods.sort();
        // While the stream before the last subscription is being closed it may tell of the list as well.
        while (methods.count(methods.last()) > 1 && methods.last().endsWith(u"list_changed"_s))
            methods.removeLast();
        QCOMPARE(methods.join(u' '),
                 u"notifications/message notifications/message notifications/resources/updated "
                 "notifications/tools/list_changed"_s);
        QCOMPARE(faultsIn(driver.session()).join(u'|'), QString());

        // The end of the one stream is a result; what was asked for after it is asked for anew.
        QCOMPARE(driver.callTool(u"end-subscriptions"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return subscriptions->state() == Subscriptions::State::Ended; }));
        subscriptions->listenAgain();
        QVERIFY(driver.waitUntil([&] { return subscriptions->stateOf(clock) == Subscriptions::State::Active; }));
        QCOMPARE(driver.callTool(u"touch-resource"_s, "{}").kind, Outcome::Kind::Ok);
        QVERIFY(driver.waitUntil([&] { return updated.size() == 2; }));
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
        const auto [server, spec] = start(http ? Way::Http : Way::Stdio, {u"--revision"_s, revision});
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QCOMPARE(driver.connection().serverInfo().protocolVersion, revision);
        QCOMPARE(driver.callTool(u"add"_s, R"({"a":1,"b":2})").kind, Outcome::Kind::Ok);
        QVERIFY(driver.close());
    }

    void manyCallsAtOnce_data() { ways(Ways); }
    void manyCallsAtOnce()
    {
        QFETCH(Way, way);
        const auto [server, spec] = start(way);
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

    static ConnectionOptions following()
    {
        ConnectionOptions options;
        options.followLists = true;
        return options;
    }

    static bool isActive(const Connection &connection)
    {
        return connection.subscriptions()->state() == Subscriptions::State::Active;
    }

    static QStringList faultsIn(const Session &session)
    {
        QStringList faults;
        for (qsizetype row = 0; row < session.size(); ++row) {
            // The handshake that made it another transport was given up.
            const bool isGivenUp = session.facts(row).contains("gave-up");
            if ((session.at(row).hasProblems && !isGivenUp) || session.at(row).isLate)
                faults.append(QString::fromUtf8(session.facts(row) + session.bytes(row)));
        }
        return faults;
    }

    static constexpr std::array Ways{Way::Stdio, Way::Http, Way::HttpSse, Way::Stateless, Way::StatelessHttp};

    static bool isStateless(Way way) { return way == Way::Stateless || way == Way::StatelessHttp; }

    static const char *nameOf(Way way)
    {
        constexpr std::array names{"stdio", "HTTP", "HTTP+SSE", "stdio without handshake", "HTTP without handshake"};
        return names.at(size_t(way));
    }

    // What needs no handshake is not chosen, but found out.
    static Started start(Way way, const QStringList &switches = {})
    {
        Started started{nullptr, test::demoServer(switches)};
        if (way == Way::HttpSse)
            started.process = std::make_unique<test::HttpProcess>(
                started.spec.command, QStringList{u"--http+sse"_s, u"0"_s} + switches, "listening on ", u"%1"_s);
        else if (way == Way::Http || way == Way::StatelessHttp)
            started.process = test::HttpProcess::demo(switches);
        if (started.process)
            started.spec = started.process->spec();
        if (isStateless(way))
            started.spec.revision = std::nullopt;
        return started;
    }

    template <typename List>
    static void waysOf(const List &list)
    {
        QTest::addColumn<Way>("way");
        for (const Way way : list)
            QTest::newRow(nameOf(way)) << way;
    }
    static void ways(std::initializer_list<Way> list) { waysOf(list); }
    static void ways(const std::array<Way, 5> &list) { waysOf(list); }

    template <typename Row>
    static void rows(Way way, const Row &row)
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
        if (isStateless(way)) {
            row("unusable-header", R"({"region":"Bern"})", way == Way::StatelessHttp ? Kind::NoResponse : Kind::Ok,
                way == Way::StatelessHttp ? u"cannot be called over HTTP"_s : u"Bern"_s);
            row("end-subscriptions", "{}", Kind::Ok, QString());
        } else {
            row("ping-back", "{}", Kind::Ok, u"The client responded"_s);
        }
        row("session-info", "{}", Kind::Ok, isStateless(way) ? u"2026-07-28"_s : u"2025-11-25"_s);
        row("regional-report", R"({"region":"Bern"})", Kind::Ok, u"Bern"_s);
        // Nobody responds here, so that the client declares nothing.
        for (const char *asking : {"ask-form", "ask-url", "ask-model", "ask-roots", "ask-twice", "ask-everything"})
            row(asking, "{}", isStateless(way) ? Kind::ProtocolError : Kind::ToolError,
                isStateless(way) ? u"does not declare"_s : u"did not declare the capability"_s);
        row("run-as-task", R"({"seconds":0.01})", Kind::Ok, u"0.01 seconds"_s);
        row("hostile-text", "{}", Kind::Ok, u"\u202e"_s);
        row("a-name-of-the-greatest-length-that-the-protocol-recommends.which-has-one-hundred-and-twenty-eight-"
            "characters_so-it-has-to-be-cut",
            {}, Kind::Ok, u"A long name"_s);
    }
};

SONDE_TEST(tst_Demo)
#include "tst_demo.moc"
