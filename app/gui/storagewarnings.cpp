// SPDX-License-Identifier: Apache-2.0
#include "app/gui/storagewarnings.h"

#include "app/gui/warningbar.h"
#include "core/files/userfolder.h"
#include "core/protocol/visibletext.h"
#include "core/server/serverstore.h"
#include "core/session/sessionlibrary.h"
#include "ui/result/outcometext.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qsizetype MaxNamedSessions = 3;

QStringList keptNames(const QList<StorageWarnings::Kept> &kinds)
{
    QStringList names;
    for (const StorageWarnings::Kept kind : kinds) {
        switch (kind) {
            case StorageWarnings::Kept::Servers:
                names << StorageWarnings::tr("servers");
                break;
            case StorageWarnings::Kept::Sessions:
                names << StorageWarnings::tr("sessions");
                break;
            case StorageWarnings::Kept::Arguments:
                names << StorageWarnings::tr("arguments");
                break;
            case StorageWarnings::Kept::OpenTabs:
                names << StorageWarnings::tr("open tabs");
                break;
        }
    }
    return names;
}

}  // namespace

StorageWarnings::StorageWarnings(ServerStore *store, SessionLibrary *library, WarningBar *notice, QObject *parent)
    : QObject(parent), m_store(store), m_library(library), m_notice(notice)
{
    connect(m_store, &ServerStore::notSaved, this,
            [this](const Error &reason) { sayNotSaved({Kept::Servers}, reason); });
    connect(m_store, &ServerStore::read, this, [this](const Error &problem) {
        if (problem)
            sayNotRead(problem);
        else
            sayRead();
    });
    connect(m_store, &ServerStore::saved, this, [this] { forgetNotSaved(Kept::Servers); });
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
        sayNotSaved({Kept::Servers, Kept::Sessions, Kept::Arguments}, noUserFolder());
}

void StorageWarnings::watch(Session *session)
{
    m_sessions.removeAll(nullptr);
    m_sessions.append(session);
    if (const Error error = session->error())
        sayNotSaved({Kept::Sessions}, error);
    connect(session, &Session::recordingFailed, this, [this, session] { sayFailed(session); });
    connect(session, &Session::recordingResumed, this, [this, session] {
        m_notice->withdraw(session);
        forgetNotSaved(Kept::Sessions);
        Q_EMIT changed();
    });
    for (const auto signal : {&Session::limitNear, &Session::limitReached})
        connect(session, signal, this, [this, session] { sayLimit(session); });
}

void StorageWarnings::sayFailed(Session *session)
{
    m_notice->say(tr("The session file can no longer be written; new records stay in memory"), session->error());
    m_notice->offer(tr("Try again"), session, [session] { session->resumeRecording(); });
    Q_EMIT changed();
}

void StorageWarnings::sayLimit(Session *session)
{
    const QString name = visibleLine(session->serverName(), 40);
    const QString limit = ui::sizeText(session->limit());
    if (session->isFull())
        m_notice->say(tr("The session of %1 has reached its limit of %2").arg(name, limit),
                      Error::local(tr("Calls are still recorded. Notifications, standard error and other unsolicited "
                                      "output of the server are counted from here on, not stored.")));
    else
        m_notice->say(
            tr("The session of %1 is close to its limit: %2 of %3").arg(name, ui::sizeText(session->recorded()), limit),
            Error::local(tr("Beyond it, calls are still recorded. Notifications, standard error and other "
                            "unsolicited output of the server are counted, not stored.")));
    // A session in memory has its own limit.
    if (!session->path().isEmpty() && !session->error())
        m_notice->offer(tr("Change limit…"), session, [this] { Q_EMIT limitRequested(); });
    Q_EMIT changed();
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
        sayAgain();
}

void StorageWarnings::sayNotSaved(const QList<Kept> &kinds, const Error &reason)
{
    const qsizetype before = m_notSaved.size();
    m_notSavedReason = reason;
    for (const Kept kind : kinds) {
        if (!m_notSaved.contains(kind))
            m_notSaved.append(kind);
    }
    if (m_notSaved.size() > before)
        sayAgain();
}

StorageWarnings::NotSaved StorageWarnings::notSaved() const
{
    return {m_notSaved, m_notSavedReason, m_notice->isAbout(this)};
}

void StorageWarnings::setNotSaved(const NotSaved &notSaved)
{
    if (notSaved.isSaid)
        return sayNotSaved(notSaved.kinds, notSaved.reason);
    for (const Kept kind : notSaved.kinds) {
        if (!m_notSaved.contains(kind))
            m_notSaved.append(kind);
    }
    m_notSavedReason = notSaved.reason;
}

// The list of servers is examined by each window.
void StorageWarnings::repeat(const QObject *about)
{
    const auto found = std::find_if(m_sessions.cbegin(), m_sessions.cend(),
                                    [about](const QPointer<Session> &session) { return session == about; });
    if (found == m_sessions.cend())
        return;
    if (Session *session = *found; session->error())
        sayFailed(session);
    else
        sayLimit(session);
}

void StorageWarnings::sayAgain()
{
    m_notice->say(tr("Not saved, only kept in memory: %1").arg(keptNames(m_notSaved).join(tr(", "))), m_notSavedReason);
    if (!m_store->path().isEmpty())
        m_notice->offer(tr("Try again"), this, [this] { saveAgain(); });
}

void StorageWarnings::forgetNotSaved(Kept kind)
{
    if (m_notSaved.removeAll(kind) == 0)
        return;
    if (m_notSaved.isEmpty())
        m_notice->withdraw(this);
    else if (m_notice->isAbout(this))
        sayAgain();
}

QList<QPointer<Session>> StorageWarnings::unsavedSessions() const
{
    QList<QPointer<Session>> sessions;
    for (const QPointer<Session> &session : m_sessions) {
        if (session && session->size() > 0 && (session->path().isEmpty() || session->error()))
            sessions.append(session);
    }
    return sessions;
}

QStringList StorageWarnings::unsaved()
{
    const bool hasFolder = !m_store->path().isEmpty();
    if (hasFolder && (!m_notSaved.isEmpty() || !unsavedSessions().isEmpty()))
        saveAgain(Session::Pace::AtOnce);
    QStringList things;
    const QList<QPointer<Session>> sessions = unsavedSessions();
    if (sessions.size() > MaxNamedSessions) {
        things.append(tr("%1 sessions").arg(sessions.size()));
    } else {
        for (const QPointer<Session> &session : sessions)
            things.append(tr("the session of “%1”").arg(visibleLine(session->serverName(), 40)));
    }
    // Where nothing can be saved at all, that was said at the start: what matters is whether there is something.
    if (!hasFolder)
        return m_store->servers().isEmpty() ? things : things + QStringList{tr("servers")};
    QList<Kept> others = m_notSaved;
    others.removeAll(Kept::Sessions);
    return things + keptNames(others);
}

void StorageWarnings::saveAgain(Session::Pace pace)
{
    // A repeated failure of a session reports itself, and so does success.
    for (Session *session : std::as_const(m_sessions)) {
        if (session)
            session->resumeRecording(pace);
    }
    Q_EMIT saveAgainRequested();
    if (const Error error = m_store->saveAgain()) {
        m_notice->say(tr("Changes to the list of servers are still in memory only"), error);
        m_notice->offer(tr("Try again"), this, [this] { saveAgain(); });
    } else if (!m_notSaved.isEmpty() && m_notice->isAbout(this)) {
        sayAgain();
    }
}

}  // namespace sonde::app
