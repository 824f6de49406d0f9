// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinedelegate.h"

#include "ui/theme/linepainter.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/waterfall.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetext.h"

#include <QAbstractItemView>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>

namespace sonde::ui {

namespace {

constexpr int Padding = Grid - 2;
constexpr int ArrowWidth = 14;

bool isOfCalls(const QModelIndex &index)
{
    const auto *model = qobject_cast<const TimelineModel *>(index.model());
    return model && model->view() == TimelineModel::View::Calls;
}

void paintArrow(QPainter *painter, const QRect &rect, bool expanded)
{
    const QPointF middle = QRectF(rect).center();
    const QPointF across = expanded ? QPointF(3.5, 0) : QPointF(0, 3.5);
    const QPointF along = expanded ? QPointF(0, 1.8) : QPointF(1.8, 0);
    const QPointF points[] = {middle - across - along, middle + along, middle + across - along};
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colors().text, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points, 3);
    painter->restore();
}

// Draws as much as fits and returns the used width.
int drawPart(QPainter *painter, const QRect &rect, const QString &text, const QFont &font, const QColor &color)
{
    if (text.isEmpty() || rect.width() <= 0)
        return 0;
    painter->setFont(font);
    painter->setPen(color);
    return paintLine(painter, rect, text) + QFontMetrics(font).averageCharWidth();
}

}  // namespace

TimelineDelegate::TimelineDelegate(QObject *parent) : QStyledItemDelegate(parent) {}

QSize TimelineDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString text = index.data(Qt::AccessibleTextRole).toString();
    return {QFontMetrics(monoFont()).horizontalAdvance(text) + 2 * Padding + (option.decorationSize.width() / 2),
            rowHeight()};
}

QRect TimelineDelegate::arrowRect(const QRect &cell)
{
    return {cell.left() + Padding / 2, cell.top(), ArrowWidth + Padding / 2, cell.height()};
}

bool TimelineDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                                 const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString hint = index.data(TimelineModel::HintRole).toString();
    QToolTip::showText(event->globalPos(), hint.isEmpty() ? QString() : plainToolTip(hint), view);
    return !hint.isEmpty();
}

void TimelineDelegate::paintRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isPartner = m_partner >= 0 && index.data(TimelineModel::RowRole).toLongLong() == m_partner;
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colors().selection);
    else if (isPartner)
        painter->fillRect(option.rect, softColor(Tone::Accent));
    else if (const int tone = index.data(TimelineModel::HighlightRole).toInt(); tone >= 0)
        painter->fillRect(option.rect, softColor(Tone(tone)));
    else if (isHovered(option))
        painter->fillRect(option.rect, colors().field);
    const auto *table = qobject_cast<const QTableView *>(option.widget);
    if (isPartner && table && table->columnAt(0) == index.column())  // others may be hidden
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), colors().accent);
}

void TimelineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    using Column = TimelineModel::Column;
    painter->save();
    paintRow(painter, option, index);
    const QRect rect = option.rect.adjusted(Padding, 0, -Padding, 0);
    const bool dim = index.data(TimelineModel::DimRole).toBool();
    switch (Column(index.column())) {
        case Column::Method:
            paintMethod(painter, rect, index);
            break;
        case Column::Outcome:
            paintOutcome(painter, rect, index);
            break;
        case Column::Waterfall:
            paintPauses(painter, option.rect, m_scale);
            paintCallTimes(painter, option.rect, index.data(TimelineModel::TimesRole).value<CallTimes>(), m_scale);
            break;
        case Column::Direction:
            painter->setFont(monoFont());
            painter->setPen(!dim && index.data(TimelineModel::FromServerRole).toBool() ? colors().asks
                            : dim                                                      ? colors().dim
                                                                                       : colors().accent);
            painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
            break;
        default: {
            painter->setFont(monoFont());
            painter->setPen(dim ? colors().dim : colors().text);
            paintLine(painter, rect, index.data().toString(),
                      Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()) & Qt::AlignHorizontal_Mask);
            break;
        }
    }
    painter->restore();
}

void TimelineDelegate::paintMethod(QPainter *painter, QRect rect, const QModelIndex &index) const
{
    const bool dim = index.data(TimelineModel::DimRole).toBool();
    const bool asks = !dim && index.data(TimelineModel::FromServerRole).toBool();
    QFont bold = monoFont();
    bold.setBold(true);
    if (isOfCalls(index)) {
        const auto expansion = TimelineModel::Expansion(index.data(TimelineModel::ExpansionRole).toInt());
        if (expansion != TimelineModel::Expansion::None)
            paintArrow(painter, QRect(rect.left(), rect.top(), ArrowWidth - 4, rect.height()),
                       expansion == TimelineModel::Expansion::Expanded);
        rect.setLeft(rect.left() + ArrowWidth + (index.data(TimelineModel::StepRole).toBool() ? ArrowWidth : 0));
    }
    const QColor ordinary = asks ? colors().asks : dim ? colors().dim : colors().text;
    const auto draw = [&](const QString &text, const QFont &font, const QColor &color) {
        rect.setLeft(rect.left() + drawPart(painter, rect, text, font, color));
    };
    const auto text = index.data(TimelineModel::TextRole).value<RowText>();
    const bool isDim = text.moreTone == Tone::Neutral;
    draw(methodBeside(text.lead, text.target, rect.width()), monoFont(), ordinary);
    draw(text.target, dim ? monoFont() : bold, ordinary);
    draw(text.more, isDim ? monoFont() : bold, isDim ? colors().dim : color(text.moreTone));
}

void TimelineDelegate::paintOutcome(QPainter *painter, QRect rect, const QModelIndex &index) const
{
    const QString badge = index.data(TimelineModel::BadgeRole).toString();
    const auto tone = Tone(index.data(TimelineModel::ToneRole).toInt());
    if (!badge.isEmpty())
        rect.setLeft(rect.left() + Badge::paint(painter, rect, badge, tone) + Grid / 2);
    if (index.data(TimelineModel::FindingRole).toBool() && rect.width() > Grid)
        rect.setLeft(rect.left() + Badge::paint(painter, rect, sign(Tone::Finding), Tone::Finding) + Grid / 2);
    if (const QString mark = index.data(TimelineModel::MarkRole).toString(); !mark.isEmpty())
        drawPart(painter, rect, mark, smallFont(), colors().dim);
}

}  // namespace sonde::ui
