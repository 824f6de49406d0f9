// Comparisons: choosing two sides and following live ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/comparefeeder.h"
#include "app/gui/tabkeeper.h"
#include "app/gui/workspace.h"

#include <QObject>
#include <array>

namespace sonde::ui {
class ComparePanel;
struct CompareChoice;
}  // namespace sonde::ui

namespace sonde::app {

class MainWindow;

// Does not own its arguments; a comparison belongs to its tab.
class CompareController : public QObject, public TabKeeper {
    Q_OBJECT
public:
    CompareController(Workspace *workspace, MainWindow *window, QObject *parent = nullptr);

    void ask(const WorkspaceItem *item);  // what with, proposing this one; null: none

    bool store(const QWidget *page, TabState *tab, TabContents *contents) const override;
    QWidget *restore(const TabState &tab, const TabContents *contents) override;

private:
    QList<ui::CompareChoice> choices() const;
    void open(const ui::CompareChoice &left, const ui::CompareChoice &right);
    ui::ComparePanel *add(const std::array<CompareFeeder::Source, 2> &sources);

    Workspace *m_workspace;
    MainWindow *m_window;
};

}  // namespace sonde::app
