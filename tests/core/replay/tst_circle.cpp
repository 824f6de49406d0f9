// Record, mock and replay, with the real servers of tests/peers: the circle closes.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/protocol/uritemplate.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/e2e/peers.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::Replay;
using sonde::test::tell;
using Status = ReplayStep::Status;

namespace {

using ToolCalls = QList<std::pair<QString, QByteArray>>;

// Every tool that server-everything offers to a client without capabilities, with valid and invalid arguments.
const ToolCalls &everything()
{
    static const ToolCalls calls{
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
        {u"gzip-file-as-resource"_s,
         R"({"name":"a.gz","data":"data:text/plain;base64,SGVsbG8=","outputType":"resource"})"},
        {u"trigger-long-running-operation"_s, R"({"duration":0.1,"steps":2})"},
        {u"simulate-research-query"_s, R"({"topic":"waves"})"},
        {u"no-such-tool"_s, "{}"},
        {u"toggle-simulated-logging"_s, "{}"},
        {u"toggle-subscriber-updates"_s, "{}"},
    };
    return calls;
}

}  // namespace

class tst_Circle : public QObject {
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

    void everythingMockedAndReplayed_data()
    {
        QTest::addColumn<bool>("http");
        QTest::newRow("stdio") << false;
        QTest::newRow("HTTP") << true;
    }
    void everythingMockedAndReplayed()
    {
        QFETCH(bool, http);
        recordEverything();
        if (QTest::currentTestFailed())
            return;
        std::unique_ptr<test::HttpProcess> process;
        ServerSpec mock;
        mock.name = u"mock"_s;
        mock.command = QStringLiteral(SONDE_BIN_DIR "/sonde-cli");
        mock.arguments = QStringList{u"mock"_s, m_path};
        if (http) {
            process = std::make_unique<test::HttpProcess>(mock.command, mock.arguments + QStringList{u"--http"_s},
                                                          "listening on ", u"%1"_s);
            QVERIFY(process->isListening());
            mock = process->spec();
        }
        const QString second = m_folder->filePath(u"mocked.mcpsession"_s);
        replay(mock, m_path, {}, second);
        if (QTest::currentTestFailed())
            return;
        // And once more round: what the mock was recorded saying is what the server was recorded saying.
        const Result<std::unique_ptr<Session>> first = Session::open(m_path);
        const Result<std::unique_ptr<Session>> again = Session::open(second);
        QVERIFY(first && again);
        QCOMPARE(recordedCalls(**again).size(), recordedCalls(**first).size());
    }

    void everythingReplayedAgainstAFreshStart()
    {
        recordEverything();
        if (QTest::currentTestFailed())
            return;
        // The server puts the time into its resources; into some of them as base64.
        replay(test::peer(u"server-everything"_s), m_path,
               R"({"ignore":[{"pattern":"timestamp"},{"pointer":"/contents/*/blob","method":"resources/read"},)"
               R"({"pointer":"/content/*/resource/blob","method":"tools/call"}]})");
    }

    void aChangedServerIsNoticed()
    {
        const ServerSpec server = test::peer(u"server-everything"_s);
        record(server, {{u"echo"_s, R"({"message":"x"})"}, {u"get-env"_s, "{}"}, {u"get-sum"_s, R"({"a":1,"b":2})"}});
        if (QTest::currentTestFailed())
            return;
        ServerSpec changed = server;
        changed.environment.emplaceBack(u"SONDE_CHANGED"_s, u"1"_s);
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        QVERIFY(session);
        Replay again(**session, changed);
        QVERIFY(again.run());
        for (const ReplayStep &step : again.replayer.steps())
            QVERIFY2((step.status == Status::Changed) == (step.target == "get-env"_L1),
                     tell(again.replayer).constData());
        QCOMPARE(again.replayer.count(Status::Changed), 1);
    }

