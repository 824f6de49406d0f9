// sonde-cli: the same mistake has the same exit code, whatever the verb, and a name that does not exist brings the one
// that was meant.
// SPDX-License-Identifier: Apache-2.0
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::demoProgram;
using sonde::test::runCli;

class tst_CliMistakes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_session = m_folder.filePath(u"s.mcpsession"_s);
        const CliRun run = askDemo({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--record"_s, m_session});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        // A saved call, which run tells by its content.
        m_script = m_folder.filePath(u"script"_s);
        test::writeFile(m_script, R"({"tool":"add","arguments":{"a":1,"b":2}})");
        m_hosts = m_folder.filePath(u"hosts.json"_s);
        test::writeFile(m_hosts, R"({"mcpServers":{"files":{"command":"x"}}})");
        const QString saved = userFolder(UserFolder::Config);
        QVERIFY(QDir(saved).removeRecursively() && QDir().mkpath(saved));
        test::writeFile(saved + u"/servers.json"_s,
                        "{\"mcpServers\":{\"demo\":{\"command\":" + json::quoted(demoProgram()) + "}}}");
        for (const QString &verb : allVerbs()) {
            m_help.insert(verb, QString::fromUtf8(runCli({verb, u"--help"_s}).out));
            m_options.insert(verb, completions({verb, u"--"_s}));
        }
        QVERIFY(m_help.size() > 20);
        QVERIFY(takes(u"info"_s, u"--record"_s) && takes(u"info"_s, u"--ca"_s) && takes(u"info"_s, u"--server"_s));
    }
    void cleanupTestCase() { QDir(userFolder(UserFolder::Config)).removeRecursively(); }

    void theSameMistakeHasTheSameExitCode_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const QString nowhere = u"/nowhere/x"_s;
        const QString unwritable = u"/proc/x"_s;  // its folder exists
        for (const QString &verb : allVerbs()) {
            const auto row = [&verb](const char *mistake, const QStringList &words, int code) {
                QTest::addRow("%s: %s", qPrintable(verb), mistake) << words << code;
            };
            const QStringList words = wordsOf(verb);
            row("unknown option", QStringList{verb, u"--frobnicate"_s} + words, 4);
            if (takes(verb, u"--server"_s)) {
                const QStringList server{u"--server"_s, u"nobody"_s};
                row("unknown server",
                    QStringList{verb} + ownWordsOf(verb) + server + (verb == u"diff" ? server : QStringList()), 4);
            }
            for (const QString &option : {u"--args"_s, u"--responses"_s, u"--rules"_s, u"--ca"_s, u"--client-cert"_s,
                                          u"--client-key"_s, u"--config"_s, u"--header-file"_s}) {
                if (!takes(verb, option))
                    continue;
                row(qPrintable(option + u" that is missing"_s), QStringList{verb, option, nowhere} + words, 4);
            }
            if (takes(verb, u"--cwd"_s))
                row("working directory that is missing", QStringList{verb, u"--cwd"_s, nowhere} + words, 4);
            for (const QString &option : {u"--record"_s, u"--junit"_s, u"--output"_s}) {
                if (!takes(verb, option))
                    continue;
                row(qPrintable(option + u" in no folder"_s), QStringList{verb, option, nowhere} + words, 4);
                row(qPrintable(option + u" that cannot be written"_s), QStringList{verb, option, unwritable} + words,
                    3);
            }
        }
        const QStringList demo{u"--"_s, demoProgram()};
        const auto withFile = [&](const char *mistake, const QString &file) {
            const QList<QStringList> all{QStringList{u"log"_s, file},
                                         QStringList{u"stats"_s, file},
                                         QStringList{u"export"_s, file, u"--format"_s, u"har"_s},
                                         QStringList{u"mock"_s, file},
                                         QStringList{u"import"_s, file},
                                         QStringList{u"diff"_s, file, m_session},
                                         QStringList{u"diff"_s, m_session, file},
                                         QStringList{u"replay"_s, file} + demo,
                                         QStringList{u"run"_s, file} + demo};
            for (const QStringList &words : all)
                QTest::addRow("%s: %s", qPrintable(words.join(u' ')), mistake) << words << 4;
        };
        withFile("no such file", nowhere);
        withFile("no such session", m_folder.filePath(u"none.mcpsession"_s));
        withFile("a folder", m_folder.path());
        withFile("not one", demoProgram().section(u'/', 0, -2) + u"/CMakeCache.txt"_s);
        QTest::newRow("a saved server to export") << QStringList{u"export-servers"_s, u"nobody"_s} << 4;
        QTest::newRow("a server to import") << QStringList{u"import"_s, m_hosts, u"nobody"_s} << 4;
        QTest::newRow("unknown verb") << QStringList{u"frob"_s} << 4;
    }
    void theSameMistakeHasTheSameExitCode()
    {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const CliRun run = runCli(words);
        QVERIFY2(run.exitCode == code, run.describe().constData());
        QVERIFY2(!run.err.trimmed().isEmpty(), run.describe().constData());
    }

    // The help of each verb says what its exit codes mean.
    void helpHasTheTable()
    {
        for (auto help = m_help.cbegin(); help != m_help.cend(); ++help) {
            if (help.key() == u"completion")
                continue;
            for (const char *row : {"Exit codes:", "\n  0  ", "\n  3  ", "\n  4  ", "\n  141  ", "\n  143  "})
                QVERIFY2(help.value().contains(QLatin1String(row)), qPrintable(help.value()));
        }
    }

    void namesWhatWasMeant_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("suggestion");
        QTest::addColumn<int>("code");
        const QStringList demo{u"--"_s, demoProgram()};
        QTest::newRow("verb") << QStringList{u"lst"_s} << "Did you mean 'list'?"_ba << 4;
        QTest::newRow("option") << QStringList{u"info"_s, u"--jsno"_s} + demo << "did you mean --json?"_ba << 4;
        QTest::newRow("server") << QStringList{u"info"_s, u"--server"_s, u"dmeo"_s} << "Did you mean 'demo'?"_ba << 4;
        QTest::newRow("server to export")
            << QStringList{u"export-servers"_s, u"Demos"_s} << "Did you mean 'demo'?"_ba << 4;
        QTest::newRow("server to import")
            << QStringList{u"import"_s, m_hosts, u"fils"_s} << "Did you mean 'files'?"_ba << 4;
        QTest::newRow("tool") << QStringList{u"call"_s, u"ech"_s, u"text=a"_s} + demo << "Did you mean 'echo'?"_ba << 4;
        QTest::newRow("prompt") << QStringList{u"prompt"_s, u"sumarize"_s} + demo << "Did you mean 'summarize'?"_ba
                                << 2;
        QTest::newRow("resource") << QStringList{u"read"_s, u"demo://live/clok"_s} + demo
                                  << "Did you mean 'demo://live/clock'?"_ba << 2;
        const QString session = m_folder.filePath(u"S.mcpsesion"_s);
        const QByteArray meant = "Did you mean '" + m_session.toUtf8() + "'?";
        QTest::newRow("log") << QStringList{u"log"_s, session} << meant << 4;
        QTest::newRow("mock") << QStringList{u"mock"_s, session} << meant << 4;
        QTest::newRow("diff") << QStringList{u"diff"_s, session, m_session} << meant << 4;
        QTest::newRow("replay") << QStringList{u"replay"_s, session} + demo << meant << 4;
        QTest::newRow("run") << QStringList{u"run"_s, m_folder.filePath(u"scirpt"_s)} + demo << "/script'?"_ba << 4;
        QTest::newRow("import") << QStringList{u"import"_s, m_folder.filePath(u"host.json"_s)} << "/hosts.json'?"_ba
                                << 4;
    }
    void namesWhatWasMeant()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, suggestion);
        QFETCH(int, code);
        const CliRun run = runCli(words);
        QVERIFY2(run.exitCode == code, run.describe().constData());
        QVERIFY2(run.err.contains(suggestion), run.describe().constData());
    }

    void suggestsNothingThatIsNotClose()
    {
        for (const QStringList &words : {QStringList{u"frobnicate"_s}, QStringList{u"log"_s, u"/nowhere/x"_s},
                                         QStringList{u"call"_s, u"frobnicate"_s, u"--"_s, demoProgram()}}) {
            const CliRun run = runCli(words);
            QVERIFY2(run.exitCode == 4 && !run.err.contains("Did you mean"), run.describe().constData());
        }
    }

    // Nothing is sent; but request can still call it, and so does call where the list cannot be read.
    void aToolThatIsNotListedIsNotCalled()
    {
        const QString recording = m_folder.filePath(u"call.mcpsession"_s);
        const CliRun refused = askDemo({u"call"_s, u"ech"_s, u"--record"_s, recording});
        QVERIFY2(refused.exitCode == 4 && refused.err.contains("The server has no tool 'ech'."),
                 refused.describe().constData());
        QVERIFY(!test::readFile(recording).contains("tools/call"));
        const QString params = u"{\"name\":\"ech\"}"_s;
        QCOMPARE(askDemo({u"request"_s, u"tools/call"_s, u"--params"_s, params}).exitCode, 2);
        QCOMPARE(askDemo({u"call"_s, u"--params"_s, params}).exitCode, 2);
        const CliRun unlisted = askDemo({u"call"_s, u"echo"_s, u"value=a"_s, u"--timeout"_s, u"1"_s},
                                        {u"--never-respond"_s, u"tools/list"_s});
        QVERIFY2(unlisted.exitCode == 0, unlisted.describe().constData());
        QVERIFY2(unlisted.err.contains("could not be listed"), unlisted.describe().constData());
    }

    // A line of a script may add a tool that a later one calls.
    void aScriptKnowsToolsThatCameMeanwhile()
    {
        const CliRun run =
            askDemo({u"run"_s, u"-"_s, u"--keep-going"_s}, {}, "call toggle-tools\ncall now-you-see-me\n");
        QVERIFY2(!run.err.contains("has no tool"), run.describe().constData());
    }

    void aUrlNeedsNoScheme()
    {
        const CliRun run = runCli({u"info"_s, u"--url"_s, u"example.invalid"_s, u"--timeout"_s, u"20"_s});
        QVERIFY2(run.exitCode == 3 && !run.err.contains("scheme"), run.describe().constData());
        QVERIFY2(run.err.contains("example.invalid"), run.describe().constData());
    }

    void importSaysThatNothingWasFound()
    {
        QTemporaryDir empty;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &name : {u"HOME"_s, u"XDG_CONFIG_HOME"_s, u"XDG_DATA_HOME"_s})
            environment.insert(name, empty.path());
        const CliRun run = runCli({u"import"_s, u"--found"_s}, {}, empty.path(), environment);
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        QVERIFY2(run.err.contains("No servers from other MCP clients found."), run.describe().constData());
    }

    void anUnreadListIsPunctuated()
    {
        const CliRun run = askDemo({u"check"_s, u"--timeout"_s, u"0.5"_s}, {u"--never-respond"_s, u"tools/list"_s});
        QVERIFY2(!run.out.contains(".,") && !run.out.contains(".;"), run.describe().constData());
        QVERIFY2(run.out.contains("; resources"), run.describe().constData());
    }

    void whatStandsOnceIsNotSaidToStandOneTimes()
    {
        const CliRun run = runCli(
            {u"export"_s, m_session, u"--format"_s, u"jsonl"_s, u"--preview"_s, u"--secret"_s, u"sonde-demo-server"_s});
        QVERIFY2(run.exitCode == 0 && run.out.contains(", first in record"), run.describe().constData());
        QVERIFY2(!run.out.contains("  1 times") && !run.out.contains(", 1 bytes"), run.describe().constData());
    }

