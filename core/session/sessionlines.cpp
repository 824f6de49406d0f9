// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlines.h"

#include "core/session/sessiondata.h"

namespace sonde {

namespace {
constexpr qsizetype LinesBlockSize = 256 * 1024;  // stays in the processor's cache while it is searched
constexpr qsizetype NearRows = 64;                // that far apart, reading on costs less than reading anew
}  // namespace

QByteArrayView SessionLines::line(qsizetype row)
{
    const SessionData &data = *m_session->m_data;
    const RecordInfo &info = m_session->at(row);
    const bool isNear = row > m_last && row <= m_last + NearRows;
    m_last = row;
    const auto withoutEnd = [](QByteArrayView text) { return text.endsWith('\n') ? text.chopped(1) : text; };
    const qsizetype length = qsizetype(info.lineLength);
    if (info.fileOffset < 0)
        return withoutEnd(data.memory.read(-1 - info.fileOffset, length));

    if (info.fileOffset < m_offset || info.fileOffset + length > m_offset + m_block.size()) {
        const qsizetype wanted = isNear ? qMax(length, LinesBlockSize) : length;
        if (m_block.capacity() > 4 * LinesBlockSize && wanted <= LinesBlockSize)
            m_block = QByteArray();
        m_block.resize(wanted);
        m_block.truncate(data.file->read(info.fileOffset, m_block.data(), wanted));
        m_offset = info.fileOffset;
        ++m_number;
    }
    const QByteArrayView rest = QByteArrayView(m_block).sliced(qsizetype(info.fileOffset - m_offset));
    return rest.size() < length ? QByteArrayView() : withoutEnd(rest.first(length));
}

bool SessionLines::holds(qsizetype row, const CaseInsensitiveMatcher &word, Search &search)
{
    const QByteArrayView text = line(row);
    if (m_session->at(row).fileOffset < 0 || text.isEmpty())
        return word.isIn(text);
    const qsizetype begin = text.data() - m_block.constData();
    if (search.block != m_number || begin < search.from || begin > search.hit) {
        const qsizetype found = word.indexIn(m_block, begin);
        search = {m_number, begin, found < 0 ? m_block.size() : found};
    }
    return search.hit + word.size() <= begin + text.size();
}

}  // namespace sonde
