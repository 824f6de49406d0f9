// Sessions of the three reference servers, every tool in them, replayed: against a fresh start of the same server only
// what is random differs, against a copy that was changed the changes do.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/replay/replayer.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/e2e/driver.h"
#include "tests/e2e/peers.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::tell;
using Status = ReplayStep::Status;

namespace {

using ToolCalls = QList<std::pair<QString, QByteArray>>;

// A text of a server's program, and what stands there instead.
struct Edit {
    QString file;
    QByteArray from;
    QByteArray to;
};

// Each as "tool: pointer", or "method: pointer" where there is no tool.
using Places = QSet<QString>;

}  // namespace

class tst_ReferenceReplays : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        m_path = m_folder->filePath(u"recorded.mcpsession"_s);
    }

    // Its whole surface is the business of tst_wholecircle.
    void everything()
    {
        ServerSpec server = test::peer(u"server-everything"_s);
        record(server,
               {{u"echo"_s, R"({"message":"x"})"},
                {u"get-env"_s, "{}"},
                {u"get-sum"_s, R"({"a":1,"b":2})"},
                {u"get-tiny-image"_s, "{}"}},
               false);
        if (QTest::currentTestFailed())
            return;
        replay(server, {});
        replay(
            changed(u"server-everything"_s, {{u"tools/echo.js"_s, "message: z.string().describe(\"Message to echo\")",
                                              "message: z.string().max(9).describe(\"Message to echo\")"},
                                             {u"tools/get-sum.js"_s, "The sum of", "The total of"},
                                             {u"tools/index.js"_s, "registerGetTinyImageTool(server);", ""}}),
            {u"tools/list: /tools/0/inputSchema/properties/message/maxLength"_s, u"get-sum: /content/0/text"_s,
             u"tools/list: /tools/7"_s, u"get-tiny-image: /content/0/text"_s, u"get-tiny-image: /content/1"_s,
             u"get-tiny-image: /content/2"_s, u"get-tiny-image: /isError"_s});
        server.environment.emplaceBack(u"SONDE_CHANGED"_s, u"1"_s);
        replay(server, {u"get-env: /content/0/text#/SONDE_CHANGED"_s});
    }

    void filesystem()
    {
        const QString root = m_folder->filePath(u"root"_s);
        // Each time the file was last changed on another day: what runs fast would see the same second.
        QDateTime changedAt(QDate(2020, 1, 1), QTime(12, 0));
        const auto reset = [&root, &changedAt] {
            QDir(root).removeRecursively();
            QVERIFY(QDir().mkpath(root));
            test::writeFile(root + u"/dot.txt"_s, "one\ntwo\n");
            changedAt = changedAt.addDays(1);
            QFile file(root + u"/dot.txt"_s);
            QVERIFY(file.open(QIODevice::ReadWrite) && file.setFileTime(changedAt, QFile::FileModificationTime));
            test::writeFile(root + u"/dot.png"_s, "\x89PNG\r\n\x1a\n");
        };
        const auto path = [&root](const char *name) { return json::quoted(root + u'/' + QString::fromLatin1(name)); };
        const QByteArray a = path("a.txt");
        const QByteArray here = json::quoted(root);
        const QStringList arguments{root};
        const ServerSpec server = test::peer(u"server-filesystem"_s, arguments);
        reset();
        record(server,
               {{u"list_allowed_directories"_s, "{}"},
                {u"create_directory"_s, "{\"path\":" + path("sub") + '}'},
                {u"write_file"_s, "{\"path\":" + a + ",\"content\":\"grüße\\nsecond\\n\"}"},
                {u"read_file"_s, "{\"path\":" + a + '}'},
                {u"read_text_file"_s, "{\"path\":" + a + ",\"head\":1}"},
                {u"read_media_file"_s, "{\"path\":" + path("dot.png") + '}'},
                {u"read_multiple_files"_s, "{\"paths\":[" + a + ',' + path("dot.txt") + "]}"},
                {u"edit_file"_s, "{\"path\":" + a + ",\"edits\":[{\"oldText\":\"second\",\"newText\":\"third\"}]}"},
                {u"list_directory"_s, "{\"path\":" + here + '}'},
                {u"list_directory_with_sizes"_s, "{\"path\":" + here + ",\"sortBy\":\"size\"}"},
                {u"directory_tree"_s, "{\"path\":" + here + '}'},
                {u"search_files"_s, "{\"path\":" + here + ",\"pattern\":\"**/*.txt\"}"},
                {u"get_file_info"_s, "{\"path\":" + path("dot.txt") + '}'},
                {u"move_file"_s, "{\"source\":" + a + ",\"destination\":" + path("b.txt") + '}'},
                {u"read_text_file"_s, R"({"path":"/etc/hostname"})"}});
        if (QTest::currentTestFailed())
            return;
        const QByteArray times = R"({"ignore":[{"pattern":"timestamp","target":"get_file_info"}]})";
        reset();
        replay(server, {}, times);
        reset();
        replay(server, {u"get_file_info: /content/0/text"_s, u"get_file_info: /structuredContent/content"_s});
        reset();
        replay(
            changed(u"server-filesystem"_s,
                    {{u"index.js"_s, "head: z.number().optional().describe(\"If provided, returns only the first",
                      "head: z.number().describe(\"If provided, returns only the first"},
                     {u"index.js"_s, "Successfully wrote to", "Wrote"},
                     {u"index.js"_s, "server.registerTool(\"search_files\"",
                      "({ registerTool() {} }).registerTool(\"search_files\""}},
                    arguments),
            {u"tools/list: /tools/1/inputSchema/required/1"_s, u"read_text_file: /content/0/text"_s,
             u"write_file: /content/0/text"_s, u"write_file: /structuredContent/content"_s, u"tools/list: /tools/11"_s,
             u"search_files: /content/0/text"_s, u"search_files: /isError"_s, u"search_files: /structuredContent"_s},
            times);
    }

    void memory()
    {
        const QString kept = m_folder->filePath(u"memory.jsonl"_s);
        const auto with = [&kept](ServerSpec server) {
            server.environment.emplaceBack(u"MEMORY_FILE_PATH"_s, kept);
            return server;
        };
        const ServerSpec server = with(test::peer(u"server-memory"_s));
        record(server,
               {{u"create_entities"_s, R"({"entities":[{"name":"Ada","entityType":"person","observations":["counts"]},)"
                                       R"({"name":"Engine","entityType":"machine","observations":[]}]})"},
                {u"create_relations"_s, R"({"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]})"},
                {u"add_observations"_s, R"({"observations":[{"entityName":"Ada","contents":["writes"]}]})"},
                {u"read_graph"_s, "{}"},
                {u"search_nodes"_s, R"({"query":"writes"})"},
                {u"open_nodes"_s, R"({"names":["Engine"]})"},
                {u"delete_observations"_s, R"({"deletions":[{"entityName":"Ada","observations":["counts"]}]})"},
                {u"delete_relations"_s, R"({"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]})"},
                {u"delete_entities"_s, R"({"entityNames":["Engine"]})"},
                {u"read_graph"_s, "{}"}});
        if (QTest::currentTestFailed())
            return;
        QVERIFY(QFile::remove(kept));
        replay(server, {});
        QVERIFY(QFile::remove(kept));
        replay(with(changed(u"server-memory"_s,
                            {{u"index.js"_s, "query: z.string().describe(", "query: z.string().min(2).describe("},
                             {u"index.js"_s, "text: \"Relations deleted successfully\"", "text: \"Relations gone\""},
                             {u"index.js"_s, "server.registerTool(\"open_nodes\"",
                              "({ registerTool() {} }).registerTool(\"open_nodes\""}})),
               {u"tools/list: /tools/7/inputSchema/properties/query/minLength"_s,
                u"delete_relations: /content/0/text"_s, u"tools/list: /tools/8"_s, u"open_nodes: /content/0/text"_s,
                u"open_nodes: /isError"_s, u"open_nodes: /structuredContent"_s});
    }

