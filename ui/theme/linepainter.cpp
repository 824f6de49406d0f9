// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/linepainter.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QString>
#include <algorithm>

namespace sonde::ui {

namespace {

constexpr QChar Ellipsis = u'…';
constexpr int MinMethodAndTarget = 26;  // characters

bool isAscii(const QString &text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x20 && c.unicode() < 0x7F; });
}

// The width of every character; 0 if they differ.
qreal widthOfAll(const QFontMetricsF &metrics)
{
    const qreal width = metrics.horizontalAdvance(u'i');
    return width == metrics.horizontalAdvance(u'W') && width == metrics.horizontalAdvance(Ellipsis) ? width : 0;
}

}  // namespace

int paintLine(QPainter *painter, const QRect &rect, const QString &text, Qt::Alignment alignment)
{
    if (text.isEmpty() || rect.width() <= 0)
        return 0;
    const QFontMetricsF metrics(painter->font());
    const qreal each = widthOfAll(metrics);
    if (each <= 0 || !isAscii(text)) {
        const QFontMetrics whole(painter->font());
        const QString shown = whole.elidedText(text, Qt::ElideRight, rect.width());
        painter->drawText(rect, Qt::AlignVCenter | Qt::TextSingleLine | int(alignment), shown);
        return whole.horizontalAdvance(shown);
    }
    const auto room = qsizetype(rect.width() / each);
    if (room == 0)
        return 0;
    const QString shown = text.size() > room ? text.first(room - 1) + Ellipsis : text;
    const qreal width = qreal(shown.size()) * each;
    const qreal left = alignment.testFlag(Qt::AlignRight) ? rect.right() + 1 - width : rect.left();
    const qreal top = rect.top() + (rect.height() - metrics.height()) / 2;
    painter->drawText(QPointF(left, top + metrics.ascent()), shown);
    return qRound(width);
}

QString methodBeside(const QString &method, const QString &target, int width)
{
    const qreal room = width / QFontMetricsF(monoFont()).horizontalAdvance(u'x');
    return target.isEmpty() || room >= MinMethodAndTarget ? method : method.section(u'/', -1);
}

}  // namespace sonde::ui
