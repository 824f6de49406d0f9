// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionopening.h"

#include <QCoreApplication>
#include <QPointer>
#include <utility>

namespace sonde {

Result<std::unique_ptr<Session>> SessionOpening::open(const QString &path, std::shared_ptr<FileOps> calls,
                                                      bool inBatches, const std::atomic_bool *stop)
{
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(path, std::move(calls));
    if (!file)
        return file.error();
    SessionReader reader(*file);
    if (const Error error = reader.readHeader())
        return error;
    SessionData data;
    data.path = path;
    data.file = *file;
    data.header = reader.header();
    std::unique_ptr<Session> session(new Session(std::move(data)));
    session->m_opening.reset(new SessionOpening(session.get(), session->m_data.get()));
    if (inBatches)
        session->m_opening->m_loader = SessionLoader::start(std::move(reader), session->m_opening.get());
    else
        session->m_opening->readAll(reader, stop);
    if (stop && *stop)
        return Error::local(QCoreApplication::translate("sonde::Session", "Cancelled."));
    return session;
}

SessionOpening::~SessionOpening()
{
    if (m_loader)
        m_loader->stop();
}

bool SessionOpening::event(QEvent *event)
{
    if (event->type() != SessionLoader::eventType())
        return QObject::event(event);
    load();
    return true;
}

void SessionOpening::readAll(SessionReader &reader, const std::atomic_bool *stop)
{
    const auto isStopped = [stop] { return stop && *stop; };
    const SessionReader::Sink sink = [this, isStopped](ReadBatch &&found) {
        take(found);
        return !isStopped();
    };
    if (!reader.readInOrder(sink)) {
        m_data.records->clear();
        m_data.index = SessionIndex();
        reader.readSorted(sink);
    }
}

void SessionOpening::load()
{
    const std::shared_ptr<SessionLoader> from = m_loader;
    if (!from)
        return;
    const QPointer<Session> alive = m_session;
    const SessionLoader::Arrived arrived = from->take();
    for (const ReadBatch &found : arrived.batches) {
        const qsizetype first = m_session->size();
        take(found);
        if (m_session->size() > first)
            Q_EMIT m_session->appended(first, m_session->size() - 1);
        for (const ReadBatch::Change &change : found.changes) {
            if (!alive)
                return;
            Q_EMIT m_session->changed(change.row);
        }
        if (!alive)
            return;
    }
    if (!arrived.isLast)
        return;
    m_loader.reset();
    if (arrived.isOutOfMemory) {
        const qsizetype last = m_session->size() - 1;
        m_data.damage.append({last < 0 ? 0 : m_session->at(last).fileOffset + m_session->at(last).lineLength, 0,
                              QCoreApplication::translate("sonde::Session", "Not enough memory to read the rest.")});
    }
    Q_EMIT m_session->loaded();
}

void SessionOpening::take(const ReadBatch &found)
{
    for (const RecordInfo &info : found.newRows)
        m_data.records->append(info);
    for (const ReadBatch::Change &change : found.changes) {
        RecordInfo info = m_session->at(change.row);
        change.link.applyTo(info);
        m_data.records->set(change.row, info);
    }
    m_data.index.appendNames(found.newNames);
    m_data.numbers = found.numbers;
    m_data.damage = found.damage;
    m_data.lastNumber = found.lastNumber;
    m_data.totalBytes = found.totalBytes;
    m_data.messageCount = found.messageCount;
}

}  // namespace sonde
