// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/commandline.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class CommandLineTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // sh itself says what is right.
    void splitsAsTheShellDoes_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"npx -y @modelcontextprotocol/server-filesystem /tmp",
                                 "a 'b c' d",
                                 "a \"b c\" d",
                                 "a''b",
                                 "''",
                                 "\"\"",
                                 "a '' b",
                                 "a\\ b",
                                 "'a\"b'",
                                 "\"a'b\"",
                                 "\"a\\\"b\"",
                                 "\"a\\\\b\"",
                                 "\"a\\$b\\`c\"",
                                 "\"a\\nb\"",
                                 "'a\\nb'",
                                 "a\\\nb",
                                 "\"a\\\nb\"",
                                 "  a   b  ",
                                 "a\tb",
                                 "x'1 2'\"3 4\"y",
                                 "\\'a\\'",
                                 "node -e 'console.log(\"hi\")'",
                                 "--flag=\"two words\"",
                                 "ü 'é 😀'",
                                 "a\\\\b",
                                 "'multi\nline'"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void splitsAsTheShellDoes()
    {
        QFETCH(QString, text);
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("printf '%s\\0' ") + text});
        QVERIFY(shell.waitForFinished());
        QStringList expected = QString::fromUtf8(shell.readAllStandardOutput()).split(QChar(0));
        expected.removeLast();
        const Result<CommandLine> line = splitCommandLine(text);
        QVERIFY2(line.ok(), line.ok() ? "" : qPrintable(line.error().message));
        QCOMPARE(line->words, expected);
        const Result<CommandLine> again = splitCommandLine(joinCommandLine(line->words));
        QVERIFY(again.ok());
        QCOMPARE(again->words, line->words);
        QVERIFY(again->environment.isEmpty());
    }

    void joinedWordsSurvive()
    {
        const QList<QStringList> lists{{QStringLiteral("A=B"), QStringLiteral("C=D")},
                                       {QStringLiteral("it's"), QStringLiteral("$HOME"), QString()},
                                       {QStringLiteral("a\nb"), QStringLiteral("\\"), QStringLiteral("~")}};
        for (const QStringList &words : lists) {
            const Result<CommandLine> line = splitCommandLine(joinCommandLine(words));
            QVERIFY(line.ok());
            QCOMPARE(line->words, words);
        }
        QCOMPARE(joinCommandLine({QStringLiteral("npx"), QStringLiteral("-y"), QStringLiteral("two words")}),
                 QStringLiteral("npx -y 'two words'"));
    }

    void leadingAssignmentsAreEnvironment()
    {
        const Result<CommandLine> line = splitCommandLine(QStringLiteral("A=1 B='x y' C= prog D=2 'E=3'"));
        QVERIFY(line.ok());
        const QList<std::pair<QString, QString>> expected{{QStringLiteral("A"), QStringLiteral("1")},
                                                          {QStringLiteral("B"), QStringLiteral("x y")},
                                                          {QStringLiteral("C"), QString()}};
        QCOMPARE(line->environment, expected);
        QCOMPARE(line->words, (QStringList{QStringLiteral("prog"), QStringLiteral("D=2"), QStringLiteral("E=3")}));
        // Quoted or no name: a program, as in the shell.
        QVERIFY(splitCommandLine(QStringLiteral("'A'=1"))->environment.isEmpty());
        QVERIFY(splitCommandLine(QStringLiteral("1A=1"))->environment.isEmpty());
    }

    void anUnclosedQuoteIsNamedWithItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::newRow("single") << QStringLiteral("ab 'cd") << QStringLiteral("position 4");
        QTest::newRow("double") << QStringLiteral("\"ab") << QStringLiteral("position 1");
        QTest::newRow("escaped end") << QStringLiteral("x \"ab\\\"") << QStringLiteral("position 3");
    }
    void anUnclosedQuoteIsNamedWithItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, place);
        const Result<CommandLine> line = splitCommandLine(text);
        QVERIFY(!line.ok());
        QVERIFY2(line.error().message.contains(place), qPrintable(line.error().message));
    }

    void shellSyntaxIsAFindingAndNotObeyed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("named");
        QTest::newRow("pipe") << QStringLiteral("a | b") << QStringLiteral("|");
        QTest::newRow("and") << QStringLiteral("a && b") << QStringLiteral("&&");
        QTest::newRow("redirect") << QStringLiteral("a > b") << QStringLiteral(">");
        QTest::newRow("semicolon") << QStringLiteral("a; rm -rf x") << QStringLiteral(";");
        QTest::newRow("variable") << QStringLiteral("a $HOME") << QStringLiteral("$NAME");
        QTest::newRow("substitution") << QStringLiteral("a $(id)") << QStringLiteral("$(");
        QTest::newRow("home") << QStringLiteral("~/bin/a") << QStringLiteral("~");
        QTest::newRow("quoted") << QStringLiteral("a '| b'") << QString();
        QTest::newRow("escaped") << QStringLiteral("a \\| b") << QString();
        QTest::newRow("url") << QStringLiteral("a http://h/?x=1~2") << QString();
    }
    void shellSyntaxIsAFindingAndNotObeyed()
    {
        QFETCH(QString, text);
        QFETCH(QString, named);
        const Result<CommandLine> line = splitCommandLine(text);
        QVERIFY(line.ok());
        QCOMPARE(line->finding.isEmpty(), named.isEmpty());
        QVERIFY(line->finding.contains(named));
        if (QLatin1String(QTest::currentDataTag()) == QLatin1String("semicolon"))
            QCOMPARE(line->words.first(), QStringLiteral("a;"));
    }

    void whatAShellWouldPrepareIsUnderstood_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("environment");
        QTest::addColumn<QStringList>("words");
        const QString home = QDir::homePath();
        QTest::newRow("nothing") << u"node y.js"_s << QString() << QString() << QStringList{u"node"_s, u"y.js"_s};
        QTest::newRow("folder") << u"cd x && node y.js"_s << u"x"_s << QString() << QStringList{u"node"_s, u"y.js"_s};
        QTest::newRow("without blanks") << u"cd 'a b'&&node y"_s << u"a b"_s << QString()
                                        << QStringList{u"node"_s, u"y"_s};
        QTest::newRow("semicolon") << u"cd x; node y"_s << u"x"_s << QString() << QStringList{u"node"_s, u"y"_s};
        QTest::newRow("one after the other")
            << u"cd /a && cd b && ./run"_s << u"/a/b"_s << QString() << QStringList{u"./run"_s};
        QTest::newRow("home") << u"cd ~/x && ./run"_s << QString(home + u"/x"_s) << QString()
                              << QStringList{u"./run"_s};
        QTest::newRow("home as a variable")
            << u"cd $HOME/x && ./run"_s << QString(home + u"/x"_s) << QString() << QStringList{u"./run"_s};
        QTest::newRow("environment") << u"FOO=1 node x"_s << QString() << u"FOO=1"_s << QStringList{u"node"_s, u"x"_s};
        QTest::newRow("export") << u"export A=1 B='2 3' && cd x && C=4 exec node y"_s << u"x"_s << u"A=1 B=2 3 C=4"_s
                                << QStringList{u"node"_s, u"y"_s};
        QTest::newRow("several lines") << u"cd x &&\n  node y"_s << u"x"_s << QString()
                                       << QStringList{u"node"_s, u"y"_s};
        QTest::newRow("one on each line")
            << u"export A=1\r\ncd x\n\nB=2\nnode y"_s << u"x"_s << u"A=1 B=2"_s << QStringList{u"node"_s, u"y"_s};
        QTest::newRow("options on the next line")
            << u"\nnode y\n  --flag\n"_s << QString() << QString() << QStringList{u"node"_s, u"y"_s, u"--flag"_s};
        QTest::newRow("lines in quotes") << u"node 'a\nb'"_s << QString() << QString()
                                         << QStringList{u"node"_s, u"a\nb"_s};
        QTest::newRow("joined lines") << u"node \\\n y"_s << QString() << QString() << QStringList{u"node"_s, u"y"_s};
        // Another command first is for a shell: the line stays as it is.
        QTest::newRow("other command") << u"npm ci && node y"_s << QString() << QString()
                                       << QStringList{u"npm"_s, u"ci"_s, u"&&"_s, u"node"_s, u"y"_s};
        QTest::newRow("in quotes") << u"sh -c 'cd x && node y'"_s << QString() << QString()
                                   << QStringList{u"sh"_s, u"-c"_s, u"cd x && node y"_s};
    }
    void whatAShellWouldPrepareIsUnderstood()
    {
        QFETCH(QString, text);
        const Result<StartLine> line = readStartLine(text);
        QVERIFY2(line.ok(), line.ok() ? "" : qPrintable(line.error().message));
        QTEST(line->folder, "folder");
        QStringList environment;
        for (const auto &[name, value] : line->command.environment)
            environment.append(name + u'=' + value);
        QTEST(environment.join(u' '), "environment");
        QTEST(line->command.words, "words");
    }

    void whatOnlyAShellKnowsIsSaid()
    {
        for (const QString &text : {u"cd $PROJECT && node y"_s, u"cd - && node y"_s, u"cd ~ada && ./run"_s}) {
            const Result<StartLine> line = readStartLine(text);
            QVERIFY2(!line.ok() && line.error().hint.contains(u"sh -c"_s), qPrintable(text));
        }
        QVERIFY(!readStartLine(u"cd x"_s).ok());
    }

    void severalCommandsAreNotTakenForOne()
    {
        for (const QString &text : {u"npm ci\nnode y"_s, u"cd x\nnode y\nnode z"_s}) {
            const Result<StartLine> line = readStartLine(text);
            QVERIFY2(!line.ok() && line.error().message.contains(u"several commands"_s), qPrintable(text));
        }
    }

    void nothingIsNothing()
    {
        QVERIFY(splitCommandLine(QString()).ok());
        QVERIFY(splitCommandLine(QStringLiteral("  \n "))->words.isEmpty());
    }
};

SONDE_TEST(CommandLineTest)
#include "tst_commandline.moc"
