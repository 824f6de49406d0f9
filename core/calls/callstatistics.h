// How often each tool was called, how it came out and how long it took.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operations.h"

#include <QHash>

namespace sonde {

// The nearest-rank percentiles of a number of durations; -1 where there are none.
struct Percentiles {
    qint64 p50 = -1;
    qint64 p90 = -1;
    qint64 p99 = -1;
    qint64 longest = -1;
    bool operator==(const Percentiles &) const = default;
};
Percentiles percentiles(std::vector<qint64> valuesNs);

// Of one method, with one target where it has one: a tool, a prompt, an address.
struct CallStatistics {
    QString method;
    QString target;
    qsizetype count = 0;
    qsizetype ok = 0;
    qsizetype toolErrors = 0;
    qsizetype protocolErrors = 0;
    qsizetype unanswered = 0;
    qsizetype open = 0;
    Percentiles server;     // of those that were answered: request to response, without waiting for a person
    Percentiles firstByte;  // of those where anything came back
    qint64 waitedNs = 0;    // for a person, all together

    qsizetype errors() const { return toolErrors + protocolErrors + unanswered; }
};

// Reads the calls in slices, as a window needs it.
class CallStatisticsCollector {
public:
    // Both outlive it, up to the end of advance().
    CallStatisticsCollector(const Session *session, const Operations *operations);
    // For about that long; negative: to the end. True when it has come to the end.
    bool advance(qint64 budgetNs = -1);
    // By method, then by target. Sorts many numbers: a copy of the collector may do so on another thread.
    QList<CallStatistics> result() const;

private:
    struct Entry {
        CallStatistics statistics;
        std::vector<qint64> server;
        std::vector<qint64> firstByte;
        void add(const Entry &other);
    };
    void addBatch(qsizetype call);

    const Session *m_session;
    const Operations *m_operations;
    qsizetype m_next = 0;
    QHash<quint64, Entry> m_entries;                      // by the numbers of both names
    QHash<std::pair<QString, QString>, Entry> m_batched;  // of calls in batches: by both names
};

// Of our calls, not of the server's questions. By method, then by target.
QList<CallStatistics> callStatistics(const Session &session, const Operations &operations);

}  // namespace sonde
