// SPDX-License-Identifier: Apache-2.0
#include "app/gui/closedtabs.h"

#include "ui/form/schemaform.h"
#include "ui/panels/callpanel.h"

#include <utility>

namespace sonde::app {

namespace {

// A signal of the panel may be the reason.
void dispose(const ClosedTabs::Tab &tab)
{
    if (tab.panel)
        tab.panel->deleteLater();
}

}  // namespace

ClosedTabs::~ClosedTabs()
{
    for (const Tab &tab : std::as_const(m_tabs))
        delete tab.panel;
}

void ClosedTabs::add(const Tab &tab)
{
    if (m_tabs.size() == MaxTabs)
        dispose(m_tabs.takeFirst());
    m_tabs.append(tab);
}

std::optional<ClosedTabs::Tab> ClosedTabs::takeLast()
{
    return m_tabs.isEmpty() ? std::nullopt : std::optional(m_tabs.takeLast());
}

QList<ClosedTabs::Tab> ClosedTabs::takeAll()
{
    QList<Tab> tabs = std::exchange(m_tabs, {});
    for (Tab &tab : tabs) {
        if (!tab.panel)
            continue;
        tab.state.draft = tab.panel->draft();
        tab.contents.steps = tab.panel->form().steps();
        tab.contents.past = tab.panel->pastCalls();
        delete std::exchange(tab.panel, nullptr);
    }
    return tabs;
}

void ClosedTabs::forgetItem(int item)
{
    m_tabs.removeIf([item](const Tab &tab) {
        if (tab.item != item)
            return false;
        dispose(tab);
        return true;
    });
}

}  // namespace sonde::app
