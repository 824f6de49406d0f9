// The first steps of the manual, without a mouse.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "tests/app/gui/requestdesk.h"
#include "ui/compare/comparepanel.h"
#include "ui/dialogs/gotopalette.h"
#include "ui/panels/serverpanel.h"
#include "ui/replay/replaypanel.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTabWidget>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Patience;

class TestKeyboardAlone : public QObject {
    Q_OBJECT

private:
    static QString focused()
    {
        const QWidget *widget = QApplication::focusWidget();
        return !widget                          ? u"nothing"_s
               : widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                                : widget->objectName();
    }

    // Between two windows nothing has the focus for a moment.
    static void key(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QVERIFY(QTest::qWaitFor([] { return QApplication::focusWidget() != nullptr; }, Patience));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key(key), modifiers);
    }

    static bool hasFocus(const QWidget *dialog)
    {
        return QTest::qWaitFor([dialog] { return dialog->isAncestorOf(QApplication::focusWidget()); }, Patience);
    }

    static bool tabTo(const QString &name)
    {
        QStringList passed;
        for (int steps = 0; steps < 60 && !QTest::currentTestFailed(); ++steps) {
            if (focused() == name)
                return true;
            passed << focused();
            key(Qt::Key_Tab);
        }
        qWarning("Tab does not lead to %s: %s", qUtf8Printable(name), qUtf8Printable(passed.join(u' ')));
        return false;
    }

    // Ctrl+K, a part of the name, Enter.
    static bool goTo(test::RequestWindow &desk, const QString &name)
    {
        desk.press(Qt::Key_K, Qt::ControlModifier);
        auto *palette = desk.window().findChild<ui::GotoPalette *>();
        if (!palette)
            return false;
        auto *line = palette->findChild<QLineEdit *>(u"gotoLine"_s);
        QTest::keyClicks(line, name);
        QTest::keyClick(line, Qt::Key_Return);
        desk.window().activateWindow();
        return QTest::qWaitFor(
            [&] {
                const ui::CallPanel *panel = desk.test::TestWindow::panel();
                return panel && panel->ref().key == name && desk.window().isActiveWindow();
            },
            Patience);
    }

    static bool addServer(test::RequestWindow &desk, const QString &line)
    {
        test::WhenDialog dialog([&line](QDialog *server) {
            QVERIFY(hasFocus(server));
            QTest::keyClicks(QApplication::focusWidget(), line);
            key(Qt::Key_Return);
        });
        desk.press(Qt::Key_N, Qt::ControlModifier);
        desk.window().activateWindow();
        return dialog.hasRun() && QTest::qWaitForWindowActive(&desk.window(), Patience);
    }

