// What shells complete: the scripts for bash, zsh and fish are run by these, and ask the real sonde-cli.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace Qt::StringLiterals;
using sonde::test::CliRun;
using sonde::test::runCli;

namespace {

// A list of servers may come from anybody.
const QString hostileName = u"a$(touch here)"_s;
const QString spacedName = u"my server"_s;

}  // namespace

class tst_CliCompletion : public QObject {
    Q_OBJECT

private:
    struct Offer {
        QByteArray kind;
        QStringList lines;
    };

    QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            environment.insert(QLatin1StringView(variable), m_home.path());
        environment.insert(u"PATH"_s, sonde::test::programFolder() + u':' + environment.value(u"PATH"_s));
        return environment;
    }

    QByteArray output(const QString &program, const QStringList &arguments) const
    {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(m_work.path());
        process.start(program, arguments);
        if (!process.waitForFinished() || process.exitCode() != 0)
            return "failed: " + process.readAllStandardError();
        return process.readAllStandardOutput();
    }

    // What the program offers a shell; the last word is to be completed.
    Offer offered(const QStringList &words, const QString &shell = u"bash"_s) const
    {
        QStringList lines =
            QString::fromUtf8(output(sonde::test::cliProgram(), QStringList{u"completion"_s, shell, u"--"_s} + words))
                .split(u'\n', Qt::SkipEmptyParts);
        const QByteArray kind = lines.isEmpty() ? QByteArray() : lines.takeFirst().toLatin1();
        return {kind, lines};
    }

    static QString shellProgram(const QString &name) { return QStandardPaths::findExecutable(name); }

    QString script(const QString &shell) const
    {
        return QString::fromUtf8(output(sonde::test::cliProgram(), {u"completion"_s, shell}));
    }

    // typed: as it stands on the line; words: as bash splits it. The last one is to be completed.
    QStringList completedByBash(const QString &typed, const QString &words) const
    {
        const QString commands = script(u"bash"_s) + u"COMP_LINE=%1; COMP_WORDS=(%2); "_s.arg(typed, words) +
                                 u"COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sonde_cli; "_s
                                 u"printf '%s\\n' \"${COMPREPLY[@]}\"\n"_s;
        return QString::fromUtf8(output(shellProgram(u"bash"_s), {u"--norc"_s, u"-c"_s, commands}))
            .split(u'\n', Qt::SkipEmptyParts);
    }

    QTemporaryDir m_home;
    QTemporaryDir m_work;

