// SPDX-License-Identifier: Apache-2.0
#include "core/transport/pipewriter.h"

namespace sonde {

PipeWriter::PipeWriter(std::unique_ptr<ByteSink> sink, qint64 maxQueuedBytes, qint64 maxLineBytes, QObject *parent)
    : QObject(parent), m_sink(std::move(sink)), m_maxQueuedBytes(maxQueuedBytes), m_maxLineBytes(maxLineBytes)
{
    connect(m_sink.get(), &ByteSink::writable, this, &PipeWriter::resume);
}

PipeWriter::Outcome PipeWriter::write(const QByteArray &line, const RequestId &id)
{
    if (!m_isOpen)
        return Outcome::Closed;
    if (line.size() > m_maxLineBytes)
        return Outcome::TooLong;
    if (m_queuedBytes > 0 && m_queuedBytes + line.size() > m_maxQueuedBytes)
        return Outcome::Full;
    const bool wasEmpty = m_queue.empty();
    m_queue.push_back({line, id});
    m_queuedBytes += line.size() + 1;
    if (!wasEmpty)
        return Outcome::Taken;
    flush();  // a pipe that breaks now is noticed by resume(), which tells of everything that was lost with it
    m_sink->setNotifying(!m_queue.empty());
    return Outcome::Taken;
}

void PipeWriter::close()
{
    m_isOpen = false;
    m_sink->close();
    m_queue.clear();
    m_queuedBytes = 0;
    m_written = 0;
}

bool PipeWriter::flush()
{
    while (!m_queue.empty()) {
        const QByteArray &bytes = m_queue.front().bytes;
        const qint64 taken = m_sink->write(QByteArrayView(bytes).sliced(qsizetype(m_written)), QByteArrayView("\n", 1));
        if (taken <= 0)
            return taken != ByteSink::Broken;
        m_queuedBytes -= taken;
        m_written += taken;
        if (m_written > bytes.size()) {
            m_queue.pop_front();
            m_written = 0;
        }
    }
    return true;
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
