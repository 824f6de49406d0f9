// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaystepstable.h"

#include "ui/replay/replaystepsmodel.h"
#include "ui/theme/linepainter.h"
#include "ui/theme/widgets.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int StepPadding = Grid - 2;
constexpr int MaxMeasured = 1000;  // rows at once

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
        if (room.width() <= 0 || text.isEmpty())
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
        const QString target = index.data(ReplayStepsModel::TargetRole).toString();
        room.setLeft(room.left() + paintText(painter, room, methodBeside(index.data().toString(), target, room.width()),
                                             monoFont(), ink, align));
        QFont bold = monoFont();
        bold.setBold(true);
        room.setLeft(room.left() + paintText(painter, room, target, bold, ink, align));
        paintText(painter, room, index.data(ReplayStepsModel::NoteRole).toString(), smallFont(), colors().dim, align);
    }
};

}  // namespace

ReplayStepsTable::ReplayStepsTable(ReplayStepsModel *model, QWidget *parent) : RowTable(-1, parent)
{
    setObjectName(u"replaySteps"_s);
    setAccessibleName(tr("Steps"));
    setModel(model);
    setItemDelegate(new StepDelegate(this));
    horizontalHeader()->setMinimumSectionSize(3 * Grid);
    horizontalHeader()->setSectionResizeMode(int(ReplayStepsModel::Column::Step), QHeaderView::Stretch);
    horizontalHeader()->setFont(smallFont());
    followFont(this, [this] { setColumnWidths(); });
    connect(model, &QAbstractItemModel::modelReset, this, [this] { setColumnWidths(); });
    connect(model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex &first, const QModelIndex &last) { widenResult(first.row(), last.row()); });
}

// Results come while the steps run.
void ReplayStepsTable::widenResult(int first, int last)
{
    constexpr int result = int(ReplayStepsModel::Column::Result);
    int wanted = columnWidth(result);
    for (int row = first; row <= qMin(last, first + MaxMeasured); ++row) {
        const QString badge = model()->index(row, result).data(ReplayStepsModel::BadgeRole).toString();
        wanted = qMax(wanted, Badge::widthFor(badge) + 2 * StepPadding);
    }
    if (wanted > columnWidth(result))
        setColumnWidth(result, wanted);
}

void ReplayStepsTable::hideTimeBefore()
{
    m_hasTimeBefore = false;
    setColumnHidden(int(ReplayStepsModel::Column::Then), true);
}

void ReplayStepsTable::setColumnWidths()
{
    const QFontMetrics metrics(monoFont());
    const auto wide = [&](ReplayStepsModel::Column column, const QString &sample) {
        const QString title = model()->headerData(int(column), Qt::Horizontal).toString();
        const int titleWidth = QFontMetrics(horizontalHeader()->font()).horizontalAdvance(title);
        const int width = qMax(metrics.horizontalAdvance(sample), titleWidth) + 2 * Grid;
        setColumnWidth(int(column), width);
        return width;
    };
    const int rows = model()->rowCount();
    const QModelIndex last = model()->index(rows - 1, int(ReplayStepsModel::Column::Number));
    wide(ReplayStepsModel::Column::Number, rows > 0 ? last.data().toString() : u"00"_s);
    wide(ReplayStepsModel::Column::Result, u"✓ same"_s);
    widenResult(0, rows - 1);
    m_thenWidth = wide(ReplayStepsModel::Column::Then, u"00 000"_s);
    m_nowWidth = wide(ReplayStepsModel::Column::Now, u"00 000"_s);
}

// A step's name and result matter most; in a narrow place the times are hidden first, the former before the new one,
// then the numbers.
void ReplayStepsTable::resizeEvent(QResizeEvent *event)
{
    const int named = QFontMetrics(monoFont()).horizontalAdvance(u"tools/call a_long_name"_s) +
                      columnWidth(int(ReplayStepsModel::Column::Result));
    const int wanted = named + QFontMetrics(monoFont()).horizontalAdvance(u"0000"_s) + 2 * Grid;
    setColumnHidden(int(ReplayStepsModel::Column::Number), viewport()->width() < named);
    const auto show = [this](ReplayStepsModel::Column column, bool isShown) {
        if (isShown == isColumnHidden(int(column)))
            setColumnHidden(int(column), !isShown);
    };
    const int left = viewport()->width() - wanted;
    show(ReplayStepsModel::Column::Now, left >= m_nowWidth);
    show(ReplayStepsModel::Column::Then, m_hasTimeBefore && left >= m_thenWidth + m_nowWidth);
    RowTable::resizeEvent(event);
}

}  // namespace sonde::ui
