// Banners about data that is not saved, or only in part, with a remedy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QStringList>

namespace sonde {
class ServerStore;
class SessionLibrary;
}  // namespace sonde

namespace sonde::app {

class WarningBar;

// Server list, recorded sessions, remembered arguments and open tabs stay in memory if they cannot be written. That is
// reported once for each of them, as they usually have the same cause, until it is saved. Does not own its arguments,
// which outlive it. GUI thread.
class StorageWarnings : public QObject {
    Q_OBJECT
public:
    enum class Kept { Servers, Sessions, Arguments, OpenTabs };
    // What was said to stay in memory, for the window that takes the place of this one.
    struct NotSaved {
        QList<Kept> kinds;
        Error reason;
        bool isSaid = false;  // and can be read now
    };

    StorageWarnings(ServerStore *store, SessionLibrary *library, WarningBar *notice, QObject *parent = nullptr);

    void loadServers();            // and says why they cannot be read, or who else can change them
    void watch(Session *session);  // one that is being recorded here
    void sayNotSaved(const QList<Kept> &kinds, const Error &reason);
    void forgetNotSaved(Kept kind);  // it is saved now
    void setLimit(qint64 bytes);     // of what is recorded of a session
    NotSaved notSaved() const;
    void setNotSaved(const NotSaved &notSaved);
    void repeat(const QObject *about);  // what another window's notice said about it, if it was one of these
    // What would be lost if the program ended now, after one more attempt to save it. Empty: nothing.
    QStringList unsaved();
    QList<QPointer<Session>> unsavedSessions() const;  // that have records and are not all in a file

Q_SIGNALS:
    void changed();             // how a session is recorded
    void limitRequested();      // the person wants to change it
    void saveAgainRequested();  // of what others save; they report what becomes of it

private:
    void sayNotRead(const Error &problem);
    void sayRead();
    void sayFailed(Session *session);
    void sayLimit(Session *session);
    void sayAgain();
    void saveAgain(Session::Pace pace = Session::Pace::InTurns);

    ServerStore *m_store;
    SessionLibrary *m_library;
    WarningBar *m_notice;
    QList<QPointer<Session>> m_sessions;
    QList<Kept> m_notSaved;  // what was said to stay in memory
    Error m_notSavedReason;
};

}  // namespace sonde::app
