// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/savedcallspanel.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/savedcalls/callsuitereport.h"
#include "ui/panels/savedcallsstep.h"
#include "ui/replay/replaystepsmodel.h"
#include "ui/replay/replaystepstable.h"
#include "ui/replay/replaystepview.h"
#include "ui/replay/stepspage.h"
#include "ui/result/outcometext.h"
#include "ui/result/savebytes.h"
#include "ui/theme/widgets.h"

#include <QItemSelectionModel>
#include <QPushButton>
#include <QShortcut>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int CountsIntervalMs = 50;

// The columns of a replay, of which saved calls need other names.
class SavedCallsModel final : public ReplayStepsModel {
public:
    using ReplayStepsModel::ReplayStepsModel;

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        const auto column = Column(section);
        const bool isText = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
        if (orientation == Qt::Horizontal && isText && column == Column::Step)
            return SavedCallsPanel::tr("Saved call");
        if (orientation == Qt::Horizontal && isText && column == Column::Now)
            return SavedCallsPanel::tr("ms");
        if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && column == Column::Now)
            return SavedCallsPanel::tr("Duration in milliseconds");
        return ReplayStepsModel::headerData(section, orientation, role);
    }
};

}  // namespace

SavedCallsPanel::SavedCallsPanel(const QString &source, const QString &server, const QList<SavedCall> &calls,
                                 Connection *connection, QWidget *parent)
    : QWidget(parent),
      m_source(source),
      m_connection(connection),
      m_server(server),
      m_bar(new ReplayBar(nullptr, ReplayBar::Subject::SavedCalls)),
      m_runFailed(m_bar->addButton(tr("Rerun failed"), u"savedCallsRunFailed"_s)),
      m_notice(new Banner),
      m_model(new SavedCallsModel(this)),
      m_table(new ReplayStepsTable(m_model)),
      m_view(makeCallStepView([this] { return m_suite->steps()[selected()].call; },
                              [this](const CallExpectation &expectation) {
                                  SavedCall call = m_suite->steps()[selected()].call;
                                  call.expect = expectation;
                                  m_suite->replaceCall(selected(), call);
                                  Q_EMIT callChanged(call);
                              })),
      m_escape(new QShortcut(Qt::Key_Escape, this))
{
    setObjectName(u"savedCallsPanel"_s);
    setAccessibleName(title());
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_runFailed->setToolTip(tr("Run those that did not pass again"));
    m_soon.setSingleShot(true);
    m_soon.setInterval(CountsIntervalMs);
    m_escape->setContext(Qt::WidgetWithChildrenShortcut);
    m_table->setObjectName(u"savedCallsTable"_s);
    m_table->setAccessibleName(tr("Saved calls"));
    m_table->hideTimeBefore();
    m_notice->setObjectName(u"savedCallsNotice"_s);
    layOutSteps(this, m_bar, {m_notice}, m_table, m_view);

    connect(m_bar, &ReplayBar::runRequested, this, &SavedCallsPanel::runRequested);
    connect(m_bar, &ReplayBar::stopRequested, this, &SavedCallsPanel::stop);
    connect(m_bar, &ReplayBar::shownStatusChanged, this, &SavedCallsPanel::applyShown);
    connect(m_bar, &ReplayBar::reportRequested, this, &SavedCallsPanel::saveReport);
    connect(m_bar, &ReplayBar::acceptRequested, this, &SavedCallsPanel::accept);
    connect(m_runFailed, &QPushButton::clicked, this, [this] { Q_EMIT runOnlyRequested(notPassed()); });
    connect(m_escape, &QShortcut::activated, this, &SavedCallsPanel::stop);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SavedCallsPanel::showSelected);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        if (const qsizetype step = m_model->stepAt(index); m_suite && step >= 0)
            Q_EMIT openRequested(m_suite->steps()[step].call);
    });
    connect(&m_soon, &QTimer::timeout, this, &SavedCallsPanel::showCounts);
    if (connection) {
        connect(connection, &Connection::stateChanged, this, &SavedCallsPanel::onStateChanged);
        connect(connection, &QObject::destroyed, this, [this] { connectionLeaves(tr("The server was closed.")); });
    }
    QList<StepRow> rows;
    for (const SavedCall &call : calls) {
        CallStep waiting;
        waiting.call = call;
        rows.append(stepRow(waiting));
    }
    m_model->setRows(rows);
    showState();
}

