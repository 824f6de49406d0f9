// Reads lines from a pipe, a bounded amount each turn of the event loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/lineframer.h"
#include "core/transport/process/bytechannel.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

namespace sonde {

// What is not read stays in the source, which is a pipe where the system has them, and holds the writer back.
class PipeReader final : public QObject {
    Q_OBJECT
public:
    PipeReader(std::unique_ptr<ByteSource> source, qint64 maxLineBytes, QObject *parent);

    // Is called when every line that was read has come out, before more is read. Returns whether something was sent to
    // the writer of this pipe, which may answer at once: then its response is worth a short wait.
    void setBeforeReading(std::function<bool()> beforeReading) { m_beforeReading = std::move(beforeReading); }

    // Milliseconds. For tests of what one turn does, which must not depend on how busy the machine is.
    void setMaxTurn(qint64 maxMs) { m_maxTurn = maxMs; }

    void start();
    // Every byte that was in the pipe at the last drain() has come out as a line, or the pipe has been closed.
    bool isDrained() const { return m_isAtEnd || m_isDrained; }
    // Comes to drained() once everything that is in the pipe now has been read, however much is written meanwhile.
    void drain();
    // The last line, without its end.
    std::optional<LineFramer::Line> takeRest() { return m_framer.takeRest(); }
    // While it is paused nothing is read and no line comes out; draining waits as well.
    void setPaused(bool isPaused);
    // No further line comes out, not even from the turn in progress.
    void stop();

Q_SIGNALS:
    void lineRead(const sonde::LineFramer::Line &line);  // a slot may delete the reader
    void drained();
    void ended();

private:
    void readPending();
    qint64 readSome();  // how many bytes, or as ByteSource::read() says
    qint64 readSoon();
    void finishTurn(bool hasMore);

    std::unique_ptr<ByteSource> m_source;
    LineFramer m_framer;
    std::function<bool()> m_beforeReading;
    QTimer m_again;
    QByteArray m_chunk;
    qint64 m_leftToDrain = 0;
    qint64 m_maxTurn;
    bool m_isStarted = false;
    bool m_isDrained = false;
    bool m_isAtEnd = false;
    bool m_wantsDrained = false;
    bool m_isPaused = false;
    bool m_isStopped = false;
};

}  // namespace sonde
