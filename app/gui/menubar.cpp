// SPDX-License-Identifier: Apache-2.0
#include "app/gui/menubar.h"

#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QLayout>
#include <QMenu>
#include <QTimer>

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
                themes = shown->addMenu(tr("Theme"));
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