SavedCallsPanel::~SavedCallsPanel()
{
    if (!m_suite)
        return;
    m_suite->disconnect(this);
    if (m_connection)
        m_suite->stop();  // one that is over stays as it is
}

QString SavedCallsPanel::title() const
{
    return tr("Saved calls · %1 → %2").arg(visibleLine(m_source.section(u'/', -1), 60), visibleLine(m_server, 40));
}

void SavedCallsPanel::setServer(const QString &name)
{
    m_server = name;
    setAccessibleName(title());
}

qsizetype SavedCallsPanel::callsLeft() const
{
    return isRunning() ? m_suite->count(CallStep::Status::Waiting) + m_suite->count(CallStep::Status::Running) : 0;
}

void SavedCallsPanel::run(const QList<SavedCall> &calls)
{
    if (!m_connection || isRunning())
        return;
    m_notice->hide();
    m_leftOut.clear();
    m_view->clear();
    showSuite(std::make_shared<CallSuite>(calls, m_connection));
    m_suite->start();
    showState();
}

void SavedCallsPanel::showSuite(const std::shared_ptr<CallSuite> &suite)
{
    m_suite = suite;
    QList<StepRow> rows;
    for (const CallStep &step : m_suite->steps())
        rows.append(stepRow(step));
    m_model->setRows(rows);
    connect(m_suite.get(), &CallSuite::stepChanged, this, &SavedCallsPanel::onStepChanged);
    connect(m_suite.get(), &CallSuite::finished, this, &SavedCallsPanel::onFinished);
    showState();
}

void SavedCallsPanel::sayNotRun()
{
    say(Tone::Neutral, tr("Restored, but not run"), tr("Nothing is sent until you click Run again."));
}

void SavedCallsPanel::stop()
{
    if (m_suite)
        m_suite->stop();
}

void SavedCallsPanel::connectionLeaves(const QString &reason)
{
    if (m_connection)
        m_connection->disconnect(this);
    const bool wasRunning = isRunning();
    if (wasRunning)
        m_suite->abandon(Error::local(reason));
    m_connection = nullptr;
    if (wasRunning)
        sayNotAllRun(reason);
    showState();
}

// The server was stopped, restarted, or has failed: further calls would fail for no reason of theirs.
void SavedCallsPanel::onStateChanged()
{
    if (isRunning() && m_connection->state() != Connection::State::Connected) {
        const Error error = m_connection->error();
        const QString reason = m_connection->isRestarting() ? tr("The server was restarted.")
                               : error                      ? tr("The server %1.").arg(m_connection->statusText())
                                                            : tr("The server was stopped.");
        m_suite->abandon(Error::local(reason));
        sayNotAllRun(reason);
    }
    showState();
}

void SavedCallsPanel::onStepChanged(qsizetype index)
{
    m_model->setRow(index, stepRow(m_suite->steps()[index]));
    if (index == selected())
        showSelected();
    else if (selected() < 0 && isRunning())
        m_table->scrollTo(m_model->indexOf(index));
    if (!m_soon.isActive())
        m_soon.start();
}

// The first interesting one, unless the user is reading another.
void SavedCallsPanel::onFinished()
{
    showState();
    if (selected() >= 0 || m_suite->steps().isEmpty())
        return;
    const QList<CallStep> &steps = m_suite->steps();
    const auto found =
        std::ranges::find_if(steps, [](const CallStep &step) { return step.status != CallStep::Status::Passed; });
    select(found == steps.end() ? 0 : found - steps.begin());
}

qsizetype SavedCallsPanel::selected() const
{
    return m_model->stepAt(m_table->currentIndex());
}

void SavedCallsPanel::select(qsizetype index)
{
    const QModelIndex place = m_model->indexOf(index);
    m_table->setCurrentIndex(place);
    m_table->scrollTo(place);
}

