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

// Server list, recorded sessions and remembered arguments stay in memory if they cannot be written. That is reported
// once for each of them, as they usually have the same cause. Does not own its arguments, which outlive it. GUI thread.
class StorageWarnings : public QObject {
    Q_OBJECT
public:
    StorageWarnings(ServerStore *store, SessionLibrary *library, WarningBar *notice, QObject *parent = nullptr);

    void loadServers();            // and says why they cannot be read, or who else can change them
    void watch(Session *session);  // one that is being recorded here
    void sayNotSaved(const QStringList &what, const Error &reason);
    void setLimit(qint64 bytes);  // of what is recorded of a session

Q_SIGNALS:
    void changed();         // how a session is recorded
    void limitRequested();  // the person wants to change it

private:
    void sayNotRead(const Error &problem);
    void sayRead();
    void watchLimit(Session *session);
    void forgetNotSaved(const QString &what);  // it is saved now
    void saveAgain();

    ServerStore *m_store;
    SessionLibrary *m_library;
    WarningBar *m_notice;
    QList<QPointer<Session>> m_sessions;
    QStringList m_notSaved;  // what was said to stay in memory
    Error m_notSavedReason;
};

}  // namespace sonde::app
