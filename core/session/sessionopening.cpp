// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionprivate.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <utility>

namespace sonde {

Result<std::unique_ptr<Session>> Session::Private::open(const QString &path, std::shared_ptr<FileOps> calls,
                                                        bool inBatches, const std::atomic_bool *stop)
{
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(path, std::move(calls));
    if (!file)
        return file.error();
    SessionReader reader(*file);
    if (const Error error = reader.readHeader())
        return error;
    auto session = std::make_unique<Session>();
    Private *d = session->d.get();
    d->isLive = false;
    d->path = path;
    d->file = *file;
    d->header = reader.header();
    d->limit.moveToFile((*file)->size(), -1);
    session->m_records->setFolder(QFileInfo(path).absolutePath());
    std::optional<IndexFile> indexFile;
    if (!reader.isBeingWritten() && !reader.header().isDamaged && IndexFile::isWorthwhile(**file))
        indexFile = IndexFile::read(**file);
    if (indexFile)
        d->takeFrom(std::move(*indexFile));
    else if (inBatches)
        d->loader = SessionLoader::start(std::move(reader), session.get());
    else
        d->readAll(reader, stop);
    if (stop && *stop)
        return Error::local(QCoreApplication::translate("sonde::Session", "Cancelled."));
    return session;
}

void Session::Private::readAll(SessionReader &reader, const std::atomic_bool *stop)
{
    const auto isStopped = [stop] { return stop && *stop; };
    const SessionReader::Sink sink = [this, isStopped](ReadBatch &&found) {
        take(found);
        return !isStopped();
    };
    if (!reader.readInOrder(sink)) {
        q->m_records->clear();
        index = SessionIndex();
        reader.readSorted(sink);
    }
    if (!isStopped())
        saveIndexFile();
}

void Session::Private::load()
{
    const std::shared_ptr<SessionLoader> from = loader;
    if (!from)
        return;
    const QPointer<Session> alive = q;
    const SessionLoader::Arrived arrived = from->take();
    for (const ReadBatch &found : arrived.batches) {
        const qsizetype first = q->size();
        take(found);
        if (q->size() > first)
            Q_EMIT q->appended(first, q->size() - 1);
        for (const ReadBatch::Change &change : found.changes) {
            if (!alive)
                return;
            Q_EMIT q->changed(change.row);
        }
        if (!alive)
            return;
    }
    if (!arrived.isLast)
        return;
    loader.reset();
    if (arrived.isOutOfMemory) {
        const qsizetype last = q->size() - 1;
        damage.append({last < 0 ? 0 : q->at(last).fileOffset + q->at(last).lineLength, 0,
                       QCoreApplication::translate("sonde::Session", "Not enough memory to read the rest.")});
    } else {
        saveIndexFile();
    }
    Q_EMIT q->loaded();
}

void Session::Private::take(const ReadBatch &found)
{
    for (const RecordInfo &info : found.newRows)
        q->m_records->append(info);
    for (const ReadBatch::Change &change : found.changes) {
        RecordInfo info = q->at(change.row);
        change.link.applyTo(info);
        q->m_records->set(change.row, info);
    }
    index.appendNames(found.newNames);
    numbers = found.numbers;
    damage = found.damage;
    lastNumber = found.lastNumber;
    totalBytes = found.totalBytes;
    messageCount = found.messageCount;
}

void Session::Private::takeFrom(IndexFile &&indexFile)
{
    q->m_records = std::move(indexFile.rows);
    index.appendNames(indexFile.names.sliced(1));  // the first is the empty one, which every index has
    numbers = std::move(indexFile.numbers);
    lastNumber = indexFile.lastNumber;
    totalBytes = indexFile.totalBytes;
    messageCount = indexFile.messageCount;
}

// In the background. It is a help only, so that a failure needs no words.
void Session::Private::saveIndexFile() const
{
    if (!file || error || isLive || !damage.isEmpty() || !IndexFile::isWorthwhile(*file) || file->isBeingWritten())
        return;
    IndexFile indexFile{q->m_records, index.names(), numbers, lastNumber, totalBytes, messageCount};
    QThreadPool::globalInstance()->start(
        [indexFile = std::move(indexFile), written = file] { (void)indexFile.write(*written); });
}

}  // namespace sonde
