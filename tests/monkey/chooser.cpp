// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/chooser.h"

#include "tests/monkey/hand.h"
#include "tests/monkey/screen.h"
#include "tests/monkey/world.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitterHandle>
#include <QTabBar>
#include <QTextEdit>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::monkey {

namespace {

using Kind = Step::Kind;

const QStringList &windowKeys()
{
    static const QStringList keys{
        u"Ctrl+K"_s,       u"Ctrl+N"_s,       u"Ctrl+O"_s,         u"Ctrl+F"_s,       u"Ctrl+L"_s,   u"Ctrl+Shift+L"_s,
        u"Ctrl+Shift+E"_s, u"Ctrl+Shift+R"_s, u"Ctrl+Shift+D"_s,   u"Ctrl+Shift+S"_s, u"Ctrl+J"_s,   u"F5"_s,
        u"Ctrl+W"_s,       u"Ctrl+Tab"_s,     u"Ctrl+Shift+Tab"_s, u"Alt+Up"_s,       u"Alt+Down"_s, u"Ctrl+Return"_s,
        u"Ctrl+Return"_s,  u"Ctrl+Return"_s,  u"Ctrl+Shift+T"_s,   u"Ctrl+,"_s,       u"Ctrl+M"_s,   u"F10"_s,
        u"F1"_s,           u"Alt+S"_s};
    return keys;
}

const QStringList &plainKeys()
{
    static const QStringList keys{
        u"Tab"_s,    u"Tab"_s,    u"Tab"_s,       u"Shift+Tab"_s, u"Shift+Tab"_s, u"Return"_s,       u"Return"_s,
        u"Esc"_s,    u"Esc"_s,    u"Space"_s,     u"Up"_s,        u"Down"_s,      u"Down"_s,         u"Left"_s,
        u"Right"_s,  u"Home"_s,   u"End"_s,       u"PgUp"_s,      u"PgDown"_s,    u"Del"_s,          u"Backspace"_s,
        u"Ctrl+A"_s, u"Ctrl+C"_s, u"Ctrl+V"_s,    u"Ctrl+X"_s,    u"Ctrl+Z"_s,    u"Ctrl+Shift+Z"_s, u"F2"_s,
        u"F3"_s,     u"Menu"_s,   u"Alt+Right"_s, u"Alt+Left"_s,  u"Shift+F10"_s, u"Ctrl+Home"_s,    u"Ctrl+End"_s,
        u"*"_s,      u"+"_s,      u"-"_s};
    return keys;
}

// Nothing of this does any harm where it becomes a command.
const QStringList &texts()
{
    static const QStringList texts{u"a"_s,
                                   u"7"_s,
                                   u"-1"_s,
                                   u"1e400"_s,
                                   u"18446744073709551616"_s,
                                   u"{\"a\":1}"_s,
                                   u"{\"a\":"_s,
                                   u"[1,2"_s,
                                   u"\""_s,
                                   u"echo"_s,
                                   u"true"_s,
                                   u"no-such-program --x"_s,
                                   u"http://127.0.0.1:1/mcp"_s,
                                   u"tool == \"echo\""_s,
                                   u"ms > 5 and"_s,
                                   u"é\u202e😀"_s,
                                   u"a\nb\tc"_s,
                                   u"Stateful"_s,
                                   u"file:///tmp"_s,
                                   QString(300, u'x')};
    return texts;
}

template <typename... Types>
bool isOneOf(const QWidget *widget)
{
    return ((qobject_cast<const Types *>(widget) != nullptr) || ...);
}

// The scroll area whose viewport this is, or null.
QAbstractItemView *viewOf(QWidget *viewport)
{
    auto *view = qobject_cast<QAbstractItemView *>(viewport->parentWidget());
    return view && view->viewport() == viewport ? view : nullptr;
}

// How much more often than an empty area something is pointed at.
int weightOf(QWidget *widget)
{
    if (isOneOf<ui::PrimaryButton>(widget))
        return 40;
    if (isOneOf<QPushButton, QToolButton>(widget))
        return 12;
    if (isOneOf<QAbstractButton>(widget))
        return 6;  // segments and the buttons of fields: there are many
    if (QAbstractItemView *view = viewOf(widget))
        return isOneOf<QHeaderView>(view) ? 4 : 30;
    if (isOneOf<QLineEdit, QComboBox, QTabBar>(widget))
        return 12;
    if (isOneOf<QMenu>(widget))
        return 1000;
    if (isOneOf<QMenuBar>(widget))
        return 20;
    if (isOneOf<QSplitterHandle>(widget))
        return 6;
    const auto *area = qobject_cast<QAbstractScrollArea *>(widget->parentWidget());
    if (area && area->viewport() == widget)
        return 6;
    return 1;
}

}  // namespace

Chooser::Chooser(Walk walk, quint32 seed) : m_walk(walk), m_random(seed) {}

int Chooser::upTo(int count)
{
    // The distributions of the library differ between its versions.
    return count <= 1 ? 0 : int(m_random() % uint(count));
}

