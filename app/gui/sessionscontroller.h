// Recorded sessions in the window: the list, opening one at a row, and the desktop's recent files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"
#include "core/session/retention.h"

#include <QObject>
#include <QPointer>

namespace sonde::ui {
class SessionsDialog;
}

namespace sonde::app {

class MainWindow;

// Arguments outlive it. GUI thread.
class SessionsController : public QObject {
    Q_OBJECT
public:
    SessionsController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);
    ~SessionsController() override;

    // As the preferences have it.
    void setRetention(const RetentionRules &rules) { m_rules = rules; }
    void setListsRecentFiles(bool lists) { m_listsRecentFiles = lists; }

    void choose();  // in the list of all
    void open(const QString &path, qsizetype row = -1);

Q_SIGNALS:
    void replayRequested(const QString &path);
    void limitsRequested(QWidget *parent);

private:
    QStringList openPaths() const;
    void addToRecentFiles(const QString &path);

    Workspace *m_workspace;
    MainWindow *m_window;
    RetentionRules m_rules;
    bool m_listsRecentFiles = true;
    QPointer<ui::SessionsDialog> m_dialog;  // kept, with what was searched for
    bool m_isChoosing = false;              // also while a dialog over the closed one holds up its end
};

}  // namespace sonde::app
