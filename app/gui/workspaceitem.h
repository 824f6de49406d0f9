// An item of the list of servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "ui/panels/guidedwalk.h"
#include "ui/panels/recordedoffers.h"

#include <memory>

namespace sonde::ui {
struct ServerItem;
}

namespace sonde::app {

// A configured server, started or not, or a recording opened without its server. Owned by the Workspace.
struct WorkspaceItem {
    explicit WorkspaceItem(int number) : id(number) {}

    bool isServer() const { return !session; }
    Session *shownSession() const;  // in the timeline; null: there is none yet
    QString recordedText() const;   // of a recording: "recorded 2026-11-22 09:30"

    const int id;  // of no other one in this window
    ServerSpec spec;
    bool isBuiltIn = false;
    std::unique_ptr<Connection> connection;      // of a server, made at its first start
    std::unique_ptr<Session> session;            // of a recording
    QString givenName;                           // of that recording, by the person; empty: none
    std::unique_ptr<ui::RecordedOffers> offers;  // in that recording
    std::unique_ptr<ui::GuidedWalk> walk;        // of the demo server
};

// Its entry in the list.
ui::ServerItem describe(const WorkspaceItem &item);

}  // namespace sonde::app
