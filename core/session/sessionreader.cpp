// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionreader.h"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>
#include <utility>

namespace sonde {

namespace {

struct SessionReaderText {
    Q_DECLARE_TR_FUNCTIONS(sonde::SessionReader)
};

constexpr qsizetype MaxHeaderLength = 1024 * 1024;
constexpr qsizetype BatchRows = 4096;

// The number that a line of ours begins with; 0: none.
quint32 numberAtBeginning(QByteArrayView line)
{
    constexpr QByteArrayView beginning = "{\"n\":";
    quint32 number = 0;
    if (line.startsWith(beginning))
        std::from_chars(line.data() + beginning.size(), line.data() + line.size(), number);
    return number;
}

}  // namespace

SessionReader::SessionReader(std::shared_ptr<SessionFile> file)
    : m_file(std::move(file)), m_isBeingWritten(m_file->isBeingWritten())
{}

Error SessionReader::readHeader()
{
    const QByteArray start = m_file->read(0, qMin<qsizetype>(MaxHeaderLength, qsizetype(m_file->size())));
    if (start.isEmpty() && m_file->size() > 0)
        return Error::local(SessionReaderText::tr("'%1' cannot be read.").arg(m_file->path()));
    const qsizetype newline = start.indexOf('\n');
    const qsizetype end = newline < 0 ? start.size() : newline;
    const Result<SessionHeader> header = SessionHeader::fromLine(QByteArrayView(start).first(end));
    if (!header) {
        Error error = header.error();
        error.detail = m_file->path();
        return error;
    }
    m_header = *header;
    m_start = newline < 0 ? end : newline + 1;
    if (header->isDamaged)
        m_headerDamage.append({0, m_start, SessionReaderText::tr("The header is damaged; its contents may be wrong.")});
    reset();
    return {};
}

void SessionReader::reset()
{
    m_index = SessionIndex();
    m_batch = ReadBatch();
    m_batch.damage = m_headerDamage;
    m_rowsBefore = 0;
    m_namesBefore = m_index.names().size();
    m_isDamagedSince = !m_headerDamage.isEmpty();
}

bool SessionReader::seemsInOrder() const
{
    LineSource source(*m_file, m_start);
    quint32 last = 0;
    while (source.next()) {
        const quint32 number = numberAtBeginning(source.line());
        if (number <= last && source.isTerminated())
            return false;
        last = number;
    }
    return true;
}

bool SessionReader::readInOrder(const Sink &sink, bool keepGoing)
{
    reset();
    LineSource source(*m_file, m_start);
    while (source.next()) {
        const bool isWhole = source.isTerminated() || hasValidChecksum(source.line());
        if (!isWhole && m_isBeingWritten)
            break;
        if (!isWhole) {
            noteDamage(source.offset(), source.length(), SessionReaderText::tr("The last record is incomplete."));
        } else if (source.isTooLong()) {
            noteDamage(source.offset(), source.length(), SessionReaderText::tr("The record's length is invalid."));
        } else if (!take(source.line(), {0, source.offset(), quint32(source.length())})) {
            if (!keepGoing)
                return false;
            noteDamage(source.offset(), source.length(), SessionReaderText::tr("The record is out of order."));
        }
        if (qsizetype(m_batch.newRows.size()) >= BatchRows && !handOver(sink))
            return true;
    }
    if (source.end() < m_file->size() && !m_isBeingWritten)
        noteDamage(source.end(), m_file->size() - source.end(), SessionReaderText::tr("Read error."));
    handOverLast(sink);
    return true;
}

void SessionReader::readSorted(const Sink &sink)
{
    reset();
    std::vector<Place> places;
    LineSource source(*m_file, m_start);
    quint32 highest = 0;
    bool isReported = false;
    while (source.next()) {
        RecordLine record;
        if (readRecordLine(source.line(), &record) == LineState::Damaged) {
            noteDamage(source.offset(), source.length(), SessionReaderText::tr("The record is damaged."));
            continue;
        }
        if (record.number <= highest && !isReported) {
            isReported = true;
            noteDamage(source.offset(), 0, SessionReaderText::tr("From here on records are not in their order."));
        }
        highest = qMax(highest, record.number);
        places.push_back({record.number, source.offset(), quint32(source.length())});
        if (qsizetype(places.size()) % BatchRows == 0 && !sink({}))
            return;
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place &left, const Place &right) { return left.number < right.number; });
    QList<DamagedRange> &damage = m_batch.damage;
    for (const Place &place : places) {
        if (place.number == m_batch.lastNumber) {
            noteDamage(place.offset, place.length, SessionReaderText::tr("Duplicate record."));
            continue;
        }
        QByteArray line = m_file->read(place.offset, qsizetype(place.length));
        if (line.endsWith('\n'))
            line.chop(1);
        m_isDamagedSince = true;  // what lies between two records says nothing any more
        take(line, place);
        if (qsizetype(m_batch.newRows.size()) >= BatchRows && !handOver(sink))
            return;
    }
    std::stable_sort(damage.begin(), damage.end(),
                     [](const DamagedRange &left, const DamagedRange &right) { return left.offset < right.offset; });
    handOverLast(sink);
}

