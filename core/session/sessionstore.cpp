// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionstore.h"

#include <QFile>
#include <QFileInfo>
#include <QThreadPool>
#include <cerrno>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr int SyncIntervalMs = 1000;
constexpr int RetryIntervalMs = 3000;
constexpr qsizetype CatchUpBytes = 1024 * 1024;  // in one turn of the event loop

}  // namespace

SessionStore::SessionStore(SessionData *data, const RecordQueue *queue) : m_data(*data), m_queue(*queue)
{
    m_syncTimer.setSingleShot(true);
    m_syncTimer.setInterval(SyncIntervalMs);
    connect(&m_syncTimer, &QTimer::timeout, this, &SessionStore::startSync);
    m_retryTimer.setSingleShot(true);
    m_retryTimer.setInterval(RetryIntervalMs);
    connect(&m_retryTimer, &QTimer::timeout, this, [this] { catchUp(); });
}

void SessionStore::setFile(const std::shared_ptr<SessionFile> &file)
{
    m_data.file = file;
    m_data.path = file->path();
    m_headerLine = m_data.header.toLine();
    m_data.error = file->append(m_headerLine);
    if (m_data.error) {
        file->truncate(0);  // an empty file says less nonsense than half a header
        tryAgainLater();
    }
    Q_EMIT moved();
}

qint64 SessionStore::recorded() const
{
    return (isInFile() ? m_data.file->size() : m_data.memory.size()) + m_batch.size();
}

void SessionStore::appendPlaced(const RecordInfo &info)
{
    m_waiting.push_back(info);
    ++m_stored;
}

void SessionStore::cutFile(qint64 size)
{
    m_data.file->truncate(size);
    m_isTornAtEnd = m_data.file->size() != size;
}

const std::vector<RecordInfo> &SessionStore::takePlaced()
{
    m_taken.clear();
    std::swap(m_taken, m_waiting);
    const auto rest = m_taken.begin() + std::ptrdiff_t(std::exchange(m_stored, 0));
    m_waiting.assign(rest, m_taken.end());
    m_taken.erase(rest, m_taken.end());
    return m_taken;
}

bool SessionStore::takeFailure()
{
    if (!std::exchange(m_hasFailed, false))
        return false;
    tryAgainLater();
    return true;
}

void SessionStore::tryAgainLater()
{
    if (!m_isOver && m_data.file && (m_data.error.code == ENOSPC || m_data.error.code == EDQUOT))
        m_retryTimer.start();
}

void SessionStore::resume(Session::Pace pace)
{
    if (m_isOver || !m_data.file || !m_data.error || (m_isCatchingUp && pace == Session::Pace::InTurns))
        return;
    m_isAsked = true;
    m_retryTimer.stop();
    catchUp(pace);
}

void SessionStore::needSync()
{
    m_needsSync = true;
    if (!m_syncTimer.isActive())
        m_syncTimer.start();
}

bool SessionStore::finish()
{
    writePending();
    const bool hasResumed = catchUpAtOnce();
    m_isOver = true;
    m_syncTimer.stop();
    m_retryTimer.stop();
    if (m_data.file && m_needsSync) {
        const Error error = m_data.file->sync();
        if (error && hasResumed)
            m_data.error = error;  // as was said before
        else if (error)
            fail(error);
    }
    if (m_data.file)
        m_data.file->release();
    dropEmptyFile();
    return hasResumed;
}

void SessionStore::append(const RecordInfo &info, const RecordLine &record, const QList<RedactionMark> &marks)
{
    m_waiting.push_back(info);
    m_batch.add(record, marks, isInFile() ? m_data.file : nullptr);
    if (m_batch.size() < FullBatch)
        placeWritten();
    else
        writePending();
}

void SessionStore::placeWritten()
{
    m_batch.takeWritten([this](LineBatch::Lines &lines) { place(lines); });
}

void SessionStore::writePending()
{
    m_batch.takeAll([this](LineBatch::Lines &lines) { place(lines); });
}

// In the file, or in memory when there is none.
void SessionStore::place(LineBatch::Lines &lines)
{
    if (!lines.isAppended && isInFile())
        lines.append(*m_data.file);
    qint64 inFile = lines.written;
    if (lines.isAppended)
        needSync();
    if (lines.problem) {
        inFile = 0;
        for (auto line = lines.lines.begin(); line != lines.lines.end() && inFile + line->length <= lines.written;)
            inFile += line++->length;
        cutFile(lines.offset + inFile);
        fail(lines.problem);
    }
    qsizetype position = 0;
    for (const LineBatch::Lines::Line &line : lines.lines) {
        RecordInfo &info = m_waiting[m_stored++];
        info.lineLength = quint32(line.length);
        info.needsDecoding = !line.isText;
        info.fileOffset = position < inFile
                              ? lines.offset + position
                              : -1 - m_data.memory.append(QByteArrayView(lines.text).sliced(position, line.length));
        position += line.length;
    }
}

// What the file holds stays readable through it; everything from here on is kept in memory.
void SessionStore::fail(const Error &problem)
{
    if (m_data.error)
        return;
    m_data.error = problem;
    m_hasFailed = true;
    Q_EMIT moved();
    Q_EMIT failed();
}

