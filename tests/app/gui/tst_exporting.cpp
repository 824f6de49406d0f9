// What was recorded leaves the house, through the whole window: from the timeline, by its key, from the list of
// sessions.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace sonde;
using test::TestWindow;

class TestExporting : public QObject {
    Q_OBJECT

private:
    // In the dialog that is open: to that file, and closed again.
    static void exportTo(QDialog *dialog, const QString &target, int scope = 0)
    {
        QVERIFY(dialog->objectName() == u"exportDialog");
        auto *scopes = dialog->findChild<QComboBox *>(u"exportScope"_s);
        if (scope >= 0)
            scopes->setCurrentIndex(scope);
        auto *path = dialog->findChild<QLineEdit *>(u"exportPath"_s);
        path->selectAll();
        QTest::keyClicks(path, target);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"exportStart"_s), Qt::LeftButton);
        const auto *result = dialog->findChild<ui::Banner *>(u"exportResult"_s);
        QTRY_VERIFY_WITH_TIMEOUT(result->isVisible(), test::Patience);
        QCOMPARE(result->accessibleName(), u"Exported"_s);
        dialog->reject();
    }

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void aLiveSessionByItsKeyAndByItsButton()
    {
        const QTemporaryDir out;
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"echo"_s) && desk.enter(u"/value"_s, u"{\"password\":\"canary4711secret\"}"_s) &&
                desk.call(u"✓ OK"_s));
        const QString first = out.filePath(u"all.jsonl"_s);
        {
            test::WhenDialog dialog([&](QDialog *shown) { exportTo(shown, first); });
            desk.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(dialog.hasRun());
        }
        QCOMPARE(test::readFile(first).count('\n'), int(desk.session()->messageCount()));
        QVERIFY(test::readFile(first).contains("tools/call") && !test::readFile(first).contains("canary4711secret"));
        // What the filter shows.
        auto *filter = desk.find<QLineEdit>(u"timelineFilter"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"method == \"tools/call\""_s);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.window().timeline->showsAll() && !desk.timelineModel()->isFiltering() &&
                                     desk.timelineModel()->rowCount() > 0,
                                 test::Patience);
        const QString second = out.filePath(u"calls.jsonl"_s);
        {
            test::WhenDialog dialog([&](QDialog *shown) { exportTo(shown, second, 1); });
            QTest::mouseClick(desk.find<QToolButton>(u"timelineExport"_s), Qt::LeftButton);
            QVERIFY(dialog.hasRun());
        }
        QVERIFY(test::readFile(second).contains("tools/call") && !test::readFile(second).contains("server/discover"));
        QVERIFY(desk.close());
    }

    void selectedRowsFromTheirMenu()
    {
        const QTemporaryDir out;
        TestWindow desk;
        QVERIFY(desk.openDemo());
        auto *table = desk.find<QTableView>(u"timelineTable"_s);
        desk.window().timeline->showRow(2);  // server/discover
        QTRY_VERIFY_WITH_TIMEOUT(table->currentIndex().isValid(), test::Patience);
        const QString target = out.filePath(u"one.jsonl"_s);
        test::WhenDialog dialog([&](QDialog *shown) { exportTo(shown, target, -1); });
        test::WhenMenu menu([](QMenu *shown) { QVERIFY(test::chooseInMenu(shown, u"Export selected"_s)); });
        Q_EMIT table->customContextMenuRequested(table->visualRect(table->currentIndex()).center());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.hasRun(), test::Patience);
        QTRY_COMPARE_WITH_TIMEOUT(test::readFile(target).count('\n'), 1, test::Patience);
        QVERIFY(desk.close());
    }

    // The window may show another session by then, or have lost this one.
    void theSessionThatTheDialogWasOpenedFor()
    {
        const QTemporaryDir out;
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QString copy = out.filePath(u"copy.mcpsession"_s);
        desk.session()->flush();
        QVERIFY(QFile::copy(desk.session()->path(), copy));
        QVERIFY(desk.open(u"echo"_s) && desk.enter(u"/value"_s, u"1"_s) && desk.call(u"✓ OK"_s));
        auto *filter = desk.find<QLineEdit>(u"timelineFilter"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"method == \"tools/call\""_s);
        QTRY_VERIFY(!desk.window().timeline->showsAll() && !desk.timelineModel()->isFiltering() &&
                    desk.timelineModel()->rowCount() > 0);
        const Session *first = desk.session();
        const QString target = out.filePath(u"calls.jsonl"_s);
        test::WhenDialog dialog([&](QDialog *shown) {
            desk.workspace().openSessionFile(copy);
            QTRY_VERIFY(desk.session() != first && !desk.session()->isLoading() &&
                        !desk.timelineModel()->isFiltering());
            exportTo(shown, target, 1);
        });
        desk.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(dialog.hasRun());
        const QByteArray exported = test::readFile(target);
        QVERIFY2(exported.contains("tools/call") && !exported.contains("server/discover"), exported.constData());

        filter->clear();
        QTRY_VERIFY(desk.window().timeline->showsAll());
        bool isOpen = true;
        test::WhenDialog closing([&](QDialog *shown) {
            desk.workspace().closeSession(*desk.workspace().current());
            isOpen = shown->isVisible();
            shown->reject();
        });
        desk.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(closing.hasRun());
        QVERIFY(!isOpen);
        QVERIFY(desk.close());
    }

    void aSessionThatIsNotOpen()
    {
        const QTemporaryDir out;
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.close());
        }
        TestWindow desk;
        const QString target = out.filePath(u"old.md"_s);
        test::WhenDialog dialog([&](QDialog *sessions) {
            test::WhenDialog exporting([&](QDialog *shown) { exportTo(shown, target); });
            QTest::mouseClick(sessions->findChild<QPushButton *>(u"sessionExport"_s), Qt::LeftButton);
            QVERIFY(exporting.hasRun());
            sessions->reject();
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(dialog.hasRun());
        QVERIFY(test::readFile(target).contains("server/discover"));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestExporting)
#include "tst_exporting.moc"
