// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/pipewriter.h"

#include <QAbstractEventDispatcher>
#include <algorithm>
#include <array>
#include <utility>

namespace sonde {

namespace {
// Lines that wait for the end of the turn: with more, the reader would have nothing to do meanwhile.
constexpr size_t MaxWaitingLines = 32;
}  // namespace

PipeWriter::PipeWriter(std::unique_ptr<ByteSink> sink, qint64 maxQueuedBytes, qint64 maxLineBytes, QObject *parent)
    : QObject(parent), m_sink(std::move(sink)), m_maxQueuedBytes(maxQueuedBytes), m_maxLineBytes(maxLineBytes)
{
    connect(m_sink.get(), &ByteSink::writable, this, &PipeWriter::resume);
    if (const auto *dispatcher = QAbstractEventDispatcher::instance())
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] { m_hasWritten = false; });
}

PipeWriter::Outcome PipeWriter::write(const QByteArray &line, const RequestId &id)
{
    if (!m_isOpen)
        return Outcome::Closed;
    if (line.size() > m_maxLineBytes)
        return Outcome::TooLong;
    if (m_queuedBytes > 0 && m_queuedBytes + line.size() > m_maxQueuedBytes)
        return Outcome::Full;
    const bool mustWait = m_isFull || (m_hasWritten && m_queue.size() + 1 < MaxWaitingLines);
    m_queue.push_back({line, id});
    m_queuedBytes += line.size() + 1;
    if (!mustWait)
        flush();  // a pipe that breaks now is noticed by resume(), which tells of everything that was lost with it
    m_sink->setNotifying(!m_queue.empty());
    return Outcome::Taken;
}

void PipeWriter::close()
{
    if (m_isOpen && !m_isFull)
        flush();
    m_isOpen = false;
    m_sink->close();
    m_queue.clear();
    m_queuedBytes = 0;
    m_written = 0;
}

bool PipeWriter::flush()
{
    m_hasWritten = m_hasNews = true;
    while (!m_queue.empty()) {
        std::array<QByteArrayView, ByteSink::MaxParts> parts;
        const size_t count = std::min(m_queue.size(), parts.size() / 2);
        for (size_t i = 0; i < count; ++i) {
            parts[2 * i] = QByteArrayView(m_queue[i].bytes).sliced(i == 0 ? m_written : 0);
            parts[2 * i + 1] = QByteArrayView("\n", 1);
        }
        const qint64 taken = m_sink->write(std::span(parts).first(2 * count));
        m_isFull = taken == 0;
        if (taken <= 0)
            return taken != ByteSink::Broken;
        m_queuedBytes -= taken;
        m_written += taken;
        for (; !m_queue.empty() && m_written > m_queue.front().bytes.size(); m_queue.pop_front())
            m_written -= m_queue.front().bytes.size() + 1;
    }
    return true;
}

bool PipeWriter::writeWaiting()
{
    if (!m_queue.empty() && !m_isFull)
        resume();
    return std::exchange(m_hasNews, false);
}

void PipeWriter::resume()
{
    if (!m_isOpen)
        return;
    if (flush()) {
        m_sink->setNotifying(!m_queue.empty());
        return;
    }
    QList<RequestId> lost;
    for (const Entry &entry : m_queue) {
        if (entry.id.isMatchable())
            lost += entry.id;
    }
    close();
    Q_EMIT broken(lost);
}

}  // namespace sonde