private:
    // What a shell offers for the last word.
    static QStringList completions(const QStringList &words)
    {
        QProcess cli;  // not runCli(), which adds an option
        cli.start(test::cliProgram(), QStringList{u"completion"_s, u"bash"_s, u"--"_s} + words);
        cli.waitForFinished();
        return QString::fromUtf8(cli.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts).mid(1);
    }

    static QStringList allVerbs()
    {
        QStringList names = completions({QString()});
        names.removeIf([](const QString &name) { return name.startsWith(u'-'); });
        return names;
    }

    // Also those that the help of the verb only refers to.
    bool takes(const QString &verb, const QString &option) const { return m_options.value(verb).contains(option); }

    // What the verb needs but for a server, so that one mistake is the only one.
    QStringList ownWordsOf(const QString &verb) const
    {
        const QHash<QString, QStringList> words{
            {u"call"_s, {u"add"_s, u"a=1"_s, u"b=2"_s}},
            {u"describe"_s, {u"add"_s}},
            {u"find"_s, {u"add"_s}},
            {u"read"_s, {u"demo://readme"_s}},
            {u"prompt"_s, {u"greeting"_s}},
            {u"request"_s, {u"tools/list"_s}},
            {u"complete"_s, {u"topic"_s, u"--prompt"_s, u"summarize"_s}},
            {u"subscribe"_s, {u"demo://clock"_s, u"--for"_s, u"0.1"_s}},
            {u"log-level"_s, {u"debug"_s, u"--for"_s, u"0.1"_s}},
            {u"run"_s, {m_script}},
            {u"replay"_s, {m_session}},
            {u"mock"_s, {m_session}},
            {u"export"_s, {m_session, u"--format"_s, u"har"_s}},
            {u"log"_s, {m_session}},
            {u"stats"_s, {m_session}},
            {u"import"_s, {m_hosts, u"--list"_s}},
            {u"completion"_s, {u"bash"_s}},
        };
        return words.value(verb);
    }

    QStringList wordsOf(const QString &verb) const
    {
        if (verb == u"diff")
            return {m_session, m_session};
        const bool needsServer = m_help.value(verb).contains(u"-- COMMAND"_s);
        return ownWordsOf(verb) + (needsServer ? QStringList{u"--"_s, demoProgram()} : QStringList());
    }

    QTemporaryDir m_folder;
    QString m_session;
    QString m_script;
    QString m_hosts;
    QHash<QString, QString> m_help;
    QHash<QString, QStringList> m_options;
};

SONDE_TEST(tst_CliMistakes)
#include "tst_climistakes.moc"
