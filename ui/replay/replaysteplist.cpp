// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaysteplist.h"

#include "core/filter/filtermatcher.h"
#include "ui/replay/replaystepsmodel.h"
#include "ui/replay/replaystepstable.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/filter/filterline.h"

#include <QElapsedTimer>
#include <QItemSelectionModel>
#include <QStackedWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qint64 ListSliceNs = 5'000'000;

}  // namespace

// Which steps match the filter, computed in slices.
class ReplayStepList::StepFilter {
public:
    StepFilter(const Filter &filter, const Session *session) : matcher(filter, session) {}

    FilterMatcher matcher;
    QList<bool> verdicts;  // of the steps looked at so far
};

ReplayStepList::ReplayStepList(QWidget *parent)
    : QWidget(parent),
      m_filter(new FilterLine),
      m_pages(new QStackedWidget),
      m_model(new ReplayStepsModel(this)),
      m_table(new ReplayStepsTable(m_model)),
      m_empty(new EmptyState({}, {}))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_filter->setObjectName(u"replayFilter"_s);
    m_filter->setAccessibleName(tr("Filter steps"));
    m_filter->setPlaceholderText(tr("Filter: words or ms > 500"));
    m_filter->setClearButtonEnabled(true);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(Grid, Grid - 2, Grid, Grid - 2);
    line->addWidget(m_filter);
    column->addLayout(line);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    column->addWidget(m_pages, 1);
    connect(m_filter, &FilterLine::filterChanged, this, &ReplayStepList::restartFilter);
    connect(m_filter, &FilterLine::problemChanged, this,
            [this] { m_filter->setToolTip(plainToolTip(m_filter->problemText())); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ReplayStepList::onCurrentChanged);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint &place) {
        if (const qsizetype step = m_model->stepAt(m_table->indexAt(place)); step >= 0)
            Q_EMIT menuRequested(step, m_table->viewport()->mapToGlobal(place));
    });
    connect(&m_slices, &QTimer::timeout, this, &ReplayStepList::filterSlice);
    setFocusProxy(m_table);
    showEmpty();
}

ReplayStepList::~ReplayStepList() = default;

void ReplayStepList::setSteps(QList<StepRow> rows, const Session *recording)
{
    m_stepFilter.reset();
    m_recording = recording;
    m_selected = -1;
    m_filter->setSession(recording);
    m_model->setRows(std::move(rows));
    restartFilter();
}

void ReplayStepList::setStep(qsizetype step, const StepRow &row)
{
    m_model->setRow(step, row);
}

ReplayStep::Status ReplayStepList::statusOf(qsizetype step) const
{
    return m_model->rows().at(step).status;
}

void ReplayStepList::setShownStatus(const std::optional<ReplayStep::Status> &status)
{
    m_status = status;
    applyShown();
}

void ReplayStepList::setEmptyText(const QString &title, const QString &text)
{
    m_emptyTitle = title;
    m_emptyText = text;
    showEmpty();
}

void ReplayStepList::select(qsizetype step)
{
    const QModelIndex place = m_model->indexOf(step);
    if (!place.isValid())
        return;
    m_table->setCurrentIndex(place);
    m_table->scrollTo(place, QAbstractItemView::PositionAtCenter);
}

void ReplayStepList::scrollTo(qsizetype step)
{
    m_table->scrollTo(m_model->indexOf(step));
}

void ReplayStepList::onCurrentChanged()
{
    const qsizetype step = m_model->stepAt(m_table->currentIndex());
    if (m_isRestoring || step < 0 || step == m_selected)
        return;
    m_selected = step;
    Q_EMIT selectedChanged(step);
}

void ReplayStepList::restartFilter()
{
    m_stepFilter.reset();
    if (!m_filter->filter().matchesAll() && m_recording)
        m_stepFilter = std::make_unique<StepFilter>(m_filter->filter(), m_recording);
    filterSlice();
}

void ReplayStepList::filterSlice()
{
    m_slices.stop();
    if (m_stepFilter) {
        const QList<StepRow> &rows = m_model->rows();
        QList<bool> &verdicts = m_stepFilter->verdicts;
        QElapsedTimer clock;
        clock.start();
        while (verdicts.size() < rows.size() && clock.nsecsElapsed() < ListSliceNs)
            verdicts.append(m_stepFilter->matcher.matches(rows[verdicts.size()].sessionRow));
        if (verdicts.size() < rows.size())
            m_slices.start(0);
    }
    applyShown();
}

void ReplayStepList::applyShown()
{
    const QList<StepRow> &rows = m_model->rows();
    std::optional<QList<qsizetype>> shown;
    if (m_status || m_stepFilter) {
        shown.emplace();
        const qsizetype known = m_stepFilter ? m_stepFilter->verdicts.size() : rows.size();
        for (qsizetype i = 0; i < known; ++i) {
            if ((!m_status || rows[i].status == *m_status) && (!m_stepFilter || m_stepFilter->verdicts[i]))
                shown->append(i);
        }
    }
    m_isRestoring = true;
    m_model->setShown(shown);
    if (m_selected >= 0 && !m_table->currentIndex().isValid())
        select(m_selected);
    m_isRestoring = false;
    showEmpty();
}

void ReplayStepList::showEmpty()
{
    const bool any = m_model->rowCount() > 0;
    m_pages->setCurrentWidget(any ? static_cast<QWidget *>(m_table) : m_empty);
    m_filter->setEnabled(!m_model->rows().isEmpty());
    if (any)
        return;
    if (m_model->rows().isEmpty())
        m_empty->setContent(m_emptyTitle, m_emptyText);
    else if (m_slices.isActive())
        m_empty->setContent(tr("Searching…"), {});
    else
        m_empty->setContent(tr("No matching steps"), tr("Change the filter, or click the badge again."));
}

}  // namespace sonde::ui
