// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessiondata.h"

namespace sonde {

qsizetype SessionData::rowOf(quint32 number) const
{
    return numbers.rowOf(number, records->size());
}

QByteArrayView SessionData::line(qsizetype row) const
{
    const RecordInfo &info = (*records)[row];
    const auto withoutEnd = [](QByteArrayView text) { return text.endsWith('\n') ? text.chopped(1) : text; };
    if (info.fileOffset < 0)
        return withoutEnd(memory.read(-1 - info.fileOffset, qsizetype(info.lineLength)));
    if (m_lineOffset != info.fileOffset) {
        m_line = file->read(info.fileOffset, qsizetype(info.lineLength));
        m_lineOffset = info.fileOffset;
    }
    return withoutEnd(m_line);
}

std::optional<RecordLine> SessionData::recordLine(qsizetype row) const
{
    RecordLine record;
    const RecordInfo &info = (*records)[row];
    if (info.lineLength > Message::LargeBytes && readRecordHead(beginning(info), &record))
        return record;
    if (readRecordLine(line(row), &record) != LineState::Good)
        return std::nullopt;
    return record;
}

// As much of a large record's line as all but its payload takes, nearly always.
QByteArrayView SessionData::beginning(const RecordInfo &info) const
{
    constexpr qsizetype enough = 64 * 1024;
    if (info.fileOffset < 0)
        return memory.read(-1 - info.fileOffset, enough);
    m_beginning = file->read(info.fileOffset, enough);
    return m_beginning;
}

SessionData SessionData::snapshot(bool grows) const
{
    SessionData taken;
    taken.header = header;
    taken.path = path;
    taken.file = file;
    taken.memory = memory;
    taken.records = grows ? std::make_shared<RecordList>(*records) : records;
    taken.index.appendNames(index.names().sliced(1));  // the first is the empty one, which every index has
    taken.numbers = numbers;
    taken.damage = damage;
    taken.error = error;
    taken.lastNumber = lastNumber;
    taken.totalBytes = totalBytes;
    taken.messageCount = messageCount;
    return taken;
}

}  // namespace sonde
