// Finds the lines of a text in columns of equal width.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QString>
#include <vector>

namespace sonde::ui {

// One code point of UTF-8 text; an invalid byte is a code point with valid == false.
struct CodePoint {
    char32_t value = 0;
    int length = 1;
    bool valid = true;
};
CodePoint codePointAt(QByteArrayView text, qsizetype offset);

// The mark drawn instead of the character, such as "‹U+202E›"; empty if it is drawn unchanged. stacked: a count for the
// current line, 0 at its start; it limits how many combining marks are drawn on one character.
QString markFor(const CodePoint &point, int *stacked);

constexpr int TabColumns = 4;

// The starts of all visual lines: after line breaks, where a line wraps, and where a very long line is broken. Four
// bytes per line, and one pass over the text.
class TextLines {
public:
    static constexpr int MaxLineLength = 4000;  // columns

    struct Span {
        qsizetype start = 0;
        qsizetype length = 0;  // without the line break
        qsizetype end() const { return start + length; }
    };

    // columns: where to wrap, at spaces if there are any; 0 for no wrapping. The text must outlive this object's use.
    void layOut(QByteArrayView text, int columns);
    bool isOf(QByteArrayView text) const { return m_text.data() == text.data() && m_text.size() == text.size(); }
    qsizetype count() const { return qsizetype(m_starts.size()); }
    Span at(qsizetype line) const;
    qsizetype lineAt(qsizetype offset) const;
    int widest() const { return m_widest; }  // columns

private:
    qsizetype breakAfter(qsizetype start, qsizetype end, int limit);
    qsizetype breakUnusual(qsizetype start, qsizetype end, int limit);
    QByteArrayView m_text;
    std::vector<quint32> m_starts{0};
    int m_widest = 0;
};

}  // namespace sonde::ui
