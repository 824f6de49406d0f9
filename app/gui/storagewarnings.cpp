// SPDX-License-Identifier: Apache-2.0
#include "app/gui/storagewarnings.h"

#include "app/gui/warningbar.h"
#include "core/files/userfolder.h"
#include "core/protocol/visibletext.h"
#include "core/server/serverstore.h"
#include "core/session/sessionlibrary.h"
#include "ui/result/outcometext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

StorageWarnings::StorageWarnings(ServerStore *store, SessionLibrary *library, WarningBar *notice, QObject *parent)
    : QObject(parent), m_store(store), m_library(library), m_notice(notice)
{
    connect(m_store, &ServerStore::notSaved, this,
            [this](const Error &reason) { sayNotSaved({tr("servers")}, reason); });
    connect(m_store, &ServerStore::read, this, [this](const Error &problem) {
        if (problem)
            sayNotRead(problem);
        else
            sayRead();
    });
    connect(m_store, &ServerStore::saved, this, [this] { forgetNotSaved(tr("servers")); });
}

void StorageWarnings::loadServers()
{
    if (const Error error = m_store->load()) {
        sayNotRead(error);
    } else if (const Error exposed = m_store->exposure()) {
        m_notice->say(tr("Other users can change your list of servers"), exposed);
        m_notice->offer(tr("Restrict access"), m_store, [this] {
            if (const Error problem = m_store->closeToOthers())
                m_notice->say(tr("Access could not be restricted"), problem);
            else
                m_notice->withdraw(m_store);
        });
    }
    if (m_store->path().isEmpty() && m_library->folder().isEmpty())
        sayNotSaved({tr("servers"), tr("sessions"), tr("arguments")}, noUserFolder());
}

void StorageWarnings::watch(Session *session)
{
    m_sessions.removeAll(nullptr);
    m_sessions.append(session);
    if (const Error error = session->error())
        sayNotSaved({tr("sessions")}, error);
    connect(session, &Session::recordingFailed, this, [this, session](const Error &error) {
        m_notice->say(tr("The session file can no longer be written; new records stay in memory"), error);
        m_notice->offer(tr("Try again"), session, [session] { session->resumeRecording(); });
        Q_EMIT changed();
    });
    connect(session, &Session::recordingResumed, this, [this, session] {
        m_notice->withdraw(session);
        forgetNotSaved(tr("sessions"));
        Q_EMIT changed();
    });
    watchLimit(session);
}

void StorageWarnings::watchLimit(Session *session)
{
    const auto offer = [this, session] {
        // A session in memory has its own limit.
        if (!session->path().isEmpty() && !session->error())
            m_notice->offer(tr("Change limit…"), session, [this] { Q_EMIT limitRequested(); });
        Q_EMIT changed();
    };
    connect(session, &Session::limitNear, this, [this, session, offer] {
        m_notice->say(tr("The session of %1 is close to its limit: %2 of %3")
                          .arg(visibleLine(session->serverName(), 40), ui::sizeText(session->recorded()),
                               ui::sizeText(session->limit())),
                      Error::local(tr("Beyond it, calls are still recorded. Notifications, standard error and other "
                                      "unsolicited output of the server are counted, not stored.")));
        offer();
    });
    connect(session, &Session::limitReached, this, [this, session, offer] {
        m_notice->say(tr("The session of %1 has reached its limit of %2")
                          .arg(visibleLine(session->serverName(), 40), ui::sizeText(session->limit())),
                      Error::local(tr("Calls are still recorded. Notifications, standard error and other unsolicited "
                                      "output of the server are counted from here on, not stored.")));
        offer();
    });
}

void StorageWarnings::setLimit(qint64 bytes)
{
    if (bytes == m_library->recordingLimit())
        return;
    m_library->setRecordingLimit(bytes);
    for (Session *session : std::as_const(m_sessions)) {
        if (!session)
            continue;
        session->setLimit(bytes);
        m_notice->withdraw(session);
    }
    Q_EMIT changed();
}

void StorageWarnings::sayNotRead(const Error &problem)
{
    m_notice->say(tr("The list of servers cannot be read"), problem);
    m_notice->offer(tr("Try again"), m_store, [this] {
        if (const Error error = m_store->load())
            sayNotRead(error);
        else
            sayRead();
    });
}

// What is not saved was told before, and may have been hidden since.
void StorageWarnings::sayRead()
{
    m_notice->withdraw(m_store);
    if (!m_notSaved.isEmpty())
        sayNotSaved(std::exchange(m_notSaved, {}), Error(m_notSavedReason));
}

void StorageWarnings::sayNotSaved(const QStringList &what, const Error &reason)
{
    const qsizetype before = m_notSaved.size();
    for (const QString &thing : what) {
        if (!m_notSaved.contains(thing))
            m_notSaved.append(thing);
    }
    if (m_notSaved.size() == before)
        return;
    m_notSavedReason = reason;
    m_notice->say(tr("Not saved, only kept in memory: %1").arg(m_notSaved.join(tr(", "))), reason);
    if (!m_store->path().isEmpty())
        m_notice->offer(tr("Try again"), m_store, [this] { saveAgain(); });
}

void StorageWarnings::forgetNotSaved(const QString &what)
{
    m_notSaved.removeAll(what);
    if (m_notSaved.isEmpty())
        m_notice->withdraw(m_store);
}

void StorageWarnings::saveAgain()
{
    // A repeated failure reports itself, and so does success.
    for (Session *session : std::as_const(m_sessions)) {
        if (session)
            session->resumeRecording();
    }
    if (const Error error = m_store->saveAgain()) {
        m_notice->say(tr("Changes to the list of servers are still in memory only"), error);
        m_notice->offer(tr("Try again"), m_store, [this] { saveAgain(); });
    }
}

}  // namespace sonde::app
