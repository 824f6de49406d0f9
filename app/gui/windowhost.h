// The workspace and the window over it, which is made anew in another language.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/windowcontroller.h"
#include "app/gui/workspace.h"
#include "ui/theme/translations.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace sonde::app {

class MainWindow;

// Servers stay connected while the window changes its language: everything that shows texts is destroyed and made
// again, with its tabs, what was typed there and the last results. That waits until no call runs, no server waits for
// a response and no dialog is open. Does not own its arguments. GUI thread.
class WindowHost : public QObject {
    Q_OBJECT
public:
    WindowHost(ui::ThemeController *theme, Settings *settings, const Profile &profile, QObject *parent = nullptr);
    ~WindowHost() override;

    // Until the language changes.
    MainWindow &window() { return *m_window; }
    WindowController &controller() { return *m_controller; }
    Workspace &workspace() { return m_workspace; }
    const ui::Translations &translations() const { return m_translations; }

    void shutDown();  // without a question; ends in finished()

Q_SIGNALS:
    void windowReplaced();
    void finished();  // everything was closed in order: the program may end

private:
    void makeWindow();
    void destroyWindow();
    void askForLanguage();
    void tryToChangeLanguage();
    bool isBusy() const;  // what runs in the window would end with it
    void replaceWindow();

    ui::ThemeController *m_theme;
    Settings *m_settings;
    ui::Translations m_translations;  // before what has texts
    Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<WindowController> m_controller;
    QTimer m_languageTimer;  // while another language waits
    bool m_hasSaidWaiting = false;
};

}  // namespace sonde::app
