// Two servers, or what was recorded of them, compared in the real window.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlibrary.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/testregistry.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/comparedialog.h"
#include "ui/panels/serverlist.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinepanel.h"

#include <QFile>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

ui::ComparePanel *comparison(TestWindow &desk)
{
    return qobject_cast<ui::ComparePanel *>(desk.window().tabs->currentWidget());
}

// Chooses the row of that text and kind in a list of the dialog.
bool choose(QDialog *dialog, const QString &list, const QString &heading, const QString &text)
{
    auto *view = dialog->findChild<QListWidget *>(list);
    QString under;
    for (int row = 0; view && row < view->count(); ++row) {
        const QListWidgetItem *item = view->item(row);
        if (!item->data(Qt::UserRole).isValid()) {
            under = item->text();
        } else if (under == heading && item->text().contains(text)) {
            view->setCurrentRow(row);
            return true;
        }
    }
    qWarning("there is no %s under %s in %s", qUtf8Printable(text), qUtf8Printable(heading), qUtf8Printable(list));
    return false;
}

QString textsOf(const QWidget *widget)
{
    QStringList texts;
    for (const ui::TextLabel *label : widget->findChildren<ui::TextLabel *>()) {
        if (label->isVisible())
            texts << label->text();
    }
    return texts.join(u'\n');
}

QStringList rowsOf(const ui::ComparePanel *panel)
{
    QStringList rows;
    const auto *model = panel->findChild<QListView *>(u"compareList"_s)->model();
    for (int row = 0; row < model->rowCount(); ++row)
        rows << model->index(row, 0).data(Qt::AccessibleTextRole).toString();
    return rows;
}

bool isDone(const ui::ComparePanel *panel)
{
    return panel && QTest::qWaitFor([panel] { return !panel->isComparing(); }, Patience);
}

}  // namespace

class TestCompareWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void twoServersThatRun()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString older = desk.add(test::demoProgram() + u" --revision 2024-11-05"_s);
        QVERIFY(!older.isEmpty());
        const QString demo = app::Workspace::demoSpec().name;
        test::WhenDialog dialog([&](QDialog *shown) {
            QVERIFY(choose(shown, u"compareLeftList"_s, u"Connected"_s, demo));
            QVERIFY(choose(shown, u"compareRightList"_s, u"Connected"_s, older));
            QTest::mouseClick(shown->findChild<QPushButton *>(u"compareStart"_s), Qt::LeftButton);
        });
        QTest::mouseClick(desk.window().compare, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        ui::ComparePanel *panel = comparison(desk);
        QVERIFY(isDone(panel));
        QTRY_VERIFY_WITH_TIMEOUT(!rowsOf(panel).isEmpty(), Patience);
        const QString rows = rowsOf(panel).join(u'\n');
        QVERIFY2(rows.contains(u"Protocol revision, 2026-07-28 → 2024-11-05"_s), qPrintable(rows));
        QVERIFY2(rows.contains(u"Arguments, "_s) && rows.contains(u"≠ differs"_s), qPrintable(rows));
        QVERIFY2(rows.contains(u"completions, "_s) && rows.contains(u"✕ breaking"_s), qPrintable(rows));
        const auto *verdict = panel->findChild<ui::Banner *>(u"compareVerdict"_s);
        QVERIFY2(textsOf(verdict).contains(u"can break clients of “"_s + demo), qPrintable(textsOf(verdict)));

        // The timeline of the server that happens to be selected has nothing to do with it.
        QVERIFY(!desk.window().timeline->isVisible());
        desk.press(Qt::Key_L, Qt::ControlModifier);
        QVERIFY(desk.window().timeline->isVisible());

        // The other way round nothing is lost.
        const int before = desk.window().tabs->count();
        QVERIFY(desk.click(u"compareSwap"_s));
        QTRY_VERIFY2_WITH_TIMEOUT(textsOf(verdict).contains(older) || textsOf(verdict).startsWith(u"?"_s) ||
                                      textsOf(verdict).startsWith(u"✓"_s),
                                  qPrintable(textsOf(verdict)), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf(panel).join(u'\n').contains(u"2024-11-05 → 2026-07-28"_s), Patience);
        QCOMPARE(desk.window().tabs->count(), before);
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(desk.window().tabs->count(), before - 1);
        QVERIFY(desk.close());
    }

    void aRecordingAndTheServerItself()
    {
        {
            TestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.close());
        }
        QCOMPARE(SessionLibrary().entries().size(), 1);
        TestWindow desk;
        QVERIFY(desk.openDemo());
        // Proposed without being asked for.
        test::WhenDialog dialog([&](QDialog *shown) {
            auto *asked = qobject_cast<ui::CompareDialog *>(shown);
            QVERIFY(asked);
            QCOMPARE(asked->left().kind, ui::CompareChoice::Kind::Recorded);
            QCOMPARE(asked->right().kind, ui::CompareChoice::Kind::Live);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"compareStart"_s), Qt::LeftButton);
        });
        QVERIFY(desk.chooseInServerMenu(0, u"Compare"_s));
        QVERIFY(dialog.hasRun());
        ui::ComparePanel *panel = comparison(desk);
        QVERIFY(isDone(panel));
        const auto *empty = panel->findChild<ui::EmptyState *>(u"compareEmpty"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(textsOf(empty).contains(u"No difference"_s),
                                  qPrintable(textsOf(panel) + rowsOf(panel).join(u'\n')), Patience);

        // The server is gone: what it offered stays, and says so. It comes back: compared again by itself.
        const auto *detail = panel->findChild<ui::TextLabel *>(u"compareRightDetail"_s);
        const QString time = detail->text();
        Connection *connection = desk.panel() ? desk.panel()->connection() : nullptr;
        for (int i = 0; !connection && i < desk.window().tabs->count(); ++i) {
            const auto *call = qobject_cast<ui::CallPanel *>(desk.window().tabs->widget(i));
            connection = call ? call->connection() : nullptr;
        }
        QVERIFY(connection);
        connection->close();
        QTRY_VERIFY_WITH_TIMEOUT(detail->text().contains(u"not connected; showing"_s), Patience);
        QVERIFY(textsOf(empty).contains(u"No difference"_s));
        QTRY_VERIFY_WITH_TIMEOUT(connection->state() == Connection::State::Disconnected && isDone(panel), Patience);
        const QSignalSpy finished(panel, &ui::ComparePanel::finished);
        connection->open();
        QTRY_VERIFY2_WITH_TIMEOUT(!finished.isEmpty() && detail->text().contains(u" · live · "_s),
                                  qPrintable(detail->text()), Patience);
        QVERIFY(time.contains(u" · live · "_s));
        QVERIFY(desk.close());
    }

    void recordingsOfReplaysAreNamedSo()
    {
        {
            TestWindow desk;
            QVERIFY(!desk.add(test::demoProgram()).isEmpty());
            QVERIFY(desk.close());
        }
        const SessionEntry entry = SessionLibrary().entries().first();
        const QString replay = SessionLibrary().newReplayPath(entry.serverName, entry.createdAt);
        QVERIFY(QFile::copy(entry.path, replay));
        TestWindow desk;
        QHash<QString, QString> details;  // by path
        test::WhenDialog dialog([&](QDialog *shown) {
            auto *asked = qobject_cast<ui::CompareDialog *>(shown);
            QVERIFY(asked);
            auto *left = shown->findChild<QListWidget *>(u"compareLeftList"_s);
            for (int row = 0; row < left->count(); ++row) {
                left->setCurrentRow(row);
                details[asked->left().path] = asked->left().detail;
            }
            shown->reject();
        });
        QTest::mouseClick(desk.window().compare, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QVERIFY2(details.value(replay).startsWith(u"replay of 20"_s), qPrintable(details.value(replay)));
        QVERIFY2(details.value(entry.path).startsWith(u"20"_s), qPrintable(details.value(entry.path)));
        QVERIFY(desk.close());
    }

    void twoRecordings()
    {
        for (const QString &switches : {u""_s, u" --revision 2024-11-05"_s}) {
            TestWindow desk;
            QVERIFY(!desk.add(test::demoProgram() + switches).isEmpty());
            QVERIFY(desk.close());
        }
        const QList<SessionEntry> entries = SessionLibrary().entries();
        QCOMPARE(entries.size(), 2);
        TestWindow desk;
        desk.workspace().openSessionFile(entries[1].path);
        QTRY_VERIFY(desk.session() && !desk.session()->isLoading());
        test::WhenDialog dialog([&](QDialog *shown) {
            auto *asked = qobject_cast<ui::CompareDialog *>(shown);
            QVERIFY(asked);
            QCOMPARE(asked->left().path, entries[1].path);
            auto *right = shown->findChild<QListWidget *>(u"compareRightList"_s);
            right->setCurrentRow(right->count() - 1);
            QCOMPARE(asked->right().path, entries[0].path);
            QTest::mouseClick(shown->findChild<QPushButton *>(u"compareStart"_s), Qt::LeftButton);
        });
        QTest::mouseClick(desk.window().compare, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        ui::ComparePanel *panel = comparison(desk);
        QVERIFY(isDone(panel));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf(panel).join(u'\n').contains(u"✕ breaking"_s), Patience);
        // Closing the session leaves the comparison be.
        QVERIFY(desk.chooseInServerMenu(desk.window().servers->rowCount() - 1, u"Close session"_s));
        QVERIFY(desk.click(u"compareRefresh"_s));
        QVERIFY(isDone(panel));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf(panel).join(u'\n').contains(u"✕ breaking"_s), Patience);
        QVERIFY(desk.close());
    }

    void closedWhileItCompares()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const QString second = desk.add(test::demoProgram() + u" --page-size 2"_s);
        QVERIFY(!second.isEmpty());
        test::WhenDialog dialog([&](QDialog *shown) {
            QVERIFY(choose(shown, u"compareLeftList"_s, u"Connected"_s, second));
            QVERIFY(choose(shown, u"compareRightList"_s, u"Connected"_s, app::Workspace::demoSpec().name));
            QTest::mouseClick(shown->findChild<QPushButton *>(u"compareStart"_s), Qt::LeftButton);
        });
        QTest::mouseClick(desk.window().compare, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QVERIFY(comparison(desk)->isComparing());
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestCompareWindow)
#include "tst_comparewindow.moc"
