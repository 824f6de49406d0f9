// @modelcontextprotocol/server-filesystem and server-memory through the core: every tool, with arguments that work.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/e2e/driver.h"
#include "tests/e2e/peers.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;

namespace {

struct ToolStep {
    QString tool;
    QByteArray arguments;
    QString text;  // a part of what it says
    Outcome::Kind kind = Outcome::Kind::Ok;
};

}  // namespace

class tst_ReferenceServers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
    }

    void filesystem()
    {
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        test::writeFile(folder.filePath(u"dot.png"_s), "\x89PNG\r\n\x1a\n");
        const auto path = [&folder](const char *name) {
            return json::quoted(folder.filePath(QString::fromLatin1(name)));
        };
        const QByteArray a = path("a.txt");
        const QByteArray here = json::quoted(folder.path());
        const QByteArray atA = "{\"path\":" + a + '}';
        const QByteArray atFolder = "{\"path\":" + here + '}';
        runEveryTool(test::peer(u"server-filesystem"_s, {folder.path()}),
                     {{u"list_allowed_directories"_s, "{}", folder.path()},
                      {u"create_directory"_s, "{\"path\":" + path("sub") + '}', u"sub"_s},
                      {u"write_file"_s, "{\"path\":" + a + ",\"content\":\"grüße\\nsecond\\n\"}", u"a.txt"_s},
                      {u"read_file"_s, atA, u"grüße"_s},
                      {u"read_text_file"_s, "{\"path\":" + a + ",\"head\":1}", u"grüße"_s},
                      {u"read_media_file"_s, "{\"path\":" + path("dot.png") + '}', {}},
                      {u"read_multiple_files"_s, "{\"paths\":[" + a + "]}", u"second"_s},
                      {u"edit_file"_s,
                       "{\"path\":" + a + ",\"edits\":[{\"oldText\":\"second\",\"newText\":\"third\"}]}", u"+third"_s},
                      {u"list_directory"_s, atFolder, u"a.txt"_s},
                      {u"list_directory_with_sizes"_s, "{\"path\":" + here + ",\"sortBy\":\"size\"}", u"a.txt"_s},
                      {u"directory_tree"_s, atFolder, u"dot.png"_s},
                      {u"search_files"_s, "{\"path\":" + here + ",\"pattern\":\"**/*.txt\"}", u"a.txt"_s},
                      {u"get_file_info"_s, atA, u"size"_s},
                      {u"move_file"_s, "{\"source\":" + a + ",\"destination\":" + path("b.txt") + '}', u"b.txt"_s},
                      {u"read_text_file"_s, R"({"path":"/etc/hostname"})", u"outside"_s, Outcome::Kind::ToolError}});
        QCOMPARE(test::readFile(folder.filePath(u"b.txt"_s)), QByteArray("grüße\nthird\n"));
    }

    void memory()
    {
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        ServerSpec spec = test::peer(u"server-memory"_s);
        spec.environment.emplaceBack(u"MEMORY_FILE_PATH"_s, folder.filePath(u"memory.jsonl"_s));
        runEveryTool(
            spec,
            {{u"create_entities"_s,
              R"({"entities":[{"name":"Ada","entityType":"person","observations":["counts"]},)"
              R"({"name":"Engine","entityType":"machine","observations":[]}]})",
              u"Ada"_s},
             {u"create_relations"_s, R"({"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]})",
              u"programs"_s},
             {u"add_observations"_s, R"({"observations":[{"entityName":"Ada","contents":["writes"]}]})", u"writes"_s},
             {u"read_graph"_s, "{}", u"Engine"_s},
             {u"search_nodes"_s, R"({"query":"writes"})", u"Ada"_s},
             {u"open_nodes"_s, R"({"names":["Engine"]})", u"machine"_s},
             {u"delete_observations"_s, R"({"deletions":[{"entityName":"Ada","observations":["counts"]}]})",
              u"deleted"_s},
             {u"delete_relations"_s, R"({"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]})",
              u"deleted"_s},
             {u"delete_entities"_s, R"({"entityNames":["Engine"]})", u"deleted"_s}});
        const QByteArray text = test::readFile(folder.filePath(u"memory.jsonl"_s));
        QVERIFY(text.contains("writes") && !text.contains("Engine"));
    }

private:
    void runEveryTool(const ServerSpec &spec, const QList<ToolStep> &steps)
    {
        Driver driver(spec);
        QVERIFY2(driver.open(), driver.describe().constData());
        QSet<QString> untried;
        for (const Tool &tool : driver.catalog().tools())
            untried.insert(tool.name);
        QVERIFY(untried.size() >= 9);
        for (const ToolStep &step : steps) {
            const Outcome outcome = driver.callTool(step.tool, step.arguments);
            const QString said = test::textOf(outcome);
            const QByteArray evidence = (step.tool + u": "_s + outcome.error.message + said.left(300)).toUtf8();
            QVERIFY2(outcome.kind == step.kind, evidence.constData());
            QVERIFY2(said.contains(step.text), evidence.constData());
            untried.remove(step.tool);
        }
        QVERIFY2(untried.isEmpty(), QStringList(untried.values()).join(u", "_s).toUtf8().constData());
        QVERIFY2(driver.close(), driver.describe().constData());
    }
};

SONDE_TEST(tst_ReferenceServers)
#include "tst_referenceservers.moc"