Step Chooser::next()
{
    if (hand::openFileDialog())
        return {Kind::ChooseFile, {}, {}, upTo(2) ? anyOf(World::files()) : QString(), 0};
    // Without this, most of a walk would be spent in the first dialog that opens.
    const bool isInFront = QApplication::activePopupWidget() || QApplication::activeModalWidget();
    if (isInFront && upTo(12) == 0)
        return {Kind::Key, {}, {}, u"Esc"_s, 0};
    struct Choice {
        int weight;
        Step (Chooser::*choose)();
    };
    const bool points = m_walk != Walk::Keyboard;
    const std::array choices{
        Choice{points ? 60 : 0, &Chooser::pointed},
        Choice{points ? 16 : 70, &Chooser::pressed},
        Choice{8, &Chooser::typed},
        Choice{points ? 1 : 0, &Chooser::dropped},
        Choice{1, &Chooser::resized},
        Choice{m_walk == Walk::Sessions ? 0 : 6, &Chooser::ofServer},
        Choice{8, &Chooser::waited},
    };
    int sum = 0;
    for (const Choice &choice : choices)
        sum += choice.weight;
    int at = upTo(sum);
    for (const Choice &choice : choices) {
        at -= choice.weight;
        if (at < 0)
            return (this->*choice.choose)();
    }
    return {};
}

QPointF Chooser::placeIn(QWidget *widget)
{
    const auto share = [](int at, int size) { return size > 1 ? double(at) / (size - 1) : 0; };
    // A row; lists are often shorter than their area.
    if (QAbstractItemView *view = viewOf(widget); view && view->model() && upTo(8)) {
        QList<QPoint> rows;
        const int step = std::max(8, view->fontMetrics().height());
        for (int y = step / 2; y < widget->height(); y += step) {
            if (view->indexAt(QPoint(widget->width() / 3, y)).isValid())
                rows << QPoint(0, y);
        }
        if (!rows.isEmpty())
            return {upTo(1001) / 1000.0, share(anyOf(rows).y(), widget->height())};
    }
    const auto entryIn = [this, &share, widget](auto *menu) -> QPointF {
        const QPoint center = menu->actionGeometry(anyOf(menu->actions())).center();
        return {share(center.x(), widget->width()), share(center.y(), widget->height())};
    };
    if (auto *menu = qobject_cast<QMenu *>(widget); menu && !menu->actions().isEmpty())
        return entryIn(menu);
    if (auto *bar = qobject_cast<QMenuBar *>(widget))
        return entryIn(bar);
    if (isOneOf<QAbstractButton>(widget))
        return {0.5, 0.5};
    return {upTo(1001) / 1000.0, upTo(1001) / 1000.0};
}

// Mostly the main one, however many others are open.
QWidget *Chooser::chosenWindow(const QList<QWidget *> &windows)
{
    const auto main = std::find_if(windows.begin(), windows.end(), isOneOf<QMainWindow>);
    return main != windows.end() && upTo(4) ? *main : anyOf(windows);
}

Step Chooser::pointed()
{
    const QList<QWidget *> windows = screen::windows();
    if (windows.isEmpty())
        return waited();
    const QList<QWidget *> widgets = screen::reachable(chosenWindow(windows));
    int sum = 0;
    for (QWidget *widget : widgets)
        sum += weightOf(widget);
    QWidget *target = nullptr;
    for (int tries = 0; tries < 12; ++tries) {
        int at = upTo(sum);
        target = *std::find_if(widgets.begin(), widgets.end(), [&at](QWidget *widget) {
            at -= weightOf(widget);
            return at < 0;
        });
        const QPointF place = placeIn(target);
        if (!screen::hit(target, place).widget)
            continue;
        Step step{Kind::Click, screen::nameOf(target), place, {}, 0};
        const int what = upTo(20);
        if (isOneOf<QSplitterHandle>(target) || what == 0) {
            step.kind = Kind::Drag;
            step.text = u"%1 %2"_s.arg(upTo(600) - 300).arg(upTo(600) - 300);
        } else if (what == 1) {
            step.kind = Kind::Wheel;
            step.number = (upTo(2) ? 1 : -1) * 120 * (1 + upTo(10));
        } else if (what <= 3) {
            step.kind = Kind::RightClick;
        } else if (what <= 5) {
            step.kind = Kind::DoubleClick;
        }
        return step;
    }
    return waited();
}

Step Chooser::pressed()
{
    if (upTo(400) == 0)
        return {Kind::Close, {}, {}, {}, 0};
    return {Kind::Key, {}, {}, anyOf(upTo(3) ? plainKeys() : windowKeys()), 0};
}

Step Chooser::typed()
{
    return {Kind::Type, {}, {}, anyOf(texts()), 0};
}

Step Chooser::dropped()
{
    const QList<QWidget *> windows = screen::windows();
    if (windows.isEmpty())
        return waited();
    QWidget *target = anyOf(screen::reachable(chosenWindow(windows)));
    return {Kind::Drop, screen::nameOf(target), placeIn(target), upTo(3) ? anyOf(World::files()) : anyOf(texts()), 0};
}

Step Chooser::resized()
{
    static const QStringList sizes{u"640x400"_s, u"900x560"_s, u"1000x700"_s, u"1440x900"_s, u"1920x1080"_s};
    return {Kind::Resize, {}, {}, anyOf(sizes), 0};
}

Step Chooser::ofServer()
{
    // The one that follows every order gets more of them.
    const int server = upTo(2) ? 3 : upTo(int(World::serverNames().size()));
    return {Kind::Server, {}, {}, anyOf(World::acts()), server};
}

Step Chooser::waited()
{
    return {Kind::Wait, {}, {}, {}, upTo(6) ? upTo(8) : upTo(80)};
}

}  // namespace sonde::monkey
