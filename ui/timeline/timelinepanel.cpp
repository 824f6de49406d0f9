// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinepanel.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/keys.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/calltools.h"
#include "ui/timeline/details/recorddetails.h"
#include "ui/timeline/details/recordwindow.h"
#include "ui/timeline/details/rowcomparison.h"
#include "ui/timeline/filter/filterline.h"
#include "ui/timeline/filter/filtermenu.h"
#include "ui/timeline/table/rowmenu.h"
#include "ui/timeline/table/rowselection.h"
#include "ui/timeline/table/timelinecount.h"
#include "ui/timeline/table/timelinedelegate.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/table/timelinetable.h"

#include <QDataStream>
#include <QHBoxLayout>
#include <QHash>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <optional>

namespace sonde::ui {

namespace {

using View = TimelineModel::View;
using TimeFormat = TimelineModel::TimeFormat;

// In the order of the segments.
constexpr View Views[] = {View::Calls, View::Messages, View::Stderr, View::Everything};
constexpr int EverythingSegment = 3;
constexpr int WidthForWords = 110 * Grid;
constexpr int MinFilterWidth = 17 * Grid;
constexpr quint32 StateVersion = 2;
constexpr quint32 FirstWithFilters = 2;

}  // namespace

class TimelinePanel::Private {
public:
    explicit Private(TimelinePanel *panel);

    void layOut();
    void fitBar();
    void connectParts();
    void onCurrentChanged();
    void onRowsChanged();
    void onDataChanged(const QModelIndex &first, const QModelIndex &last);
    void leaveSession();
    void returnToSession();
    void showSelected();
    void closeDetails();
    void restoreSelection();
    void showRowsOrWhyNot();
    void focusRows();
    void applyHighlights();
    void showMenu(const QPoint &position);
    void openWindow(qsizetype row);
    Session *session() const { return model->session(); }
    // In a column that is never hidden: views do not scroll to hidden columns.
    QModelIndex placeOf(qsizetype row) const
    {
        return model->indexOfRow(row).siblingAtColumn(int(TimelineModel::Column::Method));
    }

    // Remembered of a session while another one is shown.
    struct Place {
        bool isFollowing = true;
        qsizetype selected = -1;
        qsizetype marked = -1;
        TimelineTable::Reading reading;
    };

