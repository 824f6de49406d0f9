// SPDX-License-Identifier: Apache-2.0
#include "core/transport/pipewriter.h"

#include <sys/uio.h>

#include <cerrno>

namespace sonde {

PipeWriter::PipeWriter(UniqueFd fd, qint64 maxQueuedBytes, qint64 maxLineBytes, QObject *parent)
    : QObject(parent), m_fd(std::move(fd)), m_maxQueuedBytes(maxQueuedBytes), m_maxLineBytes(maxLineBytes)
{
    m_notifier = std::make_unique<QSocketNotifier>(m_fd.get(), QSocketNotifier::Write);
    m_notifier->setEnabled(false);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &PipeWriter::resume);
}

PipeWriter::Outcome PipeWriter::write(const QByteArray &line, const RequestId &id)
{
    if (!m_fd.isOpen())
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
    m_notifier->setEnabled(!m_queue.empty());
    return Outcome::Taken;
}

void PipeWriter::close()
{
    if (m_notifier)
        m_notifier->setEnabled(false);
    m_fd.reset();
    m_queue.clear();
    m_queuedBytes = 0;
    m_written = 0;
}

bool PipeWriter::flush()
{
    while (!m_queue.empty()) {
        // The end of the line is written beside it: joining them would copy a message of any size.
        const QByteArray &bytes = m_queue.front().bytes;
        char end = '\n';
        iovec parts[] = {{const_cast<char *>(bytes.constData()) + m_written, size_t(bytes.size() - m_written)}, {&end, 1}};
        const bool isEndOnly = m_written == bytes.size();
        const ssize_t got = ::writev(m_fd.get(), isEndOnly ? parts + 1 : parts, isEndOnly ? 1 : 2);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN;
        m_queuedBytes -= got;
        m_written += got;
        if (m_written > bytes.size()) {
            m_queue.pop_front();
            m_written = 0;
        }
    }
    return true;
}

void PipeWriter::resume()
{
    if (!m_fd.isOpen())
        return;
    if (flush()) {
        m_notifier->setEnabled(!m_queue.empty());
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
