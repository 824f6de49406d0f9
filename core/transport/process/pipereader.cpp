// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/pipereader.h"

#include "core/transport/turnbudget.h"

#include <QPointer>

namespace sonde {

namespace {
constexpr qsizetype PipeChunkSize = 64 * 1024;
constexpr qint64 MinLineCost = 64;  // bytes: what a line costs however short it is
constexpr int MaxVainReads = 100;   // some 20 µs
}  // namespace

PipeReader::PipeReader(std::unique_ptr<ByteSource> source, qint64 maxLineBytes, QObject *parent)
    : QObject(parent),
      m_source(std::move(source)),
      m_framer(maxLineBytes),
      m_chunk(PipeChunkSize, Qt::Uninitialized),
      m_maxTurn(TurnBudget::MaxMs)
{
    m_again.setSingleShot(true);  // a timer, not a posted event: those would keep everything else waiting
    connect(&m_again, &QTimer::timeout, this, &PipeReader::readPending);
    connect(m_source.get(), &ByteSource::readable, this, &PipeReader::readPending);
}

void PipeReader::start()
{
    m_isStarted = true;
    m_source->setNotifying(true);
}

void PipeReader::drain()
{
    m_wantsDrained = true;
    m_isDrained = false;
    m_leftToDrain = m_source->bytesAvailable();
    m_again.start(0);
}

void PipeReader::setPaused(bool isPaused)
{
    if (m_isPaused == isPaused || m_isStopped)
        return;
    m_isPaused = isPaused;
    if (isPaused)
        m_source->setNotifying(false);
    if (!isPaused)
        m_again.start(0);
}

void PipeReader::stop()
{
    m_isStopped = true;
    m_again.stop();
    m_source->setNotifying(false);
}

void PipeReader::readPending()
{
    if (m_isStopped || m_isPaused)
        return;
    const QPointer<PipeReader> alive(this);
    TurnBudget budget(m_maxTurn);
    int lines = 0;  // since bytes were read
    for (;;) {
        while (const std::optional<LineFramer::Line> line = m_framer.next()) {
            ++lines;
            Q_EMIT lineRead(*line);
            if (!alive || m_isStopped || m_isPaused)
                return;
            if (budget.isSpentAfter(line->length + MinLineCost))
                return finishTurn(true);
        }
        if (budget.isSpent())
            return finishTurn(true);
        if (m_framer.isBusy())
            continue;
        const bool isWorthWaiting = lines == 1 && m_beforeReading && m_beforeReading();
        if (!alive || m_isStopped || m_isPaused)
            return;
        const qint64 got = m_isAtEnd ? ByteSource::AtEnd : isWorthWaiting ? readSoon() : readSome();
        m_isAtEnd = got == ByteSource::AtEnd;
        if (got <= 0)
            return finishTurn(false);
        budget.spend(got);
        lines = 0;
    }
}

qint64 PipeReader::readSome()
{
    if (m_wantsDrained && m_leftToDrain == 0)
        return 0;
    const qint64 wanted = m_wantsDrained ? qMin<qint64>(m_leftToDrain, m_chunk.size()) : m_chunk.size();
    const qint64 got = m_source->read(m_chunk.data(), wanted);
    if (got > 0) {
        m_leftToDrain = qMax<qint64>(0, m_leftToDrain - got);
        m_framer.append(QByteArrayView(m_chunk).first(got));
    }
    return got;
}

// To go to sleep and be woken up again takes longer than a server on another core needs for a small response.
qint64 PipeReader::readSoon()
{
    qint64 got = 0;
    for (int i = 0; i < MaxVainReads && got == 0; ++i)
        got = readSome();
    return got;
}

void PipeReader::finishTurn(bool hasMore)
{
    if (hasMore) {
        m_source->setNotifying(false);
        m_again.start(0);
        return;
    }
    m_source->setNotifying(m_isStarted && !m_isAtEnd);
    const QPointer<PipeReader> alive(this);
    if (std::exchange(m_wantsDrained, false)) {
        m_isDrained = true;
        Q_EMIT drained();
    }
    if (alive && m_isAtEnd && !m_isStopped)
        Q_EMIT ended();
}

}  // namespace sonde
