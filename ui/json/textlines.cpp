// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textlines.h"

#include "core/protocol/visibletext.h"

#include <QChar>
#include <algorithm>
#include <cstring>

namespace sonde::ui {

namespace {

// Whether all is printable ASCII, eight bytes at a time: a byte below 0x20 borrows into its top bit, 0x7f carries into
// it.
bool isPlain(const char *text, qsizetype size)
{
    qsizetype i = 0;
    for (; i + 8 <= size; i += 8) {
        quint64 word;
        std::memcpy(&word, text + i, sizeof word);
        const quint64 below = word - 0x2020202020202020u;
        const quint64 above = word + 0x0101010101010101u;
        if ((word | below | above) & 0x8080808080808080u)
            return false;
    }
    for (; i < size; ++i) {
        if (uchar(text[i] - 0x20) >= 0x5f)
            return false;
    }
    return true;
}

// Letters, digits, punctuation and symbols are shown unchanged; only the rest needs a closer look.
bool mayBeInvisible(char32_t value)
{
    switch (QChar::category(value)) {
        case QChar::Other_Control:
        case QChar::Other_Format:
        case QChar::Other_Surrogate:
        case QChar::Other_PrivateUse:
        case QChar::Other_NotAssigned:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph:
        case QChar::Separator_Space:
        case QChar::Mark_NonSpacing:
        case QChar::Mark_Enclosing:
            return true;
        default:
            return value == 0x115f || value == 0x1160 || value == 0x3164 || value == 0xffa0 || value == 0xfffc;
    }
}

bool isWide(char32_t c)
{
    return c >= 0x1100 &&
           (c <= 0x115f || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
            (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
            (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd));
}

int columnsOf(const CodePoint &point, int *stacked)
{
    if (point.valid && mayBeInvisible(point.value) && point.value != U'\t') {
        const QString mark = markFor(point, stacked);
        if (!mark.isEmpty())
            return int(mark.size());
        if (isStackedMark(point.value))
            return 0;
    } else {
        *stacked = 0;
    }
    if (!point.valid)
        return 1;
    if (point.value == U'\t')
        return TabColumns;
    if (point.value >= 0x20 && point.value < 0x7f)
        return 1;
    return isWide(point.value) ? 2 : 1;
}

}  // namespace

CodePoint codePointAt(QByteArrayView text, qsizetype offset)
{
    const uchar first = uchar(text[offset]);
    if (first < 0x80)
        return {first, 1, true};
    const int length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || first >= 0xf5 || offset + length > text.size())
        return {0xfffd, 1, false};
    char32_t value = length == 4 ? first & 0x07 : length == 3 ? first & 0x0f : first & 0x1f;
    for (int i = 1; i < length; ++i) {
        const uchar byte = uchar(text[offset + i]);
        if ((byte & 0xc0) != 0x80)
            return {0xfffd, 1, false};
        value = (value << 6) | (byte & 0x3f);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return {0xfffd, 1, false};
    return {value, length, true};
}

QString markFor(const CodePoint &point, int *stacked)
{
    *stacked = point.valid && point.value >= 0x300 && isStackedMark(point.value) ? *stacked + 1 : 0;
    if (*stacked > MaxStackedMarks)
        return QStringLiteral("‹U+%1›").arg(QString::number(uint(point.value), 16).toUpper(), 4, QLatin1Char('0'));
    if (!point.valid)
        return QString(QChar(QChar::ReplacementCharacter));
    if (point.value == U'\t' || (point.value >= 0x20 && point.value < 0x7f))
        return {};
    if (point.value == 0x2028 || point.value == 0x2029)
        return QStringLiteral("‹U+%1›").arg(uint(point.value), 4, 16, QLatin1Char('0'));
    const QString original = QStringView(QChar::fromUcs4(point.value)).toString();  // fromUcs4() would drop U+FEFF
    const QString shown = visibleText(original, {.keepNewlines = false, .maxLength = -1});
    return shown == original ? QString() : shown;
}

void TextLines::layOut(QByteArrayView text, int columns)
{
    m_text = text;
    m_starts.clear();
    m_widest = 0;
    const int limit = columns > 0 ? qBound(8, columns, MaxLineLength) : MaxLineLength;
    qsizetype start = 0;
    do {
        const void *found =
            start < text.size() ? std::memchr(text.data() + start, '\n', size_t(text.size() - start)) : nullptr;
        const qsizetype lineBreak = found ? static_cast<const char *>(found) - text.data() : text.size();
        const bool carriageReturn = found && lineBreak > start && text[lineBreak - 1] == '\r';
        const qsizetype end = carriageReturn ? lineBreak - 1 : lineBreak;
        m_starts.push_back(quint32(start));
        for (qsizetype next = breakAfter(start, end, limit); next < end; next = breakAfter(next, end, limit))
            m_starts.push_back(quint32(next));
        start = lineBreak + 1;
    } while (start < text.size());
}

qsizetype TextLines::breakAfter(qsizetype start, qsizetype end, int limit)
{
    const qsizetype probe = qMin<qsizetype>(end - start, limit);
    if (!isPlain(m_text.data() + start, probe))
        return breakUnusual(start, end, limit);
    m_widest = qMax(m_widest, int(probe));
    if (end - start <= limit)
        return end;
    // A space at the end of a line may be beyond the edge.
    const QByteArrayView line = m_text.sliced(start, probe + 1);
    const qsizetype space = line.lastIndexOf(' ');
    const bool isIndentation = std::all_of(line.begin(), line.begin() + space + 1, [](char c) { return c == ' '; });
    return start + (isIndentation ? probe : space + 1);  // alone it would be a line without text
}

qsizetype TextLines::breakUnusual(qsizetype start, qsizetype end, int limit)
{
    int columns = 0;
    int stacked = 0;
    qsizetype afterSpace = -1;
    for (qsizetype i = start; i < end;) {
        const CodePoint point = codePointAt(m_text.first(end), i);
        const int width = columnsOf(point, &stacked);
        if (columns + width > limit && i > start) {
            m_widest = qMax(m_widest, columns);
            return afterSpace > start ? afterSpace : i;
        }
        columns += width;
        i += point.length;
        if (point.value == U' ')
            afterSpace = i;
    }
    m_widest = qMax(m_widest, qMin(columns, limit));
    return end;
}

TextLines::Span TextLines::at(qsizetype line) const
{
    const qsizetype start = m_starts[size_t(line)];
    qsizetype end = line + 1 < count() ? qsizetype(m_starts[size_t(line) + 1]) : m_text.size();
    if (end > start && m_text[end - 1] == '\n') {
        --end;
        if (end > start && m_text[end - 1] == '\r')
            --end;
    }
    return {start, end - start};
}

qsizetype TextLines::lineAt(qsizetype offset) const
{
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), offset,
                                        [](qsizetype wanted, quint32 start) { return wanted < qsizetype(start); });
    return qMax<qsizetype>(0, after - m_starts.begin() - 1);
}

}  // namespace sonde::ui
