// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinedelegate.h"

#include "ui/theme/linepainter.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/timelinemodel.h"

#include <QFontMetrics>
#include <QPainter>

namespace sonde::ui {

namespace {

constexpr int Padding = Grid - 2;

// Draws as much as fits and says how far it went.
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
            RowHeight};
}

void TimelineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    using Column = TimelineModel::Column;
    painter->save();
    const bool isPartner = m_partner >= 0 && index.data(TimelineModel::RowRole).toLongLong() == m_partner;
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colors().selection);
    else if (isPartner)
        painter->fillRect(option.rect, softColor(Tone::Accent));
    else if (const int tone = index.data(TimelineModel::ColorRole).toInt(); tone >= 0)
        painter->fillRect(option.rect, softColor(Tone(tone)));
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, colors().field);
    if (isPartner && index.column() == 0)
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), colors().accent);

    const QRect rect = option.rect.adjusted(Padding, 0, -Padding, 0);
    const bool dim = index.data(TimelineModel::DimRole).toBool();
    switch (Column(index.column())) {
        case Column::Method:
            paintMethod(painter, rect, index);
            break;
        case Column::Outcome:
            paintOutcome(painter, rect, index);
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
    const QColor ordinary = asks ? colors().asks : dim ? colors().dim : colors().text;
    const auto draw = [&](int role, const QFont &font, const QColor &color) {
        rect.setLeft(rect.left() + drawPart(painter, rect, index.data(role).toString(), font, color));
    };
    draw(Qt::DisplayRole, monoFont(), ordinary);
    draw(TimelineModel::TargetRole, dim ? monoFont() : bold, ordinary);
    draw(TimelineModel::MoreRole, monoFont(), colors().dim);
}

void TimelineDelegate::paintOutcome(QPainter *painter, QRect rect, const QModelIndex &index) const
{
    const QString badge = index.data(TimelineModel::BadgeRole).toString();
    const auto tone = Tone(index.data(TimelineModel::ToneRole).toInt());
    if (!badge.isEmpty())
        rect.setLeft(rect.left() + Badge::paint(painter, rect, badge, tone) + Grid / 2);
    if (index.data(TimelineModel::FindingRole).toBool() && rect.width() > Grid)
        Badge::paint(painter, rect, sign(Tone::Finding), Tone::Finding);
}

}  // namespace sonde::ui
