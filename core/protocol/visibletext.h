// Text from a server, made safe to show.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde {

constexpr int MaxStackedMarks = 8;  // no script stacks more
bool isStackedMark(char32_t c);     // it is drawn above, below or around the character before it

struct VisibleTextOptions {
    bool keepNewlines = true;  // false: line breaks and tabs are marked too, for one-line places
    qsizetype maxLength = -1;  // UTF-16 units, cut with an ellipsis; -1 for all
};

// Control characters (C0 but for tab and newline, C1, DEL), bidirectional controls, zero-width and tag characters and
// lone surrogates become visible marks, as do combining marks beyond MaxStackedMarks on one character, which would
// paint over the lines around such as "‹ESC›" or "‹U+202E›"; everything else is unchanged. Text without any of them is
// returned as it is. Copying to the clipboard uses the original text, never this.
QString visibleText(const QString &text, const VisibleTextOptions &options = {});

// The same for a text that comes in pieces, none of which divides a surrogate pair. Remembers what the characters
// before mean for the next piece.
class VisibleTextConverter {
public:
    explicit VisibleTextConverter(const VisibleTextOptions &options = {}) : m_options(options) {}
    QString convert(const QString &piece);

private:
    VisibleTextOptions m_options;  // the length is that of each piece
    char32_t m_before = 0;
    int m_stacked = 0;
};

// One line of any length in which nothing is out of sight: long runs of spaces are counted, no text is "‹empty›".
QString revealedText(const QString &text);

// One line for lists, titles and tool tips.
QString visibleLine(const QString &text, qsizetype maxLength = 300);

}  // namespace sonde
