// A home that two instances share, and one that nobody can write to.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/serverstore.h"
#include "core/session/sessionlibrary.h"
#include "core/transport/commandline.h"
#include "tests/app/gui/desk.h"
#include "ui/theme/widgets.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Desk;
using sonde::test::Patience;

class TestSharedHome : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { Desk::clear(); }

    // Both are started at once and add a server, in the end of the same name: nothing of either is lost.
    void twoInstances()
    {
        const SessionLibrary library;
        QProcess instances[2];
        for (QProcess &each : instances) {
            const QString number = &each == instances ? u"1"_s : u"2"_s;
            each.start(QStringLiteral(SONDE_BIN_DIR "/sonde"),
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
        QFile file(Desk::configPath(u"servers.json"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QStringList numbers;
        for (const json::Value &server : json::parse(text)[u"mcpServers"])
            numbers.append(server[u"args"].at(1).string());
        numbers.sort();
        QVERIFY2(numbers == (QStringList{u"1"_s, u"2"_s}), text.constData());
    }

    // Another instance has given the name since this one read the list.
    void theNameIsTakenMeanwhile()
    {
        Desk desk;
        ServerStore other(Desk::configPath(u"servers.json"_s));
        const ServerSpec theirs = *ServerSpec::fromLine(test::demoProgram() + u" --page-size 7"_s);
        QVERIFY(!other.add(theirs));
        desk.workspace().connectLine(test::demoProgram());
        QVERIFY(desk.isConnected(theirs.name + u" 2"_s));
        QVERIFY(!other.load());
        QCOMPARE(other.servers().size(), 2);
        QCOMPARE(other.server(theirs.name)->arguments, theirs.arguments);
        QVERIFY(other.server(theirs.name + u" 2"_s)->arguments.isEmpty());
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
        Desk desk;
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QVERIFY(desk.openDemo());
        QTRY_VERIFY(notice->isVisible());
        QVERIFY2(notice->accessibleName().contains(u"cannot be recorded"_s), qPrintable(notice->accessibleName()));
        QTRY_VERIFY2(desk.window().recording->text().contains(u"in memory only"_s),
                     qPrintable(desk.window().recording->text()));
        QVERIFY(desk.open(u"echo"_s) && desk.enter(u"/value"_s, u"\"still here\""_s) && desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().contains(u"still here"_s), qPrintable(desk.resultText()));
        QTRY_COMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        QVERIFY(desk.session()->path().isEmpty());

        desk.workspace().connectLine(test::demoProgram());
        QTRY_VERIFY2(notice->accessibleName().contains(u"The server could not be saved"_s),
                     qPrintable(notice->accessibleName()));
        QVERIFY(desk.close());
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{u"file"_s});
    }
};

SONDE_TEST(TestSharedHome)
#include "tst_sharedhome.moc"
