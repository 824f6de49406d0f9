// The keyboard gets round every screen and dialog, one sees and hears where it is, and what happens elsewhere is said.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/warningbar.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/contrast.h"
#include "tests/support/testregistry.h"
#include "ui/panels/serverpanel.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/announce.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QPointer>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::app::Actions;
using sonde::test::Patience;
using sonde::test::TestWindow;

namespace {

constexpr int MaxStops = 200;
constexpr int FrameReach = 9;   // px around a stop that may show its focus: the box of an input
constexpr int SeenPixels = 40;  // of strong contrast that must change: more than a text cursor has

QString stopName(const QWidget *widget)
{
    QString place;
    for (const QWidget *at = widget; at && !at->isWindow(); at = at->parentWidget())
        place.prepend(u'/' + QString::fromLatin1(at->metaObject()->className()).section(u"::"_s, -1) + u' ' +
                      at->objectName());
    return place;
}

// As much of it as its parents show.
QRect visibleIn(const QWidget *window, const QWidget *widget)
{
    QRect visible(widget->mapTo(window, QPoint()), widget->size());
    for (const QWidget *at = widget->parentWidget(); at && at != window; at = at->parentWidget())
        visible &= QRect(at->mapTo(window, QPoint()), at->size());
    return widget->isVisible() ? visible & window->rect() : QRect();
}

QRect reachOfStop(const QWidget *widget)
{
    const QWidget *window = widget->window();
    const QRect visible = visibleIn(window, widget);
    return visible.adjusted(-FrameReach, -FrameReach, FrameReach, FrameReach) & window->rect();
}

int strongChanges(const QImage &one, const QImage &other)
{
    int count = 0;
    for (int y = 0; y < qMin(one.height(), other.height()); ++y) {
        for (int x = 0; x < qMin(one.width(), other.width()); ++x) {
            if (one.pixel(x, y) != other.pixel(x, y) &&
                test::contrastOf(one.pixelColor(x, y), other.pixelColor(x, y)) >= test::ShapeContrast)
                ++count;
        }
    }
    return count;
}

// One round with Tab through a window, which must have the focus.
class TabRound {
public:
    explicit TabRound(QWidget *window) : m_window(window) {}

    // What is wrong with its stops; empty if nothing is.
    QStringList problems()
    {
        QSet<const QWidget *> seen;
        for (int i = 0; i < MaxStops; ++i) {
            QWidget *from = QApplication::focusWidget();
            QTest::keyClick(from ? from : m_window, Qt::Key_Tab);
            QCoreApplication::processEvents();
            const QPointer<QWidget> stop = QApplication::focusWidget();
            if (!stop || !m_window->isAncestorOf(stop)) {
                m_problems << u"the focus is nowhere after %1"_s.arg(from ? stopName(from) : QString());
                break;
            }
            checkLast();
            if (stop == from && seen.size() > 1)
                m_problems << u"Tab does not leave %1"_s.arg(stopName(stop));
            if (seen.contains(stop))
                break;
            seen.insert(stop);
            check(stop);
        }
        m_count = int(seen.size());
        return m_problems;
    }
    int count() const { return m_count; }

private:
    void check(QWidget *stop)
    {
        const QString place = stopName(stop);
        const QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(stop);
        if (!spoken || spoken->role() == QAccessible::NoRole)
            m_problems << u"no role: %1"_s.arg(place);
        else if (spoken->text(QAccessible::Name).trimmed().isEmpty())
            m_problems << u"no name: %1"_s.arg(place);
        if (visibleIn(m_window, stop).isEmpty())
            m_problems << u"not to be seen: %1"_s.arg(place);
        m_last = stop;
        m_place = reachOfStop(stop);
        m_focused = m_window->grab(m_place).toImage();
    }

    // The stop before, now that the focus is elsewhere.
    void checkLast()
    {
        const QPointer<QWidget> last = std::exchange(m_last, nullptr);
        const bool isInPlace = last && !last->hasFocus() && last->isVisible() && reachOfStop(last) == m_place;
        if (!isInPlace || strongChanges(m_focused, m_window->grab(m_place).toImage()) >= SeenPixels)
            return;
        // A second look, in case that something else has changed there meanwhile.
        QWidget *now = QApplication::focusWidget();
        last->setFocus(Qt::TabFocusReason);
        const QImage focused = m_window->grab(m_place).toImage();
        now->setFocus(Qt::TabFocusReason);
        if (last && strongChanges(focused, m_window->grab(m_place).toImage()) < SeenPixels)
            m_problems << u"the focus is not seen at %1"_s.arg(stopName(last));
    }

    QWidget *m_window;
    QPointer<QWidget> m_last;
    QRect m_place;
    QImage m_focused;
    QStringList m_problems;
    int m_count = 0;
};

}  // namespace

class TestAccessibility : public QObject {
    Q_OBJECT

private:
    static void walk(QWidget *window, const QString &name, int least = 3)
    {
        TabRound round(window);
        const QStringList problems = round.problems();
        QVERIFY2(problems.isEmpty(), qPrintable(name + u":\n"_s + problems.join(u'\n')));
        QVERIFY2(round.count() >= least, qPrintable(u"%1: %2 stops"_s.arg(name).arg(round.count())));
    }

private Q_SLOTS:
    void initTestCase() { QApplication::setCursorFlashTime(0); }
    void init() { TestWindow::clear(); }