void SavedCallsPanel::showSelected()
{
    const qsizetype index = selected();
    if (!m_suite || index < 0)
        return m_view->clear();
    const CallStep &step = m_suite->steps()[index];
    m_view->showStep(shownStep(step, index), step.call.arguments);
}

void SavedCallsPanel::showCounts()
{
    m_soon.stop();
    using Status = CallStep::Status;
    const auto count = [this](Status status) { return m_suite ? m_suite->count(status) : 0; };
    m_bar->setCounts({count(Status::Passed), count(Status::Failed), count(Status::Error), count(Status::Skipped)});
    const qsizetype total = m_model->rows().size();
    const qsizetype over = total - count(Status::Waiting) - count(Status::Running);
    qint64 durationNs = 0;
    for (const StepRow &row : m_model->rows())
        durationNs += std::max<qint64>(row.nowNs, 0);
    QStringList facts{isRunning() ? tr("%1 of %2").arg(grouped(over), grouped(total))
                                  : counted(total, tr("1 call"), tr("%1 calls"))};
    if (durationNs > 0)
        facts << durationText(durationNs);
    m_bar->setFacts(facts.join(u" · "_s));
    if (m_bar->shownStatus())
        applyShown();
}

void SavedCallsPanel::showState()
{
    const bool running = isRunning();
    m_bar->setRunning(running);
    m_escape->setEnabled(running);
    m_bar->setReportable(m_suite && !running);
    m_runFailed->setEnabled(m_suite && !running && m_connection && !notPassed().isEmpty());
    const bool canAccept = m_suite && !running && std::ranges::any_of(m_suite->steps(), [](const CallStep &step) {
                               return accepted(step).has_value();
                           });
    m_bar->setAcceptProblem(canAccept ? QString()
                            : running ? tr("The suite is running")
                                      : tr("No call has returned anything but what is expected"));
    showCounts();
}

void SavedCallsPanel::applyShown()
{
    const std::optional<ReplayStep::Status> wanted = m_bar->shownStatus();
    if (!wanted)
        return m_model->setShown(std::nullopt);
    QList<qsizetype> shown;
    for (qsizetype i = 0; i < m_model->rows().size(); ++i) {
        if (m_model->rows()[i].status == *wanted)
            shown.append(i);
    }
    m_model->setShown(shown);
}

QList<SavedCall> SavedCallsPanel::notPassed() const
{
    QList<SavedCall> calls;
    if (!m_suite)
        return calls;
    for (const CallStep &step : m_suite->steps()) {
        if (step.status != CallStep::Status::Passed)
            calls.append(step.call);
    }
    return calls;
}

void SavedCallsPanel::accept()
{
    for (qsizetype i = 0; i < m_suite->steps().size(); ++i) {
        if (const std::optional<SavedCall> call = accepted(m_suite->steps()[i])) {
            m_suite->replaceCall(i, *call);
            Q_EMIT callChanged(*call);
        }
    }
    showState();
}

void SavedCallsPanel::saveReport(ReplayBar::Report report)
{
    if (!m_suite)
        return;
    const bool isJUnit = report == ReplayBar::Report::JUnit;
    const QByteArray bytes = isJUnit ? callSuiteJUnit(*m_suite, m_server) : callSuiteJson(*m_suite) + '\n';
    const QString name = m_source.section(u'/', -1) + (isJUnit ? u".junit.xml"_s : u".results.json"_s);
    saveBytesAs(this, name, bytes,
                [this](const QString &sentence, bool saved) { say(saved ? Tone::Ok : Tone::ToolError, sentence); });
}

void SavedCallsPanel::sayNotAllRun(const QString &reason)
{
    QStringList lines{reason, m_leftOut};
    lines.removeAll(QString());
    say(Tone::ProtocolError, tr("Not all calls were run"), lines.join(u'\n'));
}

void SavedCallsPanel::noteLeftOut(const QString &title, const QString &text)
{
    m_leftOut = title + u'\n' + text;
    say(Tone::ToolError, title, text);
}

void SavedCallsPanel::say(Tone tone, const QString &title, const QString &text)
{
    m_notice->setContent(tone, title, text);
    m_notice->show();
}

}  // namespace sonde::ui
