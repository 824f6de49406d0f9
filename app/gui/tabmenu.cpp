// SPDX-License-Identifier: Apache-2.0
#include "app/gui/tabmenu.h"

#include "app/gui/actions.h"
#include "app/gui/mainwindow.h"
#include "app/gui/tabcontroller.h"
#include "ui/panels/callpanel.h"
#include "ui/panels/welcomepanel.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QTabBar>
#include <QTabWidget>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

TabMenu::TabMenu(TabController *tabs, MainWindow *window, QObject *parent)
    : QObject(parent), m_tabs(tabs), m_window(window)
{
    window->tabs->tabBar()->installEventFilter(this);
}

QWidget *TabMenu::pageAt(const QPoint &place) const
{
    return m_window->tabs->widget(m_window->tabs->tabBar()->tabAt(place));
}

bool TabMenu::eventFilter(QObject *watched, QEvent *event)
{
    const auto isMiddle = [event] { return static_cast<QMouseEvent *>(event)->button() == Qt::MiddleButton; };
    if (event->type() == QEvent::MouseButtonPress && isMiddle()) {
        m_pressed = pageAt(static_cast<QMouseEvent *>(event)->position().toPoint());
        return true;
    }
    // Elsewhere it is let go of by somebody who has changed their mind.
    if (event->type() == QEvent::MouseButtonRelease && isMiddle()) {
        const QPointer<QWidget> page = std::exchange(m_pressed, nullptr);
        if (page && page == pageAt(static_cast<QMouseEvent *>(event)->position().toPoint()))
            m_tabs->closePages({page});
        return true;
    }
    if (event->type() != QEvent::ContextMenu)
        return QObject::eventFilter(watched, event);
    const QTabBar *bar = m_window->tabs->tabBar();
    const auto *menu = static_cast<QContextMenuEvent *>(event);
    const bool isByKey = menu->reason() == QContextMenuEvent::Keyboard;
    const int index = isByKey ? bar->currentIndex() : bar->tabAt(menu->pos());
    if (index >= 0)
        show(index, isByKey ? bar->mapToGlobal(bar->tabRect(index).bottomLeft()) : menu->globalPos());
    return true;
}

void TabMenu::show(int index, const QPoint &position)
{
    const QTabWidget *tabs = m_window->tabs;
    // Tabs can be moved or be gone when an entry is chosen.
    QList<QPointer<QWidget>> others;
    QList<QPointer<QWidget>> right;
    for (int i = 0; i < tabs->count(); ++i) {
        if (m_tabs->marks().isPinned(tabs->widget(i)))
            continue;
        if (i != index)
            others.append(tabs->widget(i));
        if (i > index)
            right.append(tabs->widget(i));
    }
    const QPointer<QWidget> page = tabs->widget(index);
    QMenu menu;
    menu.setObjectName(u"tabMenu"_s);
    const auto add = [&menu, this](const QString &text, bool isEnabled, auto act) {
        QAction *action = menu.addAction(text);
        action->setEnabled(isEnabled);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    const Actions &actions = *m_window->actions;
    QAction *close = add(tr("Close"), true, [this, page] { m_tabs->closePages({page}); });
    if (index == tabs->currentIndex())
        close->setShortcut(actions.closeTab->shortcut());
    add(tr("Close others"), !others.isEmpty(), [this, others] { m_tabs->closePages(others); });
    add(tr("Close to the right"), !right.isEmpty(), [this, right] { m_tabs->closePages(right); });
    menu.addSeparator();
    const bool isPinned = m_tabs->marks().isPinned(page);
    add(isPinned ? tr("Unpin") : tr("Pin"), page != m_window->welcome, [this, page, isPinned] {
        if (page)
            m_tabs->marks().setPinned(page, !isPinned);
    });
    add(tr("Duplicate"), qobject_cast<ui::CallPanel *>(page) != nullptr, [this, page] {
        if (const auto *panel = qobject_cast<ui::CallPanel *>(page))
            m_tabs->duplicate(*panel);
    });
    menu.addAction(actions.reopenTab);
    menu.exec(position);
}

}  // namespace sonde::app
