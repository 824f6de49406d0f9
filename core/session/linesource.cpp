// SPDX-License-Identifier: Apache-2.0
#include "core/session/linesource.h"

#include <cstring>

namespace sonde {

namespace {
constexpr qsizetype SourceBlockSize = 1024 * 1024;
constexpr qsizetype MaxLineLength = qsizetype(1) << 30;
constexpr qint64 PageSize = 4096;
}  // namespace

LineSource::LineSource(const SessionFile &file, qint64 start)
    : m_file(file), m_size(file.size()), m_buffer(SourceBlockSize, Qt::Uninitialized), m_fileOffset(start)
{}

bool LineSource::next()
{
    while (true) {
        const void *newline = std::memchr(m_buffer.constData() + m_scanned, '\n', size_t(m_end - m_scanned));
        if (newline) {
            found(static_cast<const char *>(newline) - m_buffer.constData(), true);
            return true;
        }
        m_scanned = m_end;
        if (fill())
            continue;
        if (m_begin == m_end && m_dropped == 0)
            return false;
        found(m_end, false);
        return true;
    }
}

void LineSource::found(qsizetype end, bool terminated)
{
    m_isTooLong = m_dropped > 0;
    m_line = m_isTooLong ? QByteArrayView() : QByteArrayView(m_buffer).sliced(m_begin, end - m_begin);
    m_lineOffset = m_fileOffset + m_begin - m_dropped;
    m_length = m_dropped + end - m_begin + (terminated ? 1 : 0);
    m_isTerminated = terminated;
    m_dropped = 0;
    m_begin = m_scanned = end + (terminated ? 1 : 0);
}

// More bytes behind m_end; what stands before m_begin goes. Invalidates the line handed out last.
bool LineSource::fill()
{
    if (m_end - m_begin >= MaxLineLength) {
        m_dropped += m_end - m_begin;
        m_begin = m_end;
    }
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.constData() + m_begin, size_t(m_end - m_begin));
        m_fileOffset += m_begin;
        m_end -= m_begin;
        m_scanned = m_end;
        m_begin = 0;
    }
    if (m_end == m_buffer.size())
        m_buffer.resize(m_buffer.size() * 2);
    const qint64 left = m_size - (m_fileOffset + m_end);
    const qsizetype wanted = qsizetype(qMin<qint64>(left, m_buffer.size() - m_end));
    bool failed = false;
    qsizetype count = wanted > 0 ? m_file.read(m_fileOffset + m_end, m_buffer.data() + m_end, wanted, &failed) : 0;
    if (count == 0 && failed) {
        // A page that the disk cannot give back becomes a line of zeros, which is damage; the next one may be fine.
        const qint64 at = m_fileOffset + m_end;
        count = qsizetype(qMin<qint64>(wanted, PageSize - at % PageSize));
        std::memset(m_buffer.data() + m_end, 0, size_t(count));
        m_buffer[m_end + count - 1] = '\n';
    }
    m_end += count;
    return count > 0;
}

}  // namespace sonde
