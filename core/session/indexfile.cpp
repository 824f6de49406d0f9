// SPDX-License-Identifier: Apache-2.0
#include "core/session/indexfile.h"

#include "core/session/crc32.h"
#include "core/session/sessionfile.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryFile>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <type_traits>

namespace sonde {

namespace {

constexpr qint64 WorthwhileSize = 8 * 1024 * 1024;
constexpr qsizetype SampleSize = 64 * 1024;  // at either end of the session's file; the first holds its uuid
constexpr qsizetype BufferSize = 1024 * 1024;
constexpr quint32 FormatVersion = 5;
constexpr quint32 NativeOrder = 0x01020304;

// The structs below are the file's, byte for byte, in the order of the machine: another one reads the session again.
struct Stamp {
    qint64 size = 0;
    qint64 modifiedNs = 0;
    quint32 headCrc = 0;
    quint32 tailCrc = 0;

    bool operator==(const Stamp &) const = default;
};

struct Head {
    char magic[8] = {'S', 'o', 'n', 'd', 'e', 'I', 'd', 'x'};
    quint32 order = NativeOrder;
    quint32 version = FormatVersion;
    Stamp session;
    qint64 rowCount = 0;
    qint64 totalBytes = 0;
    qint64 messageCount = 0;
    quint32 nameCount = 0;
    quint32 nameBytes = 0;
    quint32 runCount = 0;
    quint32 lastNumber = 0;
    quint32 bodyCrc = 0;
    quint32 crc = 0;  // of all that stands before it
};

struct Row {
    qint64 fileOffset = 0;
    qint64 timeNs = 0;
    qint64 wireLength = 0;
    quint32 lineLength = 0;
    quint32 method = 0;
    quint32 target = 0;
    quint32 partner = 0;
    quint16 connection = 0;
    quint8 kind = 0;
    quint8 direction = 0;
    quint8 messageKind = 0;
    quint8 outcome = 0;
    quint8 terminator = 0;
    quint8 marks = 0;
};

constexpr quint8 ProblemMark = 1;
constexpr quint8 LateMark = 2;
constexpr quint8 DecodingMark = 4;
constexpr quint8 PlainMark = 8;
constexpr quint8 LostMark = 16;

static_assert(std::has_unique_object_representations_v<Head> && std::has_unique_object_representations_v<Row>,
              "no byte of the file may be left to chance");

template <typename T>
QByteArrayView bytesOf(const T &value)
{
    static_assert(std::has_unique_object_representations_v<T>);
    return {reinterpret_cast<const char *>(&value), sizeof(T)};
}

quint32 crcOfHead(const Head &head)
{
    return crc32(bytesOf(head).first(qsizetype(offsetof(Head, crc))));
}

Stamp stampOf(const SessionFile &file)
{
    Stamp stamp;
    stamp.size = file.size();
    stamp.modifiedNs = file.modifiedNs();
    const qsizetype sample = qsizetype(qMin<qint64>(SampleSize, stamp.size));
    stamp.headCrc = crc32(file.read(0, sample));
    stamp.tailCrc = crc32(file.read(stamp.size - sample, sample));
    return stamp;
}

template <typename From, typename To>
void copyNumbers(const From &from, To &to)
{
    to.fileOffset = from.fileOffset;
    to.timeNs = from.timeNs;
    to.wireLength = from.wireLength;
    to.lineLength = from.lineLength;
    to.method = from.method;
    to.target = from.target;
    to.partner = from.partner;
    to.connection = from.connection;
    to.terminator = from.terminator;
}

Row packed(const RecordInfo &info)
{
    Row row;
    copyNumbers(info, row);
    row.kind = quint8(info.kind);
    row.direction = quint8(info.direction);
    row.messageKind = quint8(info.messageKind);
    row.outcome = quint8(info.outcome);
    row.marks =
        quint8((info.hasProblems ? ProblemMark : 0) | (info.isLate ? LateMark : 0) |
               (info.needsDecoding ? DecodingMark : 0) | (info.isPlain ? PlainMark : 0) | (info.isLost ? LostMark : 0));
    return row;
}

// False for what no row of ours can be: the file may have been made by anybody.
bool unpack(const Row &row, const Head &head, RecordInfo &info)
{
    if (row.fileOffset < 0 || row.lineLength == 0 || row.fileOffset > head.session.size - qint64(row.lineLength) ||
        row.method >= head.nameCount || row.target >= head.nameCount || row.kind > quint8(WireEvent::Kind::End) ||
        row.direction > quint8(Direction::Local) || row.messageKind > quint8(Message::Kind::Batch) ||
        row.outcome > quint8(RowOutcome::InputRequired))
        return false;
    copyNumbers(row, info);
    info.kind = WireEvent::Kind(row.kind);
    info.direction = Direction(row.direction);
    info.messageKind = Message::Kind(row.messageKind);
    info.outcome = RowOutcome(row.outcome);
    info.hasProblems = row.marks & ProblemMark;
    info.isLate = row.marks & LateMark;
    info.needsDecoding = row.marks & DecodingMark;
    info.isPlain = row.marks & PlainMark;
    info.isLost = row.marks & LostMark;
    return true;
}

// The body, in large pieces and with its checksum.
class BodyReader {
public:
    BodyReader(const SessionFile &file, qint64 start) : m_file(file), m_offset(start) {}

