// Servers of other hosts in the window: found, imported, dropped, copied; nothing is started by it.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/panels/welcomepanel.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QGuiApplication>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::TestWindow;
using sonde::test::WhenDialog;

class TestImporting : public QObject {
    Q_OBJECT
private:
    static bool drop(QWidget *window, const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window, &enter);
        QDropEvent event({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window, &event);
        return enter.isAccepted() && event.isAccepted();
    }
    static void accept(QDialog *dialog)
    {
        auto *button = dialog->findChild<QPushButton *>(u"importAccept"_s);
        QTRY_VERIFY(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void s4_whatIsFoundIsImportedAndNotStarted()
    {
        QTemporaryDir folder;
        const QString trace = folder.filePath(u"started"_s);
        const QString path = QDir::homePath() + u"/.cursor/mcp.json"_s;
        QVERIFY(QDir().mkpath(QDir::homePath() + u"/.cursor"_s));
        test::writeFile(path, "{\"mcpServers\":{\"toucher\":{\"command\":\"/usr/bin/touch\",\"args\":[\"" +
                                  trace.toUtf8() + "\"],\"env\":{\"API_TOKEN\":\"canary-1234567890\"}}}}");
        TestWindow desk;
        const auto *found = desk.find<ui::TextLabel>(u"foundHosts"_s);
        QTRY_COMPARE(found->text(), u"Cursor   1 server"_s);
        WhenDialog dialog([](QDialog *shown) { accept(shown); });
        QTest::mouseClick(desk.find<QPushButton>(u"importServers"_s), Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        // There is no keychain here: nothing is stored before the user has said what is to become of the secret.
        const auto question = [&desk] { return desk.window().findChild<QMessageBox *>(u"secretsNotKept"_s); };
        QTRY_VERIFY(question() && question()->isVisible());
        QVERIFY(desk.serverRow(u"toucher"_s) < 0);
        QCOMPARE(question()->defaultButton(), question()->button(QMessageBox::Cancel));
        const QList<QAbstractButton *> buttons = question()->buttons();
        const auto session = std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton *button) {
            return button->text() == u"Keep for this session only"_s;
        });
        QVERIFY(session != buttons.end());
        QTest::mouseClick(*session, Qt::LeftButton);
        QTRY_VERIFY(desk.serverRow(u"toucher"_s) >= 0);
        QVERIFY(!test::readFile(TestWindow::configPath(u"servers.json"_s)).contains("canary-1234567890"));
        QVERIFY(!desk.workspace().serverNamed(u"toucher"_s)->connection);
        QVERIFY(desk.chooseInServerMenu(desk.serverRow(u"toucher"_s), u"Copy as mcpServers JSON"_s));
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(u"<API_TOKEN>"_s) && copied.contains(trace), qPrintable(copied));
        QVERIFY(desk.close());
        QVERIFY2(!QFile::exists(trace), "Importing starts nothing");
        QVERIFY(QFile::remove(path));
    }

    void whatWasConfiguredSinceTheStartIsOffered()
    {
        const QString path = QDir::homePath() + u"/.cursor/mcp.json"_s;
        QVERIFY(QDir().mkpath(QDir::homePath() + u"/.cursor"_s));
        TestWindow desk;
        const auto offers = [&desk](const QString &server) {
            bool isThere = false;
            const WhenDialog dialog([&](QDialog *shown) {
                const auto *table = shown->findChild<QTableWidget *>(u"importTable"_s);
                isThere = QTest::qWaitFor([&] { return table->rowCount() == 1 && table->item(0, 0)->text() == server; },
                                          Patience);
                shown->reject();
            });
            desk.window().actions->importServers->trigger();
            return dialog.hasRun() && isThere;
        };
        test::writeFile(path, R"({"mcpServers":{"first":{"command":"x"}}})");
        QVERIFY(offers(u"first"_s));
        test::writeFile(path, R"({"mcpServers":{"second":{"command":"x"}}})");
        QVERIFY(offers(u"second"_s));
        QVERIFY(desk.close());
        QVERIFY(QFile::remove(path));
    }

