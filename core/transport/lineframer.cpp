// SPDX-License-Identifier: Apache-2.0
#include "core/transport/lineframer.h"

#include "core/transport/appendlarge.h"

#include <cstring>
#include <new>

namespace sonde {

namespace {
// A line of this size is moved out of the buffer instead of copied.
constexpr qsizetype MovedLine = 64 * 1024;
// Digesting is the one slow thing done to bytes here; this much takes about a millisecond.
constexpr qsizetype SkipStep = 256 * 1024;

qsizetype find(const QByteArray &bytes, char wanted, qsizetype from, qsizetype until)
{
    if (from >= until)
        return -1;
    const void *hit = std::memchr(bytes.constData() + from, wanted, size_t(until - from));
    return hit ? static_cast<const char *>(hit) - bytes.constData() : -1;
}
}  // namespace

void LineFramer::append(QByteArrayView bytes)
{
    if (m_start == m_buffer.size()) {
        if (m_buffer.capacity() > 4 * MovedLine)
            m_buffer = QByteArray();
        else
            m_buffer.resize(0);
    } else if (m_start > 0) {
        // Happens once for each run of finished lines, so what is moved is at most the last piece that was appended.
        m_buffer.remove(0, m_start);
    }
    shift(m_start);
    try {
        appendLarge(m_buffer, bytes);
    } catch (const std::bad_alloc &) {
        giveUpLine();
        m_buffer.append(bytes.data(), bytes.size());
    }
}

std::optional<LineFramer::Line> LineFramer::next()
{
    if (m_skipping)
        return skip();
    swallowLf();
    const End end = findEnd(m_scanned, m_buffer.size());
    if (end.at >= 0) {
        quint8 terminator = end.length;
        qsizetype length = end.at - m_start;
        if (m_ends == Ends::Lf && length > 0 && m_buffer.at(end.at - 1) == '\r') {
            terminator = 2;
            --length;
        }
        if (length > m_maxBytes) {
            m_scanned = end.at;
            beginSkipping();
            return skip();
        }
        return finishLine(length, terminator);
    }
    m_scanned = m_buffer.size();
    // One byte of grace: it may be the CR of the line's end.
    if (m_scanned - m_start > m_maxBytes + 1) {
        beginSkipping();
        return skip();
    }
    return std::nullopt;
}

bool LineFramer::isBusy() const
{
    return m_scanned < m_buffer.size() || (m_skipping && m_start < m_buffer.size());
}

std::optional<LineFramer::Line> LineFramer::takeRest()
{
    if (m_skipping) {
        if (m_heldCr)
            m_hash.addData(QByteArrayView("\r", 1));
        m_skipped += m_heldCr ? 1 : 0;
        m_heldCr = false;
        return finishCutLine(0);
    }
    if (m_start == m_buffer.size())
        return std::nullopt;
    Line line;
    line.bytes = m_buffer.mid(m_start);
    line.length = line.bytes.size();
    m_start = m_scanned = m_buffer.size();
    return line;
}

LineFramer::End LineFramer::findEnd(qsizetype from, qsizetype until)
{
    if (m_ends == Ends::Lf)
        return {find(m_buffer, '\n', from, until), 1};
    if (m_lf < from) {
        m_lf = find(m_buffer, '\n', qMax(from, m_lfScanned), until);
        m_lfScanned = qMax(m_lfScanned, m_lf >= 0 ? m_lf + 1 : until);
    }
    const qsizetype lf = m_lf < until ? m_lf : -1;
    const qsizetype cr = find(m_buffer, '\r', from, lf >= 0 ? lf : until);
    if (cr < 0)
        return {lf, 1};
    return {cr, quint8(cr + 1 == lf ? 2 : 1)};
}

// The first bytes of the buffer have gone.
void LineFramer::shift(qsizetype count)
{
    m_start -= count;
    m_scanned -= count;
    m_lf = qMax<qsizetype>(m_lf - count, -1);
    m_lfScanned = qMax<qsizetype>(m_lfScanned - count, 0);
}

void LineFramer::swallowLf()
{
    if (!m_afterCr || m_start >= m_buffer.size())
        return;
    m_afterCr = false;
    if (m_buffer.at(m_start) == '\n') {
        ++m_start;
        m_scanned = qMax(m_scanned, m_start);
    }
}

LineFramer::Line LineFramer::finishLine(qsizetype length, quint8 terminator)
{
    Line line;
    line.length = length;
    line.terminator = terminator;
    const qsizetype behind = m_start + length + terminator;
    m_afterCr = m_ends == Ends::Any && terminator == 1 && m_buffer.at(behind - 1) == '\r';
    if (m_start == 0 && length >= MovedLine) {
        QByteArray rest = m_buffer.mid(behind);
        line.bytes = std::exchange(m_buffer, std::move(rest));
        line.bytes.truncate(length);
        line.bytes.squeeze();
        m_start = m_scanned = behind;
        shift(behind);
    } else {
        line.bytes = m_buffer.mid(m_start, length);
        m_start = m_scanned = behind;
    }
    return line;
}

// Frees all but the head of the line in progress, without asking for more memory.
void LineFramer::giveUpLine()
{
    if (!m_skipping) {
        m_skipping = m_isOutOfMemory = true;
        m_head = std::exchange(m_buffer, QByteArray());
        m_skipped = m_head.size();
        m_heldCr = m_ends == Ends::Lf && m_head.endsWith('\r');
        m_skipped -= m_heldCr ? 1 : 0;
        m_head.truncate(qMin<qint64>(KeptOfCutLine, m_maxBytes));
        m_head.squeeze();
    }
    m_buffer = QByteArray();
    m_start = m_scanned = m_lfScanned = 0;
    m_lf = -1;
}

void LineFramer::beginSkipping()
{
    m_skipping = true;
    m_isOutOfMemory = false;
    m_heldCr = false;
    m_head = m_buffer.mid(m_start, qMin<qint64>(KeptOfCutLine, m_maxBytes));
    m_skipped = 0;
    m_hash.reset();
}

// Goes at most one step; isBusy() tells whether there is more to do.
std::optional<LineFramer::Line> LineFramer::skip()
{
    const qsizetype until = qMin(m_buffer.size(), m_start + SkipStep);
    const End end = findEnd(qMax(m_start, m_scanned), until);
    if (end.at < 0) {
        digest(m_start, until);
        m_start = until;
        m_scanned = qMax(m_scanned, until);
        return std::nullopt;
    }
    digest(m_start, end.at);
    quint8 terminator = end.length;
    if (m_heldCr)
        terminator = 2;
    m_heldCr = false;
    const qsizetype behind = end.at + end.length;
    m_afterCr = m_ends == Ends::Any && end.length == 1 && m_buffer.at(end.at) == '\r';
    m_start = m_scanned = behind;
    return finishCutLine(terminator);
}

void LineFramer::digest(qsizetype from, qsizetype until)
{
    if (from >= until)
        return;
    if (m_heldCr) {
        m_hash.addData(QByteArrayView("\r", 1));
        ++m_skipped;
        m_heldCr = false;
    }
    if (m_ends == Ends::Lf && m_buffer.at(until - 1) == '\r') {
        m_heldCr = true;
        --until;
    }
    if (!m_isOutOfMemory)
        m_hash.addData(QByteArrayView(m_buffer).sliced(from, until - from));
    m_skipped += until - from;
}

LineFramer::Line LineFramer::finishCutLine(quint8 terminator)
{
    Line line;
    line.bytes = std::exchange(m_head, QByteArray());
    line.length = m_skipped;
    line.terminator = terminator;
    line.isCut = true;
    line.isOutOfMemory = std::exchange(m_isOutOfMemory, false);
    if (!line.isOutOfMemory)
        line.sha256 = m_hash.result().toHex();
    m_skipping = false;
    return line;
}

}  // namespace sonde
