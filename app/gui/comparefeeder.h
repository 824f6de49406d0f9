// What a comparison is fed with: two servers or sessions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/tabkeeper.h"
#include "app/gui/workspace.h"
#include "ui/compare/compareentry.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <array>

namespace sonde::ui {
class ComparePanel;
}

namespace sonde::app {

// Updates one panel, again whenever the offering of a live server changes. If a server disconnects, its last offering
// stays: in a loop of editing and restarting, the comparison waits for it to come back. One that is not connected, or
// not in the list, is followed from when it is. Starts nothing. Belongs to the panel; the workspace outlives it.
class CompareFeeder : public QObject {
    Q_OBJECT
public:
    struct Source {
        SideState state;
        QPointer<Session> session = {};  // open in the window, where there is no file of it
        ServerSnapshot last = {};        // that was shown
        int item = 0;                    // of a server in the list, by its id
        QPointer<Connection> connection = {};

        bool isLive() const { return state.place.isServer(); }
        bool isConnected() const { return connection && connection->state() == Connection::State::Connected; }
    };

    CompareFeeder(const Workspace *workspace, const std::array<Source, 2> &sources, ui::ComparePanel *panel);

    std::array<SideState, 2> sides() const;  // as they are called now
    std::array<ServerSnapshot, 2> snapshots() const { return {m_sources[0].last, m_sources[1].last}; }

private:
    void findServers();
    void feed();
    ui::CompareSide sideOf(Source &source) const;
    void note();

    const Workspace *m_workspace;
    std::array<Source, 2> m_sources;
    ui::ComparePanel *m_panel;
    QTimer m_soon;
};

}  // namespace sonde::app
