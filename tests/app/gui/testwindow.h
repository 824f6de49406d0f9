// The real window with everything behind it, and the hand that uses it: mouse and keys only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/windowhost.h"
#include "tests/support/testregistry.h"
#include "ui/panels/callpanel.h"

#include <QApplication>
#include <QDialog>
#include <QTest>
#include <QTimer>
#include <functional>
#include <memory>

class QAbstractItemView;
class QMenu;

namespace sonde::ui {
class TimelineModel;
}

namespace sonde::test {

// As app/gui/main.cpp puts it together. The demo server lies beside the test's executable.
// The functions that return a bool or a pointer say on stderr what they found instead of what was asked for.
class TestWindow {
public:
    TestWindow();
    ~TestWindow();

    // Servers, sessions and settings of the tests before are gone.
    static void clear();
    static QString configPath(const QString &name);
    static QString dataPath(const QString &name);
    // What the window before had open; without it a window begins empty and keeps nothing.
    void restoreLast() { m_host->controller().restoreLast(); }

    // From now on servers that nobody has approved are not started without a question.
    void asksForApproval() { m_asksForApproval = true; }

    app::MainWindow &window() { return *m_window; }
    app::Workspace &workspace() { return m_host->workspace(); }
    app::ServerController &servers() { return m_host->controller().servers(); }
    ui::ThemeController &theme() { return *m_theme; }
    app::Settings &settings() { return *m_settings; }
    bool hasFinished() const { return m_finished; }

    // Demo server connected, its first tool open.
    bool openDemo();
    // A command line or address, as typed; the name that the server gets, once it is connected and its tools are
    // listed. Empty where that fails.
    QString add(const QString &line);
    // Waits until the line of that name is connected; fails early where it failed to connect.
    bool isConnected(const QString &name);
    bool isListed() const;  // all that the server of the current tab offers
    int serverRow(const QString &name) const;
    QString serverDetail(const QString &name) const;
    bool clickServer(const QString &name);
    // Opens the context menu of the server's line and chooses the entry that starts with this text.
    bool chooseInServerMenu(int row, const QString &entry);

    // The offers, as the tree shows them.
    QStringList offered() const;
    // Double-clicks that entry of the tree; the tab that is open then, or null.
    ui::CallPanel *open(const QString &offer);
    ui::CallPanel *preview(const QString &offer);  // a single click
    ui::CallPanel *panel() const;                  // of the current tab, or null

    // In the current tab.
    bool enter(const QString &field, const QString &text);  // "/a"; clicks there and types in place of what is there
    bool click(const QString &objectName);                  // a button anywhere in the current tab
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});  // wherever the focus is
    void type(const QString &text);
    // Ctrl+Enter, and waits until the call is over. True when the badge then says this.
    bool call(const QString &badge);
    bool endsWith(const QString &badge);  // waits until no call runs any more
    QString badge() const;
    QString bannerTitle() const;
    QString facts() const;
    QString resultText() const;  // all text blocks of the result, as they came

    // The session in the timeline.
    Session *session() const;
    ui::TimelineModel *timelineModel() const;
    int countOf(const QString &method, Direction direction) const;

    // Closes as the window's own button does, and waits for the end.
    bool close();

    template <typename T>
    T *find(const QString &name) const
    {
        T *found = m_window->findChild<T *>(name);
        if (!found)
            qWarning("there is no %s", qUtf8Printable(name));
        return found;
    }

private:
    QWidget *focus();
    std::unique_ptr<ui::ThemeController> m_theme;
    std::unique_ptr<app::Settings> m_settings;
    std::unique_ptr<app::WindowHost> m_host;
    app::MainWindow *m_window;  // that is shown now
    bool m_finished = false;
    bool m_asksForApproval = false;
    QHash<QString, ServerSpec> m_approved;
};

// Runs once, as soon as a further modal dialog is open: exec() blocks whoever opened it. A dialog that is still open
// after that is rejected, so that a test cannot hang.
class WhenDialog {
public:
    explicit WhenDialog(std::function<void(QDialog *)> action);
    bool hasRun() const { return m_hasRun; }

private:
    QTimer m_timer;
    std::function<void(QDialog *)> m_action;
    bool m_hasRun = false;
};

// The same for a menu that is open.
class WhenMenu {
public:
    explicit WhenMenu(std::function<void(QMenu *)> action);
    bool hasRun() const { return m_hasRun; }

private:
    QTimer m_timer;
    bool m_hasRun = false;
};

bool clickButton(QWidget *within, const QString &text);  // by what it says, & signs aside
bool clickRow(QAbstractItemView *view, const QModelIndex &index);
bool chooseInMenu(QMenu *menu, const QString &entry);
// What must never be drawn: control characters, bidirectional controls, zero width, lone surrogates. Empty when none.
QString unsafeIn(const QString &text);
QString demoProgram();

}  // namespace sonde::test
