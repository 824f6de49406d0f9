// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionloader.h"

#include <QCoreApplication>
#include <QThreadPool>
#include <new>
#include <utility>

namespace sonde {

QEvent::Type SessionLoader::eventType()
{
    static const int type = QEvent::registerEventType();
    return QEvent::Type(type);
}

std::shared_ptr<SessionLoader> SessionLoader::start(SessionReader reader, QObject *receiver)
{
    const std::shared_ptr<SessionLoader> loader(new SessionLoader(receiver));
    QThreadPool::globalInstance()->start(
        [loader, shared = std::make_shared<SessionReader>(std::move(reader))] { loader->run(*shared); });
    return loader;
}

SessionLoader::Arrived SessionLoader::take()
{
    const QMutexLocker locker(&m_mutex);
    m_isTold = false;
    return std::exchange(m_arrived, {});
}

void SessionLoader::stop()
{
    const QMutexLocker locker(&m_mutex);
    m_receiver = nullptr;
}

// Rows that were shown stay where they are, so the order has to be known before the first one is.
void SessionLoader::run(SessionReader &reader)
{
    const SessionReader::Sink sink = [this](ReadBatch &&batch) { return deliver(std::move(batch)); };
    bool isOutOfMemory = false;
    try {
        if (reader.seemsInOrder())
            reader.readInOrder(sink, true);
        else
            reader.readSorted(sink);
    } catch (const std::bad_alloc &) {
        isOutOfMemory = true;
    }
    const QMutexLocker locker(&m_mutex);
    m_arrived.isLast = true;
    m_arrived.isOutOfMemory = isOutOfMemory;
    tell();
}

bool SessionLoader::deliver(ReadBatch &&batch)
{
    const QMutexLocker locker(&m_mutex);
    m_arrived.batches.push_back(std::move(batch));
    tell();
    return m_receiver != nullptr;
}

void SessionLoader::tell()
{
    if (m_receiver && !std::exchange(m_isTold, true))
        QCoreApplication::postEvent(m_receiver, new QEvent(eventType()));
}

}  // namespace sonde