private Q_SLOTS:
    // Saved servers, one of which has a recorded session.
    void initTestCase()
    {
        const QString folder = m_home.filePath(u"sonde/sessions"_s);
        QVERIFY(QDir().mkpath(folder));
        QFile servers(m_home.filePath(u"sonde/servers.json"_s));
        QVERIFY(servers.open(QIODevice::WriteOnly));
        servers.write(
            u"{\"mcpServers\":{\"%1\":{\"command\":\"x\"},\"%2\":{\"command\":\"x\"},"_s
            u"\"sonde-demo-server\":{\"command\":\"no-such-program\"}}}"_s.arg(hostileName, spacedName)
                .toUtf8());
        servers.close();
        // As the window would record it.
        const CliRun recorded = sonde::test::askDemo({u"list"_s, u"--record"_s, folder + u"/demo.mcpsession"_s});
        QVERIFY2(recorded.exitCode == 0, recorded.describe().constData());
    }

    void offersWords_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QString>("expected");
        const QStringList server{u"--server"_s, u"sonde-demo-server"_s};
        QTest::newRow("verb") << QStringList{QString()} << "words"_ba << u"export-servers"_s;
        QTest::newRow("option") << QStringList{u"replay"_s, u"--"_s} << "words"_ba << u"--allow-destructive"_s;
        QTest::newRow("choice") << QStringList{u"export"_s, u"s"_s, u"--format"_s, QString()} << "words"_ba
                                << u"markdown"_s;
        QTest::newRow("choice in the same word")
            << QStringList{u"export"_s, u"s"_s, u"--format=ma"_s} << "words"_ba << u"--format=markdown"_s;
        QTest::newRow("argument") << QStringList{u"list"_s, QString()} << "words"_ba << u"templates"_s;
        QTest::newRow("file") << QStringList{u"log"_s, QString()} << "files"_ba << QString();
        QTest::newRow("folder") << QStringList{u"info"_s, u"--cwd"_s, QString()} << "folders"_ba << QString();
        QTest::newRow("command") << QStringList{u"info"_s, u"--"_s, QString()} << "files"_ba << QString();
        QTest::newRow("topic") << QStringList{u"help"_s, u"serv"_s} << "words"_ba << u"server-options"_s;
        QTest::newRow("shell") << QStringList{u"completion"_s, QString()} << "words"_ba << u"fish"_s;
        QTest::newRow("saved server") << QStringList{u"info"_s, u"--server"_s, u"my"_s} << "words"_ba << spacedName;
        QTest::newRow("tool") << QStringList{u"call"_s} + server + QStringList{u"ad"_s} << "words"_ba << u"add"_s;
        QTest::newRow("argument of a tool")
            << QStringList{u"call"_s, u"every-field-kind"_s} + server + QStringList{QString()} << "words"_ba
            << u"color="_s;
        QTest::newRow("its value") << QStringList{u"call"_s, u"every-field-kind"_s} + server + QStringList{u"color=g"_s}
                                   << "words"_ba << u"color=green"_s;
        QTest::newRow("value of a list") << QStringList{u"call"_s, u"every-field-kind"_s} + server +
                                                QStringList{u"sizes=S"_s, u"sizes="_s}
                                         << "words"_ba << u"sizes=M"_s;
        QTest::newRow("prompt") << QStringList{u"prompt"_s} + server + QStringList{u"sum"_s} << "words"_ba
                                << u"summarize"_s;
        QTest::newRow("argument of a prompt")
            << QStringList{u"prompt"_s, u"summarize"_s} + server + QStringList{QString()} << "words"_ba << u"topic="_s;
        QTest::newRow("resource") << QStringList{u"read"_s} + server + QStringList{u"demo://te"_s} << "words"_ba
                                  << u"demo://text/greeting"_s;
    }
    void offersWords()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, kind);
        QFETCH(QString, expected);
        const Offer offer = offered(words);
        QCOMPARE(offer.kind, kind);
        QVERIFY2(expected.isEmpty() ? offer.lines.isEmpty() : offer.lines.contains(expected),
                 qPrintable(offer.lines.join(u'\n')));
        for (const QString &line : offer.lines)
            QVERIFY2(line.startsWith(words.constLast()), qPrintable(line));
    }

    void whatIsGivenIsNotOfferedAgain()
    {
        const Offer offer = offered({u"call"_s, u"--server"_s, u"sonde-demo-server"_s, u"add"_s, u"a=1"_s, QString()});
        QCOMPARE(offer.lines, QStringList{u"b="_s});
    }

    void nothingIsKnownOfAServerThatWasNotRecorded()
    {
        const Offer offer = offered({u"call"_s, u"--server"_s, spacedName, QString()});
        QCOMPARE(offer.lines, QStringList());
    }

    void helpIsForShellsThatShowIt()
    {
        const QStringList words{u"call"_s, u"--server"_s, u"sonde-demo-server"_s, u"every-f"_s};
        QCOMPARE(offered(words, u"bash"_s).lines, QStringList{u"every-field-kind"_s});
        QCOMPARE(offered(words, u"fish"_s).lines, QStringList{u"every-field-kind\tEvery kind of field"_s});
    }

    void bashReplacesWhatIsTyped()
    {
        if (shellProgram(u"bash"_s).isEmpty())
            QSKIP("bash is not installed");
        QCOMPARE(completedByBash(u"'sonde-cli exp'"_s, u"sonde-cli exp"_s),
                 (QStringList{u"export"_s, u"export-servers"_s}));
        // Bash has split these at = and :, and replaces only the end.
        QCOMPARE(completedByBash(u"'sonde-cli export --format=ma'"_s, u"sonde-cli export --format = ma"_s),
                 QStringList{u"markdown"_s});
        QCOMPARE(completedByBash(u"'sonde-cli call --server sonde-demo-server every-field-kind color='"_s,
                                 u"sonde-cli call --server sonde-demo-server every-field-kind color ="_s),
                 (QStringList{u"red"_s, u"green"_s, u"blue"_s}));
        QCOMPARE(completedByBash(u"'sonde-cli read --server sonde-demo-server demo://text/gr'"_s,
                                 u"sonde-cli read --server sonde-demo-server demo : //text/gr"_s),
                 QStringList{u"//text/greeting"_s});
        // A name with a blank, behind a backslash and within quotes.
        QCOMPARE(completedByBash(u"'sonde-cli info --server my\\ s'"_s, u"sonde-cli info --server 'my\\ s'"_s),
                 QStringList{u"my\\ server"_s});
        QCOMPARE(completedByBash(u"\"sonde-cli info --server 'my s\""_s, u"sonde-cli info --server \"'my s\""_s),
                 QStringList{u"my server"_s});
    }

    void aNameIsNotRun()
    {
        if (shellProgram(u"bash"_s).isEmpty())
            QSKIP("bash is not installed");
        QCOMPARE(completedByBash(u"'sonde-cli info --server a'"_s, u"sonde-cli info --server a"_s),
                 QStringList{u"a\\$\\(touch\\ here\\)"_s});
        QCOMPARE(completedByBash(u"'sonde-cli info --server \"a'"_s, u"sonde-cli info --server '\"a'"_s),
                 QStringList());
        QCOMPARE(QDir(m_work.path()).entryList(QDir::Files), QStringList());
    }

    // compadd is a part of its line editor; what it would be given is printed instead.
    void zshIsGivenWhatIsOffered()
    {
        if (shellProgram(u"zsh"_s).isEmpty())
            QSKIP("zsh is not installed");
        const auto completed = [&](const QString &words) {
            const QString commands =
                u"compdef() { : }\ncompadd() { print -l -- ${(P)@[-1]} }\n"_s
                u"_files() { print files \"$@\" }\n"_s +
                script(u"zsh"_s) + u"words=(%1); CURRENT=$#words; _sonde-cli; exit 0\n"_s.arg(words);
            return QString::fromUtf8(output(shellProgram(u"zsh"_s), {u"-f"_s, u"-c"_s, commands}))
                .split(u'\n', Qt::SkipEmptyParts);
        };
        QCOMPARE(completed(u"sonde-cli exp"_s), (QStringList{u"export"_s, u"export-servers"_s}));
        QCOMPARE(completed(u"sonde-cli log ''"_s), QStringList{u"files"_s});
        QCOMPARE(completed(u"sonde-cli info --cwd ''"_s), QStringList{u"files -/"_s});
        QCOMPARE(completed(u"sonde-cli call --server sonde-demo-server add ''"_s), (QStringList{u"a="_s, u"b="_s}));
        QCOMPARE(completed(u"sonde-cli info --server 'my\\ s'"_s), QStringList{spacedName});
        QCOMPARE(completed(u"sonde-cli info --server a"_s), QStringList{hostileName});
        QCOMPARE(QDir(m_work.path()).entryList(QDir::Files), QStringList());
    }

    void fishCompletes()
    {
        if (shellProgram(u"fish"_s).isEmpty())
            QSKIP("fish is not installed");
        const auto completed = [&](const QString &typed) {
            QFile file(m_home.filePath(u"sonde-cli.fish"_s));
            if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
                return QStringList();
            file.write(script(u"fish"_s).toUtf8());
            file.close();
            const QString commands = u"source %1; complete -C '%2'"_s.arg(file.fileName(), typed);
            QStringList lines =
                QString::fromUtf8(output(shellProgram(u"fish"_s), {u"--no-config"_s, u"-c"_s, commands}))
                    .split(u'\n', Qt::SkipEmptyParts);
            for (QString &line : lines)
                line = line.section(u'\t', 0, 0);
            lines.sort();
            return lines;
        };
        QCOMPARE(completed(u"sonde-cli exp"_s), (QStringList{u"export"_s, u"export-servers"_s}));
        QCOMPARE(completed(u"sonde-cli call --server sonde-demo-server add "_s), (QStringList{u"a="_s, u"b="_s}));
        QCOMPARE(completed(u"sonde-cli export s --format=ma"_s), QStringList{u"--format=markdown"_s});
        QCOMPARE(QDir(m_work.path()).entryList(QDir::Files), QStringList());
    }
};

SONDE_TEST(tst_CliCompletion)

#include "tst_clicompletion.moc"
