// Writes whole messages to a pipe without ever waiting for its reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/requestid.h"
#include "core/transport/uniquefd.h"

#include <QList>
#include <QObject>
#include <QSocketNotifier>
#include <deque>
#include <memory>

namespace sonde {

class PipeWriter final : public QObject {
    Q_OBJECT
public:
    enum class Outcome { Taken, Full, Closed };

    PipeWriter(UniqueFd fd, qint64 maxQueuedBytes, QObject *parent);

    // Full: the reader does not read. A message longer than the limit is taken when nothing else waits.
    Outcome write(const QByteArray &line, const RequestId &id);
    qint64 queuedBytes() const { return m_queuedBytes; }
    void close();  // what has not been read is dropped

Q_SIGNALS:
    // The reader closed its end. lost: requests that it cannot have read in full.
    void broken(const QList<sonde::RequestId> &lost);

private:
    struct Entry {
        QByteArray bytes;
        RequestId id;
    };
    bool flush();  // false when the pipe is broken
    void resume();

    UniqueFd m_fd;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::deque<Entry> m_queue;
    qsizetype m_written = 0;  // of the first entry
    qint64 m_queuedBytes = 0;
    qint64 m_maxQueuedBytes;
};

}  // namespace sonde
