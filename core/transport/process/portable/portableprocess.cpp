// A child process as QProcess has it: its own channels, and no hold on what the process starts itself.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/processbackend.h"

#include <QPointer>
#include <QProcess>

namespace sonde {

namespace {

// QProcess reads ahead without a limit, so a server that writes too much is not held back here. Nor is it known
// when a running process closes one of its outputs.
class ProcessSource final : public ByteSource {
public:
    ProcessSource(QProcess *process, QProcess::ProcessChannel channel) : m_process(process), m_channel(channel)
    {
        const auto arrived = channel == QProcess::StandardOutput ? &QProcess::readyReadStandardOutput
                                                                 : &QProcess::readyReadStandardError;
        // Queued: a listener may delete QProcess, which must not be in the middle of a signal then.
        connect(process, arrived, this, &ProcessSource::notify, Qt::QueuedConnection);
    }

    qint64 read(char *data, qint64 maxBytes) override
    {
        if (!m_process)
            return AtEnd;
        m_process->setReadChannel(m_channel);
        const qint64 got = m_process->read(data, maxBytes);
        if (got > 0)
            return got;
        return m_process->state() == QProcess::NotRunning ? AtEnd : 0;
    }
    qint64 bytesAvailable() const override
    {
        if (!m_process)
            return 0;
        m_process->setReadChannel(m_channel);
        return m_process->bytesAvailable();
    }
    void setNotifying(bool isNotifying) override
    {
        m_isNotifying = isNotifying;
        // QProcess tells of what arrives, not of what is there already.
        if (isNotifying && bytesAvailable() > 0)
            QMetaObject::invokeMethod(this, &ProcessSource::notify, Qt::QueuedConnection);
    }

private:
    void notify()
    {
        if (m_isNotifying)
            Q_EMIT readable();
    }

    QPointer<QProcess> m_process;
    QProcess::ProcessChannel m_channel;
    bool m_isNotifying = false;
};

class ProcessSink final : public ByteSink {
public:
    explicit ProcessSink(QProcess *process) : m_process(process)
    {
        connect(process, &QProcess::bytesWritten, this, &ProcessSink::notify, Qt::QueuedConnection);
        connect(
            process, &QProcess::errorOccurred, this,
            [this](QProcess::ProcessError error) {
                m_isBroken = m_isBroken || error == QProcess::WriteError;
                if (m_isBroken)
                    notify();
            },
            Qt::QueuedConnection);
    }
    ~ProcessSink() override { ProcessSink::close(); }

    qint64 write(std::span<const QByteArrayView> parts) override
    {
        if (m_isBroken || !m_process || m_process->state() == QProcess::NotRunning)
            return Broken;
        // QProcess takes any amount and passes it on when the process reads: only that counts as taken.
        if (const qint64 taken = m_handedOver - m_process->bytesToWrite(); taken > 0) {
            m_handedOver -= taken;
            return taken;
        }
        if (m_handedOver > 0)
            return 0;
        for (const QByteArrayView part : parts) {
            const QByteArrayView piece = part.first(qMin(part.size(), PieceBytes - qsizetype(m_handedOver)));
            m_process->write(piece.data(), piece.size());
            m_handedOver += piece.size();
            if (piece.size() < part.size())
                break;
        }
        return 0;
    }
    void setNotifying(bool isNotifying) override { m_isNotifying = isNotifying; }
    void close() override
    {
        if (m_process)
            m_process->closeWriteChannel();
    }

private:
    static constexpr qsizetype PieceBytes = 256 * 1024;

    void notify()
    {
        if (m_isNotifying)
            Q_EMIT writable();
    }

    QPointer<QProcess> m_process;
    qint64 m_handedOver = 0;  // to QProcess, which has not passed it on yet as far as we have told
    bool m_isNotifying = false;
    bool m_isBroken = false;
};

class PortableProcess final : public ProcessBackend {
public:
    explicit PortableProcess(QProcess *process) : m_process(process) {}

    QString start() override
    {
        m_process->start();
        return {};
    }
    std::unique_ptr<ByteSink> takeInput() override { return std::make_unique<ProcessSink>(m_process); }
    std::unique_ptr<ByteSource> takeOutput() override
    {
        return std::make_unique<ProcessSource>(m_process, QProcess::StandardOutput);
    }
    std::unique_ptr<ByteSource> takeErrorOutput() override
    {
        return std::make_unique<ProcessSource>(m_process, QProcess::StandardError);
    }
    void terminate() override { m_process->terminate(); }
    void kill() override { m_process->kill(); }
    bool hasLivingMembers() const override { return false; }

private:
    QProcess *m_process;
};

}  // namespace

std::unique_ptr<ProcessBackend> ProcessBackend::create(QProcess *process)
{
    return std::make_unique<PortableProcess>(process);
}

}  // namespace sonde
