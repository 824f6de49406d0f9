// Searches many recorded sessions with one filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filter.h"
#include "core/session/record.h"
#include "core/session/sessionlibrary.h"

#include <QObject>
#include <atomic>

namespace sonde {

// A row that the filter selects. A request and its response are one: the request.
struct SessionHit {
    QString path;
    qsizetype row = -1;
    QDateTime at;  // UTC
    QString kind;  // as the filter language calls it
    QString method;
    QString target;
    RowOutcome outcome = RowOutcome::None;
    qint64 durationNs = -1;
};

struct SessionHits {
    QList<SessionHit> hits;  // in the order of the rows
    bool hasMore = false;
};

// Reads the whole file, on whatever thread, and ends soon once stop is true. At most max hits.
Result<SessionHits> searchSession(const QString &path, const Filter &filter, qsizetype max,
                                  const std::shared_ptr<const std::atomic_bool> &stop = {});

// One search after the other, each in one session at a time on a worker. What it found is told session by session.
// For a thread with an event loop; deleting it ends the search.
class SessionSearch : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype MaxHits = 10'000;  // in all

    struct Progress {
        qsizetype sessions = 0;  // to be searched
        qsizetype searched = 0;
        qsizetype hits = 0;
        qsizetype unreadable = 0;
        bool isCut = false;  // there are more than MaxHits
    };

    explicit SessionSearch(QObject *parent = nullptr) : QObject(parent) {}
    ~SessionSearch() override;

    void start(const QList<SessionEntry> &sessions, const Filter &filter);  // ends the one before, without finished()
    void cancel();                                                          // likewise
    bool isRunning() const { return m_reading || !m_left.isEmpty(); }
    const Progress &progress() const { return m_progress; }

Q_SIGNALS:
    void found(const QList<sonde::SessionHit> &hits);
    void progressed();
    void finished();

private:
    void searchNext();
    void take(const SessionHits &hits);

    QList<SessionEntry> m_left;
    Filter m_filter;
    Progress m_progress;
    std::shared_ptr<std::atomic_bool> m_stop;
    QObject *m_reading = nullptr;
};

}  // namespace sonde