private Q_SLOTS:
    void init() { test::TestWindow::clear(); }

    void connectingAndCalling()
    {
        test::RequestWindow desk;
        QVERIFY(addServer(desk, test::builtProgram(u"sonde-demo-server"_s)));
        QVERIFY(desk.isConnected(u"sonde-demo-server"_s));
        // Until then “add” finds Add server….
        QTRY_VERIFY_WITH_TIMEOUT(!desk.offered().isEmpty() && desk.isListed(), Patience);
        QVERIFY(goTo(desk, u"add"_s));
        QTRY_COMPARE(focused(), u"field:/a"_s);
        desk.type(u"2"_s);
        desk.press(Qt::Key_Tab);
        desk.type(u"3"_s);
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().startsWith(u"5"_s), qPrintable(desk.resultText()));
        QVERIFY(goTo(desk, u"fail"_s));
        QVERIFY(desk.call(u"▲ Tool error"_s));

        // The message of the call, by its filter and the arrows.
        desk.press(Qt::Key_L, Qt::ControlModifier);
        QTRY_COMPARE(focused(), u"timelineFilter"_s);
        desk.type(u"tool == add"_s);
        key(Qt::Key_Return);
        QTRY_COMPARE(focused(), u"timelineTable"_s);
        key(Qt::Key_Home);
        const auto *table = desk.find<QTableView>(u"timelineTable"_s);
        QTRY_VERIFY(table->currentIndex().isValid());
        QTRY_VERIFY(desk.timelineModel()->sessionRow(table->currentIndex()) >= 0);
        QVERIFY(desk.close());
    }

    void respondingToTheServer()
    {
        test::RequestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(goTo(desk, u"ask-form"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        desk.press(Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(desk.panel()->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(tabTo(u"field:/name"_s));
        desk.type(u"Ada"_s);
        // Not at once: it could be pressed by who is typing when it appears.
        QTRY_VERIFY(desk.shown<QAbstractButton>(u"requestAccept"_s)->isEnabled());
        QVERIFY(tabTo(u"requestAccept"_s));
        key(Qt::Key_Space);
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    void replayingAndComparing()
    {
        test::RequestWindow desk;
        QVERIFY(desk.openDemo());
        desk.type(u"2"_s);
        desk.press(Qt::Key_Tab);
        desk.type(u"3"_s);
        QVERIFY(desk.call(u"✓ OK"_s));
        {
            test::WhenDialog dialog([](QDialog *replay) {
                QVERIFY(hasFocus(replay));
                key(Qt::Key_Return);
            });
            desk.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(dialog.hasRun());
        }
        const auto replay = [&desk] { return qobject_cast<ui::ReplayPanel *>(desk.window().tabs->currentWidget()); };
        QTRY_VERIFY(replay());
        QTRY_COMPARE_WITH_TIMEOUT(replay()->run().state(), ReplayRun::State::Finished, Patience);
        QVERIFY(!replay()->run().problem());
        {
            // With itself: the server and its session.
            test::WhenDialog dialog([](QDialog *compare) {
                QVERIFY(hasFocus(compare));
                QVERIFY(tabTo(u"compareLeftList"_s));
                key(Qt::Key_Up);
                QVERIFY(tabTo(u"compareRightList"_s));
                key(Qt::Key_End);
                key(Qt::Key_Return);
                const auto *message = compare->findChild<QLabel *>(u"compareMessage"_s);
                QVERIFY2(!compare->isVisible(), qPrintable(message->text()));
            });
            desk.press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(dialog.hasRun());
        }
        QTRY_VERIFY(qobject_cast<ui::ComparePanel *>(desk.window().tabs->currentWidget()));
        QVERIFY(desk.close());
    }

    void findingOutWhyAServerDoesNotStart()
    {
        test::RequestWindow desk;
        QVERIFY(addServer(desk, u"no-such-program --stdio"_s));
        const auto page = [&desk] { return qobject_cast<ui::ServerPanel *>(desk.window().tabs->currentWidget()); };
        QTRY_VERIFY(page());
        QTRY_VERIFY_WITH_TIMEOUT(desk.serverDetail(u"no-such-program"_s).contains(u"not found"_s), Patience);
        QTRY_VERIFY2(page()->isAncestorOf(QApplication::focusWidget()), qPrintable(focused()));
        QVERIFY(desk.close());
    }

    // The next day, without the server.
    void openingASession()
    {
        {
            test::RequestWindow desk;
            QVERIFY(desk.openDemo());
            QVERIFY(desk.close());
        }
        test::RequestWindow desk;
        test::WhenDialog sessions([](QDialog *list) {
            QVERIFY(hasFocus(list));
            QTRY_VERIFY(list->findChild<QAbstractItemView *>(u"sessionTable"_s));
            QTRY_VERIFY(list->findChild<QAbstractItemView *>(u"sessionTable"_s)->model()->rowCount() > 0);
            key(Qt::Key_Down);
            key(Qt::Key_Return);
        });
        desk.press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY(sessions.hasRun());
        QTRY_VERIFY_WITH_TIMEOUT(desk.session() && !desk.session()->isLive(), Patience);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestKeyboardAlone)
#include "tst_keyboardalone.moc"