    void oneQuestionForAllSecrets()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"some.json"_s);
        test::writeFile(path,
                        "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"API_TOKEN\":\"canary-1234567890\"}},"
                        "\"b\":{\"command\":\"y\",\"env\":{\"API_TOKEN\":\"canary-0987654321\"}},"
                        "\"c\":{\"command\":\"z\"}}}");
        TestWindow desk;
        WhenDialog dialog([](QDialog *shown) { accept(shown); });
        QVERIFY(drop(&desk.window(), path));
        QTRY_VERIFY(dialog.hasRun());
        const auto questions = [&desk] { return desk.window().findChildren<QMessageBox *>(u"secretsNotKept"_s); };
        QTRY_COMPARE(questions().size(), 1);
        QCOMPARE(questions().first()->windowTitle(), u"Secrets of 2 servers"_s);
        QVERIFY(desk.serverRow(u"c"_s) >= 0);
        QTest::mouseClick(questions().first()->button(QMessageBox::Cancel), Qt::LeftButton);
        QTRY_COMPARE(questions().size(), 0);
        QVERIFY(desk.serverRow(u"a"_s) < 0 && desk.serverRow(u"b"_s) < 0);
        const auto *notice = desk.find<QWidget>(u"notice"_s);
        QTRY_VERIFY(notice->isVisible());
        QCOMPARE(notice->accessibleName(), u"1 of 3 imported: “c”"_s);
        QVERIFY2(notice->accessibleDescription().contains(u"“a”, “b”"_s), qPrintable(notice->accessibleDescription()));
        QVERIFY(desk.close());
    }

    // The keychain was locked, or is another one: the same import once more adds what it has not.
    void anImportFillsInWhatAnEarlierOneCouldNotKeep()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"some.json"_s);
        test::writeFile(path,
                        "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"API_TOKEN\":\"canary-1234567890\"}}}}");
        const auto keepForSession = [](TestWindow &desk) {
            const auto question = [&desk] { return desk.window().findChild<QMessageBox *>(u"secretsNotKept"_s); };
            QTRY_VERIFY(question() && question()->isVisible());
            QVERIFY(test::clickButton(question(), u"Keep for this session only"_s));
            QTRY_VERIFY(!question());
        };
        {
            TestWindow desk;
            WhenDialog dialog([](QDialog *shown) { accept(shown); });
            QVERIFY(drop(&desk.window(), path));
            QTRY_VERIFY(dialog.hasRun());
            keepForSession(desk);
            QTRY_VERIFY(desk.serverRow(u"a"_s) >= 0);
            QVERIFY(desk.close());
        }
        TestWindow desk;
        const QByteArray before = test::readFile(TestWindow::configPath(u"servers.json"_s));
        const auto again = [](QDialog *shown) {
            auto *table = shown->findChild<QTableWidget *>(u"importTable"_s);
            QTRY_COMPARE(table->rowCount(), 1);
            QCOMPARE(table->item(0, 0)->checkState(), Qt::Unchecked);
            table->item(0, 0)->setCheckState(Qt::Checked);
            QCOMPARE(table->item(0, 0)->text(), u"a"_s);
            accept(shown);
        };
        WhenDialog dialog(again);
        QVERIFY(drop(&desk.window(), path));
        QTRY_VERIFY(dialog.hasRun());
        keepForSession(desk);
        QTRY_COMPARE(desk.window().told->text(), u"Added the missing secrets of “a”."_s);
        // Now they are there.
        WhenDialog third(again);
        QVERIFY(drop(&desk.window(), path));
        QTRY_VERIFY(third.hasRun());
        QTRY_COMPARE(desk.window().told->text(), u"“a” is already in the list, with its secrets."_s);
        QCOMPARE(test::readFile(TestWindow::configPath(u"servers.json"_s)), before);
        QCOMPARE(desk.serverRow(u"a 2"_s), -1);
        QVERIFY(desk.close());
    }

    void s4_aDroppedFileIsShownFirst()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"some.json"_s);
        test::writeFile(path, "{\"mcpServers\":{\"dropped\":{\"command\":\"x\"}}}");
        TestWindow desk;
        int rows = 0;
        WhenDialog dialog([&rows](QDialog *shown) {
            const auto *table = shown->findChild<QTableWidget *>(u"importTable"_s);
            QTRY_COMPARE(table->rowCount(), 1);
            rows = table->rowCount();
            QTest::keyClick(shown, Qt::Key_Return);  // Cancel
        });
        QVERIFY(drop(&desk.window(), path));
        QTRY_VERIFY(dialog.hasRun());
        QCOMPARE(rows, 1);
        QCOMPARE(desk.serverRow(u"dropped"_s), -1);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestImporting)
#include "tst_importing.moc"
