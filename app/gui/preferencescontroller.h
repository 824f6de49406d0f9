// The preferences: reads, applies and stores them, and shows their dialog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/shortcuts.h"
#include "ui/dialogs/preferencesdialog.h"

#include <QObject>

namespace sonde::app {

class MainWindow;
class RequestController;
class SessionsController;
class Settings;
class StorageWarnings;
class Workspace;

// Does not own its arguments.
class PreferencesController : public QObject {
    Q_OBJECT
public:
    struct Parts {
        MainWindow *window;
        ui::ThemeController *theme;
        Settings *settings;
        Workspace *workspace;
        StorageWarnings *storage;
        RequestController *requests;
        SessionsController *sessions;
    };

    explicit PreferencesController(const Parts &parts, QObject *parent = nullptr);

    void open(ui::PreferencesDialog::Page page, QWidget *parent);

Q_SIGNALS:
    void languageChanged();  // the stored one; the window is still in the former

private:
    void connectThemes();
    void change(const ui::Preferences &preferences);  // applies and stores
    void apply();
    void store();
    void showMenuBar(bool isShown);
    void forgetArguments(ui::PreferencesDialog *dialog);

    const Parts m_parts;
    ui::Preferences m_preferences;
    Shortcuts m_shortcuts;
};

}  // namespace sonde::app
