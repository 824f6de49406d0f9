// What is open in a window, as it is kept for its next start.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "ui/panels/callpanel.h"

#include <QList>
#include <QString>
#include <array>

namespace sonde::app {

class Workspace;
struct WorkspaceItem;

// An item of the list of servers and sessions.
struct Place {
    QString server;          // its name; of a session: empty
    bool isBuiltIn = false;  // the demo server, whatever it is called
    QString session;         // the file
    bool operator==(const Place &) const = default;

    static Place of(const WorkspaceItem &item);
    bool isServer() const { return isBuiltIn || !server.isEmpty(); }
    WorkspaceItem *in(const Workspace &workspace) const;  // null: it is not in the list
};

// What is replayed, and where.
struct ReplayState {
    QString session;   // the file
    Place server;      // in the list; empty: another one, see entry
    QString name;      // of that
    QByteArray entry;  // as ServerSpec::toJson() has it; empty: it would tell secrets
    QString calls;     // "all", "rows" or "matching"
    QList<qint64> rows;
    QString filter;
    QString destructive;  // "ask", "allow" or "skip"
    bool operator==(const ReplayState &) const = default;
};

// Of a comparison.
struct SideState {
    Place place;   // neither a server nor a file: a session that was not saved
    QString name;  // of the server
    bool operator==(const SideState &) const = default;
};

struct TabState {
    enum class Kind { Welcome, Page, Call, RecordedCall, Tasks, SavedCalls, Replay, Comparison };
    Kind kind = Kind::Welcome;
    Place place;
    ui::OfferRef ref;  // of a call, a recorded one too
    QString title;     // of a call, until the server is connected
    ui::CallDraft draft;
    bool hasLeftOut = false;  // the draft is without its secrets, or too long
    bool isPinned = false;
    bool isPreview = false;
    QString task = {};    // that is selected, or that the call runs as
    qint64 row = -1;      // of the recorded call that is shown
    QString folder = {};  // of saved calls
    ReplayState replay = {};
    std::array<SideState, 2> sides = {};
    bool operator==(const TabState &) const = default;
};

// Of the timeline, while this item is current.
struct LookState {
    Place place;
    QString filter;
    int view = 0;
    bool operator==(const LookState &) const = default;
};

struct WindowState {
    // More or longer ones are not kept.
    static constexpr qsizetype MaxTabs = 200;
    static constexpr qsizetype MaxDraft = 1024 * 1024;  // bytes

    bool hasEnded = false;  // in order: the window was closed
    QList<TabState> tabs;   // from left to right
    int currentTab = -1;
    Place current;           // which item is selected
    QList<Place> connected;  // servers
    QStringList sessions;    // recorded sessions that are open
    QStringList recordings;  // files that are being written, the current server's first
    QList<LookState> looks;
    bool operator==(const WindowState &) const = default;

    void leaveOutDrafts(qsizetype bytes);  // the longest, until that much is gone or no draft is left
    QByteArray toJson() const;
    // An Error where this is no such text, or one of a newer version of Sonde. What is not understood is passed over.
    static Result<WindowState> fromJson(const QByteArray &json);
};

}  // namespace sonde::app
