// Comparisons: choosing two sides and following live ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspace.h"

#include <QObject>

namespace sonde::ui {
struct CompareChoice;
}

namespace sonde::app {

class MainWindow;

// Does not own its arguments; a comparison belongs to its tab.
class CompareController : public QObject {
    Q_OBJECT
public:
    CompareController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    void ask(const WorkspaceItem *item);  // what with, proposing this one; null: none

private:
    QList<ui::CompareChoice> choices() const;
    void open(const ui::CompareChoice &left, const ui::CompareChoice &right);

    Workspace *m_workspace;
    MainWindow *m_window;
};

}  // namespace sonde::app