    TimelinePanel *q;
    QHash<const QObject *, Place> places;
    std::optional<TimelineTable::Reading> awaited;  // its rows are still being listed
    TextLabel *heading;
    TimelineModel *model;
    TimelineDelegate *delegate;
    FilterLine *filter;
    FilterMenu *filters;
    FilterProblemLabel *problem;
    TimelineCount *count;
    SegmentedControl *views;
    CallTools *calls;
    QToolButton *follow;
    QToolButton *exportButton;
    QBoxLayout *top = nullptr;
    QHBoxLayout *leading = new QHBoxLayout;
    QHBoxLayout *trailing = new QHBoxLayout;
    QSplitter *splitter;
    QStackedWidget *rows;
    TimelineTable *table;
    RowSelection selection;
    EmptyState *empty;
    RecordDetails *details;
    std::shared_ptr<const ServerStore> servers;
    qsizetype selected = -1;  // row of the session; outlives a filter that hides it
    qsizetype marked = -1;    // to be compared with another
    qsizetype sought = -1;    // to be shown as soon as the rows up to it are listed
    QString givenFilter;      // by setLook(), rather than by the user
    bool restoring = false;
};

TimelinePanel::Private::Private(TimelinePanel *panel)
    : q(panel),
      heading(new TextLabel(tr("Timeline"), panel)),
      model(new TimelineModel(panel)),
      delegate(new TimelineDelegate(panel)),
      filter(new FilterLine(panel)),
      filters(new FilterMenu(filter, panel)),
      problem(new FilterProblemLabel(filter, panel)),
      count(new TimelineCount(model, panel)),
      views(new SegmentedControl(panel)),
      calls(new CallTools(model, views, panel)),
      follow(new QToolButton(panel)),
      exportButton(new QToolButton(panel)),
      splitter(new QSplitter(Qt::Horizontal, panel)),
      rows(new QStackedWidget),
      table(new TimelineTable(model, delegate)),
      selection(table),
      empty(new EmptyState({}, {})),
      details(new RecordDetails)
{
    details->setCalls(model->calls());
    layOut();
    connectParts();
    showRowsOrWhyNot();
}

void TimelinePanel::Private::layOut()
{
    heading->setStrong();
    filter->setObjectName(QStringLiteral("timelineFilter"));
    filter->setAccessibleName(tr("Filter the timeline"));
    filter->setPlaceholderText(tr("Filter: words or ms > 500"));
    filter->setClearButtonEnabled(true);
    filter->setToolTip(tr("Ctrl+Space completes fields, values and JSON pointers"));
    problem->setObjectName(QStringLiteral("timelineFilterProblem"));
    problem->setContentsMargins(Grid + 2, 0, Grid, Grid - 2);
    views->setObjectName(QStringLiteral("timelineViews"));
    views->setAccessibleName(tr("Records to show"));
    views->addSegment(tr("Calls"), tr("Calls: one row per call, its messages below it"));
    views->addSegment(tr("Messages"), tr("All messages"));
    views->addSegment(tr("stderr"), tr("Standard error of the server"));
    views->addSegment(tr("All"), tr("All records"));
    views->setCurrent(CallTools::CallsSegment);
    model->setView(View::Calls);
    follow->setObjectName(QStringLiteral("timelineFollow"));
    follow->setAccessibleName(tr("Follow new records"));
    follow->setText(tr("Follow"));
    follow->setIcon(icon(QStringLiteral("follow")));
    follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    follow->setCheckable(true);
    follow->setChecked(true);
    follow->setToolTip(tr("Keep the newest row visible. Scrolling up stops following."));

    top = new QBoxLayout(QBoxLayout::LeftToRight);
    top->setContentsMargins(Grid + 2, Grid - 2, Grid, Grid - 2);
    top->setSpacing(Grid);
    leading->setSpacing(Grid);
    leading->addWidget(heading);
    leading->addWidget(filter, 1);
    leading->addWidget(filters);
    leading->addWidget(count);
    trailing->setSpacing(Grid);
    trailing->addWidget(views);
    trailing->addWidget(calls->statisticsButton());
    trailing->addWidget(follow);
    top->addLayout(leading, 1);
    top->addLayout(trailing);
    exportButton->setObjectName(QStringLiteral("timelineExport"));
    exportButton->setAccessibleName(tr("Export"));
    exportButton->setIcon(icon(QStringLiteral("export")));
    exportButton->setToolTip(tr("Export to a file (%1)").arg(keyText(keys::Export)));
    exportButton->setAutoRaise(true);
    trailing->addWidget(exportButton);

    rows->addWidget(table);
    rows->addWidget(empty);
    splitter->setObjectName(QStringLiteral("timelineSplitter"));
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(true);
    splitter->addWidget(rows);
    splitter->addWidget(details);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({660, 350});
    auto *layout = new QVBoxLayout(q);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(problem);
    layout->addWidget(calls->onlyCallLine());
    layout->addWidget(new Line(Qt::Horizontal, q));
    layout->addWidget(splitter, 1);
}

void TimelinePanel::Private::connectParts()
{
    connect(filter, &FilterLine::filterChanged, model, &TimelineModel::setFilter);
    connect(filter, &FilterLine::filterChanged, q, [this](const Filter &now) {
        if (!now.matchesAll() && filter->text() != givenFilter)
            Q_EMIT q->filtered();
    });
    connect(filter, &QLineEdit::textChanged, q, &TimelinePanel::lookChanged);
    connect(views, &SegmentedControl::currentChanged, q, &TimelinePanel::lookChanged);
    connect(filter, &FilterLine::rowsRequested, q, [this] { focusRows(); });
    connect(filters, &FilterMenu::highlightsChanged, q, [this] { applyHighlights(); });
    connect(filters, &FilterMenu::changed, q, &TimelinePanel::savedFiltersChanged);
    connect(views, &SegmentedControl::currentChanged, q, [this](int segment) { model->setView(Views[segment]); });
    connect(exportButton, &QToolButton::clicked, q, [this] { Q_EMIT q->exportRequested(false); });
    connect(follow, &QToolButton::toggled, table, &TimelineTable::setFollowing);
    connect(table, &TimelineTable::followingChanged, follow, &QToolButton::setChecked);
    connect(model, &QAbstractItemModel::rowsInserted, q, [this] { onRowsChanged(); });
    connect(model, &QAbstractItemModel::rowsRemoved, q, [this] { showRowsOrWhyNot(); });
    connect(model, &QAbstractItemModel::modelReset, q, [this] { onRowsChanged(); });
    connect(model, &QAbstractItemModel::dataChanged, q,
            [this](const QModelIndex &first, const QModelIndex &last) { onDataChanged(first, last); });
    connect(model, &TimelineModel::filteringChanged, q, [this] { showRowsOrWhyNot(); });
    connect(model, &TimelineModel::caughtUp, q, [this] {
        if (sought >= 0)
            q->showRow(sought);
    });
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, q, [this] { onCurrentChanged(); });
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, q, [this] { onCurrentChanged(); });
    connect(table, &QWidget::customContextMenuRequested, q, [this](const QPoint &at) { showMenu(at); });
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto *enter = new QShortcut(key, table);
        enter->setContext(Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, q, [this] { openWindow(model->sessionRow(table->currentIndex())); });
    }
    connect(table, &TimelineTable::escapePressed, q, [this] { closeDetails(); });
    connect(table, &QAbstractItemView::doubleClicked, q,
            [this](const QModelIndex &place) { openWindow(model->sessionRow(place)); });
    connect(details, &RecordDetails::rowChanged, q, [this] { showRowsOrWhyNot(); });
    connect(details, &RecordDetails::closeRequested, q, [this] { closeDetails(); });
    connect(details, &RecordDetails::windowRequested, q, [this](qsizetype row) { openWindow(row); });
    connect(details, &RecordDetails::sendRequested, q, &TimelinePanel::sendRequested);
    connect(details, &RecordDetails::editAndSendRequested, q, &TimelinePanel::editAndSendRequested);
}

