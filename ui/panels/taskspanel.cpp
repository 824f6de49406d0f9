// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/taskspanel.h"

#include "core/protocol/visibletext.h"
#include "ui/panels/tasklistmodel.h"
#include "ui/result/resultview.h"
#include "ui/result/taskfacts.h"
#include "ui/theme/fittedsplitter.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MinTaskRows = 2;

}  // namespace

TasksPanel::TasksPanel(Connection *connection, QWidget *parent)
    : QWidget(parent),
      m_connection(connection),
      m_title(new TextLabel(tr("Tasks"))),
      m_subtitle(new TextLabel),
      m_refresh(new QPushButton(tr("Refresh"))),
      m_model(new TaskListModel(connection->tasks(), this)),
      m_list(new TaskListView(m_model)),
      m_empty(new EmptyState({}, {})),
      m_splitter(new FittedSplitter),
      m_detail(new QWidget),
      m_facts(new TextLabel),
      m_result(new ResultView)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, Grid + 4, 0, 0);
    column->setSpacing(Grid);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(2 * Grid, 0, 2 * Grid, 0);
    auto *names = new QVBoxLayout;
    names->setSpacing(2);
    m_title->setFont(headingFont());
    m_subtitle->setDim(true);
    m_subtitle->setObjectName(u"tasksNote"_s);
    m_subtitle->setElided(true);
    m_subtitle->setMinimumWidth(40);
    names->addWidget(m_title);
    names->addWidget(m_subtitle);
    head->addLayout(names, 1);
    m_refresh->setObjectName(u"refreshTasks"_s);
    head->addWidget(m_refresh, 0, Qt::AlignTop);
    column->addLayout(head);
    column->addWidget(m_empty, 1);

    auto *detail = new QVBoxLayout(m_detail);
    detail->setContentsMargins(0, Grid / 2, 0, 0);
    detail->setSpacing(0);
    m_facts->setObjectName(u"taskFacts"_s);
    m_facts->setDim(true);
    m_facts->setFont(smallFont());
    m_facts->setWordWrap(true);
    m_facts->setMinimumWidth(40);
    m_facts->setContentsMargins(2 * Grid, 0, 2 * Grid, 0);
    m_result->setObjectName(u"result"_s);
    detail->addWidget(m_facts);
    detail->addWidget(m_result, 1);
    m_splitter->setObjectName(u"tasksSplitter"_s);
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(m_detail);
    m_splitter->setNeededHeight([this] { return qMax(MinTaskRows, m_model->rowCount()) * rowHeight() + Grid; });
    followFont(m_list, [this] {
        m_list->setMinimumHeight(MinTaskRows * rowHeight());
        m_splitter->fit();
    });
    column->addWidget(m_splitter, 1);

    connect(m_refresh, &QPushButton::clicked, this, [this] {
        if (m_connection)
            m_connection->tasks()->refresh();
    });
    connect(m_list, &QListView::clicked, this, &TasksPanel::open);
    connect(m_list, &QListView::activated, this, &TasksPanel::open);
    connect(m_result, &ResultView::cancelRequested, this, [this] {
        if (m_connection)
            m_connection->tasks()->cancel(m_shownId);
    });
    connect(m_result, &ResultView::resourceActivated, this, &TasksPanel::resourceActivated);
    connect(connection->tasks(), &TaskList::changed, this, &TasksPanel::refresh);
    connect(connection, &Connection::stateChanged, this, &TasksPanel::refresh);
    refresh();
    connection->tasks()->refresh();
}

void TasksPanel::refresh()
{
    if (!m_connection)
        return;
    const TaskList &tasks = *m_connection->tasks();
    const bool isConnected = m_connection->state() == Connection::State::Connected;
    const bool isEmpty = tasks.tasks().empty();
    m_empty->setContent(tr("No tasks"), isUnknown() ? lostText() : tr("Calls that run as tasks appear here."));
    m_empty->setVisible(isEmpty);
    m_splitter->setVisible(!isEmpty);
    m_splitter->fit();
    m_refresh->setEnabled(isConnected && !tasks.isLoading() && m_connection->taskSupport().calls);
    QString note;
    if (tasks.error())
        note = tr("Some tasks could not be read: %1").arg(tasks.error().message);
    else if (isConnected && !m_connection->taskSupport().calls)
        note = tr("The server does not support tasks.");
    else if (isConnected && !m_connection->taskSupport().canBeListed)
        note = tr("Tasks started by Sonde. The server does not list tasks.");
    m_subtitle->setServerText(
        visibleLine(note.isEmpty() ? m_connection->spec().name : m_connection->spec().name + u" · "_s + note));
    showTask();
}

void TasksPanel::selectTask(const QString &id)
{
    m_shownId = id;
    refresh();
}

bool TasksPanel::isUnknown() const
{
    const TaskList &tasks = *m_connection->tasks();
    return !m_shownId.isEmpty() && m_connection->state() == Connection::State::Connected && !tasks.isLoading() &&
           !tasks.task(m_shownId);
}

// The result is asked for where it is not known yet.
void TasksPanel::open(const QModelIndex &index)
{
    if (!m_connection || !index.isValid())
        return;
    m_shownId = m_model->at(index.row()).id;
    m_shownCall.clear();
    m_shownOutcome = {};
    const KnownTask *known = m_connection->tasks()->task(m_shownId);
    if (known && !known->call && !known->outcome && !known->isLost &&
        known->state.status != TaskState::Status::Cancelled)
        m_connection->tasks()->follow(m_shownId);
    refresh();
}

void TasksPanel::showTask()
{
    const KnownTask *known = m_connection->tasks()->task(m_shownId);
    m_facts->setText(known ? taskTimes(known->state) : QString());
    m_facts->setVisible(known && !known->call);
    if (!known) {
        if (isUnknown())
            m_result->showEmpty(lostText());
        else
            m_result->showEmpty(tr("Select a task to see its result."), tr("No task selected"));
    } else if (known->call) {
        if (m_shownCall != known->call)
            m_result->showRunning(known->call);
        m_shownCall = known->call;
    } else if (known->outcome) {
        if (m_shownOutcome != known->outcome->startedAt)
            m_result->showOutcome(ResultView::Subject::Tool, *known->outcome);
        m_shownOutcome = known->outcome->startedAt;
        m_shownCall.clear();
    } else if (known->isLost) {
        m_shownCall.clear();
        m_result->showEmpty(lostText());
    } else {
        m_shownCall.clear();
        m_result->showEmpty(known->state.status == TaskState::Status::Cancelled
                                ? tr("The task was cancelled. %1").arg(visibleLine(known->state.message, 400))
                            : m_connection->state() == Connection::State::Connected
                                ? tr("Click a task to see its result.")
                                : tr("Not connected to the server."));
    }
    const int row = m_model->rowOf(m_shownId);
    if (row >= 0 && m_list->currentIndex().row() != row)
        m_list->setCurrentIndex(m_model->index(row));
}

}  // namespace sonde::ui