    void theWindow()
    {
        TestWindow desk;
        walk(&desk.window(), u"Welcome"_s, 8);
        QVERIFY(desk.openDemo());
        for (const QString &tool : {u"every-field-kind"_s, u"every-content-kind"_s}) {
            QVERIFY2(desk.open(tool), qPrintable(tool));
            desk.press(Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY2_WITH_TIMEOUT(!desk.panel()->isRunning(), qPrintable(tool), Patience);
            walk(&desk.window(), tool, 12);
        }
        desk.window().actions->serverInfo->trigger();
        QTRY_VERIFY(desk.window().findChild<ui::ServerPanel *>());
        walk(&desk.window(), u"a server"_s, 12);
        QVERIFY(desk.close());
    }

    // The bar is so full that it was scrolled away from the current tab.
    void theTabsShowTheFocus()
    {
        using Mode = ui::ThemeController::Mode;
        TestWindow desk;
        desk.window().resize(1000, 700);
        QVERIFY(desk.openDemo());
        for (const QString &tool : {u"every-field-kind"_s, u"structured-report"_s, u"structured-wrong"_s,
                                    u"protocol-error"_s, u"session-info"_s})
            QVERIFY2(desk.open(tool), qPrintable(tool));
        QTabBar *bar = desk.window().tabs->tabBar();
        auto *left = bar->findChild<QToolButton *>(u"ScrollLeftButton"_s);
        QVERIFY(left && left->isVisible());
        const auto end = [bar] { return bar->tabRect(bar->currentIndex()).right(); };
        desk.press(Qt::Key_Tab);  // as who uses the keyboard
        for (const Mode mode : {Mode::Light, Mode::Dark, Mode::HighContrast}) {
            desk.theme().setMode(mode);
            for (int i = 0; i < bar->count() && left->isEnabled(); ++i)
                left->click();
            QVERIFY2(end() > left->x(), "the current tab is in sight");
            bar->setFocus(Qt::TabFocusReason);
            QCOMPARE(QApplication::focusWidget(), bar);
            QVERIFY(end() < left->x());
            const QImage focused = bar->grab().toImage();
            desk.panel()->setFocus(Qt::TabFocusReason);
            QVERIFY2(strongChanges(focused, bar->grab().toImage()) >= SeenPixels,
                     qPrintable(QString::number(int(mode))));
        }
        QVERIFY(desk.close());
    }

    // Tags of HTML would be read as they are.
    void descriptionsHaveNoTags()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.open(u"hostile-text"_s));
        const QAccessibleInterface *bar = QAccessible::queryAccessibleInterface(desk.window().tabs->tabBar());
        QVERIFY(bar && bar->childCount() > 1);
        for (int i = 0; i < bar->childCount(); ++i) {
            const QString text = bar->child(i)->text(QAccessible::Description);
            QVERIFY2(!text.contains(u'<'), qPrintable(text));
        }
        auto *segment = desk.panel()->findChild<QAbstractButton *>(u"segment0"_s);
        QVERIFY(segment);
        QCOMPARE(QAccessible::queryAccessibleInterface(segment)->role(), QAccessible::RadioButton);
        QVERIFY(desk.close());
    }

    // Each opened as a person opens it.
    void dialogs()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const Actions &actions = *desk.window().actions;
        for (QAction *action :
             {actions.addServer, actions.importServers, actions.openSession, actions.preferences, actions.shortcuts,
              actions.replay, actions.compare, actions.exportSession, actions.about}) {
            const QString name = action->objectName();
            QVERIFY2(action->isEnabled(), qPrintable(name));
            test::WhenDialog dialog([&name](QDialog *shown) {
                shown->activateWindow();
                QVERIFY2(QTest::qWaitForWindowActive(shown, Patience), qPrintable(name));
                walk(shown, name, 2);
                shown->reject();
            });
            action->trigger();
            QTRY_VERIFY2(dialog.hasRun() && !QApplication::activeModalWidget(), qPrintable(name));
        }
        QVERIFY(desk.close());
    }

    void whatHappensElsewhereIsAnnounced()
    {
        TestWindow desk;
        QVERIFY(desk.openDemo());
        const auto said = [&desk] {
            QString last;
            for (QWidget *child : desk.window().findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
                const QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(child);
                if (spoken && spoken->role() == QAccessible::Notification)
                    last = spoken->text(QAccessible::Name);
            }
            return last;
        };
        QCOMPARE(said(), u"Demo server: Connected"_s);
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(said().startsWith(u"add: The call succeeded."_s), qPrintable(said()));
        desk.window().notice->say(u"The list could not be saved"_s, Error::local(u"The disk is full"_s));
        QVERIFY2(said().startsWith(u"The list could not be saved. The disk is full."_s), qPrintable(said()));
        ui::announce(&desk.window(), u"3 of 41"_s);
        QCOMPARE(said(), u"3 of 41"_s);
        QVERIFY(desk.open(u"ask-form"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(said().startsWith(u"Request from "_s), qPrintable(said()), Patience);
        desk.panel()->cancel();
        QTRY_VERIFY(!desk.panel()->isRunning());
        desk.window().actions->stop->trigger();
        QTRY_COMPARE(said(), u"Demo server: stopped"_s);
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestAccessibility)
#include "tst_accessibility.moc"
