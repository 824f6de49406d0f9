// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/timelinetable.h"

#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/callwords.h"
#include "ui/timeline/calls/waterfall.h"
#include "ui/timeline/table/timelinedelegate.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QScopeGuard>
#include <QScrollBar>
#include <algorithm>
#include <chrono>

namespace sonde::ui {

using Expansion = TimelineModel::Expansion;

namespace {

constexpr auto ClockInterval = std::chrono::milliseconds(500);
constexpr int NarrowestWaterfall = 8 * Grid;
constexpr int WidestWaterfall = 40 * Grid;

QString longDuration()  // some minutes
{
    return QStringLiteral("000 000");
}

QString timeOfDay()
{
    return QStringLiteral("00:00:00.000");
}

int widestOutcome()
{
    int badge =
        qMax(Badge::widthFor(badgeText(RowOutcome::NoResponse)), Badge::widthFor(badgeText(RowOutcome::InputRequired)));
    for (const Error::Kind kind : {Error::Kind::Transport, Error::Kind::Protocol})
        badge = qMax(badge, Badge::widthFor(noResponseBadge(Error::of(kind, {}))));
    return badge + 2 * Grid;
}

int usualOutcome()
{
    const int badge =
        qMax(Badge::widthFor(badgeText(RowOutcome::ToolError)), Badge::widthFor(badgeText(RowOutcome::NoResponse)));
    return badge + 2 * Grid - 4;  // so that there is room for the duration in a window of 1000 pixels
}

}  // namespace

TimelineTable::TimelineTable(TimelineModel *model, TimelineDelegate *delegate, QWidget *parent)
    : RowTable(-3, parent),
      m_model(model),
      m_delegate(delegate),
      m_header(new WaterfallHeader(int(TimelineModel::Column::Waterfall), this))
{
    setObjectName(QStringLiteral("timelineTable"));
    setAccessibleName(tr("Records"));
    setHorizontalHeader(m_header);
    setModel(model);
    setItemDelegate(delegate);
    setSelectionMode(ExtendedSelection);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(ScrollPerPixel);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(3 * Grid);
    horizontalHeader()->setSectionResizeMode(int(TimelineModel::Column::Method), QHeaderView::Stretch);
    followFont(this, [this] { setColumnWidths(); });

    connectModel();
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &TimelineTable::toTail);
    connect(verticalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { m_byPerson = true; });
    connect(verticalScrollBar(), &QAbstractSlider::valueChanged, this, [this](int value) {
        // Only scrolling by the user counts; the position also changes when rows are added or the table is resized.
        if (std::exchange(m_byPerson, false) || state() == DragSelectingState)
            setFollowing(value >= verticalScrollBar()->maximum());
    });
    m_clock.setInterval(ClockInterval);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        refreshScale();
        viewport()->update();
    });
}

void TimelineTable::connectModel()
{
    connect(m_model, &TimelineModel::aboutToReplaceRows, this, [this] { m_reading = reading(); });
    connect(m_model, &TimelineModel::rowsReplaced, this, [this] { resume(std::exchange(m_reading, {})); });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &, int first, int last) {
        keepPlace(first, last - first + 1);
        if (digits() > m_digits)
            fitColumns();
        toTail();
        refreshScale();
    });
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex &, int first, int last) {
        keepPlace(first, first - last - 1);
        refreshScale();
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        // A header keeps the memory of its sections until its state is restored.
        if (m_model->rowCount() == 0)
            verticalHeader()->restoreState(verticalHeader()->saveState());
        fitColumns();
        refreshScale();
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &TimelineTable::refreshScale);
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

// Rows added or removed above the visible ones must not move them.
void TimelineTable::keepPlace(int first, int rows)
{
    const int height = verticalHeader()->defaultSectionSize();
    const int value = verticalScrollBar()->value();
    if (m_following || value == 0 || first * height > value)
        return;
    updateGeometries();
    verticalScrollBar()->setValue(value + rows * height);
}

bool TimelineTable::isAtTail() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

