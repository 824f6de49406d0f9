// Tabs that were closed, to be opened again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/tabkeeper.h"

#include <QList>
#include <optional>

namespace sonde::app {

// The last ones. Owns the panels among them, which keep what was typed and received.
class ClosedTabs {
public:
    static constexpr qsizetype MaxTabs = 10;

    struct Tab {
        int item = 0;  // its id; of a replay or a comparison: none
        TabState state;
        TabContents contents;
        ui::CallPanel *panel = nullptr;  // null: a new one will do
    };

    ClosedTabs() = default;
    ~ClosedTabs();
    Q_DISABLE_COPY_MOVE(ClosedTabs)

    void add(const Tab &tab);
    std::optional<Tab> takeLast();  // the panel is the caller's
    void forgetItem(int item);
    // For a window that takes the place of this one: without their panels, with what these have.
    QList<Tab> takeAll();
    bool isEmpty() const { return m_tabs.isEmpty(); }

private:
    QList<Tab> m_tabs;
};

}  // namespace sonde::app