    // False at the end of the file.
    bool take(void *out, qsizetype length)
    {
        char *at = static_cast<char *>(out);
        while (length > 0) {
            if (m_at == m_buffer.size()) {
                m_buffer = m_file.read(m_offset, BufferSize);
                m_offset += m_buffer.size();
                m_at = 0;
                m_crc = crc32(m_buffer, m_crc);
                if (m_buffer.isEmpty())
                    return false;
            }
            const qsizetype count = qMin(length, m_buffer.size() - m_at);
            std::memcpy(at, m_buffer.constData() + m_at, size_t(count));
            m_at += count;
            at += count;
            length -= count;
        }
        return true;
    }
    bool isWhole(quint32 crc) const { return m_at == m_buffer.size() && m_offset == m_file.size() && m_crc == crc; }

private:
    const SessionFile &m_file;
    qint64 m_offset;
    QByteArray m_buffer;
    qsizetype m_at = 0;
    quint32 m_crc = 0;
};

bool readNames(BodyReader &body, const Head &head, QList<QByteArray> &names)
{
    QByteArray text(qsizetype(head.nameBytes), Qt::Uninitialized);
    std::vector<quint32> lengths(head.nameCount);
    if (!body.take(lengths.data(), qsizetype(lengths.size() * sizeof(quint32))) || !body.take(text.data(), text.size()))
        return false;
    qsizetype at = 0;
    for (const quint32 length : lengths) {
        if (qsizetype(length) > text.size() - at)
            return false;
        names.append(text.mid(at, qsizetype(length)));
        at += qsizetype(length);
    }
    return true;
}

// A new file under a name of its own, which takes the place of the old one once it is whole. Follows no link.
class NewFile {
public:
    explicit NewFile(const QString &path) : m_path(path), m_file(path + QStringLiteral(".XXXXXX"))
    {
        check(m_file.open());
    }

    // Leaves room at the beginning.
    void skip(qsizetype length) { check(m_file.seek(length)); }
    void append(QByteArrayView bytes)
    {
        m_crc = crc32(bytes, m_crc);
        m_buffer.append(bytes);
        if (m_buffer.size() >= BufferSize)
            flush();
    }
    quint32 crc() const { return m_crc; }
    void flush()
    {
        check(m_file.write(m_buffer) == m_buffer.size() && m_file.flush());
        m_buffer.resize(0);
    }
    void overwriteBeginning(QByteArrayView bytes)
    {
        check(m_file.seek(0) && m_file.write(bytes.data(), bytes.size()) == bytes.size() && m_file.flush());
    }
    Error keep()
    {
        std::error_code error;
        if (!m_error)
            std::filesystem::rename(QFileInfo(m_file.fileName()).filesystemFilePath(),
                                    QFileInfo(m_path).filesystemFilePath(), error);
        if (error)
            m_error = Error::local(QString::fromStdString(error.message()));
        m_file.setAutoRemove(bool(m_error));
        return m_error;
    }

private:
    void check(bool isDone)
    {
        if (!isDone && !m_error)
            m_error = Error::local(m_file.errorString());
    }