TimelineTable::Reading TimelineTable::reading() const
{
    Reading reading;
    if (m_model->rowCount() == 0)
        return reading;
    // The current row if it is visible, otherwise the first row that is completely visible.
    const bool isInSight = currentIndex().isValid() && viewport()->rect().intersects(visualRect(currentIndex()));
    const int top = qMax(rowAt(0), 0);
    const int whole = qMin(rowViewportPosition(top) < 0 ? top + 1 : top, m_model->rowCount() - 1);
    const int place = isInSight ? currentIndex().row() : whole;
    reading.row = m_model->sessionRow(m_model->index(place, 0));
    reading.top = rowViewportPosition(place);
    for (const QItemSelectionRange &range : selectionModel()->selection())
        reading.selected.emplace_back(m_model->sessionRow(m_model->index(range.top(), 0)),
                                      m_model->sessionRow(m_model->index(range.bottom(), 0)));
    return reading;
}

// A collapsed call stands for its steps.
bool TimelineTable::resume(const Reading &reading)
{
    const QModelIndex place = reading.row < 0 ? QModelIndex() : m_model->indexStandingFor(reading.row);
    std::vector<std::pair<int, int>> places;
    for (const auto &[from, to] : reading.selected) {
        const QModelIndex first = m_model->indexStandingFor(from);
        const QModelIndex last = m_model->indexStandingFor(to);
        if (first.isValid() && last.isValid())
            places.emplace_back(first.row(), last.row());
    }
    std::sort(places.begin(), places.end());
    QItemSelection selection;
    int selected = -1;
    for (const auto &[first, last] : places) {
        if (last > selected)
            selection.select(m_model->index(qMax(first, selected + 1), 0),
                             m_model->index(last, m_model->columnCount() - 1));
        selected = qMax(selected, last);
    }
    if (reading.row >= 0 && m_model->rowCount() > 0)
        selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!place.isValid())
        return false;
    if (m_following)
        return true;
    updateGeometries();
    verticalScrollBar()->setValue(place.row() * verticalHeader()->defaultSectionSize() - reading.top);
    refreshScale();
    return true;
}

bool TimelineTable::isInSight(const QModelIndex &index) const
{
    const QRect place = visualRect(index);
    return !place.isEmpty() && place.top() >= 0 && place.bottom() < viewport()->height();
}

void TimelineTable::setCurrentInPlace(const QModelIndex &index)
{
    setAutoScroll(false);
    // Whatever keys are held down: the view's own setCurrentIndex() toggles the row under Ctrl.
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    setAutoScroll(true);
}

// The scale covers the visible rows.
void TimelineTable::refreshScale()
{
    refreshScaleOf({});
}

void TimelineTable::refreshScaleOf(const QRect &painted)
{
    if (isColumnHidden(int(TimelineModel::Column::Waterfall)) || m_model->rowCount() == 0) {
        m_clock.stop();
        return;
    }
    const int top = qMax(rowAt(0), 0);
    const int bottom = rowAt(viewport()->height() - 1);
    // After a reset the table may still be scrolled beyond the last row; then fewer rows are visible.
    const int fitting = viewport()->height() / verticalHeader()->defaultSectionSize();
    const int last = bottom < 0 ? qMin(top + fitting, m_model->rowCount() - 1) : bottom;
    bool isGrowing = false;
    std::vector<TimeSpan> spans;
    const auto add = [&](const QModelIndex &place) {
        const CallTimes times = place.data(TimelineModel::TimesRole).value<CallTimes>();
        spans.push_back({times.startNs, times.endNs});
        isGrowing = isGrowing || (times.isOpen && !times.isStanding);
    };
    if (const QModelIndex call = m_model->callOf(m_model->index(top, 0)); call.isValid())
        add(call);
    for (int row = top; row <= last; ++row)
        add(m_model->index(row, 0));
    const TimeScale scale = TimeScale::covering(std::move(spans), m_delegate->scale());
    if (scale != m_delegate->scale()) {
        m_delegate->setScale(scale);
        m_header->setScale(scale);
        const int column = int(TimelineModel::Column::Waterfall);
        const QRect waterfall(columnViewportPosition(column), 0, columnWidth(column), viewport()->height());
        // While a call is open, the scale grows with every look at the clock: without end, if each painting asked for
        // the next.
        if (!painted.contains(waterfall & viewport()->rect()))
            viewport()->update(waterfall);
    }
    const Session *session = m_model->session();
    if (!isGrowing || !session || !session->isLive())
        m_clock.stop();
    else if (!m_clock.isActive())
        m_clock.start();
}

