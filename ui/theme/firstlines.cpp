// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/firstlines.h"

#include <QFontMetrics>
#include <QStringList>
#include <QTextLayout>

namespace sonde::ui {

QString firstLines(const QString &text, const QFont &font, int width, int lines)
{
    QString breakable = text;
    breakable.replace(u'\n', QChar::LineSeparator);
    QTextLayout layout(breakable, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList shown;
    int begin = 0;  // of the last line
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        if (shown.size() == lines) {
            const QString rest = text.sliced(begin);
            QString last = rest.section(u'\n', 0, 0);
            if (last != rest) {
                // Not in a line of its own, below an empty one.
                while (shown.size() > 1 && shown.last().isEmpty()) {
                    shown.removeLast();
                    last = shown.last();
                }
                last += u'…';
            }
            shown.last() = QFontMetrics(font).elidedText(last, Qt::ElideRight, width);
            break;
        }
        line.setLineWidth(width);
        begin = line.textStart();
        QString piece = text.sliced(begin, line.textLength());
        while (!piece.isEmpty() && piece.back().isSpace())
            piece.chop(1);
        shown.append(piece);
    }
    layout.endLayout();
    return shown.join(u'\n');
}

}  // namespace sonde::ui