void TimelinePanel::Private::onCurrentChanged()
{
    const QModelIndex current = table->currentIndex();
    const qsizetype row = model->sessionRow(current);
    // With the focus alone a table gets a current row that nobody has selected.
    if (restoring || row < 0 || row == selected || !table->selectionModel()->isSelected(current))
        return;
    sought = -1;
    selected = row;
    showSelected();
    Q_EMIT q->recordSelected();
}

void TimelinePanel::Private::showSelected()
{
    delegate->setPartner(session()->partnerOf(selected));
    table->viewport()->update();
    details->showRow(selected, model->view() == View::Calls);
}

// Back to the rows, of which none is selected then.
void TimelinePanel::Private::closeDetails()
{
    selected = -1;
    sought = -1;
    delegate->setPartner(-1);
    table->clearSelection();
    details->showRow(-1, false);
    table->setFocus();
    table->viewport()->update();
}

void TimelinePanel::Private::onRowsChanged()
{
    restoreSelection();
    if (awaited && (table->resume(*awaited) || !model->isFiltering()))
        awaited.reset();
    showRowsOrWhyNot();
}

// Position, selection and following are restored for each session.
void TimelinePanel::Private::leaveSession()
{
    if (Session *left = session()) {
        if (!places.contains(left))
            connect(left, &QObject::destroyed, q, [this, key = static_cast<QObject *>(left)] { places.remove(key); });
        // A session whose rows are not listed yet keeps its earlier position.
        places.insert(left, {table->isFollowing(), selected, marked, awaited ? *awaited : table->reading()});
    }
    selected = -1;
    marked = -1;
    sought = -1;
    awaited.reset();
}

