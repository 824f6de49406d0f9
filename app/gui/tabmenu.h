// What the mouse does to a tab beyond choosing it: its context menu, and the middle button, which closes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

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
    QWidget *pageAt(const QPoint &place) const;    // of the tab bar; null: there is no tab
    TabController *m_tabs;
    MainWindow *m_window;
    QPointer<QWidget> m_pressed;  // with the middle button
};

}  // namespace sonde::app
