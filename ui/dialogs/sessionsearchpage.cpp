// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/sessionsearchpage.h"

#include "core/protocol/visibletext.h"
#include "ui/dialogs/sessionsmodel.h"
#include "ui/result/outcometext.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/filter/filterline.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxHitText = 300;                     // characters of a cell
constexpr std::array PeriodDays{0, 1, 7, 30, 365};  // up to today; 0: any time

// The code of an error is in the session only.
QString outcomeText(RowOutcome outcome)
{
    switch (outcome) {
        case RowOutcome::None:
            return {};
        case RowOutcome::ProtocolError:
            return sign(toneOf(outcome)) + u' ' + SessionHitsModel::tr("Protocol error");
        default:
            return badgeText(outcome);
    }
}

}  // namespace

SessionHitsModel::SessionHitsModel(const SessionsModel *sessions, QObject *parent)
    : QAbstractTableModel(parent), m_sessions(sessions)
{}

void SessionHitsModel::clear()
{
    beginResetModel();
    m_hits.clear();
    endResetModel();
}

void SessionHitsModel::add(const QList<SessionHit> &hits)
{
    beginInsertRows({}, rowCount(), rowCount() + int(hits.size()) - 1);
    m_hits += hits;
    endInsertRows();
}

int SessionHitsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_hits.size());
}

int SessionHitsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant SessionHitsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == DurationColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Time:
            return tr("Time");
        case SessionName:
            return tr("Session");
        case Call:
            return tr("Call or record");
        case OutcomeColumn:
            return tr("Outcome");
        case DurationColumn:
            return tr("Duration");
        default:
            return {};
    }
}

QVariant SessionHitsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SessionHit &hit = m_hits[index.row()];
    const bool isShown = role == Qt::DisplayRole || role == SortRole;
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == DurationColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return plainToolTip(hit.path);
    if (role == Qt::ForegroundRole && index.column() == OutcomeColumn && hit.outcome != RowOutcome::None)
        return color(toneOf(hit.outcome));
    if (!isShown)
        return {};
    switch (index.column()) {
        case Time:
            return role == SortRole ? QVariant(hit.at) : QVariant(dateTimeText(hit.at));
        case SessionName:
            return m_sessions->titleOf(hit.path);
        case Call:
            return hit.method.isEmpty() ? hit.kind
                                        : visibleLine((hit.method + u' ' + hit.target).trimmed(), MaxHitText);
        case OutcomeColumn:
            return outcomeText(hit.outcome);
        case DurationColumn:
            return role == SortRole     ? QVariant(hit.durationNs)
                   : hit.durationNs < 0 ? QVariant(QString())
                                        : QVariant(durationText(hit.durationNs));
        default:
            return {};
    }
}

SessionSearchPage::SessionSearchPage(const SessionsModel *sessions, QWidget *parent)
    : QWidget(parent),
      m_sessions(sessions),
      m_hits(new SessionHitsModel(sessions, this)),
      m_line(new FilterLine),
      m_period(new QComboBox),
      m_start(new QPushButton(tr("Search"))),
      m_table(new QTableView),
      m_empty(new EmptyState({}, {})),
      m_state(new TextLabel)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    auto *row = new QHBoxLayout;
    m_line->setObjectName(u"searchFilter"_s);
    m_line->setPlaceholderText(tr("Filter, such as: tool == search and outcome ~ error"));
    m_line->setAccessibleName(tr("Filter for all sessions"));
    m_period->setObjectName(u"searchPeriod"_s);
    m_period->setAccessibleName(tr("Time of the rows"));
    for (const QString &text :
         {tr("Any time"), tr("Today"), tr("Last 7 days"), tr("Last 30 days"), tr("Last 365 days")})
        m_period->addItem(text);
    m_start->setObjectName(u"searchStart"_s);
    m_start->setAutoDefault(false);
    row->addWidget(m_line, 1);
    row->addWidget(m_period);
    row->addWidget(m_start);
    column->addLayout(row);
    column->addWidget(new FilterProblemLabel(m_line, this));

    auto *sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(m_hits);
    sorted->setSortRole(SessionHitsModel::SortRole);
    m_table->setObjectName(u"searchTable"_s);
    m_table->setAccessibleName(tr("Found rows"));
    m_table->setModel(sorted);
    setUpRows(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(SessionHitsModel::Time, Qt::DescendingOrder);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(SessionHitsModel::Call, QHeaderView::Stretch);
    header->resizeSection(SessionHitsModel::Time, 160);
    header->resizeSection(SessionHitsModel::SessionName, 150);
    header->resizeSection(SessionHitsModel::OutcomeColumn, 120);
    header->resizeSection(SessionHitsModel::DurationColumn, 90);
    column->addWidget(m_table, 1);
    m_empty->setObjectName(u"searchEmpty"_s);
    column->addWidget(m_empty, 1);
    m_state->setObjectName(u"searchState"_s);
    m_state->setDim(true);
    column->addWidget(m_state);

    connect(m_line, &FilterLine::rowsRequested, this, [this] {
        if (m_line->text() != m_searched)
            search();
        else if (m_hits->rowCount() > 0)
            m_table->setFocus();
    });
    connect(m_line, &QLineEdit::textChanged, this, &SessionSearchPage::showState);
    connect(m_period, &QComboBox::activated, this, [this] {
        if (!m_searched.isEmpty())
            search();
    });
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (!m_search.isRunning())
            return search();
        m_search.cancel();
        showState();
    });
    connect(&m_search, &SessionSearch::found, this, [this](const QList<SessionHit> &hits) {
        const bool isFirst = m_hits->rowCount() == 0;
        m_hits->add(hits);
        if (isFirst)
            m_table->selectRow(0);
        showState();
    });
    connect(&m_search, &SessionSearch::progressed, this, &SessionSearchPage::showState);
    connect(&m_search, &SessionSearch::finished, this, &SessionSearchPage::showState);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SessionSearchPage::selectionChanged);
    connect(m_table, &QTableView::doubleClicked, this, &SessionSearchPage::activated);
    showState();
}