void TimelinePanel::Private::returnToSession()
{
    const Place place = places.value(session());
    marked = place.marked;
    if (place.selected >= 0 && place.selected < session()->size()) {
        selected = place.selected;
        showSelected();
    }
    awaited = place.reading;
    table->setFollowing(place.isFollowing);
    onRowsChanged();
}

void TimelinePanel::Private::restoreSelection()
{
    if (selected < 0 || table->currentIndex().isValid())
        return;
    const QModelIndex place = model->indexStandingFor(selected).siblingAtColumn(int(TimelineModel::Column::Method));
    if (!place.isValid())
        return;
    restoring = true;
    table->setCurrentInPlace(place);
    if (!table->isFollowing() && !awaited)
        table->scrollTo(place, QAbstractItemView::PositionAtCenter);
    restoring = false;
}

void TimelinePanel::Private::onDataChanged(const QModelIndex &first, const QModelIndex &last)
{
    const QModelIndex place = model->indexOfRow(selected);
    if (selected < 0 || !place.isValid() || place.row() < first.row() || place.row() > last.row())
        return;
    delegate->setPartner(session()->partnerOf(selected));
    details->refresh();
    table->viewport()->update();
}

void TimelinePanel::Private::showRowsOrWhyNot()
{
    exportButton->setEnabled(session() && session()->size() > 0);
    const bool hasRows = model->rowCount() > 0;
    rows->setCurrentWidget(hasRows ? static_cast<QWidget *>(table) : static_cast<QWidget *>(empty));
    details->setVisible(hasRows && details->row() >= 0);
    if (hasRows)
        return;
    const auto [title, text] = model->whyNothingIsShown();
    empty->setContent(title, text);
}

// To the current row; otherwise to the newest row if following, or to the first visible one.
void TimelinePanel::Private::focusRows()
{
    if (model->rowCount() == 0)
        return;
    if (!table->currentIndex().isValid()) {
        const int row = table->isFollowing() ? model->rowCount() - 1 : qMax(0, table->rowAt(0));
        table->setCurrentIndex(model->index(row, int(TimelineModel::Column::Method)));
    }
    table->setFocus(Qt::OtherFocusReason);
}

void TimelinePanel::Private::applyHighlights()
{
    QList<std::pair<Filter, Tone>> highlights;
    for (const Highlight &each : filters->highlights())
        highlights.emplaceBack(Filter::parse(each.filter).filter, each.tone);
    model->setHighlights(highlights);
}

void TimelinePanel::Private::showMenu(const QPoint &position)
{
    RowMenuContext context;
    const QModelIndex place = table->indexAt(position);
    if (place.isValid()) {
        if (!table->selectionModel()->isSelected(place))
            table->setCurrentIndex(place);
        context.session = session();
        context.row = model->sessionRow(place);
        if (details->row() != context.row)
            details->showRow(context.row, model->view() == View::Calls);
        context.sendable = details->sendableRow();
        context.canSend = details->canSend();
        context.servers = servers;
        context.two = selection.two();
        context.marked = marked;
    }
    auto *menu = new RowMenu(context, q);
    connect(menu, &RowMenu::sendRequested, q, &TimelinePanel::sendRequested);
    connect(menu, &RowMenu::editAndSendRequested, q, &TimelinePanel::editAndSendRequested);
    connect(menu, &RowMenu::saveCallRequested, q, &TimelinePanel::saveCallRequested);
    connect(menu, &RowMenu::rowRequested, q, &TimelinePanel::showRow);
    connect(menu, &RowMenu::windowRequested, q, [this](qsizetype row) { openWindow(row); });
    connect(menu, &RowMenu::replayRequested, q, &TimelinePanel::replayRequested);
    connect(menu, &RowMenu::exportRequested, q, [this] { Q_EMIT q->exportRequested(true); });
    connect(menu, &RowMenu::markRequested, q, [this](qsizetype row) { marked = row; });
    connect(menu, &RowMenu::comparisonRequested, q, [this, shown = context.session](qsizetype left, qsizetype right) {
        if (shown == session())
            (new RowComparison(*shown, left, right, q))->show();
    });
    calls->addActions(menu, place);
    addTimeMenu(menu, model);
    menu->popup(table->viewport()->mapToGlobal(position));
}

