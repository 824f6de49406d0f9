// The list of servers and sessions: configured servers, connections, open recordings, and the current item.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/workspaceitem.h"
#include "core/connection/profile.h"
#include "core/server/serverstore.h"
#include "core/session/sessionlibrary.h"

#include <QList>
#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace sonde::app {

// Has no widgets: controllers call its functions and follow its signals. Owns the connections and recordings.
// An item lives until all receivers of removed() have run. GUI thread.
class Workspace : public QObject {
    Q_OBJECT
public:
    using Items = std::vector<std::unique_ptr<WorkspaceItem>>;

    explicit Workspace(const Profile &profile);
    ~Workspace() override;

    const Profile &profile() const { return m_profile; }
    // What a connection of this server gets: with approvals only those of the list; another one has just been typed.
    Profile profileFor(const ServerSpec &spec) const;
    // Whether to ask before calls of tools without annotations, too.
    void setAsksUnmarked(bool asks);
    // Of the next requests and starts, where the description of a server has none of its own. All three are set.
    const ServerTimeouts &timeouts() const { return m_timeouts; }
    void setTimeouts(const ServerTimeouts &timeouts);

    // The built-in demo server.
    static ServerSpec demoSpec();
    // Under which arguments are remembered: the demo server's name is another one in each language.
    QString keptName(const Connection &connection) const;

    ServerStore &store() { return *m_profile.servers; }
    SessionLibrary &library() { return m_library; }

    const Items &items() const { return m_items; }
    WorkspaceItem *itemAt(int row) const;  // as the following ones: null where there is none
    WorkspaceItem *itemWithId(int id) const;
    WorkspaceItem *itemOf(const Connection *connection) const;
    WorkspaceItem *serverNamed(const QString &name) const;
    // That would be started in the same way; what it has in the keychain may have another value.
    WorkspaceItem *serverLike(const ServerSpec &spec) const;
    WorkspaceItem *demo() const;
    bool hasOwnServers() const;                  // that the person has added
    int rowOf(const WorkspaceItem *item) const;  // -1: none

    WorkspaceItem *current() const { return m_current; }
    Connection *currentConnection() const;  // null where it has not been started
    Session *shownSession() const;          // of the current line; null: there is none yet
    void setCurrent(WorkspaceItem &item);
    void choose(WorkspaceItem &item);  // by the user; also emits chosen()

    // For which servers something waits in the window. Those stay when another program removes them.
    void setAwaits(const std::function<bool(const WorkspaceItem &)> &awaits) { m_awaits = awaits; }

    // Loads the list, and follows every change of the store from then on.
    void followStore();
    // Tells everything to a window that has taken the place of another one, in the language that is installed now.
    void beginAgain();
    void refresh();  // tells listChanged(): what the list says of a line may have changed

    void start(WorkspaceItem &item);  // and chooses it
    void restart(WorkspaceItem &item);
    void reconnect(WorkspaceItem &item);  // without choosing it
    // Adds the server under a free name, which it returns. Does not start it.
    Result<QString> add(ServerSpec spec);
    // The person has just entered this description, and so seen it: starting it does not ask.
    void approve(const ServerSpec &spec);
    bool isApproved(const ServerSpec &spec) const;
    Error change(const QString &name, const ServerSpec &spec);
    // shown: what the person began with, as ServerStore::replace() has it.
    Error change(const ServerSpec &shown, const ServerSpec &spec);
    Error remove(const QString &name);
    QString nameProblem(const QString &name) const;  // why a server cannot be called that; empty: it can

    void openSessionFile(const QString &path);
    // The same, but they are none that the person has opened now. Shows the last one. False: all were open, or failed.
    bool restoreSessionFiles(const QStringList &paths);
    void readSessionNames();  // those that the person has given to recordings
    void closeSession(WorkspaceItem &item);
    void readAgain(const QString &recording);  // its file is another one now

    void close();  // ends in finished()

Q_SIGNALS:
    void listChanged();
    void currentChanged();                              // it is another one, or in another state
    void chosen(sonde::app::WorkspaceItem *item);       // by the user
    void itemChanged(sonde::app::WorkspaceItem *item);  // it has another connection or session
    void serverRenamed(const QString &from, const QString &to);
    // These items have left the list and are deleted afterwards, with their connections and sessions.
    void removed(const QList<const sonde::app::WorkspaceItem *> &items);
    // The start waits for the person: to sign in at a page, or to approve it.
    void personNeeded(sonde::app::WorkspaceItem *item);
    void sessionOpened(const QString &path);  // from its file
    void recordingBegan(sonde::Session *session);
    void notRecorded(const sonde::Error &reason);  // the session that begins now stays in memory
    void failed(const QString &title, const sonde::Error &error);
    // A server was removed or changed, and who was signed in to it as it was has been signed out, with its secrets.
    void signedOut(const sonde::ServerSpec &gone);
    void finished();  // everything was closed in order: the program may end

private:
    std::unique_ptr<WorkspaceItem> newItem();
    void syncServers();
    bool isKept(const WorkspaceItem &item) const;
    void leave(const Items &gone, int row);
    void forgetSignIn(const ServerSpec &gone);
    void forgetSignInsLeft();
    Connection *ensureConnection(WorkspaceItem &item);
    void onStateChanged(Connection *connection);
    WorkspaceItem *addSession(const QString &path);  // null: it cannot be opened
    void reportDamage(const Session &session);
    void maybeFinish();

    const Profile m_profile;
    void giveTimeouts(Connection *connection) const;
    bool m_asksUnmarked = false;
    ServerTimeouts m_timeouts{
        .request = CallOptions().timeout, .total = CallOptions().maxTotal, .connection = Connector::DefaultTimeout};
    std::function<bool(const WorkspaceItem &)> m_awaits;
    SessionLibrary m_library;
    Items m_items;
    WorkspaceItem *m_current = nullptr;
    int m_lastItemId = 0;
    QString m_removing;               // the server that the person removes
    QList<ServerSpec> m_signInsLeft;  // as servers were whose connections use their sign-ins still
    int m_signOuts = 0;
    bool m_isClosing = false;
};

}  // namespace sonde::app
