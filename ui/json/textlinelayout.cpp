// SPDX-License-Identifier: Apache-2.0
#include "ui/json/textlinelayout.h"

#include "ui/json/textlines.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QTextOption>
#include <algorithm>

namespace sonde::ui {

TextLineLayout::TextLineLayout(QByteArrayView line, const QFont &font, const QList<JsonHighlighter::Span> &tokens,
                               qsizetype lineStart)
{
    QString text;
    text.reserve(line.size());
    m_bytes.reserve(size_t(line.size()) + 1);
    int stacked = 0;
    for (qsizetype i = 0; i < line.size();) {
        const CodePoint point = codePointAt(line, i);
        const QString mark = markFor(point, &stacked);
        const qsizetype before = text.size();
        if (mark.isEmpty()) {
            text += QStringView(QChar::fromUcs4(point.value));
        } else {
            text += mark;
            QTextLayout::FormatRange range;
            range.start = int(before);
            range.length = int(mark.size());
            range.format.setForeground(colors().toolError);
            range.format.setBackground(softColor(Tone::ToolError));
            m_marks.append(range);
        }
        m_bytes.insert(m_bytes.end(), size_t(text.size() - before), quint32(i));
        i += point.length;
    }
    m_bytes.push_back(quint32(line.size()));

    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight);
    option.setTabStopDistance(TabColumns * QFontMetricsF(font).horizontalAdvance(QLatin1Char('0')));
    m_layout.setTextOption(option);
    m_layout.setFont(font);
    m_layout.setText(text);
    m_layout.setCacheEnabled(true);
    addFormats(tokens, lineStart);
    m_layout.beginLayout();
    QTextLine shown = m_layout.createLine();
    if (shown.isValid()) {
        shown.setLineWidth(1e6);
        shown.setPosition({0, 0});
    }
    m_layout.endLayout();
}

void TextLineLayout::addFormats(const QList<JsonHighlighter::Span> &tokens, qsizetype lineStart)
{
    QList<QTextLayout::FormatRange> formats;
    for (const JsonHighlighter::Span &token : tokens) {
        QTextLayout::FormatRange range;
        range.start = unitOf(token.start - lineStart);
        range.length = unitOf(token.start - lineStart + token.length) - range.start;
        range.format.setForeground(tokenColor(token.token));
        formats.append(range);
    }
    formats += m_marks;
    m_layout.setFormats(formats);
}

int TextLineLayout::unitOf(qsizetype byte) const
{
    return int(std::lower_bound(m_bytes.begin(), m_bytes.end(), quint32(qMax<qsizetype>(0, byte))) - m_bytes.begin());
}

qsizetype TextLineLayout::byteOf(int unit) const
{
    return qsizetype(m_bytes[size_t(qBound(0, unit, int(m_bytes.size()) - 1))]);
}

qsizetype TextLineLayout::byteAt(qreal x) const
{
    const QTextLine line = m_layout.lineAt(0);
    return line.isValid() ? byteOf(line.xToCursor(x)) : 0;
}

qreal TextLineLayout::xOf(qsizetype byte) const
{
    const QTextLine line = m_layout.lineAt(0);
    return line.isValid() ? line.cursorToX(qMin(unitOf(byte), int(m_bytes.size()) - 1)) : 0;
}

}  // namespace sonde::ui
