// Tabs that a controller saves and restores.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/windowstate.h"
#include "core/replay/serversnapshot.h"

#include <array>
#include <memory>

class QWidget;

namespace sonde {
class CallSuite;
class ReplayRun;
}  // namespace sonde

namespace sonde::ui {
struct FormSteps;
}

namespace sonde::app {

// What a tab holds beyond its state, for a window that takes the place of another one over the same workspace. Never
// written to a file.
struct TabContents {
    std::shared_ptr<const ui::FormSteps> steps;  // of a call, to undo what was typed
    QList<ui::PastCall> past;                    // of a call
    std::shared_ptr<ReplayRun> replay;           // with its steps
    std::shared_ptr<CallSuite> suite;            // with its report; null: it was not run
    std::array<ServerSnapshot, 2> snapshots;     // of a comparison, as far as they were read
};

class TabKeeper {
public:
    virtual ~TabKeeper() = default;

    // What tells this page from others of its kind, place included. False: it is none of these.
    virtual bool store(const QWidget *page, TabState *tab, TabContents *contents) const = 0;
    // A tab at the right of those that are there, in which nothing is started. contents: null at a start. Null: it is
    // none of these.
    virtual QWidget *restore(const TabState &tab, const TabContents *contents) = 0;
};

}  // namespace sonde::app
