// What the programs say of themselves: the help of each verb and topic, the manual pages, and ./run and ./test.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::CliRun;
using sonde::test::runCli;
using sonde::test::verbsOfHelp;

namespace {

constexpr qsizetype Columns = 80;
constexpr qsizetype MaxLines = 74;
const QString releaseDate = u"2026-01-31"_s;

QString helpText(const QStringList &words)
{
    const CliRun run = runCli(words);
    return run.exitCode == 0 && run.err.isEmpty() ? QString::fromUtf8(run.out) : QString();
}

QString overview()
{
    return helpText({u"help"_s});
}

QStringList topics()
{
    return sonde::test::namesInHelp(overview(), u"Help topics:"_s, u"Options:"_s);
}

// The forms of options that a text explains, each at the beginning of a row.
QStringList explainedOptions(const QString &text)
{
    static const QRegularExpression row(u"^  (?:-\\w, )?(--[a-z][a-z+-]*)(?: |$)"_s,
                                        QRegularExpression::MultilineOption);
    QStringList options;
    auto rows = row.globalMatch(text);
    while (rows.hasNext())
        options.append(rows.next().captured(1));
    return options;
}

QStringList examplesOf(const QString &help)
{
    QStringList lines;
    for (const QString &line : help.section(u"\nExamples:\n"_s, 1).split(u'\n')) {
        if (!line.startsWith(u"  sonde-cli "_s))
            break;
        lines.append(line.trimmed());
    }
    return lines;
}

}  // namespace

