// SPDX-License-Identifier: Apache-2.0
#include "core/filter/sessionsearch.h"

#include "core/filter/filterfields.h"
#include "core/filter/filtermatcher.h"
#include "core/protocol/worker.h"

#include <QSet>

namespace sonde {

namespace {

SessionHit hitAt(const Session &session, qsizetype row)
{
    const RecordInfo &info = session.at(row);
    return {session.path(),
            row,
            session.wallTime(row),
            filterWordOf(FilterField::Kind, info),
            session.name(info.method),
            session.name(info.target),
            info.outcome,
            session.durationNs(row)};
}

// Of a response: its request.
qsizetype askingRow(const Session &session, qsizetype row)
{
    const Message::Kind kind = session.at(row).messageKind;
    const bool isResponse = kind == Message::Kind::Result || kind == Message::Kind::Error;
    const qsizetype partner = isResponse ? session.partnerOf(row) : -1;
    return partner >= 0 ? partner : row;
}

}  // namespace

Result<SessionHits> searchSession(const QString &path, const Filter &filter, qsizetype max,
                                  const std::shared_ptr<const std::atomic_bool> &stop)
{
    const Result<std::unique_ptr<Session>> opened = Session::open(path, {}, stop);
    if (!opened)
        return opened.error();
    const Session &session = **opened;
    FilterMatcher matcher(filter, &session);
    SessionHits found;
    QSet<qsizetype> rows;
    for (qsizetype row = 0; row < session.size() && !(stop && *stop); ++row) {
        if (!matcher.matches(row))
            continue;
        const qsizetype asking = askingRow(session, row);
        if (rows.contains(asking))
            continue;
        if (found.hits.size() >= max) {
            found.hasMore = true;
            break;
        }
        rows.insert(asking);
        found.hits.append(hitAt(session, asking));
    }
    return found;
}

SessionSearch::~SessionSearch()
{
    cancel();
}

void SessionSearch::cancel()
{
    if (m_stop)
        *m_stop = true;
    delete m_reading;
    m_reading = nullptr;
    m_left.clear();
}

void SessionSearch::start(const QList<SessionEntry> &sessions, const Filter &filter)
{
    cancel();
    m_filter = filter;
    m_progress = {};
    for (const SessionEntry &entry : sessions) {
        if (entry.problem.isEmpty())
            m_left.append(entry);
    }
    m_progress.sessions = m_left.size();
    m_stop = std::make_shared<std::atomic_bool>(false);
    Q_EMIT progressed();
    searchNext();
}

void SessionSearch::searchNext()
{
    if (m_left.isEmpty()) {
        Q_EMIT finished();
        return;
    }
    const QString path = m_left.takeFirst().path;
    m_reading = runOnWorker(
        this,
        [path, filter = m_filter, max = MaxHits - m_progress.hits, stop = m_stop] {
            return searchSession(path, filter, max, stop);
        },
        [this, stop = m_stop](const std::optional<Result<SessionHits>> &result) {
            m_reading = nullptr;
            ++m_progress.searched;
            if (result && *result)
                take(**result);
            else
                ++m_progress.unreadable;
            Q_EMIT progressed();
            if (!*stop)  // by a receiver of these signals
                searchNext();
        });
}

void SessionSearch::take(const SessionHits &hits)
{
    m_progress.hits += hits.hits.size();
    m_progress.isCut = hits.hasMore;
    if (hits.hasMore)
        m_left.clear();
    if (!hits.hits.isEmpty())
        Q_EMIT found(hits.hits);
}

}  // namespace sonde
