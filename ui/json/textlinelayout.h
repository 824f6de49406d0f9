// One line of a TextView, ready to draw.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/jsonhighlighter.h"

#include <QByteArrayView>
#include <QFont>
#include <QTextLayout>
#include <vector>

namespace sonde::ui {

// Lays out text with marks in place of invisible characters, and maps positions back to bytes.
class TextLineLayout {
public:
    TextLineLayout(QByteArrayView line, const QFont &font, const QList<JsonHighlighter::Span> &tokens,
                   qsizetype lineStart);

    const QTextLayout &layout() const { return m_layout; }
    qreal width() const { return m_layout.lineAt(0).naturalTextWidth(); }
    int unitOf(qsizetype byte) const;  // byte within the line to UTF-16 unit of what is shown
    qsizetype byteOf(int unit) const;  // start of the character shown there
    qsizetype byteAt(qreal x) const;   // nearest gap between characters
    qreal xOf(qsizetype byte) const;

private:
    void addFormats(const QList<JsonHighlighter::Span> &tokens, qsizetype lineStart);
    QTextLayout m_layout;
    std::vector<quint32> m_bytes;  // for every unit, and one past the last
    QList<QTextLayout::FormatRange> m_marks;
};

}  // namespace sonde::ui