class tst_CliHelp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (sonde::test::isSanitized())
            QSKIP("This is about texts.");
    }

    void theOverviewNamesVerbsAndTopics()
    {
        QCOMPARE(helpText({u"--help"_s}), overview());
        QVERIFY2(verbsOfHelp().size() > 20, qPrintable(overview()));
        QVERIFY2(verbsOfHelp().contains(u"call"_s) && verbsOfHelp().contains(u"help"_s), qPrintable(overview()));
        QVERIFY2(topics().contains(u"server-options"_s) && topics().contains(u"exit-codes"_s), qPrintable(overview()));
        for (const QString &line : overview().split(u'\n'))
            QVERIFY2(line.size() <= Columns, qPrintable(line));
    }

    void eachVerbIsExplainedAlone()
    {
        for (const QString &verb : verbsOfHelp()) {
            const QString help = helpText({u"help"_s, verb});
            QCOMPARE(helpText({verb, u"--help"_s}), help);
            QVERIFY2(help.startsWith(u"Usage: sonde-cli "_s + verb), qPrintable(help));
            QVERIFY2(help.count(u'\n') <= MaxLines, qPrintable(verb + u'\n' + help));
            QVERIFY2(examplesOf(help).size() >= 2, qPrintable(help));
            for (const QString &line : help.split(u'\n'))
                QVERIFY2(line.size() <= Columns || line.startsWith(u"  sonde-cli "_s), qPrintable(verb + u'\n' + line));
            for (const QString &other : verbsOfHelp())
                QVERIFY2(other == verb || !help.contains(u"Usage: sonde-cli "_s + other + u' '), qPrintable(help));
        }
    }

    // "--ca, --proxy: see sonde-cli help server-options"
    void optionsNamedWithATopicAreExplainedThere()
    {
        static const QRegularExpression reference(
            u"^  ((?:--[a-z-]+(?:, |,\\n  )?)+):(?: |\\n  )see(?: |\\n  )sonde-cli(?: |\\n  )help(?: |\\n  )([a-z-]+)$"_s,
            QRegularExpression::MultilineOption);
        int count = 0;
        for (const QString &verb : verbsOfHelp()) {
            auto references = reference.globalMatch(helpText({verb, u"--help"_s}));
            while (references.hasNext()) {
                const auto match = references.next();
                const QStringList explained = explainedOptions(helpText({u"help"_s, match.captured(2)}));
                for (const QString &option : match.captured(1).simplified().split(u", "_s))
                    QVERIFY2(explained.contains(option), qPrintable(verb + u": "_s + option));
                ++count;
            }
        }
        QVERIFY(count > 20);
    }

    void topicsAreExplained()
    {
        for (const QString &topic : topics()) {
            const QString help = helpText({u"help"_s, topic});
            QVERIFY2(help.count(u'\n') > 3, qPrintable(topic + u'\n' + help));
        }
        QVERIFY(helpText({u"help"_s, u"exit-codes"_s}).contains(u"replay:\n"_s));
    }

    void anUnknownNameIsAnError()
    {
        const CliRun run = runCli({u"help"_s, u"frobnicate"_s});
        QVERIFY2(run.exitCode == 4 && run.out.isEmpty(), run.describe().constData());
        QVERIFY2(run.err.contains("'frobnicate'"), run.describe().constData());
    }

    // As a shell reads them. None gets as far as a server: no program of theirs is found, and nothing listens.
    void examplesAreCommandLinesThatCanBeRead()
    {
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        QVERIFY(QFile::link(sonde::test::cliProgram(), folder.filePath(u"sonde-cli"_s)));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "PATH"})
            environment.insert(QLatin1StringView(variable), folder.path());
        const QString shell = QStandardPaths::findExecutable(u"sh"_s);
        int count = 0;
        for (const QString &verb : verbsOfHelp()) {
            for (QString line : examplesOf(helpText({verb, u"--help"_s}))) {
                line.replace(u"https://example.com/mcp"_s, u"http://127.0.0.1:1/mcp"_s);
                QProcess process;
                process.setProcessEnvironment(environment);
                process.setWorkingDirectory(folder.path());
                process.setStandardInputFile(QProcess::nullDevice());
                process.start(shell, {u"-c"_s, line.section(u" > "_s, 0, 0)});
                QVERIFY2(process.waitForFinished(), qPrintable(line));
                const QByteArray err = process.readAllStandardError();
                QVERIFY2(!err.contains("Try sonde-cli"), qPrintable(line + u'\n' + QString::fromUtf8(err)));
                ++count;
            }
        }
        QVERIFY(count >= 2 * verbsOfHelp().size());
    }

    void manualPagesHaveEverything_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("sections");
        const QStringList always{u"NAME"_s,     u"SYNOPSIS"_s,    u"DESCRIPTION"_s,
                                 u"EXAMPLES"_s, u"EXIT STATUS"_s, u"SEE ALSO"_s};
        const QStringList stored{u"FILES"_s, u"ENVIRONMENT"_s};
        QTest::newRow("sonde-cli") << sonde::test::cliProgram() << QStringList{u"help"_s, u"--man"_s, releaseDate}
                                   << always + stored;
        QTest::newRow("sonde") << sonde::test::builtProgram(u"sonde"_s) << QStringList{u"--man"_s, releaseDate}
                               << always + stored;
        QTest::newRow("sonde-demo-server")
            << sonde::test::demoProgram() << QStringList{u"--man"_s, releaseDate} << always;
    }
    void manualPagesHaveEverything()
    {
        QFETCH(QString, program);
        QFETCH(QStringList, words);
        QFETCH(QStringList, sections);
        const auto output = [&](const QStringList &arguments) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
            QProcess process;
            process.setProcessEnvironment(environment);
            process.start(program, arguments);
            return process.waitForFinished() && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                        : QByteArray();
        };
        const QByteArray page = output(words);
        QVERIFY2(page.startsWith(".TH SONDE") && page.contains(releaseDate.toLatin1()) && page.contains(SONDE_VERSION),
                 page.left(200).constData());
        for (const QString &section : std::as_const(sections))
            QVERIFY2(page.contains("\n.SH " + section.toLatin1() + '\n'), qPrintable(section));
        QString text = QString::fromUtf8(page);
        text.remove(QRegularExpression(u"\\\\f[BIR]"_s)).remove(u'\\');
        QString help = QString::fromUtf8(output({u"--help"_s}));
        if (program == sonde::test::cliProgram()) {
            for (const QString &verb : verbsOfHelp()) {
                QVERIFY2(text.contains(u".SS sonde-cli "_s + verb), qPrintable(verb));
                help += helpText({verb, u"--help"_s});
            }
            for (const QString &topic : topics())
                help += helpText({u"help"_s, topic});
        }
        const QStringList options = explainedOptions(help);
        QVERIFY(options.size() >= 4);
        for (const QString &option : options)
            QVERIFY2(text.contains(QRegularExpression(QRegularExpression::escape(option) + u"(?![a-z+-])"_s)),
                     qPrintable(option));

        const QString mandoc = QStandardPaths::findExecutable(u"mandoc"_s);
        if (mandoc.isEmpty())
            QSKIP("mandoc is not installed");
        QProcess lint;
        lint.start(mandoc, {u"-T"_s, u"lint"_s});
        lint.write(page);
        lint.closeWriteChannel();
        QVERIFY(lint.waitForFinished());
        const QByteArray found = lint.readAllStandardOutput();
        QVERIFY2(found.isEmpty(), found.constData());
    }

    void scriptsExplainThemselvesBeforeTheyBuild_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("run") << u"run"_s;
        QTest::newRow("test") << u"test"_s;
    }
    void scriptsExplainThemselvesBeforeTheyBuild()
    {
        QFETCH(QString, script);
        // With nothing beside it that could be installed or built.
        QTemporaryDir folder;
        QVERIFY(QFile::copy(QStringLiteral(SONDE_SOURCE_DIR) + u'/' + script, folder.filePath(script)));
        for (const QString &option : {u"--help"_s, u"-h"_s}) {
            QProcess process;
            process.start(folder.filePath(script), {option});
            QVERIFY(process.waitForFinished());
            QCOMPARE(process.exitCode(), 0);
            QVERIFY(process.readAllStandardOutput().startsWith("Usage: ./" + script.toLatin1()));
            QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{script});
        }
    }
};

SONDE_TEST(tst_CliHelp)

#include "tst_clihelp.moc"
