// The summaries of a folder of sessions: read by a worker, and kept in a file so that the next list has them at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/sessionsummary.h"
#include "core/files/jsonstore.h"
#include "core/session/sessionlibrary.h"

#include <QHash>
#include <QObject>

namespace sonde {

// FOLDER/summaries.json has the summary of each file with the file's size and time of change. Another size or time
// makes it void, as does whatever is no summary; a summary is only shown, so that one that somebody invented does no
// harm. GUI thread or a thread with an event loop; files are read on a worker, one after the other.
class SummaryStore : public QObject {
    Q_OBJECT
public:
    explicit SummaryStore(const QString &folder, QObject *parent = nullptr);
    ~SummaryStore() override;  // a file that is being read is left

    // Nothing: not known (yet).
    std::optional<SessionSummary> summaryOf(const SessionEntry &entry) const;
    // Reads those that are not known, in this order, in place of what was to be read before. Sessions that are being
    // recorded are left out until they end.
    void read(const QList<SessionEntry> &entries);
    bool isReading() const { return m_reading != nullptr; }

Q_SIGNALS:
    void found(const QString &path);
    void finished();  // all are known, but for those that cannot be read or are being recorded

private:
    struct Known {
        qint64 size = 0;
        qint64 modifiedMs = 0;
        SessionSummary summary;
    };

    void load();
    void save();
    void readNext();

    JsonStore m_file;
    QHash<QString, Known> m_known;  // by the file's name
    QStringList m_unsaved;
    QList<SessionEntry> m_queue;
    std::shared_ptr<std::atomic_bool> m_stop;
    QObject *m_reading = nullptr;
};

}  // namespace sonde