void TimelinePanel::Private::openWindow(qsizetype row)
{
    if (!session() || row < 0)
        return;
    auto *window = new RecordWindow(session(), row, model->view() == View::Calls, q);
    window->setCalls(model->calls());
    window->setCanSend(details->canSend());
    connect(window, &RecordWindow::sendRequested, q, &TimelinePanel::sendRequested);
    connect(window, &RecordWindow::editAndSendRequested, q, &TimelinePanel::editAndSendRequested);
    window->show();
}

TimelinePanel::TimelinePanel(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(this))
{
    setObjectName(QStringLiteral("timelinePanel"));
    setAccessibleName(tr("Timeline"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

TimelinePanel::~TimelinePanel() = default;

void TimelinePanel::setServers(std::shared_ptr<const ServerStore> servers)
{
    d->servers = std::move(servers);
}

void TimelinePanel::setSession(Session *session, bool canSend)
{
    const bool isAnother = d->session() != session;
    if (isAnother) {
        d->leaveSession();
        d->delegate->setPartner(-1);
        d->calls->forget();
        // Only then it is known whether the session is empty.
        if (session && session->isLoading())
            connect(session, &Session::loaded, this, [this] { d->showRowsOrWhyNot(); });
    }
    d->details->setSession(session, canSend);
    // Windows of other sessions have no connection to send to.
    for (RecordWindow *window : findChildren<RecordWindow *>(Qt::FindDirectChildrenOnly))
        window->setCanSend(canSend && window->session() == session);
    d->filter->setSession(session);
    d->model->setSession(session);
    if (isAnother && session)
        d->returnToSession();
    d->showRowsOrWhyNot();
}

void TimelinePanel::setTitle(const QString &name)
{
    d->heading->setText(name.isEmpty() ? tr("Timeline") : tr("Timeline · %1").arg(visibleLine(name, 30)));
}

void TimelinePanel::showRow(qsizetype sessionRow)
{
    if (!d->session() || sessionRow < 0 || sessionRow >= d->session()->size())
        return;
    const bool wasFollowing = d->table->isFollowing();
    d->table->setFollowing(false);
    d->model->reveal(sessionRow);
    QModelIndex place = d->placeOf(sessionRow);
    d->sought = !place.isValid() && d->model->isBehind() ? sessionRow : -1;
    if (d->sought >= 0) {
        d->selected = sessionRow;
        d->showSelected();
        d->table->setFollowing(wasFollowing);
        return;
    }
    if (!place.isValid()) {
        d->selected = sessionRow;
        d->filter->clear();
        d->calls->showOnlyCallOf(-1);
        d->views->setCurrent(EverythingSegment);
        place = d->placeOf(sessionRow);
        d->details->showRow(sessionRow, false);
        d->delegate->setPartner(d->session()->partnerOf(sessionRow));
    }
    if (place.isValid()) {
        d->table->setCurrentInPlace(place);
        if (d->table->isInSight(place))
            d->table->setFollowing(wasFollowing);
        else
            d->table->scrollTo(place, QAbstractItemView::PositionAtCenter);
    }
}

void TimelinePanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    d->fitBar();
}

// The filter needs the width more than labels do; where it would get too little of it all the same, it has a row of its
// own.
void TimelinePanel::Private::fitBar()
{
    const bool isNarrow = q->width() < scaled(WidthForWords);
    heading->setVisible(!isNarrow);
    follow->setToolButtonStyle(isNarrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    if (!isNarrow) {
        count->show();
        top->setDirection(QBoxLayout::LeftToRight);
        return;
    }
    const QMargins margins = top->contentsMargins();
    const int beside =
        trailing->sizeHint().width() + filters->sizeHint().width() + 2 * Grid + margins.left() + margins.right();
    const int room = q->width() - beside - scaled(MinFilterWidth);
    const bool isBelow = room < 0;
    count->setVisible(isBelow || room >= count->sizeHint().width() + Grid);
    top->setDirection(isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    top->setAlignment(trailing, isBelow ? Qt::AlignLeft : Qt::Alignment());
}

QList<qsizetype> TimelinePanel::selectedRows() const
{
    return d->selection.rows();
}

// The table gets the row a moment later, or never if the filter hides it; the filter stays.
void TimelinePanel::showSent(qsizetype sessionRow)
{
    d->selected = sessionRow;
    d->delegate->setPartner(-1);
    d->restoring = true;
    d->table->setCurrentIndex({});
    d->table->clearSelection();
    d->restoring = false;
    d->details->showRow(sessionRow, false);
    d->details->showResponseOnceThere();
    d->restoreSelection();
}

std::vector<qsizetype> TimelinePanel::rowsToExport(bool selected) const
{
    return selected ? d->selection.records() : d->selection.allRecords();
}

qsizetype TimelinePanel::selectedCount() const
{
    return d->selection.count();
}

bool TimelinePanel::showsAll() const
{
    return !d->session() || d->model->rowCount() == d->session()->size();
}

void TimelinePanel::focusFilter()
{
    d->filter->setFocus(Qt::ShortcutFocusReason);
    d->filter->selectAll();
}

void TimelinePanel::focusRows()
{
    d->focusRows();
}

void TimelinePanel::setFilter(const QString &text)
{
    d->calls->showOnlyCallOf(-1);
    if (Views[d->views->current()] == View::Stderr)
        d->views->setCurrent(EverythingSegment);
    d->filter->setText(text);
}

TimelineLook TimelinePanel::look() const
{
    return {d->filter->text(), d->views->current()};
}

void TimelinePanel::setLook(const TimelineLook &look)
{
    d->views->setCurrent(qBound(0, look.view, EverythingSegment));
    d->givenFilter = look.filter;
    if (look.filter != d->filter->text())
        d->filter->setText(look.filter);
}

void TimelinePanel::showStatistics()
{
    d->calls->showStatistics();
}

QByteArray TimelinePanel::saveState() const
{
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << StateVersion << d->table->horizontalHeader()->saveState() << d->splitter->saveState()
           << d->details->saveState() << qint32(d->views->current()) << qint32(d->model->timeFormat());
    d->filters->save(stream);
    return state;
}

void TimelinePanel::restoreState(const QByteArray &state)
{
    QDataStream stream(state);
    stream.setVersion(QDataStream::Qt_6_4);
    quint32 version = 0;
    QByteArray header;
    QByteArray splitter;
    QByteArray details;
    qint32 view = CallTools::CallsSegment;
    qint32 time = 0;
    stream >> version >> header >> splitter >> details >> view >> time;
    if (stream.status() != QDataStream::Ok || version > StateVersion || version == 0)
        return;
    d->table->horizontalHeader()->restoreState(header);
    d->table->fitColumns();
    d->splitter->restoreState(splitter);
    d->details->restoreState(details);
    d->views->setCurrent(view);
    d->model->setTimeFormat(TimeFormat(qBound(0, time, int(TimeFormat::SinceRequest))));
    if (version >= FirstWithFilters)
        d->filters->restore(stream);
}

}  // namespace sonde::ui