void SessionSearchPage::focusLine()
{
    m_line->setFocus();
}

const SessionHit *SessionSearchPage::selected() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.isEmpty())
        return nullptr;
    const auto *sorted = static_cast<const QSortFilterProxyModel *>(m_table->model());
    return &m_hits->at(sorted->mapToSource(rows.first()).row());
}

QDateTime SessionSearchPage::since() const
{
    const int days = PeriodDays[size_t(qMax(0, m_period->currentIndex()))];
    return days == 0 ? QDateTime() : QDate::currentDate().addDays(1 - days).startOfDay();
}

void SessionSearchPage::search()
{
    const QString text = m_line->text().trimmed();
    if (text.isEmpty() || m_line->problem())
        return;
    m_hits->clear();
    m_searched = m_line->text();
    const QDateTime since = this->since();
    Filter filter = m_line->filter();
    QList<SessionEntry> sessions = m_sessions->entries();
    if (since.isValid()) {
        const Filter::Parsed both =
            Filter::parse(u"(%1) and time >= %2"_s.arg(text, since.toUTC().toString(Qt::ISODate)));
        if (both.problem) {
            m_state->setText(both.problem->reason);
            return;
        }
        filter = both.filter;
        sessions.removeIf([&since](const SessionEntry &entry) { return entry.modifiedAt < since; });
    }
    m_search.start(sessions, filter);
    showState();
}

void SessionSearchPage::showState()
{
    const SessionSearch::Progress &progress = m_search.progress();
    const bool isRunning = m_search.isRunning();
    const bool hasRows = m_hits->rowCount() > 0;
    m_start->setText(isRunning ? tr("Stop") : tr("Search"));
    m_start->setEnabled(isRunning || (!m_line->text().trimmed().isEmpty() && !m_line->problem()));
    m_table->setVisible(hasRows);
    m_empty->setVisible(!hasRows);
    m_state->setVisible(!m_searched.isEmpty());
    if (m_searched.isEmpty()) {
        m_empty->setContent(tr("Search all recorded sessions"),
                            tr("Type a timeline filter and press Enter. For the calls of one tool that failed: "
                               "tool == search and outcome ~ error"));
        return;
    }
    if (!hasRows && isRunning)
        m_empty->setContent(tr("Searching…"), {});
    else if (!hasRows)
        m_empty->setContent(tr("No rows match"), tr("Change the filter, or choose a longer time."));
    QString text = tr("%1 in %2")
                       .arg(counted(progress.hits, tr("1 row"), tr("%1 rows")),
                            progress.searched < progress.sessions
                                ? tr("%1 of %2 sessions").arg(grouped(progress.searched), grouped(progress.sessions))
                                : counted(progress.sessions, tr("1 session"), tr("%1 sessions")));
    if (progress.isCut)
        text += u". "_s + tr("There are more; only these are shown.");
    if (progress.unreadable > 0)
        text += u". "_s +
                counted(progress.unreadable, tr("1 session could not be read."), tr("%1 sessions could not be read."));
    m_state->setText(text);
}

}  // namespace sonde::ui
