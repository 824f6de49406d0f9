// SPDX-License-Identifier: Apache-2.0
#include "app/gui/menubar.h"

#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QLayout>
#include <QMenu>
#include <QTimer>
#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace sonde::app {

MenuBar::MenuBar(const Actions &actions, QWidget *window) : QMenuBar(window)
{
    using Menu = Actions::Menu;
    setObjectName(u"menuBar"_s);
    addMenuOf(actions, Menu::File, tr("&File"));
    addMenuOf(actions, Menu::Edit, tr("&Edit"));
    addMenuOf(actions, Menu::View, tr("&View"));
    addMenuOf(actions, Menu::Server, tr("&Server"));
    addMenuOf(actions, Menu::Session, tr("Sess&ion"));
    addMenuOf(actions, Menu::Tools, tr("&Tools"));
    addMenuOf(actions, Menu::Help, tr("&Help"));
    window->installEventFilter(this);
    const QList<QAction *> all = actions.all();
    std::copy_if(all.begin(), all.end(), std::back_inserter(m_fixed), Actions::hasFixedKeys);
}

// While the bar has the focus, keys that belong to the widget with the focus are those of the menu. Qt would find them
// ambiguous where another command has them everywhere else.
bool MenuBar::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        const QKeySequence pressed(key->keyCombination());
        const auto found = std::find_if(m_fixed.cbegin(), m_fixed.cend(), [&pressed](const QAction *action) {
            return action->shortcuts().contains(pressed);
        });
        if (found != m_fixed.cend())
            Q_EMIT menuAboutToShow();  // it depends on the focus before what is enabled
        if (found != m_fixed.cend() && (*found)->isEnabled()) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                (*found)->trigger();
            return true;
        }
    }
    return QMenuBar::event(event);
}

void MenuBar::addMenuOf(const Actions &actions, Actions::Menu menu, const QString &title)
{
    QMenu *shown = addMenu(title);
    QMenu *themes = nullptr;
    for (QAction *action : actions.menu(menu)) {
        if (!action) {
            shown->addSeparator();
        } else if (action->actionGroup() == actions.themes) {
            if (!themes)
                themes = shown->addMenu(tr("&Theme"));
            themes->addAction(action);
        } else {
            shown->addAction(action);
        }
    }
    connect(shown, &QMenu::aboutToShow, this, &MenuBar::menuAboutToShow);
    connect(shown, &QMenu::aboutToHide, this, &MenuBar::hideUnused);
}

void MenuBar::setKept(bool kept)
{
    m_isKept = kept;
    setVisible(kept);
}

void MenuBar::open()
{
    show();
    window()->layout()->activate();  // or the menu would open where the bar was before
    setActiveAction(actions().constFirst());
}

void MenuBar::hideUnused()
{
    // What hides one menu may be about to show the next.
    QTimer::singleShot(0, this, [this] {
        if (!m_isKept && !hasFocus() && !QApplication::activePopupWidget())
            hide();
    });
}

void MenuBar::focusOutEvent(QFocusEvent *event)
{
    QMenuBar::focusOutEvent(event);
    hideUnused();
}

bool MenuBar::eventFilter(QObject *watched, QEvent *event)
{
    if (isHidden())
        followAlt(event);
    return QMenuBar::eventFilter(watched, event);
}

// As a menu bar does that can be seen: Alt counts when it goes down and up with nothing in between.
void MenuBar::followAlt(QEvent *event)
{
    const auto isAlt = [event] { return static_cast<QKeyEvent *>(event)->key() == Qt::Key_Alt; };
    switch (event->type()) {
        case QEvent::ShortcutOverride:
            if (isAlt() && !m_isAltAlone) {
                m_isAltAlone = true;
                qApp->installEventFilter(this);
            } else if (!isAlt()) {
                endAlt();
            }
            break;
        case QEvent::KeyPress:
            if (!isAlt())
                endAlt();
            break;
        case QEvent::KeyRelease:
            if (m_isAltAlone && isAlt()) {
                endAlt();
                open();
            }
            break;
        case QEvent::MouseButtonPress:
        case QEvent::Shortcut:
        case QEvent::WindowDeactivate:
            endAlt();
            break;
        default:
            break;
    }
}

void MenuBar::endAlt()
{
    if (!m_isAltAlone)
        return;
    m_isAltAlone = false;
    qApp->removeEventFilter(this);
}

}  // namespace sonde::app