// False when the record's number is not above the last one's.
bool SessionReader::take(QByteArrayView line, const Place &place)
{
    RecordLine record;
    const LineState state = readRecordLine(line, &record, m_bytes);
    if (state == LineState::Damaged) {
        noteDamage(place.offset, place.length, SessionReaderText::tr("The record is damaged."));
        return true;
    }
    if (record.number <= m_batch.lastNumber)
        return false;
    const quint32 expected = m_batch.lastNumber + 1;
    if (record.number != expected && !m_isDamagedSince)
        noteGap({record.number, place.offset, 0});
    m_isDamagedSince = false;
    m_batch.lastNumber = record.number;
    if (state == LineState::Unknown)
        return true;

    m_batch.numbers.add(quint32(m_rowsBefore + qsizetype(m_batch.newRows.size())), record.number);
    m_changes.clear();
    RecordInfo info = m_index.add(record, m_bytes, nullptr, m_changes);
    info.fileOffset = place.offset;
    info.lineLength = place.length;
    info.needsDecoding = record.needsDecoding;
    m_batch.newRows.push_back(info);
    m_batch.totalBytes += info.wireLength;
    m_batch.messageCount += info.kind == WireEvent::Kind::Message ? 1 : 0;
    apply(m_changes);
    return true;
}

void SessionReader::noteGap(const Place &place)
{
    const quint32 first = m_batch.lastNumber + 1;
    const quint32 last = place.number - 1;
    noteDamage(place.offset, 0,
               first == last ? SessionReaderText::tr("Record %1 is missing.").arg(first)
                             : SessionReaderText::tr("Records %1 to %2 are missing.").arg(first).arg(last));
}

void SessionReader::noteDamage(qint64 offset, qint64 length, const QString &reason)
{
    m_isDamagedSince = true;
    if (!m_batch.damage.isEmpty()) {
        DamagedRange &last = m_batch.damage.last();
        if (last.offset + last.length == offset && last.reason == reason && length > 0) {
            last.length += length;
            return;
        }
    }
    m_batch.damage.append({offset, length, reason});
}

void SessionReader::apply(const std::vector<LinkChange> &changes)
{
    const qsizetype size = m_rowsBefore + qsizetype(m_batch.newRows.size());
    for (const LinkChange &change : changes) {
        const qsizetype row = m_batch.numbers.rowOf(change.number, size);
        if (row >= m_rowsBefore)
            change.applyTo(m_batch.newRows[size_t(row - m_rowsBefore)]);
        else if (row >= 0)
            m_batch.changes.push_back({row, change});
    }
}

bool SessionReader::handOver(const Sink &sink)
{
    m_batch.newNames = m_index.names().sliced(m_namesBefore);
    m_namesBefore = m_index.names().size();
    m_rowsBefore += qsizetype(m_batch.newRows.size());
    ReadBatch next;
    next.numbers = m_batch.numbers;
    next.damage = m_batch.damage;
    next.lastNumber = m_batch.lastNumber;
    next.totalBytes = m_batch.totalBytes;
    next.messageCount = m_batch.messageCount;
    return sink(std::exchange(m_batch, std::move(next)));
}

// What no response can come to any more is unanswered.
void SessionReader::handOverLast(const Sink &sink)
{
    if (!m_isBeingWritten) {
        m_changes.clear();
        m_index.end(m_changes);
        apply(m_changes);
    }
    handOver(sink);
}

}  // namespace sonde
