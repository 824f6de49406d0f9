// SPDX-License-Identifier: Apache-2.0
#include "core/transport/pipereader.h"

#include "core/transport/turnbudget.h"

#include <QPointer>

#include <sys/ioctl.h>

#include <cerrno>

namespace sonde {

namespace {
constexpr qsizetype PipeChunkSize = 64 * 1024;
}

PipeReader::PipeReader(UniqueFd fd, qint64 maxLineBytes, QObject *parent)
    : QObject(parent), m_fd(std::move(fd)), m_framer(maxLineBytes), m_chunk(PipeChunkSize, Qt::Uninitialized)
{
    m_again.setSingleShot(true);  // a timer, not a posted event: those would keep everything else waiting
    connect(&m_again, &QTimer::timeout, this, &PipeReader::turn);
}

void PipeReader::start()
{
    m_notifier = std::make_unique<QSocketNotifier>(m_fd.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &PipeReader::turn);
}

void PipeReader::drain()
{
    m_wantsDrained = true;
    m_isDrained = false;
    int waiting = 0;
    m_leftToDrain = ::ioctl(m_fd.get(), FIONREAD, &waiting) == 0 ? waiting : 0;
    m_again.start(0);
}

void PipeReader::setPaused(bool isPaused)
{
    if (m_isPaused == isPaused || m_isStopped)
        return;
    m_isPaused = isPaused;
    if (m_notifier && isPaused)
        m_notifier->setEnabled(false);
    if (!isPaused)
        m_again.start(0);
}

void PipeReader::stop()
{
    m_isStopped = true;
    m_again.stop();
    if (m_notifier)
        m_notifier->setEnabled(false);
}

void PipeReader::turn()
{
    if (m_isStopped || m_isPaused)
        return;
    const QPointer<PipeReader> alive(this);
    TurnBudget budget;
    for (;;) {
        while (const std::optional<LineFramer::Line> line = m_framer.next()) {
            Q_EMIT lineRead(*line);
            if (!alive || m_isStopped || m_isPaused)
                return;
            if (budget.isSpent())
                return rest(true);
        }
        if (budget.isSpent())
            return rest(true);
        if (m_framer.isBusy())
            continue;
        switch (m_isAtEnd ? Got::End : readSome()) {
            case Got::Bytes:
                budget.spend(PipeChunkSize);
                break;
            case Got::Nothing:
                return rest(false);
            case Got::End:
                m_isAtEnd = true;
                return rest(false);
        }
    }
}

PipeReader::Got PipeReader::readSome()
{
    if (m_wantsDrained && m_leftToDrain == 0)
        return Got::Nothing;
    const qint64 wanted = m_wantsDrained ? qMin<qint64>(m_leftToDrain, m_chunk.size()) : m_chunk.size();
    ssize_t got = 0;
    do {
        got = ::read(m_fd.get(), m_chunk.data(), size_t(wanted));
    } while (got < 0 && errno == EINTR);
    if (got > 0) {
        m_leftToDrain = qMax<qint64>(0, m_leftToDrain - got);
        m_framer.append(QByteArrayView(m_chunk).first(got));
        return Got::Bytes;
    }
    return got < 0 && errno == EAGAIN ? Got::Nothing : Got::End;
}

void PipeReader::rest(bool hasMore)
{
    if (hasMore) {
        if (m_notifier)
            m_notifier->setEnabled(false);
        m_again.start(0);
        return;
    }
    if (m_notifier)
        m_notifier->setEnabled(!m_isAtEnd);
    const QPointer<PipeReader> alive(this);
    if (std::exchange(m_wantsDrained, false)) {
        m_isDrained = true;
        Q_EMIT drained();
    }
    if (alive && m_isAtEnd && !m_isStopped)
        Q_EMIT ended();
}

}  // namespace sonde
