// What was recorded is there in the next window, without its server.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/warningbar.h"
#include "core/session/sessionlibrary.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/dialogs/sessionsmodel.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

class TestRecordings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void tomorrowTheRowsAreTheSame()
    {
        QString path;
        QList<QByteArray> written;
        qsizetype rows = 0;
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.enter(u"/a"_s, u"9007199254740993"_s));
            QVERIFY(desk.enter(u"/b"_s, u"2"_s));
            QVERIFY(desk.call(u"✓ OK"_s));
            QVERIFY(desk.open(u"wave.png"_s));
            QVERIFY(desk.endsWith(u"✓ OK"_s));
            path = desk.session()->path();
            QVERIFY2(QFileInfo::exists(path), qPrintable(path));
            QCOMPARE(QFileInfo(path).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
            QVERIFY(desk.close());
            rows = desk.session()->size();
            for (qsizetype row = 0; row < rows; ++row)
                written << desk.session()->bytes(row);
        }
        const auto first = [](const QString &wanted) {
            for (const SessionEntry &entry : SessionLibrary().entries()) {
                if (entry.path == wanted)
                    return entry;
            }
            return SessionEntry();
        };
        QCOMPARE(first(path).serverName, app::Workspace::demoSpec().name);
        QVERIFY(!first(path).isOpenElsewhere);

        TestWindow desk;
        test::WhenDialog dialog([](QDialog *shown) {
            const auto *table = shown->findChild<QTableView *>(u"sessionTable"_s);
            QCOMPARE(table->model()->rowCount(), 1);
            QCOMPARE(table->model()->index(0, 1).data().toString(), app::Workspace::demoSpec().name);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"sessionOpen"_s), Qt::LeftButton);
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.session());
        QVERIFY(!desk.session()->isLive());
        QVERIFY(!desk.window().notice->isVisible());
        QTRY_VERIFY(!desk.session()->isLoading());
        QVERIFY2(desk.session()->size() >= rows, "rows were lost");
        for (qsizetype row = 0; row < rows; ++row)
            QCOMPARE(desk.session()->bytes(row), written[row]);
        // After the last row that was there at the close stands only the end itself.
        QCOMPARE(desk.session()->at(desk.session()->size() - 1).kind, WireEvent::Kind::End);
        QTRY_COMPARE(qsizetype(desk.timelineModel()->rowCount()), desk.session()->size());
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), 1);
        // No server was started for it.
        QCOMPARE(desk.window().servers->rowCount(), 2);
        QCOMPARE(desk.window().servers->index(1).data(ui::ServerListModel::CanStopRole).toBool(), false);
        QVERIFY(!desk.window().process->isVisible());

        // Closed again: the demo's line is left.
        QVERIFY(desk.chooseInServerMenu(1, u"Close session"_s));
        QCOMPARE(desk.window().servers->rowCount(), 1);
        QVERIFY(!desk.session());
        QVERIFY(desk.close());
    }

    void deletingAsksFirst()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.close());
        }
        QCOMPARE(SessionLibrary().entries().size(), 1);
        TestWindow desk;
        const auto press = [](QDialog *shown, const QString &button) {
            test::WhenDialog serverRequest([&button](QDialog *asked) { test::clickButton(asked, button); });
            QTest::mouseClick(shown->findChild<QPushButton *>(u"sessionRemove"_s), Qt::LeftButton);
            QVERIFY(serverRequest.hasRun());
        };
        int afterCancel = 0;
        int afterDelete = 0;
        test::WhenDialog dialog([&](QDialog *shown) {
            press(shown, u"Cancel"_s);
            afterCancel = int(SessionLibrary().entries().size());
            press(shown, u"Delete"_s);
            afterDelete = int(SessionLibrary().entries().size());
            QVERIFY(!shown->findChild<QTableView *>(u"sessionTable"_s)->isVisible());
            shown->reject();
        });
        QTest::mouseClick(desk.window().openSession, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QCOMPARE(afterCancel, 1);
        QCOMPARE(afterDelete, 0);
        QVERIFY(desk.close());
    }

    void theOneBeingRecordedIsNotDeleted()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString path = desk.session()->path();
        test::WhenDialog dialog([](QDialog *shown) {
            const auto *table = shown->findChild<QTableView *>(u"sessionTable"_s);
            QCOMPARE(table->model()->index(0, ui::SessionsModel::State).data().toString(), u"recording"_s);
            // There is nothing to confirm.
            test::WhenDialog question([](QDialog *asked) { test::clickButton(asked, u"Delete"_s); });
            QTest::mouseClick(shown->findChild<QPushButton *>(u"sessionRemove"_s), Qt::LeftButton);
            QVERIFY(!question.hasRun());
            const QString said = shown->findChild<QLabel *>(u"sessionsMessage"_s)->text();
            QVERIFY2(said.contains(u"still being recorded"_s), qPrintable(said));
            QCOMPARE(table->model()->rowCount(), 1);
            // Opening it shows the line of the server that writes it.
            QTest::mouseClick(shown->findChild<QPushButton *>(u"sessionOpen"_s), Qt::LeftButton);
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(dialog.hasRun());
        QVERIFY(QFileInfo::exists(path));
        QCOMPARE(desk.window().servers->rowCount(), 1);
        QVERIFY(desk.session()->isLive());
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.close());
    }

    void everyDamagedPlaceIsNamed()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.close());
        }
        const QString path = SessionLibrary().entries().value(0).path;
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll();
        QList<qsizetype> places;
        for (const char *word : {"\"method\\\":\\\"tools/list", "\"method\\\":\\\"prompts/list"}) {
            const qsizetype at = text.indexOf(word);
            QVERIFY2(at > 0, word);
            text[at + 2] = 'X';
            places << text.lastIndexOf('\n', at) + 1;
        }
        std::sort(places.begin(), places.end());
        QVERIFY(file.seek(0) && file.write(text) == text.size());
        file.close();
        TestWindow desk;
        desk.workspace().openSessionFile(path);
        const auto *notice = desk.find<app::WarningBar>(u"notice"_s);
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), Patience);
        QCOMPARE(notice->accessibleDescription(),
                 u"2 parts are damaged and were skipped. The rest is shown. At bytes %1, %2: The record is damaged."_s
                     .arg(places[0])
                     .arg(places[1]));
    }
};

SONDE_TEST(TestRecordings)
#include "tst_recordings.moc"