private:
    // A copy of the server with other words in its program.
    ServerSpec changed(const QString &package, const QList<Edit> &edits, const QStringList &arguments = {})
    {
        ServerSpec spec = test::peer(package, arguments);
        const QDir original(QFileInfo(spec.arguments.constFirst()).path());
        const QString copy = m_folder->filePath(u"changed"_s);
        QDir(copy).removeRecursively();
        QDirIterator files(original.path(), QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString to = copy + u"/dist/"_s + original.relativeFilePath(files.next());
            if (!QDir().mkpath(QFileInfo(to).path()) || !QFile::copy(files.filePath(), to))
                qFatal("cannot copy %s", qUtf8Printable(files.filePath()));
        }
        QFile::copy(original.filePath(u"../package.json"_s), copy + u"/package.json"_s);
        QFile::link(QStringLiteral(SONDE_SOURCE_DIR "/tests/peers/node_modules"), copy + u"/node_modules"_s);
        for (const Edit &edit : edits) {
            QFile file(copy + u"/dist/"_s + edit.file);
            if (!file.open(QIODevice::ReadWrite))
                qFatal("cannot change %s", qUtf8Printable(file.fileName()));
            QByteArray text = file.readAll();
            if (text.count(edit.from) != 1)
                qFatal("'%s' stands %lld times in %s", edit.from.constData(), qlonglong(text.count(edit.from)),
                       qUtf8Printable(edit.file));
            text.replace(edit.from, edit.to);
            file.resize(0);
            file.seek(0);
            file.write(text);
        }
        spec.arguments[0] = copy + u"/dist/index.js"_s;
        return spec;
    }

    void record(const ServerSpec &server, const ToolCalls &calls, bool all = true)
    {
        ConnectionOptions options;
        options.sessionPath = m_path;
        Driver driver(server, options);
        QVERIFY2(driver.open(), driver.describe().constData());
        QSet<QString> untried;
        for (const Tool &tool : driver.catalog().tools())
            untried.insert(tool.name);
        for (const Resource &resource : driver.catalog().resources())
            QVERIFY(driver.run(driver.connection().readResource(resource.uri)).kind == Outcome::Kind::Ok);
        for (const auto &[tool, arguments] : calls) {
            QVERIFY(driver.callTool(tool, arguments).kind != Outcome::Kind::NoResponse);
            untried.remove(tool);
        }
        QVERIFY2(!all || untried.isEmpty(), qPrintable(untried.values().join(u", "_s)));
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    // Differences are at these places, all of them, and nowhere else.
    void replay(const ServerSpec &server, const Places &expected, const QByteArray &rulesText = {})
    {
        if (QTest::currentTestFailed())
            return;
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        QVERIFY2(session, qPrintable(session ? QString() : session.error().message));
        const ReplayRules rules = rulesText.isEmpty() ? ReplayRules() : *ReplayRules::parse(rulesText, u"rules"_s);
        test::Replay again(**session, server, rules, replayOptions(replayMaterial(**session)));
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QVERIFY(replayer.steps().size() > 8);
        Places places;
        for (const ReplayStep &step : replayer.steps()) {
            QVERIFY2(step.status == Status::Same || step.status == Status::Changed, tell(replayer).constData());
            QCOMPARE(step.status == Status::Same, step.differences.isEmpty());
            for (const json::Difference &difference : step.differences) {
                const QString where = step.method == u"tools/call"_s ? step.target : step.method;
                places.insert(where + u": "_s + difference.pointer);
            }
        }
        QStringList found = places.values();
        found.sort();
        QVERIFY2(places == expected, (found.join(u'\n').toUtf8() + '\n' + tell(replayer)).constData());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(tst_ReferenceReplays)
#include "tst_referencereplays.moc"
