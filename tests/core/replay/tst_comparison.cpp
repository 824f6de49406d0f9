// Two servers compared: what is found, and whether it breaks clients.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/comparison.h"
#include "tests/e2e/driver.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

namespace {

// "breaking ~/type, harmless +/properties/b"
QString shape(const QList<SchemaChange> &changes)
{
    QStringList words;
    for (const SchemaChange &each : changes) {
        const char16_t signs[] = {u'+', u'-', u'~', u'='};
        words.append(toString(each.impact) + u' ' + QChar(signs[int(each.difference.kind)]) + each.difference.pointer);
    }
    return words.join(u", "_s);
}

ServerSnapshot snapshotOf(const QByteArray &handshake, const QByteArray &tools, const QByteArray &prompts = "[]")
{
    ServerSnapshot snapshot;
    snapshot.name = u"server"_s;
    snapshot.handshake = json::parse(handshake);
    snapshot.isListed = {true, true, true, true};
    for (const json::Value &tool : json::parse(tools))
        snapshot.entries[size_t(ServerSnapshot::List::Tools)].emplaceBack(tool[u"name"].string(), tool);
    for (const json::Value &prompt : json::parse(prompts))
        snapshot.entries[size_t(ServerSnapshot::List::Prompts)].emplaceBack(prompt[u"name"].string(), prompt);
    return snapshot;
}

QString shape(const Comparison &comparison)
{
    QStringList words;
    for (const SnapshotChange &each : comparison.changes)
        words.append(toString(each.impact) + u' ' + toString(each.part) +
                     (each.name.isEmpty() ? QString() : u' ' + each.name) + u' ' + each.difference.pointer);
    return words.join(u", "_s);
}

}  // namespace

