// The layout of the window: top bar, servers and their offering on the left, tabs, timeline, status line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QHash>
#include <QMainWindow>
#include <QTimer>
#include <QToolButton>

class QLabel;
class QPushButton;
class QSplitter;
class QTabWidget;

namespace sonde::ui {
class Banner;
class OfferTree;
class RequestPanel;
class ServerListModel;
class ServerListView;
class SideBar;
class TextLabel;
class TimelinePanel;
class WelcomePanel;
}  // namespace sonde::ui

namespace sonde::app {

class Actions;
class MenuBar;
class ReconnectBar;
class WarningBar;
class Settings;

// Only widgets; WindowController and the controllers that it connects have the behaviour.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget *parent = nullptr);

    // The first size of the window, with room for the window manager's frame.
    static QSize firstSize(const QSize &available, const QMargins &frame);

    void restore(const Settings &settings);
    void store(Settings &settings) const;
    void showTheme(ui::ThemeController::Mode mode);
    // Replays and comparisons hide it, and a low window does: there it takes the place of the tabs.
    void showTimeline();
    void toggleTimeline();                          // between its share of the window and all of it
    bool hidesTabs() const { return m_hidesTabs; }  // the timeline has all of it
    void showTabs();
    // Beside the tabs, or below them in a narrow window. Folded, there is only a button in the status line.
    void showRequests(bool shown);
    void foldRequests(bool folded);
    bool areRequestsFolded() const { return !requestChip->isHidden(); }
    // Appends a tab and returns its index. A page that needs the whole height hides the timeline while it is current.
    enum class PageHeight { Shared, Whole };
    int addPage(QWidget *page, const QString &title, const QString &tip, PageHeight height = PageHeight::Shared);
    void setPageHeight(QWidget *page, PageHeight height);
    void bringForward(QWidget *page);
    // Says for a few seconds what was done, in place of what the status line says otherwise.
    void tell(const QString &text);
    void namePage(QWidget *page, const QString &title, const QString &tip);

    Actions *actions;
    MenuBar *menus;
    ui::ServerListModel *servers;
    ui::ServerListView *serverList;
    ui::OfferTree *offers;
    QTabWidget *tabs;
    ui::WelcomePanel *welcome;
    ui::TimelinePanel *timeline;
    ui::RequestPanel *requests;  // while a server waits for a response
    ReconnectBar *reconnect;     // servers that were connected the last time
    WarningBar *notice;          // something is wrong that concerns the whole window
    QPushButton *addServer;
    QPushButton *openSession;
    QPushButton *goTo;
    QPushButton *replay;
    QPushButton *compare;
    QToolButton *theme;
    ui::TextLabel *recording;
    ui::TextLabel *counts;
    ui::TextLabel *process;
    ui::TextLabel *told;       // see tell()
    QToolButton *automatic;    // responses that are sent without asking
    QToolButton *requestChip;  // in place of folded requests

Q_SIGNALS:
    void partsChanged();  // others are shown: tabs, requests
    void closing();       // the window was asked to close; it is hidden, and stays until the owner quits

protected:
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    bool focusNextPrevChild(bool next) override;

private:
    QWidget *makeTopBar();
    void makeStatusLine();
    bool isCrowded(int height) const;  // no room for tabs, requests and the timeline below each other
    void makeRoom();
    void divideHeight();
    void placeRequests();
    void fitRequests();
    ui::SideBar *m_sideBar;
    QSplitter *m_horizontal;
    QSplitter *m_vertical;
    QSplitter *m_work;  // beside the side bar: tabs with the timeline, and requests
    QWidget *m_facts;   // of the status line
    QTimer m_telling;
    QList<int> m_timelineSizes;
    QByteArray m_heights;                               // of tabs and the timeline, as the user has chosen them
    QHash<Qt::Orientation, QList<int>> m_requestSizes;  // likewise
    bool m_hidesTabs = false;
};

}  // namespace sonde::app
