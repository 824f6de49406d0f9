// The menu bar, which can be hidden.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/actions.h"

#include <QMenuBar>

namespace sonde::app {

// Made from the actions. While it is hidden, Alt or open() shows it for as long as it is used.
class MenuBar : public QMenuBar {
    Q_OBJECT
public:
    // window: whose keys it follows; it becomes the parent.
    MenuBar(const Actions &actions, QWidget *window);

    void setKept(bool kept);  // false: hidden except while it is used
    void open();              // the first menu

Q_SIGNALS:
    void menuAboutToShow();

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void addMenuOf(const Actions &actions, Actions::Menu menu, const QString &title);
    void followAlt(QEvent *event);
    void endAlt();
    void hideUnused();
    QList<QAction *> m_fixed;  // see Actions::hasFixedKeys()
    bool m_isKept = true;
    bool m_isAltAlone = false;  // it is down, and nothing else was pressed since
};

}  // namespace sonde::app
