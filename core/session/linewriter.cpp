// SPDX-License-Identifier: Apache-2.0
#include "core/session/linewriter.h"

#include "core/json/stringcodec.h"

namespace sonde {

void LineWriter::makeRoom(qsizetype size)
{
    const qsizetype used = m_to ? m_to - m_out.constData() : m_start;
    m_out.resize(used + size);
    m_out.resize(m_out.capacity());
    m_to = m_out.data() + used;
    m_end = m_out.data() + m_out.size();
}

LineWriter &LineWriter::hex(quint32 number)
{
    needRoom(8);
    for (int shift = 28; shift >= 0; shift -= 4)
        *m_to++ = "0123456789abcdef"[(number >> shift) & 15];
    return *this;
}

bool LineWriter::escaped(QByteArrayView bytes)
{
    const qsizetype before = m_to - m_out.constData();
    const qsizetype maxLength = maxEscapedLength(bytes.size());
    const char *at = bytes.data();
    const char *const end = at + bytes.size();
    constexpr qsizetype escapedAtOnce = 4096;
    while (at < end) {
        // In pieces, so that the room for the worst case stays small.
        const char *const stop = end - at > escapedAtOnce ? at + escapedAtOnce : end;
        needRoom(json::roomForEscaped(stop - at));
        m_to = json::putEscaped(m_to, at, stop, end);
        if (!m_to || m_to - m_out.constData() - before > maxLength) {
            m_to = m_out.data() + before;
            return false;
        }
    }
    return true;
}

void LineWriter::finish()
{
    m_out.truncate(m_to - m_out.constData());
}

}  // namespace sonde