void TimelineTable::scrollContentsBy(int dx, int dy)
{
    RowTable::scrollContentsBy(dx, dy);
    refreshScale();
}

void TimelineTable::paintEvent(QPaintEvent *event)
{
    refreshScaleOf(event->rect());
    RowTable::paintEvent(event);
}

void TimelineTable::setExpanded(const QModelIndex &place, bool expanded)
{
    if (!expanded && m_model->callOf(currentIndex()).row() == place.row())
        setCurrentIndex(place);
    // The user is looking at this call, so it stays in place even if the newest row is pushed out of view. Following
    // continues with the next new row.
    const bool wasFollowing = std::exchange(m_following, false);
    m_model->setExpanded(place, expanded);
    updateGeometries();
    m_following = wasFollowing;
}

bool TimelineTable::toggle(const QModelIndex &place)
{
    const Expansion expansion = m_model->expansion(place);
    if (expansion == Expansion::None)
        return false;
    setExpanded(place, expansion == Expansion::Collapsed);
    return true;
}

bool TimelineTable::isOnArrow(const QPoint &position) const
{
    const QModelIndex place = indexAt(position);
    return place.isValid() && place.column() == int(TimelineModel::Column::Method) &&
           m_model->expansion(place) != Expansion::None &&
           TimelineDelegate::arrowRect(visualRect(place)).contains(position);
}

// Qt would go to the first row, which may be far from the visible ones.
void TimelineTable::focusInEvent(QFocusEvent *event)
{
    if (!currentIndex().isValid() && m_following && m_model->rowCount() > 0)
        selectionModel()->setCurrentIndex(m_model->index(m_model->rowCount() - 1, int(TimelineModel::Column::Method)),
                                          QItemSelectionModel::NoUpdate);
    RowTable::focusInEvent(event);
}

void TimelineTable::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT escapePressed();
        return;
    }
    // If a key moves the newest row out of view, that counts as scrolling up.
    const int before = verticalScrollBar()->value();
    const auto check = qScopeGuard([this, before] {
        if (verticalScrollBar()->value() != before)
            setFollowing(isAtTail());
    });
    const QModelIndex place = currentIndex();
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool isRight = event->key() == Qt::Key_Right;
    if (!isPlain || (!isRight && event->key() != Qt::Key_Left) || m_model->view() != TimelineModel::View::Calls) {
        RowTable::keyPressEvent(event);
        return;
    }
    const Expansion expansion = m_model->expansion(place);
    if (expansion == (isRight ? Expansion::Collapsed : Expansion::Expanded))
        setExpanded(place, isRight);
    else if (isRight && expansion == Expansion::Expanded)
        setCurrentIndex(place.siblingAtRow(place.row() + 1));
    else if (const QModelIndex call = m_model->callOf(place); !isRight && call.isValid())
        setCurrentIndex(call);
    event->accept();
}

void TimelineTable::mousePressEvent(QMouseEvent *event)
{
    const QPoint position = event->position().toPoint();
    if (event->button() == Qt::LeftButton && isOnArrow(position))
        toggle(indexAt(position));
    else
        RowTable::mousePressEvent(event);
}

void TimelineTable::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        RowTable::mousePressEvent(event);
    else if (!toggle(indexAt(event->position().toPoint())))
        RowTable::mouseDoubleClickEvent(event);
}

void TimelineTable::setColumnWidths()
{
    const QFontMetrics metrics(monoFont());
    const auto wide = [&](TimelineModel::Column column, const QString &sample) {
        setColumnWidth(int(column), metrics.horizontalAdvance(sample) + 2 * Grid);
    };
    wide(TimelineModel::Column::Number, QStringLiteral("000"));
    wide(TimelineModel::Column::Time, timeOfDay());
    wide(TimelineModel::Column::Direction, QStringLiteral("▸"));
    setColumnWidth(int(TimelineModel::Column::Outcome), widestOutcome());
    wide(TimelineModel::Column::Duration, longDuration());
    wide(TimelineModel::Column::Size, QStringLiteral("000 kB"));
    horizontalHeader()->setFont(smallFont());
}