    void filesystemReplayedAgainstAFreshStart()
    {
        const QString root = m_folder->filePath(u"root"_s);
        const auto reset = [&root] {
            QDir(root).removeRecursively();
            QVERIFY(QDir().mkpath(root));
            QFile file(root + u"/dot.txt"_s);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("one\ntwo\n") == 8);
        };
        const auto path = [&root](const char *name) { return json::quoted(root + u'/' + QString::fromLatin1(name)); };
        const ServerSpec server = test::peer(u"server-filesystem"_s, {root});
        reset();
        const QByteArray a = path("a.txt");
        record(server,
               {{u"list_allowed_directories"_s, "{}"},
                {u"create_directory"_s, "{\"path\":" + path("sub") + '}'},
                {u"write_file"_s, "{\"path\":" + a + ",\"content\":\"grüße\\nsecond\\n\"}"},
                {u"read_text_file"_s, "{\"path\":" + a + ",\"head\":1}"},
                {u"read_multiple_files"_s, "{\"paths\":[" + a + ',' + path("dot.txt") + "]}"},
                {u"edit_file"_s, "{\"path\":" + a + ",\"edits\":[{\"oldText\":\"second\",\"newText\":\"third\"}]}"},
                {u"list_directory"_s, "{\"path\":" + json::quoted(root) + '}'},
                {u"directory_tree"_s, "{\"path\":" + json::quoted(root) + '}'},
                {u"get_file_info"_s, "{\"path\":" + a + '}'},
                {u"move_file"_s, "{\"source\":" + a + ",\"destination\":" + path("b.txt") + '}'},
                {u"read_text_file"_s, R"({"path":"/etc/hostname"})"}});
        if (QTest::currentTestFailed())
            return;
        reset();
        replay(server, m_path, R"({"ignore":[{"pattern":"timestamp","target":"get_file_info"}]})");
    }

    void memoryReplayedAgainstAFreshStart()
    {
        const QString kept = m_folder->filePath(u"memory.jsonl"_s);
        ServerSpec server = test::peer(u"server-memory"_s);
        server.environment.emplaceBack(u"MEMORY_FILE_PATH"_s, kept);
        record(server,
               {{u"create_entities"_s, R"({"entities":[{"name":"Ada","entityType":"person","observations":["counts"]},)"
                                       R"({"name":"Engine","entityType":"machine","observations":[]}]})"},
                {u"create_relations"_s, R"({"relations":[{"from":"Ada","to":"Engine","relationType":"programs"}]})"},
                {u"read_graph"_s, "{}"},
                {u"search_nodes"_s, R"({"query":"counts"})"},
                {u"delete_entities"_s, R"({"entityNames":["Engine"]})"},
                {u"read_graph"_s, "{}"}});
        if (QTest::currentTestFailed())
            return;
        QVERIFY(QFile::remove(kept));
        replay(server, m_path, {});
        // Against what the first replay left behind the same calls have other answers.
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        QVERIFY(session);
        Replay again(**session, server);
        QVERIFY(again.run());
        QVERIFY2(again.replayer.count(Status::Changed) > 0, tell(again.replayer).constData());
    }

private:
    void record(const ServerSpec &server, const ToolCalls &calls)
    {
        ConnectionOptions options;
        options.sessionPath = m_path;
        Driver driver(server, options);
        QVERIFY2(driver.open(), driver.describe().constData());
        for (const auto &[tool, arguments] : calls)
            QVERIFY(driver.callTool(tool, arguments).kind != Outcome::Kind::NoAnswer);
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    void recordEverything()
    {
        ConnectionOptions options;
        options.sessionPath = m_path;
        Driver driver(test::peer(u"server-everything"_s), options);
        QVERIFY2(driver.open(), driver.describe().constData());
        const auto answered = [](const Outcome &outcome) { return outcome.kind != Outcome::Kind::NoAnswer; };
        for (const auto &[tool, arguments] : everything())
            QVERIFY(answered(driver.callTool(tool, arguments)));
        QStringList addresses{u"demo://resource/nowhere"_s};
        for (const Resource &resource : driver.catalog().resources())
            addresses.append(resource.uri);
        for (const ResourceTemplate &each : driver.catalog().resourceTemplates()) {
            const Result<UriTemplate> uriTemplate = UriTemplate::parse(each.uriTemplate);
            QMap<QString, UriTemplate::Value> values;
            for (const QString &variable : uriTemplate->variables())
                values.insert(variable, u"1"_s);
            addresses.append(*uriTemplate->expand(values));
        }
        for (const QString &uri : std::as_const(addresses))
            QVERIFY(answered(driver.run(driver.connection().readResource(uri))));
        const QMap<QString, QString> known{
            {u"department"_s, u"Engineering"_s}, {u"resourceType"_s, u"Text"_s}, {u"resourceId"_s, u"1"_s}};
        QStringList prompts;
        for (const Prompt &prompt : driver.catalog().prompts())
            prompts.append(prompt.name);
        for (const QString &name : std::as_const(prompts)) {
            json::Builder arguments;
            arguments.beginObject();
            if (const Prompt *prompt = driver.catalog().prompt(name)) {
                for (const PromptArgument &argument : prompt->arguments)
                    arguments.member(argument.name, known.value(argument.name, u"Bern"_s));
            }
            arguments.endObject();
            QVERIFY(answered(driver.run(driver.connection().promptGet(name, arguments.take()))));
        }
        QVERIFY(answered(driver.run(driver.connection().setLogLevel(u"debug"_s))));
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    void replay(const ServerSpec &server, const QString &path, const QByteArray &rulesText,
                const QString &recordPath = {})
    {
        const Result<std::unique_ptr<Session>> session = Session::open(path);
        QVERIFY2(session, qPrintable(session ? QString() : session.error().message));
        ReplayRules rules;
        if (!rulesText.isEmpty()) {
            const Result<ReplayRules> read = ReplayRules::parse(rulesText, u"rules"_s);
            QVERIFY2(read, qPrintable(read ? QString() : read.error().message));
            rules = *read;
        }
        Replay again(**session, server, rules, test::quiet(recordPath));
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size(), tell(replayer).constData());
        QVERIFY(replayer.steps().size() > 8);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(tst_Circle)
#include "tst_circle.moc"
