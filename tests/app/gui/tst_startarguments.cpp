// What the window is started with: nothing that was mistyped becomes a server.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/startarguments.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using sonde::app::StartArguments;
using sonde::test::Patience;
using sonde::test::readFile;
using sonde::test::TestWindow;
using sonde::test::writeFile;

namespace {

sonde::Result<StartArguments> read(const QStringList &words)
{
    return StartArguments::read(QStringList{u"sonde"_s} + words);
}

QString sondeProgram()
{
    return sonde::test::builtProgram(QStringLiteral("sonde"));
}

}  // namespace

class TestStartArguments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void understood()
    {
        QTemporaryDir folder;
        const QString session = folder.filePath(u"a b.mcpsession"_s);
        QFile file(session);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString address = u"https://host/mcp"_s;
        const auto request = read({u"--server"_s, u"mine"_s, session, address, u"--"_s, u"npx"_s, u"-y"_s, u"x y"_s});
        QVERIFY(request);
        QCOMPARE(request->servers, QStringList{u"mine"_s});
        QCOMPARE(request->sessions, QStringList{session});
        QCOMPARE(request->lines, (QStringList{address, u"npx -y 'x y'"_s}));
        QCOMPARE(request->folder, QDir::currentPath());
        QVERIFY(!request->demo && request->text.isEmpty());
        QCOMPARE(read({address})->folder, QString());

        const auto url = read({QUrl::fromLocalFile(session).toString()});  // as a file manager hands it over
        QVERIFY(url);
        QCOMPARE(url->sessions, QStringList{session});
        QVERIFY(read({u"--demo"_s})->demo);
        QVERIFY(read({u"--help"_s})->text.contains(u"sonde -- npx"_s));
        QVERIFY(read({u"--version"_s})->text.startsWith(u"sonde "_s));
        // Behind the dashes everything belongs to the command.
        QCOMPARE(read({u"--"_s, u"A=1"_s, u"B_2=x y=z"_s, u"C="_s, u"server"_s, u"D=4"_s})->lines,
                 QStringList{u"A=1 B_2='x y=z' C='' server D=4"_s});
        QCOMPARE(read({u"--"_s, u"server"_s, u"--demo"_s, u"--"_s, u"x"_s})->lines,
                 QStringList{u"server --demo -- x"_s});
    }

    void refused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("said");
        QTest::newRow("a stray word") << QStringList{u"npx"_s} << u"sonde -- npx"_s;
        QTest::newRow("two of them") << QStringList{u"node"_s, u"server.js"_s} << u"sonde -- node"_s;
        QTest::newRow("another scheme") << QStringList{u"ftp://x"_s} << u"https:"_s;
        QTest::newRow("no such session") << QStringList{u"/nowhere/s.mcpsession"_s} << u"does not exist"_s;
        QTest::newRow("a folder") << QStringList{u"/tmp"_s} << u"neither a recorded session nor a URL"_s;
        QTest::newRow("no such option") << QStringList{u"--frob"_s} << u"frob"_s;
        QTest::newRow("no command") << QStringList{u"--"_s} << u"Expected a command"_s;
    }

    void refused()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, said);
        const auto request = read(words);
        QVERIFY(!request);
        const QString text = request.error().message + u' ' + request.error().hint;
        QVERIFY2(text.contains(said), qPrintable(text));
    }

    // The program itself: it says so and ends, and nothing is saved.
    void theProgramEnds()
    {
        TestWindow::clear();
        QProcess sonde;
        sonde.start(sondeProgram(), {u"ftp://x"_s});
        QVERIFY(sonde.waitForFinished(3 * Patience));
        QCOMPARE(sonde.exitCode(), 4);
        const QByteArray said = sonde.readAllStandardError();
        QVERIFY2(said.contains("sonde: 'ftp:"), said.constData());
        QVERIFY(!QFile::exists(TestWindow::configPath(u"servers.json"_s)));
    }

    // As a shell would have run it.
    void aCommandRunsInTheFolderItWasTypedIn()
    {
        TestWindow::clear();
        QTemporaryDir folder;
        writeFile(folder.filePath(u"here.sh"_s), "pwd > was-here\n");
        QProcess sonde;
        sonde.setWorkingDirectory(folder.path());
        sonde.start(sondeProgram(), {u"--"_s, u"sh"_s, u"here.sh"_s});
        QVERIFY(sonde.waitForStarted(Patience));
        QTRY_VERIFY2(QFile::exists(folder.filePath(u"was-here"_s)), "it ran somewhere else");
        sonde.terminate();
        QVERIFY(sonde.waitForFinished(3 * Patience));
        // The next start does the same.
        const sonde::json::Document saved =
            sonde::json::Document::parse(readFile(TestWindow::configPath(u"servers.json"_s)));
        QCOMPARE(saved.root()[u"mcpServers"].at(0)[u"cwd"].string(), folder.path());
    }

    void aFileThatIsNoSessionIsSaid()
    {
        TestWindow::clear();
        TestWindow desk;
        desk.workspace().openSessionFile(u"/etc/passwd"_s);
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QVERIFY(notice->isVisible());
        QVERIFY2(notice->accessibleName().contains(u"cannot be opened"_s), qPrintable(notice->accessibleName()));
        // And can be put away.
        QTest::mouseClick(desk.find<QAbstractButton>(u"noticeClose"_s), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestStartArguments)
#include "tst_startarguments.moc"