qsizetype TimelineTable::digits() const
{
    return m_model->session() ? QString::number(m_model->session()->size()).size() : 0;
}

// Row numbers of a long session are wider. A saved width may be less than durations need.
void TimelineTable::widenNumbers()
{
    m_digits = digits();
    const QFontMetrics metrics(monoFont());
    const auto widen = [&](TimelineModel::Column column, const QString &sample) {
        const int width = metrics.horizontalAdvance(sample) + 2 * Grid;
        if (isColumnHidden(int(column)))
            m_hiddenWidths.insert(int(column), qMax(width, m_hiddenWidths.value(int(column))));
        else if (columnWidth(int(column)) < width)
            setColumnWidth(int(column), width);
    };
    widen(TimelineModel::Column::Number, QString(m_digits, u'0'));
    widen(TimelineModel::Column::Duration, longDuration());
}

// Method and outcome matter most, and the waterfall in the view of calls: in a narrow place long outcomes end in "…",
// and the other columns are hidden.
void TimelineTable::fitColumns()
{
    const bool isOfCalls = m_model->view() == TimelineModel::View::Calls;
    const QFontMetrics metrics(monoFont());
    const int least = metrics.horizontalAdvance(isOfCalls ? QStringLiteral("    subscriptions/listen")
                                                          : QStringLiteral("notifications/message"));
    const int wanted =
        qMax(least, isOfCalls ? metrics.horizontalAdvance(QStringLiteral("    resources/templates/list")) : 0);
    widenNumbers();
    setColumnHidden(int(TimelineModel::Column::Waterfall), !isOfCalls);
    int room = viewport()->width() - wanted - (isOfCalls ? NarrowestWaterfall : 0);
    fitOutcome(room);
    int left = room;
    for (const TimelineModel::Column column :
         {TimelineModel::Column::Outcome, TimelineModel::Column::Direction, TimelineModel::Column::Duration,
          TimelineModel::Column::Time, TimelineModel::Column::Number, TimelineModel::Column::Size}) {
        const int width =
            isColumnHidden(int(column)) ? m_hiddenWidths.value(int(column), 8 * Grid) : columnWidth(int(column));
        room -= width;
        // For the duration a method may end in "…".
        const int spare = column == TimelineModel::Column::Duration ? room + wanted - least : room;
        const bool hide =
            spare < 0 && column != TimelineModel::Column::Outcome && column != TimelineModel::Column::Direction;
        left = hide ? left : room;
        if (hide != isColumnHidden(int(column))) {
            m_hiddenWidths.insert(int(column), width);
            setColumnHidden(int(column), hide);
        }
    }
    // Long outcomes get what methods can spare.
    const int outcome = columnWidth(int(TimelineModel::Column::Outcome));
    const int more = qMax(0, widestOutcome() - outcome);
    if (left >= 3 * more) {
        setColumnWidth(int(TimelineModel::Column::Outcome), outcome + more);
        left -= more;
    }
    if (isOfCalls) {
        const int maxWidth = qBound(NarrowestWaterfall, viewport()->width() / 5, WidestWaterfall);
        setColumnWidth(int(TimelineModel::Column::Waterfall), qMin(maxWidth, NarrowestWaterfall + qMax(0, left)));
    }
}

// Most outcomes are short. There is room for the long ones where there is for the time too.
void TimelineTable::fitOutcome(int room)
{
    constexpr int column = int(TimelineModel::Column::Outcome);
    const int time = QFontMetrics(monoFont()).horizontalAdvance(timeOfDay()) + 2 * Grid;
    const int duration = QFontMetrics(monoFont()).horizontalAdvance(longDuration()) + 2 * Grid;
    const bool isNarrow = room < widestOutcome() + duration + time;
    const int width = isNarrow ? qMin(columnWidth(column), usualOutcome()) : qMax(columnWidth(column), widestOutcome());
    if (width != columnWidth(column))
        setColumnWidth(column, width);
}

void TimelineTable::resizeEvent(QResizeEvent *event)
{
    fitColumns();
    RowTable::resizeEvent(event);
    toTail();
}

}  // namespace sonde::ui
