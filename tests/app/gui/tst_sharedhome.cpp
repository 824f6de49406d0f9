// A home that two instances share, and one that nobody can write to.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverstore.h"
#include "core/session/sessionlibrary.h"
#include "core/transport/process/commandline.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "ui/theme/widgets.h"

#include <sys/stat.h>
#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class TestSharedHome : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    // The window comes up without them, and says so.
    void filesThatAreNone_data()
    {
        QTest::addColumn<bool>("isPipe");
        QTest::newRow("pipes") << true;
        QTest::newRow("devices") << false;
    }
    void filesThatAreNone()
    {
        QFETCH(bool, isPipe);
        const QString folder = QFileInfo(TestWindow::configPath(u"servers.json"_s)).path();
        QVERIFY(QDir().mkpath(folder));
        const QStringList names{u"servers.json"_s, u"approvals.json"_s, u"window.ini"_s};
        for (const QString &name : names) {
            const QString path = folder + u'/' + name;
            QFile::remove(path);
            if (isPipe)
                QVERIFY(::mkfifo(path.toLocal8Bit().constData(), 0600) == 0);
            else
                QVERIFY(QFile::link(u"/dev/zero"_s, path));
        }
        const auto removed = qScopeGuard([&] {
            for (const QString &name : names)
                QFile::remove(folder + u'/' + name);
        });
        TestWindow desk;
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QVERIFY(notice && notice->isVisible());
        QString said;
        for (const QLabel *label : notice->findChildren<QLabel *>())
            said += label->text() + u'\n';
        QVERIFY2(said.contains(isPipe ? u"servers.json cannot be read: it is a named pipe"_s
                                      : u"servers.json cannot be read: it is a device"_s),
                 qPrintable(said));
        QVERIFY(!desk.add(test::demoProgram()).isEmpty());
        QVERIFY(desk.close());
    }

    // Both are started at once and add a server, in the end of the same name: nothing of either is lost.
    void twoInstances()
    {
        const SessionLibrary library;
        QProcess instances[2];
        for (QProcess &each : instances) {
            const QString number = &each == instances ? u"1"_s : u"2"_s;
            each.start(test::builtProgram(QStringLiteral("sonde")),
                       {u"--"_s, test::demoProgram(), u"--page-size"_s, number});
        }
        const auto recorded = [&library] {
            int count = 0;
            for (const SessionEntry &entry : library.entries()) {
                QFile file(entry.path);
                if (file.open(QIODevice::ReadOnly) && file.readAll().contains("every-content-kind"))
                    ++count;
            }
            return count;
        };
        QTRY_COMPARE(recorded(), 2);
        for (QProcess &each : instances)
            ::kill(pid_t(each.processId()), SIGTERM);
        for (QProcess &each : instances) {
            QVERIFY(each.waitForFinished(Patience));
            QCOMPARE(each.exitStatus(), QProcess::NormalExit);
        }
        for (const SessionEntry &entry : library.entries()) {
            const Result<std::unique_ptr<Session>> session = Session::open(entry.path);
            QVERIFY(session);
            QVERIFY((*session)->damage().isEmpty());
            QCOMPARE((*session)->at((*session)->size() - 1).kind, WireEvent::Kind::End);
        }
        const QByteArray text = test::readFile(TestWindow::configPath(u"servers.json"_s));
        QStringList numbers;
        for (const json::Value &server : json::parse(text)[u"mcpServers"])
            numbers.append(server[u"args"].at(1).string());
        numbers.sort();
        QVERIFY2(numbers == (QStringList{u"1"_s, u"2"_s}), text.constData());
    }

    // Another instance has given the name since this one read the list.
    void theNameIsTakenMeanwhile()
    {
        TestWindow desk;
        ServerStore other(TestWindow::configPath(u"servers.json"_s));
        const ServerSpec theirs = *ServerSpec::fromLine(test::demoProgram() + u" --page-size 7"_s);
        QVERIFY(!other.add(theirs));
        desk.servers().connectLine(test::demoProgram());
        QVERIFY(desk.isConnected(theirs.name + u" 2"_s));
        QVERIFY(!other.load());
        QCOMPARE(other.servers().size(), 2);
        QCOMPARE(other.server(theirs.name)->arguments, theirs.arguments);
        QVERIFY(other.server(theirs.name + u" 2"_s)->arguments.isEmpty());
    }

    // What another instance does is seen at once; what is in use or being typed here is not lost by it.
    void theListFollowsTheFile()
    {
        TestWindow desk;
        const QString path = TestWindow::configPath(u"servers.json"_s);
        const QString name = desk.add(test::demoProgram());
        QVERIFY(!name.isEmpty());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.enter(u"/value"_s, u"\"typed\""_s));
        const ui::CallPanel *panel = desk.panel();
        ServerStore other(path);
        QVERIFY(!other.load());
        ServerSpec theirs = *ServerSpec::fromLine(test::demoProgram() + u" --page-size 7"_s);
        theirs.name = u"theirs"_s;
        QVERIFY(!other.add(theirs));
        QTRY_VERIFY(desk.serverRow(u"theirs"_s) >= 0);

        // While its dialog is open here, they change another field of it.
        test::WhenDialog dialog([&](QDialog *shown) {
            auto *line = shown->findChild<QLineEdit *>(u"serverCommand"_s);
            line->setFocus();
            QTest::keyClick(line, Qt::Key_End);
            QTest::keyClicks(line, u"0"_s);
            ServerSpec changed = theirs;
            changed.environment = {{u"THEIRS"_s, u"1"_s}};
            QVERIFY(!other.replace(u"theirs"_s, changed));
            QTRY_COMPARE(desk.workspace().store().server(u"theirs"_s)->environment, changed.environment);
            QVERIFY2(line->text().endsWith(u"70"_s), qPrintable(line->text()));
            shown->accept();
        });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"theirs"_s), u"Edit"_s));
        QVERIFY(dialog.hasRun());
        const ServerSpec merged = *desk.workspace().store().server(u"theirs"_s);
        QCOMPARE(merged.arguments.last(), u"70"_s);
        QCOMPARE(merged.environment.size(), 1);

        // Removed there while it is in use here: its form and its session stay until the person removes it.
        QVERIFY(!other.load());
        QVERIFY(!other.remove(name));
        QVERIFY(!other.remove(u"theirs"_s));
        QTRY_COMPARE(desk.serverRow(u"theirs"_s), -1);
        QVERIFY(desk.serverRow(name) >= 0);
        QCOMPARE(desk.panel(), panel);
        QCOMPARE(panel->arguments(), "{\"value\":\"typed\"}"_ba);
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(name), u"Stop"_s));
        const Connection *connection = panel->connection();
        QTRY_COMPARE(connection->state(), Connection::State::Disconnected);
        QVERIFY(!other.add(theirs));
        QTRY_VERIFY(desk.serverRow(u"theirs"_s) >= 0);
        QVERIFY(desk.serverRow(name) >= 0);
        QCOMPARE(desk.panel(), panel);
        QVERIFY(!desk.workspace().nameProblem(name).isEmpty());
        test::WhenDialog removal([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(name), u"Remove"_s));
        QVERIFY(removal.hasRun());
        QCOMPARE(desk.serverRow(name), -1);
        QVERIFY(desk.close());
    }

    // A file stands where the folders would be: not even root can write there.
    void readOnlyHome()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"file"_s);
        QFile inTheWay(file);
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        const QByteArray home = qgetenv("HOME");
        for (const char *variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qputenv(variable, (file + u"/home"_s).toUtf8());
        const auto restore = qScopeGuard([&home] {
            for (const char *variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
                qputenv(variable, home);
        });
        TestWindow desk;
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QVERIFY(desk.openDemo());
        QTRY_VERIFY(notice->isVisible());
        const auto says = [notice](const QString &text) { return notice->accessibleName().contains(text); };
        QVERIFY2(says(u"Not saved"_s) && says(u"sessions"_s), qPrintable(notice->accessibleName()));
        QTRY_VERIFY2(desk.window().recording->text().contains(u"in memory only"_s),
                     qPrintable(desk.window().recording->text()));
        QVERIFY(desk.open(u"echo"_s) && desk.enter(u"/value"_s, u"\"still here\""_s) && desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"still here"_s), qPrintable(desk.resultText()));
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        QVERIFY(desk.session()->path().isEmpty());

        // One's own servers work all the same: added, connected, edited, removed.
        const QString name = desk.add(test::demoProgram());
        QVERIFY(!name.isEmpty());
        QVERIFY2(says(u"servers"_s) && says(u"sessions"_s), qPrintable(notice->accessibleName()));
        QVERIFY2(says(u"Not saved"_s), qPrintable(notice->accessibleName()));
        QTest::mouseClick(desk.find<QAbstractButton>(u"noticeClose"_s), Qt::LeftButton);
        test::WhenDialog dialog([](QDialog *shown) {
            auto *label = shown->findChild<QLineEdit *>(u"serverName"_s);
            QTest::keyClick(label, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(label, u"mine"_s);
            QTest::keyClick(label, Qt::Key_Return);
        });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(name), u"Edit"_s));
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.serverRow(u"mine"_s) >= 0);
        QCOMPARE(desk.serverRow(name), -1);
        QVERIFY(desk.isConnected(u"mine"_s));
        QVERIFY(desk.clickServer(app::Workspace::demoSpec().name));
        QVERIFY(desk.open(u"echo"_s));
        test::WhenDialog serverRequest([](QDialog *shown) { test::clickButton(shown, u"Remove"_s); });
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"mine"_s), u"Remove"_s));
        QVERIFY(serverRequest.hasRun());
        QCOMPARE(desk.serverRow(u"mine"_s), -1);
        QVERIFY2(!notice->isVisible(), "the same is said again");
        QVERIFY(desk.close());
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{u"file"_s});
    }

    // The disk is there again: what was only in memory is saved on request.
    void whatWasInMemoryIsSavedWhenThatCanBe()
    {
        const QTemporaryDir folder;
        const QString home = folder.filePath(u"home"_s);
        QVERIFY(QFile(home).open(QIODevice::WriteOnly));
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", home.toUtf8());
        const auto restore = qScopeGuard([&before] { qputenv("XDG_CONFIG_HOME", before); });
        TestWindow desk;
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QVERIFY(!desk.add(test::demoProgram()).isEmpty());
        QVERIFY(notice->isVisible());
        QVERIFY(QFile::remove(home));
        QTest::mouseClick(desk.find<QAbstractButton>(u"noticeRemedy"_s), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        ServerStore saved(home + u"/sonde/servers.json"_s);
        QVERIFY(!saved.load());
        QCOMPARE(saved.servers().size(), 1);
        QVERIFY(desk.close());
    }

    // Each time that it happens, until it is saved. A folder stands where the file would be.
    void openTabsThatCannotBeSavedAreSaidAgain()
    {
        TestWindow desk;
        desk.restoreLast();
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        const QString file = TestWindow::dataPath(u"window-1.json"_s);
        QVERIFY(QFile::remove(file) && QDir().mkpath(file + u"/in the way"_s));
        QVERIFY(desk.openDemo());
        QTRY_VERIFY(notice->isVisible());
        QVERIFY2(notice->accessibleName().contains(u"open tabs"_s), qPrintable(notice->accessibleName()));
        QTest::mouseClick(desk.find<QAbstractButton>(u"noticeRemedy"_s), Qt::LeftButton);
        QVERIFY(notice->isVisible());
        QVERIFY(QDir(file).removeRecursively());
        QTest::mouseClick(desk.find<QAbstractButton>(u"noticeRemedy"_s), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        QVERIFY(test::readFile(file).contains("\"add\""));

        QVERIFY(QFile::remove(file) && QDir().mkpath(file + u"/in the way"_s));
        QVERIFY(!desk.add(test::demoProgram()).isEmpty());
        QTRY_VERIFY(notice->isVisible());
        QVERIFY(QDir(file).removeRecursively());
        QVERIFY(desk.close());
    }

    // The program itself, since its settings and Qt's own are written by it too.
    void withoutAHome_data()
    {
        QTest::addColumn<bool>("isSet");
        QTest::newRow("unset") << false;
        QTest::newRow("empty") << true;
    }

    void withoutAHome()
    {
        QFETCH(bool, isSet);
        const auto list = [] { return QDir(u"/"_s).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); };
        const auto ours = [] { return QFile::exists(u"/.config/sonde"_s) || QFile::exists(u"/.local/share/sonde"_s); };
        if (ours())
            QSKIP("a Sonde without a home was here before");
        const QStringList before = list();
        const QByteArray home = qgetenv("HOME");
        for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qunsetenv(variable);
        if (isSet)
            qputenv("HOME", {});
        const auto restore = qScopeGuard([&home] {
            for (const char *variable :
                 {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
                qputenv(variable, home);
        });
        {
            TestWindow desk;
            const auto *notice = desk.find<QWidget>(u"notice"_s);
            QVERIFY(notice->isVisible());
            QVERIFY2(
                notice->accessibleDescription().contains(u"HOME"_s) || notice->accessibleName().contains(u"HOME"_s),
                qPrintable(notice->accessibleName() + notice->accessibleDescription()));
            QVERIFY(!desk.add(test::demoProgram()).isEmpty());
            QVERIFY(desk.open(u"echo"_s) && desk.enter(u"/value"_s, u"1"_s) && desk.call(u"✓ OK"_s));
            QVERIFY(desk.session()->path().isEmpty());
            QVERIFY(desk.close());
        }
        QVERIFY(!ours());
        QCOMPARE(list(), before);
    }

    void foldersAreForTheirOwnerOnly()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.close());
        }
        for (const QString &folder :
             {QFileInfo(TestWindow::configPath(u"window.ini"_s)).path(), QFileInfo(SessionLibrary().folder()).path()}) {
            QVERIFY2(QFileInfo(folder).isDir(), qPrintable(folder));
            QVERIFY2((QFileInfo(folder).permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup |
                                                         QFile::ReadOther | QFile::WriteOther | QFile::ExeOther)) ==
                         QFile::Permissions(),
                     qPrintable(folder));
        }
    }

    void aListThatOthersCanWriteIsSaid()
    {
        const QString path = TestWindow::configPath(u"servers.json"_s);
        QVERIFY(!ServerStore(path).add(*ServerSpec::fromLine(test::demoProgram())));
        QVERIFY(::chmod(QFile::encodeName(path).constData(), 0666) == 0);
        QVERIFY(::chmod(QFile::encodeName(QFileInfo(path).path()).constData(), 0755) == 0);
        TestWindow desk;
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QVERIFY(notice->isVisible());
        QVERIFY2(notice->accessibleName().contains(u"Other users"_s), qPrintable(notice->accessibleName()));
        QTest::mouseClick(desk.find<QAbstractButton>(u"noticeRemedy"_s), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        QCOMPARE(QFileInfo(path).permissions() & (QFile::WriteGroup | QFile::WriteOther), QFile::Permissions());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestSharedHome)
#include "tst_sharedhome.moc"
