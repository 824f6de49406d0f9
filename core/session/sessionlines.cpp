// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlines.h"

#include "core/session/sessionprivate.h"

namespace sonde {

namespace {
constexpr qsizetype blockSize = 256 * 1024;  // stays in the processor's cache while it is searched
}

QByteArrayView SessionLines::line(qsizetype row)
{
    const Session::Private *d = m_session->d.get();
    const RecordInfo &info = m_session->at(row);
    const bool isNext = row == m_next;
    m_next = row + 1;
    const auto withoutEnd = [](QByteArrayView text) { return text.endsWith('\n') ? text.chopped(1) : text; };
    const qsizetype length = qsizetype(info.lineLength);
    if (info.fileOffset < 0)
        return withoutEnd(d->memory.read(-1 - info.fileOffset, length));

    if (info.fileOffset < m_offset || info.fileOffset + length > m_offset + m_block.size()) {
        const qsizetype wanted = isNext ? qMax(length, blockSize) : length;
        if (m_block.capacity() > 4 * blockSize && wanted <= blockSize)
            m_block = QByteArray();
        m_block.resize(wanted);
        m_block.truncate(d->file->read(info.fileOffset, m_block.data(), wanted));
        m_offset = info.fileOffset;
    }
    const QByteArrayView rest = QByteArrayView(m_block).sliced(qsizetype(info.fileOffset - m_offset));
    return rest.size() < length ? QByteArrayView() : withoutEnd(rest.first(length));
}

}  // namespace sonde
