// The context menu of a tab.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace sonde::app {

class MainWindow;
class TabController;

// Does not own its arguments.
class TabMenu : public QObject {
    Q_OBJECT
public:
    TabMenu(TabController *tabs, MainWindow *window, QObject *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void show(int index, const QPoint &position);  // of the screen
    TabController *m_tabs;
    MainWindow *m_window;
};

}  // namespace sonde::app
