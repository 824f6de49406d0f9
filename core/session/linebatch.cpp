// SPDX-License-Identifier: Apache-2.0
#include "core/session/linebatch.h"

#include "core/session/sessionfile.h"

#include <QMutex>
#include <QThreadPool>
#include <atomic>
#include <new>
#include <utility>

namespace sonde {

namespace {
constexpr qsizetype UsualPiece = 64 * 1024;  // of facts and payloads
constexpr qsizetype UsualHead = 128;         // of a line, without these
constexpr size_t MaxSpare = 8;
}  // namespace

void LineBatch::Lines::append(SessionFile &file)
{
    isAppended = true;
    offset = file.size();
    problem = file.append(text);
    written = file.size() - offset;
}

// The bytes of records stand side by side here, so that the memory they came in is free for the next ones.
class LineBatch::Piece {
public:
    explicit Piece(qsizetype atLeast) { m_bytes.reserve(qMax(atLeast, UsualPiece)); }

    bool hasRoom(qsizetype size) const { return m_bytes.capacity() - m_bytes.size() >= size; }
    qsizetype size() const { return m_bytes.size() + qsizetype(m_entries.size()) * UsualHead; }

    void add(const RecordLine &record, const QList<RedactionMark> &marks)
    {
        m_entries.push_back({record, marks});
        m_entries.back().record.facts = kept(record.facts);
        m_entries.back().record.payload = kept(record.payload);
    }

    void writeLines()
    {
        m_lines.lines.reserve(m_entries.size());
        for (const Entry &entry : m_entries) {
            const qsizetype before = m_lines.text.size();
            const bool isText = appendRecordLine(m_lines.text, entry.record, entry.marks);
            m_lines.lines.push_back({m_lines.text.size() - before, isText});
        }
    }

    bool isWritten() const { return m_isWritten; }
    void setWritten()
    {
        m_isWritten = true;
        m_isWritten.notify_one();
    }
    void waitUntilWritten() const { m_isWritten.wait(false); }

    Lines &lines() { return m_lines; }

    void clear()
    {
        m_bytes.resize(0);
        m_entries.clear();
        QByteArray text = std::move(m_lines.text);
        text.resize(0);
        m_lines = {};
        m_lines.text = std::move(text);
        m_isWritten = false;
    }
    bool isLarge() const { return qMax(m_bytes.capacity(), m_lines.text.capacity()) > 8 * UsualPiece; }

private:
    struct Entry {
        RecordLine record;
        QList<RedactionMark> marks;
    };

    // There is room, so that what was kept before stays where it is.
    QByteArrayView kept(QByteArrayView bytes)
    {
        const qsizetype start = m_bytes.size();
        m_bytes.append(bytes.data(), bytes.size());
        return QByteArrayView(m_bytes).sliced(start);
    }

    QByteArray m_bytes;
    std::vector<Entry> m_entries;
    Lines m_lines;
    std::atomic<bool> m_isWritten = false;
};

// Full pieces, one after the other, on a thread of the global pool.
class LineBatch::Writer {
public:
    static void write(const std::shared_ptr<Writer> &self, const std::shared_ptr<Piece> &piece,
                      const std::shared_ptr<SessionFile> &file)
    {
        const QMutexLocker lock(&self->m_mutex);
        self->m_waiting.push_back({piece, file});
        if (std::exchange(self->m_isRunning, true))
            return;
        QThreadPool::globalInstance()->start([self] { self->run(); });
    }

    // Leaves what it has not begun.
    void stop()
    {
        const QMutexLocker lock(&m_mutex);
        m_waiting.clear();
    }
    bool hasBegun(const std::shared_ptr<Piece> &piece)
    {
        const QMutexLocker lock(&m_mutex);
        return m_begun == piece;
    }
    // All that was given to it has been taken.
    void beginAnew() { m_mayAppend = true; }

private:
    struct Job {
        std::shared_ptr<Piece> piece;
        std::shared_ptr<SessionFile> file;
    };

    void run()
    {
        for (Job job = next(); job.piece; job = next()) {
            Lines &lines = job.piece->lines();
            try {
                job.piece->writeLines();
            } catch (const std::bad_alloc &) {
                lines = {};
            }
            m_mayAppend = m_mayAppend && !lines.lines.empty();
            if (job.file && m_mayAppend) {
                lines.append(*job.file);
                m_mayAppend = !lines.problem;
            }
            job.piece->setWritten();
        }
    }

    Job next()
    {
        const QMutexLocker lock(&m_mutex);
        m_begun.reset();
        Job job;
        if (m_waiting.empty()) {
            m_isRunning = false;
            return job;
        }
        job = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_begun = job.piece;
        return job;
    }

    QMutex m_mutex;
    std::deque<Job> m_waiting;
    std::shared_ptr<Piece> m_begun;
    bool m_isRunning = false;
    std::atomic<bool> m_mayAppend = true;  // nothing may follow in the file what is not there as a whole
};

LineBatch::LineBatch() : m_writer(std::make_shared<Writer>()) {}
LineBatch::~LineBatch() = default;

void LineBatch::add(const RecordLine &record, const QList<RedactionMark> &marks,
                    const std::shared_ptr<SessionFile> &file)
{
    const qsizetype size = record.facts.size() + record.payload.size();
    if (m_pieces.empty() || !m_pieces.back()->hasRoom(size)) {
        if (!m_pieces.empty()) {
            Writer::write(m_writer, m_pieces.back(), file);
            m_isShared = true;
        }
        if (m_spare.empty() || !m_spare.back()->hasRoom(size))
            m_spare.push_back(std::make_shared<Piece>(size));
        m_pieces.push_back(std::move(m_spare.back()));
        m_spare.pop_back();
    }
    m_pieces.back()->add(record, marks);
    m_size += size + UsualHead;
}

void LineBatch::takeWritten(const Take &take)
{
    while (!m_pieces.empty() && m_pieces.front()->isWritten())
        takeFirst(take);
}

void LineBatch::takeAll(const Take &take)
{
    m_writer->stop();
    while (!m_pieces.empty()) {
        const std::shared_ptr<Piece> &piece = m_pieces.front();
        if (m_writer->hasBegun(piece))
            piece->waitUntilWritten();
        takeFirst(take);
    }
    m_writer->beginAnew();
}

void LineBatch::takeFirst(const Take &take)
{
    const std::shared_ptr<Piece> piece = std::move(m_pieces.front());
    m_pieces.pop_front();
    m_size -= piece->size();
    if (piece->lines().lines.empty())
        piece->writeLines();
    take(piece->lines());
    if (piece.use_count() > 1 || piece->isLarge() || m_spare.size() >= MaxSpare)
        return;
    piece->clear();
    m_spare.push_back(piece);
}

}  // namespace sonde