    QString m_path;
    QTemporaryFile m_file;
    QByteArray m_buffer;
    Error m_error;
    quint32 m_crc = 0;
};

}  // namespace

bool IndexFile::isWorthwhile(const SessionFile &file)
{
    return file.size() >= WorthwhileSize;
}

std::optional<IndexFile> IndexFile::read(const SessionFile &session)
{
    const Result<std::shared_ptr<SessionFile>> opened = SessionFile::open(pathOf(session.path()), session.calls());
    if (!opened)
        return std::nullopt;
    const SessionFile &file = **opened;
    Head head;
    const QByteArray start = file.read(0, sizeof(Head));
    if (start.size() != qsizetype(sizeof(Head)))
        return std::nullopt;
    std::memcpy(&head, start.constData(), sizeof(Head));
    const Head expected;
    // Before anything is made as large as it says: the sizes are those of this file.
    const qint64 bodySize = file.size() - qint64(sizeof(Head));
    const bool isOurs =
        std::memcmp(head.magic, expected.magic, sizeof head.magic) == 0 && head.order == expected.order &&
        head.version == expected.version && head.crc == crcOfHead(head) && head.rowCount >= 0 &&
        head.rowCount <= bodySize / qint64(sizeof(Row)) && head.nameCount > 0 &&
        bodySize == head.rowCount * qint64(sizeof(Row)) + head.runCount * qint64(sizeof(RowNumbers::Run)) +
                        head.nameCount * qint64(sizeof(quint32)) + head.nameBytes;
    if (!isOurs || head.session != stampOf(session))
        return std::nullopt;

    IndexFile indexFile;
    BodyReader body(file, qint64(sizeof(Head)));
    std::vector<RowNumbers::Run> runs(head.runCount);
    if (!readNames(body, head, indexFile.names) ||
        !body.take(runs.data(), qsizetype(runs.size() * sizeof(RowNumbers::Run))))
        return std::nullopt;
    indexFile.numbers.setRuns(std::move(runs));
    indexFile.rows = std::make_shared<RecordList>();
    indexFile.rows->setFolder(QFileInfo(session.path()).absolutePath());
    for (qint64 i = 0; i < head.rowCount; ++i) {
        Row row;
        RecordInfo info;
        if (!body.take(&row, sizeof row) || !unpack(row, head, info))
            return std::nullopt;
        indexFile.rows->append(info);
    }
    if (!body.isWhole(head.bodyCrc))
        return std::nullopt;
    // The checksum fits, yet whoever made it may have meant harm: no number may lead beyond the rows.
    RowNumbers::Run last;
    for (const RowNumbers::Run &run : indexFile.numbers.runs()) {
        if (qint64(run.row) >= head.rowCount || run.row < last.row || run.number <= last.number)
            return std::nullopt;
        last = run;
    }
    indexFile.lastNumber = head.lastNumber;
    indexFile.totalBytes = head.totalBytes;
    indexFile.messageCount = head.messageCount;
    return indexFile;
}

Error IndexFile::write(const SessionFile &session) const
{
    Head head;
    head.session = stampOf(session);
    head.rowCount = rows->size();
    head.totalBytes = totalBytes;
    head.messageCount = messageCount;
    head.nameCount = quint32(names.size());
    head.runCount = quint32(numbers.runs().size());
    head.lastNumber = lastNumber;

    NewFile file(pathOf(session.path()));
    file.skip(sizeof(Head));  // known at last
    for (const QByteArray &name : names) {
        head.nameBytes += quint32(name.size());
        file.append(bytesOf(quint32(name.size())));
    }
    for (const QByteArray &name : names)
        file.append(name);
    for (const RowNumbers::Run &run : numbers.runs())
        file.append(bytesOf(run));
    for (qsizetype row = 0; row < rows->size(); ++row)
        file.append(bytesOf(packed((*rows)[row])));
    file.flush();
    head.bodyCrc = file.crc();
    head.crc = crcOfHead(head);
    file.overwriteBeginning(bytesOf(head));
    const Error error = file.keep();
    // Deleted or moved meanwhile: nobody would ever look for the index here.
    if (!error && !session.isStillAtPath())
        QFile::remove(pathOf(session.path()));
    return error;
}

}  // namespace sonde
