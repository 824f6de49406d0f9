// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/statisticswindow.h"

#include "core/protocol/numbertext.h"
#include "ui/json/background.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/calls/callindex.h"
#include "ui/timeline/calls/statisticsmodel.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <chrono>

namespace sonde::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto UpdateInterval = 1s;
constexpr qint64 StatisticsSliceNs = 4'000'000;
constexpr int SortArrowWidth = 2 * Grid;
constexpr int MaxMeasuredRows = 500;

}  // namespace

StatisticsWindow::StatisticsWindow(CallIndex *calls, QWidget *parent)
    : QDialog(parent),
      m_calls(calls),
      m_model(new StatisticsModel(this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_summary(new TextLabel),
      m_pages(new QStackedWidget),
      m_table(new QTableView),
      m_empty(new EmptyState({}, {})),
      m_copy(new QPushButton(tr("Copy as text")))
{
    layOut();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &StatisticsWindow::collect);
    connect(calls, &CallIndex::sessionChanged, this, &StatisticsWindow::restart);
    connect(calls, &CallIndex::advanced, this, [this] {
        if (isVisible() && !m_timer.isActive())
            m_timer.start(m_calls->isComplete() && m_model->rowCount() == 0 ? 0s : UpdateInterval);
    });
    connect(m_copy, &QPushButton::clicked, this, &StatisticsWindow::copy);
    auto *shortcut = new QShortcut(QKeySequence::Copy, m_table);
    shortcut->setContext(Qt::WidgetShortcut);
    connect(shortcut, &QShortcut::activated, this, &StatisticsWindow::copy);
    display({});
}

void StatisticsWindow::layOut()
{
    setObjectName(QStringLiteral("callStatistics"));
    setWindowTitle(tr("Call statistics"));
    resize(1000, 460);
    m_summary->setObjectName(QStringLiteral("statisticsSummary"));
    m_summary->setDim(true);
    m_summary->setElided(true);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(StatisticsModel::SortRole);
    m_table->setObjectName(QStringLiteral("statisticsTable"));
    m_table->setAccessibleName(tr("Call statistics"));
    m_table->setModel(m_sorted);
    setUpRows(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(int(StatisticsModel::Column::Calls), Qt::DescendingOrder);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(int(StatisticsModel::Column::Target), QHeaderView::Stretch);
    // Names get the width that the numbers leave.
    header->setMinimumSectionSize(3 * Grid);
    for (int column = int(StatisticsModel::Column::Calls); column < int(StatisticsModel::Column::Count); ++column)
        m_table->setColumnWidth(column, 0);

    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    m_copy->setObjectName(QStringLiteral("statisticsCopy"));
    m_copy->setAutoDefault(false);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    column->addWidget(m_summary);
    column->addWidget(m_pages, 1);
    column->addWidget(buttons);
}

void StatisticsWindow::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    m_calls->setWanted(this, true);
    restart();
}

void StatisticsWindow::hideEvent(QHideEvent *event)
{
    m_calls->setWanted(this, false);
    m_timer.stop();
    m_collector.reset();
    QDialog::hideEvent(event);
}

void StatisticsWindow::restart()
{
    ++m_generation;
    m_collector.reset();
    m_model->setStatistics({});
    display({});
    if (isVisible())
        m_timer.start(0ms);
}

void StatisticsWindow::collect()
{
    if (!m_calls->session() || !m_calls->operations() || !isVisible())
        return;
    if (!m_collector)
        m_collector = std::make_unique<CallStatisticsCollector>(m_calls->session(), m_calls->operations());
    if (!m_collector->advance(StatisticsSliceNs)) {
        m_timer.start(0ms);
        return;
    }
    const std::shared_ptr<const CallStatisticsCollector> collected = std::move(m_collector);
    runInBackground<QList<CallStatistics>>(
        this, [collected] { return collected->result(); },
        [this, asked = m_generation](const QList<CallStatistics> &statistics) {
            if (asked == m_generation)
                display(statistics);
        });
}

void StatisticsWindow::display(const QList<CallStatistics> &statistics)
{
    m_model->setStatistics(statistics);
    fitColumns();
    qsizetype calls = 0;
    for (const CallStatistics &each : statistics)
        calls += each.count;
    const Session *session = m_calls->session();
    const bool isReading = session && !m_calls->isComplete();
    QString text = counted(calls, tr("1 call"), tr("%1 calls"));
    if (isReading)
        text += tr(" so far: %1 of %2 records read")
                    .arg(grouped(m_calls->operations()->scanned()), grouped(session->size()));
    m_summary->setText(text + tr(" · times in milliseconds, excluding time waiting for the user"));
    m_summary->setVisible(calls > 0);
    m_copy->setEnabled(calls > 0);
    m_pages->setCurrentWidget(calls > 0 ? static_cast<QWidget *>(m_table) : static_cast<QWidget *>(m_empty));
    if (!session)
        m_empty->setContent(tr("No session"), tr("Connect to a server, or open a recorded session."));
    else if (isReading)
        m_empty->setContent(tr("Loading the session…"), {});
    else if (!session->isLive())
        m_empty->setContent(tr("No calls in this session"), tr("No requests were recorded."));
    else
        m_empty->setContent(tr("No calls yet"), tr("Call a tool; its duration will appear here."));
}

// Wide enough for what is in them, or the user has made wider; methods that a server invents may be longer.
void StatisticsWindow::fitColumns()
{
    using Column = StatisticsModel::Column;
    const QFontMetrics metrics(m_table->font());
    const QFontMetrics titles(m_table->horizontalHeader()->font());
    const int maxMethod = metrics.horizontalAdvance(QStringLiteral("resources/templates/list"));
    const int rows = qMin(m_model->rowCount(), MaxMeasuredRows);
    const auto widest = [&](int column) {
        int width = 0;
        for (int row = 0; row < rows; ++row)
            width = qMax(width, metrics.horizontalAdvance(m_model->index(row, column).data().toString()));
        return width;
    };
    m_table->setColumnHidden(int(Column::Waited), widest(int(Column::Waited)) == 0);
    for (int column = 0; column < int(Column::Count); ++column) {
        if (Column(column) == Column::Target || m_table->isColumnHidden(column))
            continue;
        const int width = Column(column) == Column::Method ? qMin(widest(column), maxMethod) : widest(column);
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int wanted = qMax(width, titles.horizontalAdvance(title) + SortArrowWidth) + 2 * Grid;
        if (m_table->columnWidth(column) < wanted)
            m_table->setColumnWidth(column, wanted);
    }
}

QString StatisticsWindow::asText() const
{
    const int columns = m_sorted->columnCount();
    QList<QStringList> lines;
    QStringList titles;
    for (int column = 0; column < columns; ++column)
        titles.append(m_sorted->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    lines.append(titles);
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columns; ++column)
            cells.append(m_sorted->index(row, column).data().toString());
        lines.append(cells);
    }
    QList<qsizetype> widths(columns, 0);
    for (const QStringList &cells : lines) {
        for (int column = 0; column < columns; ++column)
            widths[column] = qMax(widths[column], cells[column].size());
    }
    QString text;
    for (const QStringList &cells : lines) {
        QString line;
        for (int column = 0; column < columns; ++column) {
            const bool isName = column <= int(StatisticsModel::Column::Target);
            line += isName ? cells[column].leftJustified(widths[column]) : cells[column].rightJustified(widths[column]);
            line += QStringLiteral("  ");
        }
        text += line.trimmed() + QLatin1Char('\n');
    }
    return text;
}

void StatisticsWindow::copy()
{
    QGuiApplication::clipboard()->setText(asText());
}

}  // namespace sonde::ui
