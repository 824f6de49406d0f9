// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaystepstable.h"

#include "ui/replay/replaystepsmodel.h"
#include "ui/theme/widgets.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int StepPadding = Grid - 2;

class StepDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        fillRow(painter, option);
        const QRect room = option.rect.adjusted(StepPadding, 0, -StepPadding, 0);
        const QColor ink = index.data(ReplayStepsModel::DimRole).toBool() ? colors().dim : colors().text;
        const auto column = ReplayStepsModel::Column(index.column());
        if (column == ReplayStepsModel::Column::Result)
            Badge::paint(painter, room, index.data(ReplayStepsModel::BadgeRole).toString(),
                         Tone(index.data(ReplayStepsModel::ToneRole).toInt()));
        else if (column == ReplayStepsModel::Column::Step)
            paintStep(painter, room, index, ink);
        else
            paintText(painter, room, index.data().toString(), monoFont(), ink,
                      index.data(Qt::TextAlignmentRole).toInt());
        painter->restore();
    }

private:
    static int paintText(QPainter *painter, const QRect &room, const QString &text, const QFont &font,
                         const QColor &ink, int align)
    {
        if (room.width() <= 0)
            return 0;
        const QFontMetrics metrics(font);
        const QString shown = metrics.elidedText(text, Qt::ElideRight, room.width());
        painter->setFont(font);
        painter->setPen(ink);
        painter->drawText(room, align | Qt::TextSingleLine, shown);
        return metrics.horizontalAdvance(shown) + metrics.averageCharWidth();
    }

    static void paintStep(QPainter *painter, QRect room, const QModelIndex &index, const QColor &ink)
    {
        constexpr int align = int(Qt::AlignLeft | Qt::AlignVCenter);
        room.setLeft(room.left() + paintText(painter, room, index.data().toString(), monoFont(), ink, align));
        QFont bold = monoFont();
        bold.setBold(true);
        room.setLeft(room.left() +
                     paintText(painter, room, index.data(ReplayStepsModel::TargetRole).toString(), bold, ink, align));
        paintText(painter, room, index.data(ReplayStepsModel::NoteRole).toString(), smallFont(), colors().dim, align);
    }
};

}  // namespace

ReplayStepsTable::ReplayStepsTable(ReplayStepsModel *model, QWidget *parent) : RowTable(RowHeight - 1, parent)
{
    setObjectName(u"replaySteps"_s);
    setAccessibleName(tr("Steps"));
    setModel(model);
    setItemDelegate(new StepDelegate(this));
    horizontalHeader()->setMinimumSectionSize(3 * Grid);
    horizontalHeader()->setSectionResizeMode(int(ReplayStepsModel::Column::Step), QHeaderView::Stretch);
    horizontalHeader()->setFont(smallFont());
    setColumnWidths();
}

void ReplayStepsTable::hideTimeBefore()
{
    m_hasTimeBefore = false;
    m_timesWidth = columnWidth(int(ReplayStepsModel::Column::Now));
    setColumnHidden(int(ReplayStepsModel::Column::Then), true);
}

void ReplayStepsTable::setColumnWidths()
{
    const QFontMetrics metrics(monoFont());
    const auto wide = [&](ReplayStepsModel::Column column, const QString &sample) {
        const QString title = model()->headerData(int(column), Qt::Horizontal).toString();
        const int titleWidth = QFontMetrics(horizontalHeader()->font()).horizontalAdvance(title);
        setColumnWidth(int(column), qMax(metrics.horizontalAdvance(sample), titleWidth) + 2 * Grid);
    };
    wide(ReplayStepsModel::Column::Number, u"0000"_s);
    setColumnWidth(int(ReplayStepsModel::Column::Result), Badge::widthFor(u"⊘ no response"_s) + 2 * Grid);
    wide(ReplayStepsModel::Column::Then, u"00 000"_s);
    wide(ReplayStepsModel::Column::Now, u"00 000"_s);
    m_timesWidth = columnWidth(int(ReplayStepsModel::Column::Then)) + columnWidth(int(ReplayStepsModel::Column::Now));
}

// A step's name and result matter most; in a narrow place the times are hidden first.
void ReplayStepsTable::resizeEvent(QResizeEvent *event)
{
    const int wanted = QFontMetrics(monoFont()).horizontalAdvance(u"tools/call a_long_name"_s) +
                       columnWidth(int(ReplayStepsModel::Column::Number)) +
                       columnWidth(int(ReplayStepsModel::Column::Result));
    const bool hide = viewport()->width() < wanted + m_timesWidth;
    for (const ReplayStepsModel::Column column : {ReplayStepsModel::Column::Then, ReplayStepsModel::Column::Now}) {
        const bool isHidden = hide || (column == ReplayStepsModel::Column::Then && !m_hasTimeBefore);
        if (isHidden != isColumnHidden(int(column)))
            setColumnHidden(int(column), isHidden);
    }
    RowTable::resizeEvent(event);
}

}  // namespace sonde::ui
