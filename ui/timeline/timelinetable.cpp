// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinetable.h"

#include "ui/theme/widgets.h"
#include "ui/timeline/timelinedelegate.h"
#include "ui/timeline/timelinemodel.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QScrollBar>

namespace sonde::ui {

using Column = TimelineModel::Column;

TimelineTable::TimelineTable(TimelineModel *model, TimelineDelegate *delegate, QWidget *parent) : QTableView(parent)
{
    setObjectName(QStringLiteral("timelineTable"));
    setAccessibleName(tr("Records"));
    setModel(model);
    setItemDelegate(delegate);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Rows of one fixed height: an insertion at the end then costs the same at a million rows as at ten.
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(RowHeight - 3);
    verticalHeader()->setDefaultSectionSize(RowHeight - 1);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(3 * Grid);
    horizontalHeader()->setSectionResizeMode(int(Column::Method), QHeaderView::Stretch);
    setColumnWidths();

    connect(model, &QAbstractItemModel::rowsInserted, this, &TimelineTable::toTail);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &TimelineTable::toTail);
    connect(verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { m_byPerson = true; });
    connect(verticalScrollBar(), &QAbstractSlider::valueChanged, this, [this](int value) {
        // Only a person's scrolling decides; the position changes also when rows come or the table is resized.
        if (std::exchange(m_byPerson, false))
            setFollowing(value >= verticalScrollBar()->maximum());
    });
}

void TimelineTable::setFollowing(bool following)
{
    if (m_following == following)
        return;
    m_following = following;
    toTail();
    Q_EMIT followingChanged(following);
}

void TimelineTable::toTail()
{
    if (m_following)
        scrollToBottom();
}

void TimelineTable::setColumnWidths()
{
    const QFontMetrics metrics(monoFont());
    const auto wide = [&](Column column, const QString &sample) {
        setColumnWidth(int(column), metrics.horizontalAdvance(sample) + 2 * Grid);
    };
    wide(Column::Number, QStringLiteral("00000"));
    wide(Column::Time, QStringLiteral("00:00:00.000"));
    wide(Column::Direction, QStringLiteral("▸"));
    setColumnWidth(int(Column::Outcome), Badge::widthFor(QStringLiteral("⊘ no answer")) + 2 * Grid);
    wide(Column::Duration, QStringLiteral("00 000"));
    wide(Column::Size, QStringLiteral("000 kB"));
    horizontalHeader()->setFont(smallFont());
}

// The method and the outcome are what the list is read for: in a narrow place the others make room.
void TimelineTable::hideWhatDoesNotFit()
{
    const int wanted = QFontMetrics(monoFont()).horizontalAdvance(QStringLiteral("notifications/message"));
    int room = viewport()->width() - wanted;
    for (const Column column :
         {Column::Outcome, Column::Direction, Column::Duration, Column::Time, Column::Number, Column::Size}) {
        const int width = horizontalHeader()->isSectionHidden(int(column)) ? m_hiddenWidths.value(int(column), 8 * Grid)
                                                                           : columnWidth(int(column));
        room -= width;
        const bool hide = room < 0 && column != Column::Outcome && column != Column::Direction;
        if (hide != isColumnHidden(int(column))) {
            m_hiddenWidths.insert(int(column), width);
            setColumnHidden(int(column), hide);
        }
    }
}

void TimelineTable::resizeEvent(QResizeEvent *event)
{
    hideWhatDoesNotFit();
    QTableView::resizeEvent(event);
    toTail();
}

void TimelineTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

}  // namespace sonde::ui