// New records queue up behind what is brought to the file, since they are in memory as well.
void SessionStore::catchUp(Session::Pace pace)
{
    if (m_isOver || !m_data.error)
        return;
    if (m_queue.isBusy())
        return m_retryTimer.start();  // it may be writing to the file
    m_isCatchingUp = true;
    bool isAll = true;
    if (const Error problem = pace == Session::Pace::AtOnce ? catchUpAll() : catchUpPiece(&isAll)) {
        m_isCatchingUp = false;
        m_data.error = problem;
        m_hasFailed = std::exchange(m_isAsked, false);  // what tries by itself does so quietly
        if (m_hasFailed)
            Q_EMIT failed();
        else
            tryAgainLater();
        return;
    }
    if (!isAll) {
        QMetaObject::invokeMethod(
            this, [this] { catchUp(); }, Qt::QueuedConnection);
        return;
    }
    m_isCatchingUp = false;
    m_isAsked = false;
    m_syncTimer.start();
    Q_EMIT resumed();
}

// The last attempt. True when it brought everything to the file after somebody was told that this did not work.
bool SessionStore::catchUpAtOnce()
{
    if (!m_data.file || !m_data.error)
        return false;
    m_isCatchingUp = false;
    if (const Error problem = catchUpAll()) {
        m_data.error = problem;
        return false;
    }
    return !std::exchange(m_hasFailed, false);
}

Error SessionStore::catchUpAll()
{
    Error problem;
    for (bool isAll = false; !isAll && !problem;)
        problem = catchUpPiece(&isAll);
    return problem;
}

// The next piece of what is only in memory. With the last one the error is gone.
Error SessionStore::catchUpPiece(bool *isAll)
{
    const auto lineOf = [this](const RecordInfo &info) {
        return m_data.memory.read(-1 - info.fileOffset, qsizetype(info.lineLength));
    };
    writePending();
    qsizetype first = 0;  // row that is not in the file
    for (qsizetype end = m_data.records->size(); first < end;) {
        const qsizetype middle = first + (end - first) / 2;
        if ((*m_data.records)[middle].fileOffset < 0)
            end = middle;
        else
            first = middle + 1;
    }
    const auto recordAt = [this](qsizetype row) -> const RecordInfo & {
        return row < m_data.records->size() ? (*m_data.records)[row] : m_waiting[size_t(row - m_data.records->size())];
    };
    const auto setOffset = [this](qsizetype row, qint64 place) {
        if (row >= m_data.records->size()) {
            m_waiting[size_t(row - m_data.records->size())].fileOffset = place;
            return;
        }
        RecordInfo info = (*m_data.records)[row];
        info.fileOffset = place;
        m_data.records->set(row, info);
    };
    const qsizetype all = m_data.records->size() + qsizetype(m_stored);
    while (first < all && recordAt(first).fileOffset >= 0)
        ++first;
    QByteArray piece = m_data.file->size() < m_headerLine.size() ? m_headerLine.sliced(qsizetype(m_data.file->size()))
                       : m_isTornAtEnd                           ? "\n"_ba
                                                                 : QByteArray();
    const qsizetype lead = piece.size();
    qsizetype last = first;
    while (last < all && piece.size() < CatchUpBytes)
        piece.append(lineOf(recordAt(last++)));

    const qint64 offset = m_data.file->size();
    const Error problem = m_data.file->append(piece);
    const qint64 written = m_data.file->size() - offset;
    qint64 whole = qMin<qint64>(written, lead);
    for (; first < last && whole + recordAt(first).lineLength <= written; ++first) {
        setOffset(first, offset + whole);
        whole += recordAt(first).lineLength;
    }
    m_data.forgetLine();
    if (written > 0) {
        m_isTornAtEnd = false;
        m_needsSync = true;
    }
    if (problem) {
        m_data.file->truncate(offset + whole);
        m_isTornAtEnd = m_data.file->size() != offset + whole || (lead > 0 && written == 0);
        return problem;
    }
    *isAll = first >= all;
    if (*isAll) {
        m_data.error = {};
        m_data.memory = LineStore();
        m_sync->hasFailed = false;
        Q_EMIT moved();
    }
    return {};
}

// One that has not even got its header says nothing to anybody.
void SessionStore::dropEmptyFile()
{
    if (!m_data.file || m_data.file->size() >= m_headerLine.size())
        return;
    if (m_data.file->isStillAtPath())
        QFile::remove(m_data.path);
    m_data.file.reset();
    m_data.path.clear();
}

void SessionStore::startSync()
{
    if (m_sync->hasFailed) {
        fail(m_sync->error);
        return;
    }
    if (!m_needsSync && !m_sync->isBusy)
        return;
    m_syncTimer.start();
    if (!m_needsSync || m_sync->isBusy)
        return;
    m_needsSync = false;
    m_sync->isBusy = true;
    QThreadPool::globalInstance()->start([file = m_data.file, state = m_sync] {
        if (const Error problem = file->sync()) {
            state->error = problem;
            state->hasFailed = true;
        }
        state->isBusy = false;
    });
}

}  // namespace sonde