class tst_Comparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void schemas_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("output");
        const auto row = [](const char *name, const char *left, const char *right, QStringView input,
                            QStringView output) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << input.toString() << output.toString();
        };
        row("same", R"({"type":"object"})", R"({ "type" : "object" })", u"", u"");
        row("words", R"({"title":"a","description":"b"})", R"({"title":"c"})", u"none ~/title, none -/description",
            u"none ~/title, none -/description");
        row("optional property added", R"({"properties":{"a":{}}})", R"({"properties":{"a":{},"b":{}}})",
            u"harmless +/properties/b", u"harmless +/properties/b");
        row("required property added", R"({"properties":{}})", R"({"properties":{"b":{}},"required":["b"]})",
            u"harmless +/properties/b, breaking +/required", u"harmless +/properties/b, harmless +/required");
        row("property removed from an open object", R"({"properties":{"a":{},"b":{}}})", R"({"properties":{"a":{}}})",
            u"unknown -/properties/b", u"breaking -/properties/b");
        row("property removed from a closed object", R"({"properties":{"a":{},"b":{}},"additionalProperties":false})",
            R"({"properties":{"a":{}},"additionalProperties":false})", u"breaking -/properties/b",
            u"breaking -/properties/b");
        row("no longer required", R"({"required":["a","b"]})", R"({"required":["b"]})", u"harmless ~/required",
            u"breaking ~/required");
        row("required exchanged", R"({"required":["a"]})", R"({"required":["b"]})", u"breaking ~/required",
            u"breaking ~/required");
        row("required in another order", R"({"required":["a","b"]})", R"({"required":["b","a"]})", u"none ~/required",
            u"none ~/required");
        row("type widened", R"({"type":"integer"})", R"({"type":"number"})", u"harmless ~/type", u"breaking ~/type");
        row("type narrowed", R"({"type":["string","null"]})", R"({"type":"string"})", u"breaking ~/type",
            u"harmless ~/type");
        row("type exchanged", R"({"type":"string"})", R"({"type":"integer"})", u"breaking ~/type", u"breaking ~/type");
        row("value added", R"({"enum":["a"]})", R"({"enum":["a","b"]})", u"harmless ~/enum", u"breaking ~/enum");
        row("value removed", R"({"enum":["a","b"]})", R"({"enum":["a"]})", u"breaking ~/enum", u"harmless ~/enum");
        row("value replaced", R"({"enum":["a"]})", R"({"enum":["b"]})", u"breaking ~/enum", u"breaking ~/enum");
        row("choice introduced", R"({})", R"({"enum":["a"]})", u"breaking +/enum", u"harmless +/enum");
        row("minimum raised", R"({"minimum":1})", R"({"minimum":2})", u"breaking ~/minimum", u"harmless ~/minimum");
        row("minimum in other digits", R"({"minimum":1})", R"({"minimum":1.0})", u"none =/minimum", u"none =/minimum");
        row("maximum raised", R"({"maximum":1})", R"({"maximum":2})", u"harmless ~/maximum", u"breaking ~/maximum");
        row("limit dropped", R"({"maxLength":9})", R"({})", u"harmless -/maxLength", u"breaking -/maxLength");
        row("closed", R"({})", R"({"additionalProperties":false})", u"breaking +/additionalProperties",
            u"harmless +/additionalProperties");
        row("opened", R"({"additionalProperties":false})", R"({"additionalProperties":true})",
            u"harmless ~/additionalProperties", u"breaking ~/additionalProperties");
        row("pattern changed", R"({"pattern":"a"})", R"({"pattern":"b"})", u"unknown ~/pattern", u"unknown ~/pattern");
        row("pattern introduced", R"({})", R"({"pattern":"b"})", u"breaking +/pattern", u"harmless +/pattern");
        row("union changed", R"({"anyOf":[{"type":"string"}]})", R"({"anyOf":[{"type":"null"}]})",
            u"unknown ~/anyOf/0/type", u"unknown ~/anyOf/0/type");
        row("deeper", R"({"properties":{"a":{"items":{"properties":{"b":{"type":"string"}}}}}})",
            R"({"properties":{"a":{"items":{"properties":{"b":{"type":["string","null"]}}}}}})",
            u"harmless ~/properties/a/items/properties/b/type", u"breaking ~/properties/a/items/properties/b/type");
        row("a property called required", R"({"properties":{"required":{"type":"string"}}})",
            R"({"properties":{"required":{"type":"null"}}})", u"breaking ~/properties/required/type",
            u"breaking ~/properties/required/type");
        row("no schema any more", R"({"type":"object"})", "true", u"unknown ~", u"unknown ~");
    }
    void schemas()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        const json::Value before = json::parse(left);
        const json::Value after = json::parse(right);
        QTEST(shape(compareSchemas(before, after, SchemaRole::Input)), "input");
        QTEST(shape(compareSchemas(before, after, SchemaRole::Output)), "output");
    }

    // Judged once as a whole, not at each of its values.
    void largeEnums()
    {
        const auto numbered = [](const QByteArray &word) {
            QByteArray list;
            for (int i = 0; i < 20'000; ++i)
                list += (i > 0 ? ",\"" : "\"") + word + QByteArray::number(i) + '"';
            return json::parse(R"({"properties":{"a":{"enum":[)" + list + R"(]}}})");
        };
        const json::Value before = numbered("a");
        const json::Value after = numbered("b");
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(shape(compareSchemas(before, after, SchemaRole::Input)), u"breaking ~/properties/a/enum"_s);
        QVERIFY(clock.elapsed() < 20'000);  // it took hours
    }

    void snapshots_data()
    {
        QTest::addColumn<QByteArray>("leftTools");
        QTest::addColumn<QByteArray>("rightTools");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *left, const char *right, QStringView expected) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << expected.toString();
        };
        row("the same in another order", R"([{"name":"a"},{"name":"b"}])", R"([{"name":"b"},{"name":"a"}])", u"");
        row("removed", R"([{"name":"a"},{"name":"b"}])", R"([{"name":"b"}])", u"breaking tool a ");
        row("added", R"([{"name":"b"}])", R"([{"name":"a"},{"name":"b"}])", u"harmless tool a ");
        row("renamed", R"([{"name":"a"}])", R"([{"name":"b"}])", u"breaking tool a , harmless tool b ");
        row("described", R"([{"name":"a","description":"x"}])", R"([{"name":"a","description":"y"}])",
            u"none tool a /description");
        row("schema", R"([{"name":"a","inputSchema":{"required":["x"]}}])",
            R"([{"name":"a","inputSchema":{"required":["x","y"]}}])", u"breaking tool a /inputSchema/required");
        row("output promised", R"([{"name":"a"}])", R"([{"name":"a","outputSchema":{}}])",
            u"harmless tool a /outputSchema");
        row("output no longer promised", R"([{"name":"a","outputSchema":{}}])", R"([{"name":"a"}])",
            u"breaking tool a /outputSchema");
        row("hint", R"([{"name":"a","annotations":{"readOnlyHint":true}}])",
            R"([{"name":"a","annotations":{"readOnlyHint":false}}])", u"unknown tool a /annotations/readOnlyHint");
    }
    void snapshots()
    {
        QFETCH(QByteArray, leftTools);
        QFETCH(QByteArray, rightTools);
        QTEST(shape(compareSnapshots(snapshotOf("{}", leftTools), snapshotOf("{}", rightTools))), "expected");
    }

    void handshakesAndPrompts()
    {
        const ServerSnapshot left = snapshotOf(
            R"({"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{},"logging":{}}})",
            "[]", R"([{"name":"p","arguments":[{"name":"a"},{"name":"b","description":"x"}]}])");
        const ServerSnapshot right = snapshotOf(
            R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"2"},"capabilities":{"tools":{"listChanged":true}}})",
            "[]", R"([{"name":"p","arguments":[{"name":"b","description":"y"},{"name":"c","required":true}]}])");
        QCOMPARE(shape(compareSnapshots(left, right)),
                 u"unknown handshake /protocolVersion, none handshake /serverInfo/version, "
                 u"harmless capabilities /capabilities/tools/listChanged, breaking capabilities /capabilities/logging, "
                 u"breaking prompt p /arguments/0, none prompt p /arguments/1/description, "
                 u"breaking prompt p /arguments/1"_s);
    }

    void environments_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("changes");
        QTest::addColumn<int>("findings");
        const auto row = [](const char *name, const char *left, const char *right, QStringView changes,
                            int findings = 0) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << changes.toString() << findings;
        };
        row("the same", R"({"program":"/a","variables":{"A":"1"}})", R"({"variables":{"A":"1"},"program":"/a"})", u"");
        row("everything",
            R"({"program":"/a","arguments":["x"],"workingDirectory":"/","variables":{"PATH":"/b","A":"1"}})",
            R"({"program":"/b","arguments":["x","y"],"workingDirectory":"/t","variables":{"PATH":"/c","B":"1"}})",
            u"unknown environment /program, unknown environment /arguments/1, unknown environment /workingDirectory, "
            u"unknown environment /variables/PATH, unknown environment /variables/A, "
            u"unknown environment /variables/B");
        row("a program and an address", R"({"transport":"stdio","program":"/a","variables":{}})",
            "{\"transport\":\"http\",\"url\":\"a\",\"headers\":{}}",
            u"unknown environment /transport, unknown environment /program, unknown environment /variables, "
            u"unknown environment /url, unknown environment /headers");
        row("an older recording", R"({"program":"/a"})", R"({"program":"/a","variables":{"A":"1"},"inherited":[]})",
            u"", 1);
        row("masked on both sides", R"({"variables":{"T":"‹t›"}})", R"({"variables":{"T":"‹t›"}})", u"", 1);
        row("masked on one side", R"({"variables":{"T":"‹t›"}})", R"({"variables":{"T":"x"}})",
            u"unknown environment /variables/T");
        row("an argument that holds JSON", "{\"arguments\":[\"{\\\"a\\\":1}\"]}", "{\"arguments\":[\"{\\\"a\\\":2}\"]}",
            u"unknown environment /arguments/0");
        row("one side unknown", "", R"({"program":"/a"})", u"");
    }
    void environments()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(int, findings);
        ServerSnapshot before = snapshotOf("{}", "[]");
        ServerSnapshot after = snapshotOf("{}", "[]");
        before.environment = left.isEmpty() ? json::Value() : json::parse(left);
        after.environment = right.isEmpty() ? json::Value() : json::parse(right);
        const Comparison comparison = compareSnapshots(before, after);
        QTEST(shape(comparison), "changes");
        QVERIFY2(comparison.findings.size() == findings, qPrintable(comparison.findings.join(u'\n')));
        QVERIFY(!comparison.isBreaking() && comparison.isOfferSame());
        QCOMPARE(json::parse(comparisonJson(comparison))[u"changes"].size(), comparison.changes.size());
    }

    void howAServerWasStarted()
    {
        ServerSpec spec = test::demoServer({u"--page-size"_s, u"9"_s});
        spec.environment = {{u"NODE_ENV"_s, u"test"_s},
                            {u"DB_PASS"_s, u"canary-1"_s},
                            {u"GITHUB_TOKEN"_s, u"canary-2"_s},
                            {u"INNOCENT"_s, u"canary3canary3canary3canary3"_s},
                            {u"DATABASE"_s, u"postgres://me:canary-4@host/db"_s}};
        spec.workingDirectory = u"/tmp"_s;
        const QTemporaryDir folder;
        ConnectionOptions options;
        options.sessionPath = folder.filePath(u"s"_s);
        Driver driver(spec, options);
        QVERIFY2(driver.open(), driver.describe().constData());
        const ServerSnapshot live = ServerSnapshot::of(driver.connection());
        const json::Value environment = live.environment;
        QVERIFY(environment[u"program"].string().endsWith(u"/sonde-demo-server"_s));
        QCOMPARE(environment[u"arguments"].bytes(), R"(["--page-size","9"])"_ba);
        QCOMPARE(environment[u"workingDirectory"].string(), u"/tmp"_s);
        const json::Value variables = environment[u"variables"];
        QCOMPARE(variables[u"PATH"].string(), qEnvironmentVariable("PATH"));
        QCOMPARE(variables[u"NODE_ENV"].string(), u"test"_s);
        QCOMPARE(variables[u"DB_PASS"].string(), u"‹dbpass›"_s);
        QCOMPARE(variables[u"GITHUB_TOKEN"].string(), u"‹githubtoken›"_s);
        QCOMPARE(variables[u"INNOCENT"].string(), u"‹value›"_s);
        QVERIFY2(variables[u"DATABASE"].string().startsWith(u"postgres://‹"_s),
                 qPrintable(variables[u"DATABASE"].string()));
        QCOMPARE(environment[u"client"][u"name"].string(), u"sonde"_s);
        QCOMPARE(environment[u"protocolVersion"].string(), live.handshake[u"protocolVersion"].string());
        QVERIFY(driver.close());
        QFile file(options.sessionPath);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("canary"));

        // The same description with one other secret: seen between two servers that are connected, told by no file.
        const Result<ServerSnapshot> recorded = ServerSnapshot::of(driver.session());
        QVERIFY(recorded);
        QCOMPARE(shape(compareSnapshots(live, *recorded)), QString());
        QCOMPARE(compareSnapshots(live, *recorded).findings.size(), 1);
        spec.environment[2].second = u"another-2"_s;
        Driver other(spec);
        QVERIFY2(other.open(), other.describe().constData());
        const Comparison comparison = compareSnapshots(live, ServerSnapshot::of(other.connection()));
        QCOMPARE(shape(comparison), u"unknown environment /variables/GITHUB_TOKEN"_s);
        QVERIFY(comparison.findings.isEmpty());
        QVERIFY(!comparisonJson(comparison).contains("another-2"));
    }

    // Of a list that is loaded page by page nobody knows what is missing.
    void aListThatIsNotWholeIsNotCompared()
    {
        ServerSpec spec = test::demoServer({u"--page-size"_s, u"4"_s});
        Driver whole(spec);
        spec.pageByPage = true;
        Driver paged(spec);
        QVERIFY2(whole.open() && paged.open(), paged.describe().constData());
        const size_t tools = size_t(ServerSnapshot::List::Tools);
        const ServerSnapshot all = ServerSnapshot::of(whole.connection());
        QVERIFY(!ServerSnapshot::of(paged.connection()).isListed[tools]);
        QVERIFY(!ServerSnapshot::of(paged.session())->isListed[tools]);
        const Comparison comparison = compareSnapshots(all, ServerSnapshot::of(paged.connection()));
        QVERIFY(!comparison.isComplete && comparison.isOfferSame());
        QVERIFY2(comparison.findings.join(u' ').contains(u"not listed completely"),
                 qPrintable(comparison.findings.join(u' ')));

        for (const Catalog::List list : {Catalog::List::Tools, Catalog::List::Resources})
            paged.catalog().loadMore(list, Catalog::Extent::AllPages);
        QVERIFY(paged.waitUntil([&paged] { return !paged.catalog().isLoading(); }));
        paged.connection().session()->flush();
        QVERIFY(compareSnapshots(all, ServerSnapshot::of(paged.connection())).isComplete);
        QVERIFY(compareSnapshots(all, *ServerSnapshot::of(paged.session())).isComplete);
    }

    void whatAPersonInheritsIsNamedOnly()
    {
        qputenv("SONDE_OWN", "mine alone");
        ServerSpec spec = test::demoServer();
        spec.inheritEnvironment = true;
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        qunsetenv("SONDE_OWN");
        const json::Value environment = ServerSnapshot::of(driver.connection()).environment;
        QVERIFY(!environment[u"variables"].contains(u"SONDE_OWN"));
        QVERIFY(environment[u"inherited"].bytes().contains("SONDE_OWN"));
        QVERIFY(!environment.bytes().contains("mine alone"));
    }

    void headersOfAnAddress()
    {
        const auto server = test::HttpProcess::demo();
        QVERIFY(server->isListening());
        ServerSpec spec = server->spec();
        spec.headers = {{u"Authorization"_s, u"Bearer canary-header-1"_s}, {u"X-Team"_s, u"blue"_s}};
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        const ServerSnapshot live = ServerSnapshot::of(driver.connection());
        QCOMPARE(live.environment[u"headers"][u"X-Team"].string(), u"blue"_s);
        QCOMPARE(live.environment[u"headers"][u"Authorization"].string(), u"Bearer ‹authorization›"_s);
        QCOMPARE(live.environment[u"url"].string(), spec.url.toString());
        spec.headers = {{u"Authorization"_s, u"Bearer canary-header-2"_s}};
        Driver other(spec);
        QVERIFY2(other.open(), other.describe().constData());
        QCOMPARE(shape(compareSnapshots(live, ServerSnapshot::of(other.connection()))),
                 u"unknown environment /headers/X-Team, unknown environment /headers/Authorization"_s);
    }

    void stopsWhenItIsCancelled()
    {
        QByteArray tools = "[";
        for (int i = 0; i < 1000; ++i)
            tools += QByteArray(i ? "," : "") + "{\"name\":\"t" + QByteArray::number(i) + "\"}";
        const ServerSnapshot left = snapshotOf("{}", tools + ']');
        const ServerSnapshot right = snapshotOf("{}", "[]");
        std::atomic_bool cancelled = false;
        QCOMPARE(compareSnapshots(left, right, &cancelled).changes.size(), 1000);
        cancelled = true;
        QVERIFY(compareSnapshots(left, right, &cancelled).changes.isEmpty());
    }

    // As in the list and where it is called.
    void theFirstOfSeveralWithOneNameIsCompared()
    {
        const ServerSnapshot twice = snapshotOf("{}", R"([{"name":"a","title":"1"},{"name":"a","title":"2"}])");
        const Comparison comparison = compareSnapshots(twice, snapshotOf("{}", R"([{"name":"a","title":"1"}])"));
        QVERIFY(comparison.changes.isEmpty());
        QCOMPARE(comparison.findings,
                 QStringList(u"server lists 'a' more than once; only the first one is compared."_s));
    }

    void whatWasNotToldIsNotCompared()
    {
        ServerSnapshot left = snapshotOf("{}", R"([{"name":"a"}])");
        ServerSnapshot right = snapshotOf("{}", "[]");
        right.isListed[size_t(ServerSnapshot::List::Tools)] = false;
        const Comparison comparison = compareSnapshots(left, right);
        QVERIFY(comparison.changes.isEmpty());
        QCOMPARE(comparison.findings.size(), 1);
        // Nor by both sides.
        const QByteArray offersTools = R"({"capabilities":{"tools":{}}})";
        for (const QByteArray &handshake : {offersTools, "{}"_ba}) {
            ServerSnapshot silent = snapshotOf(handshake, "[]");
            silent.isListed[size_t(ServerSnapshot::List::Tools)] = false;
            const Comparison both = compareSnapshots(silent, silent);
            const bool isOffered = handshake == offersTools;
            QVERIFY(both.changes.isEmpty());
            QCOMPARE(both.findings.size(), isOffered ? 1 : 0);
            QCOMPARE(both.isComplete, !isOffered);
        }
    }

    // Reports are made of a snapshot. What is masked in one session, or has another mark in each, does not differ.
    void secretsAreMaskedAndDoNotDiffer()
    {
        const QByteArray token = "ghp_" + QByteArray("0123456789abcdefABCDEFghijklmnopqrst").left(36);
        const auto serverWith = [](const QByteArray &secret) {
            ServerSpec spec;
            spec.name = u"secretive"_s;
            spec.revision = Revision::R20251125;
            spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
            spec.arguments = {u"readline"_s,
                              QStringLiteral(R"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",)"
                                             R"("capabilities":{"tools":{},"resources":{}},)"
                                             R"("serverInfo":{"name":"n","version":"1"}}})"),
                              u"readline"_s};
            for (const char *result :
                 {R"({"tools":[{"name":"t","description":"like SECRET","inputSchema":{"type":"object",)"
                  R"("properties":{"a":{"type":"string","examples":["SECRET"]}}}}]})",
                  R"({"resources":[{"name":"r","uri":"x:y?token=SECRET"}]})", R"({"resourceTemplates":[]})"}) {
                const int id = int(spec.arguments.count(u"readline"_s));
                spec.arguments << u"readline"_s
                               << QString::fromUtf8("say:{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) +
                                                    ",\"result\":" + QByteArray(result).replace("SECRET", secret) +
                                                    '}');
            }
            spec.arguments << u"waiteof"_s;
            return spec;
        };
        Driver one(serverWith(token));
        QVERIFY2(one.open(), one.describe().constData());
        Driver other(serverWith(token));
        QVERIFY2(other.open(), other.describe().constData());
        const ServerSnapshot live = ServerSnapshot::of(one.connection());
        for (const ServerSnapshot::List list : {ServerSnapshot::List::Tools, ServerSnapshot::List::Resources}) {
            QCOMPARE(live.of(list).size(), 1);
            const auto &[name, entry] = live.of(list).first();
            QVERIFY2(!entry.bytes().contains(token) && !name.contains(QString::fromUtf8(token)),
                     entry.bytes().constData());
        }
        const Result<ServerSnapshot> recorded = ServerSnapshot::of(other.session());
        QVERIFY(recorded);
        const Comparison comparison = compareSnapshots(live, *recorded);
        QVERIFY2(comparison.isOfferSame(), qPrintable(shape(comparison)));
        QVERIFY(!comparisonJson(compareSnapshots(live, snapshotOf("{}", "[]"))).contains(token));
    }

    void aLiveServerAndItsRecordingAreTheSame()
    {
        Driver driver(test::demoServer());
        QVERIFY2(driver.open(), driver.describe().constData());
        const ServerSnapshot live = ServerSnapshot::of(driver.connection());
        const Result<ServerSnapshot> recorded = ServerSnapshot::of(driver.session());
        QVERIFY(recorded);
        QVERIFY(live.handshake.isObject());
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            QVERIFY(live.isListed[size_t(info.list)]);
            QVERIFY(!live.of(info.list).isEmpty());
        }
        const Comparison comparison = compareSnapshots(live, *recorded);
        QVERIFY2(comparison.changes.isEmpty(), qPrintable(shape(comparison)));
        QVERIFY(!ServerSnapshot::of(Session()));
    }
};

SONDE_TEST(tst_Comparison)
#include "tst_comparison.moc"
