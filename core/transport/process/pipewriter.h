// Writes whole messages to a pipe without ever waiting for its reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/requestid.h"
#include "core/transport/process/bytechannel.h"

#include <QList>
#include <QObject>
#include <deque>
#include <memory>

namespace sonde {

class PipeWriter final : public QObject {
    Q_OBJECT
public:
    enum class Outcome { Taken, TooLong, Full, Closed };

    // maxQueuedBytes: beyond it nothing joins what waits already. maxLineBytes: of one line alone.
    PipeWriter(std::unique_ptr<ByteSink> sink, qint64 maxQueuedBytes, qint64 maxLineBytes, QObject *parent);

    // The line, without its end, which is written behind it. The first one in a turn of the event loop is written at
    // once, those that follow it in the same turn together. Full: the reader does not read.
    Outcome write(const QByteArray &line, const RequestId &id);
    // Writes what waits for the end of the turn now. Returns whether anything was written since the last time.
    bool writeWaiting();
    qint64 queuedBytes() const { return m_queuedBytes; }
    void close();  // what the pipe does not take now is dropped

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

    std::unique_ptr<ByteSink> m_sink;
    bool m_isOpen = true;
    bool m_hasWritten = false;  // in this turn
    bool m_hasNews = false;     // written since writeWaiting()
    bool m_isFull = false;      // the pipe, which says when it is not any more
    std::deque<Entry> m_queue;
    qsizetype m_written = 0;  // of the first entry
    qint64 m_queuedBytes = 0;
    qint64 m_maxQueuedBytes;
    qint64 m_maxLineBytes;
};

}  // namespace sonde
