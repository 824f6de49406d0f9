// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/visibletext.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/texts.h"

#include <algorithm>
#include <limits>

namespace sonde {

namespace {

constexpr qsizetype MaxSpaces = 8;  // more in a row could push what follows out of sight

struct Range {
    char32_t first;
    char32_t last;
};

// Characters that leave no trace or move others about, beyond the control characters. In order.
constexpr Range Hidden[] = {
    {0x00AD, 0x00AD},    // soft hyphen
    {0x034F, 0x034F},    // combining grapheme joiner
    {0x061C, 0x061C},    // Arabic letter mark
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180B, 0x180F},    // Mongolian selectors and vowel separator
    {0x200B, 0x200F},    // zero-width characters and directional marks
    {0x2028, 0x202E},    // line and paragraph separators, bidirectional embeddings
    {0x2060, 0x206F},    // word joiner, invisible operators, bidirectional isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // halfwidth Hangul filler
    {0xFFF0, 0xFFFC},    // unassigned, interlinear annotation and object replacement
    {0x1BCA0, 0x1BCA3},  // shorthand format controls
    {0x1D173, 0x1D17A},  // musical format controls
    {0xE0000, 0xE0FFF},  // tags and further variation selectors
};

bool isHidden(char32_t c)
{
    const Range *const range = std::lower_bound(std::begin(Hidden), std::end(Hidden), c,
                                                [](const Range &r, char32_t value) { return r.last < value; });
    return range != std::end(Hidden) && range->first <= c;
}

bool isVariationSelector(char32_t c)
{
    return c >= 0xFE00 && c <= 0xFE0F;
}

// Whether c must not be shown as itself. One variation selector after a character is what emoji are made of; more of
// them are a way to hide data.
bool needsMark(char32_t c, char32_t before, const VisibleTextOptions &options)
{
    if (c < 0x20)
        return !options.keepNewlines || (c != u'\n' && c != u'\t');
    if (c < 0x7F)
        return false;
    if (c <= 0x9F || QChar::isSurrogate(c))
        return true;
    if (isVariationSelector(c))
        return before == 0 || isVariationSelector(before);
    return isHidden(c);
}

// Unicode has pictures for control characters, but the fonts of a plain installation do not.
QString mark(char32_t c)
{
    static constexpr const char *Names[] = {"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS",  "TAB", "LF",
                                            "VT",  "FF",  "CR",  "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
                                            "SYN", "ETB", "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US"};
    const QString name = c < 0x20 ? QString::fromLatin1(Names[c])
                         : c == 0x7F
                             ? QStringLiteral("DEL")
                             : QStringLiteral("U+%1").arg(QString::number(c, 16).toUpper(), 4, QLatin1Char('0'));
    return QChar(0x2039) + name + QChar(0x203A);
}

// The code point at index, which moves behind it; a lone surrogate comes as itself.
char32_t next(const QString &text, qsizetype *index)
{
    const QChar c = text.at((*index)++);
    if (c.isHighSurrogate() && *index < text.size() && text.at(*index).isLowSurrogate())
        return QChar::surrogateToUcs4(c, text.at((*index)++));
    return c.unicode();
}

// Cuts to length units, the ellipsis included, but never through a surrogate pair.
void cut(QString *text, qsizetype length)
{
    if (length <= 0) {
        text->clear();
        return;
    }
    qsizetype keep = length - 1;
    if (keep > 0 && text->at(keep - 1).isHighSurrogate())
        --keep;
    text->truncate(keep);
    text->append(QChar(0x2026));
}

}  // namespace

bool isStackedMark(char32_t c)
{
    const QChar::Category category = QChar::category(c);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing;
}

QString visibleText(const QString &text, const VisibleTextOptions &options)
{
    return VisibleTextConverter(options).convert(text);
}

QString VisibleTextConverter::convert(const QString &piece)
{
    const qsizetype limit = m_options.maxLength < 0 ? std::numeric_limits<qsizetype>::max() : m_options.maxLength;
    QString result;
    bool changed = false;
    for (qsizetype index = 0; index < piece.size();) {
        const qsizetype start = index;
        const char32_t c = next(piece, &index);
        m_stacked = c >= 0x300 && isStackedMark(c) ? m_stacked + 1 : 0;
        const bool marked = m_stacked > MaxStackedMarks || needsMark(c, m_before, m_options);
        if (marked && !changed) {
            result = piece.first(start);
            changed = true;
        }
        if (marked)
            result.append(mark(c));
        else if (changed)
            result.append(QStringView(piece).sliced(start, index - start));
        m_before = c;
        if ((changed ? result.size() : index) > limit) {
            if (!changed)
                result = piece.first(index);
            cut(&result, limit);
            return result;
        }
    }
    return changed ? result : piece;
}

QString visibleLine(const QString &text, qsizetype maxLength)
{
    return visibleText(text, {false, maxLength});
}

QString revealedText(const QString &text)
{
    if (text.isEmpty())
        return ProtocolText::tr("‹empty›");
    const QString visible = visibleText(text, {.keepNewlines = false});
    QString result;
    for (qsizetype at = 0; at < visible.size();) {
        qsizetype end = at;
        while (end < visible.size() && visible[end].isSpace())
            ++end;
        if (end - at > MaxSpaces)
            result += ProtocolText::tr("‹%1 spaces›").arg(grouped(end - at));
        else
            result += QStringView(visible).sliced(at, end - at);
        at = end;
        while (at < visible.size() && !visible[at].isSpace())
            result += visible[at++];
    }
    return result;
}

}  // namespace sonde
