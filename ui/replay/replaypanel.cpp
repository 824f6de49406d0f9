// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaypanel.h"

#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/replay/replayreport.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/replay/replaysteplist.h"
#include "ui/replay/replaystepview.h"
#include "ui/replay/stepspage.h"
#include "ui/result/outcometext.h"
#include "ui/result/savebytes.h"
#include "ui/theme/widgets.h"

#include <QLayout>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using State = ReplayRun::State;
constexpr int SoonMs = 50;
constexpr qsizetype MaxArgumentsLength = 200;

// The index of a result among the counts of the bar; nothing while the step is not finished.
std::optional<size_t> countOf(ReplayStep::Status status)
{
    switch (status) {
        case ReplayStep::Status::Same:
            return 0;
        case ReplayStep::Status::Changed:
            return 1;
        case ReplayStep::Status::Failed:
            return 2;
        case ReplayStep::Status::Skipped:
            return 3;
        case ReplayStep::Status::Waiting:
        case ReplayStep::Status::Running:
            break;
    }
    return std::nullopt;
}

QPushButton *addPromptButton(Banner *prompt, const QString &text, const QString &objectName)
{
    auto *button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setMinimumHeight(28);
    prompt->addControl(button);
    return button;
}

// A question beside the steps: a sentence, what it is about, and the buttons.
void showPrompt(Banner *prompt, Tone tone, const QString &title, const QString &text)
{
    prompt->setContent(tone, sign(tone) + u' ' + title, text);
    prompt->setAccessibleName(title);
    prompt->show();
}

}  // namespace

ReplayPanel::ReplayPanel(const ReplayPlan &plan, const SessionLibrary &library, QWidget *parent)
    : ReplayPanel(std::make_shared<ReplayRun>(plan, library), parent)
{}

ReplayPanel::ReplayPanel(std::shared_ptr<ReplayRun> run, QWidget *parent)
    : QWidget(parent),
      m_run(std::move(run)),
      m_bar(new ReplayBar),
      m_notice(new Banner),
      m_serverRequest(new Banner),
      m_confirm(new Banner),
      m_steps(new ReplayStepList),
      m_view(new ReplayStepView),
      m_escape(new QShortcut(Qt::Key_Escape, this))
{
    setObjectName(u"replayPanel"_s);
    setAccessibleName(title());
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_soon.setSingleShot(true);
    m_soon.setInterval(SoonMs);
    m_escape->setContext(Qt::WidgetWithChildrenShortcut);
    makePrompts();
    m_notice->setObjectName(u"replayNotice"_s);
    layOutSteps(this, m_bar, {m_notice, m_serverRequest, m_confirm}, m_steps, m_view);

    connect(m_bar, &ReplayBar::runRequested, this, &ReplayPanel::runByUser);
    connect(m_bar, &ReplayBar::stopRequested, this, &ReplayPanel::stop);
    connect(m_bar, &ReplayBar::shownStatusChanged, this, [this] { m_steps->setShownStatus(m_bar->shownStatus()); });
    connect(m_bar, &ReplayBar::rulesRequested, this, [this] { openRules(nullptr); });
    connect(m_bar, &ReplayBar::reportRequested, this, &ReplayPanel::saveReport);
    connect(m_bar, &ReplayBar::acceptRequested, this, &ReplayPanel::askToAccept);
    connect(m_escape, &QShortcut::activated, this, &ReplayPanel::stop);
    connect(m_steps, &ReplayStepList::selectedChanged, this, &ReplayPanel::showSelected);
    connect(m_steps, &ReplayStepList::menuRequested, this, &ReplayPanel::showMenu);
    connect(m_view, &ReplayStepView::ruleRequested, this, [this](const ReplayRule &rule) {
        ReplayRules rules = m_run->rules();
        if (const Error error = rules.add(rule))
            say(Tone::ToolError, tr("Cannot create this rule"), error.message);
        else
            setRules(rules);
    });
    connect(m_view, &ReplayStepView::ruleDrafted, this, [this](const ReplayRule &rule) { openRules(&rule); });
    // There can be very many steps: their rows are made on request.
    m_run->setOnRead([this](const QList<ReplayStep> &steps, const Session &recording) -> std::function<void()> {
        QList<StepRow> rows;
        rows.reserve(steps.size());
        for (const ReplayStep &step : steps)
            rows.append(stepRow(step, recording));
        return [this, rows] { m_firstRows = rows; };
    });
    connect(m_run.get(), &ReplayRun::stateChanged, this, &ReplayPanel::onStateChanged);
    connect(m_run.get(), &ReplayRun::stepsReset, this, &ReplayPanel::onStepsReset);
    connect(m_run.get(), &ReplayRun::stepChanged, this, &ReplayPanel::onStepChanged);
    connect(m_run.get(), &ReplayRun::askedChanged, this, &ReplayPanel::onAsked);
    connect(m_run.get(), &ReplayRun::judged, this, &ReplayPanel::showReportable);
    connect(m_run.get(), &ReplayRun::accepted, this, &ReplayPanel::onAccepted);
    connect(&m_soon, &QTimer::timeout, this, &ReplayPanel::showCounts);
    showRun();
}

// As it is: one that is over has its steps.
void ReplayPanel::showRun()
{
    QList<StepRow> rows;
    for (const ReplayStep &step : m_run->steps()) {
        rows.append(stepRow(step, *m_run->recording()));
        rows.last().nowNs = m_run->durationNs(rows.size() - 1);
        if (const auto count = countOf(step.status))
            ++m_counts[*count];
    }
    if (!rows.isEmpty())
        m_steps->setSteps(rows, m_run->recording());
    onStateChanged();
    if (m_run->state() == State::Idle)
        say(Tone::Neutral, tr("Restored, but not run"), tr("Nothing is sent until you click Run again."));
}

void ReplayPanel::runByUser()
{
    const std::optional<Error> problem = m_beforeRun ? m_beforeRun() : std::nullopt;
    if (!problem)
        start();
    else if (!problem->message.isEmpty())
        say(Tone::ToolError, tr("Not run"),
            problem->hint.isEmpty() ? problem->message : problem->message + u' ' + problem->hint);
}

ReplayPanel::~ReplayPanel()
{
    m_run->disconnect(this);
}

void ReplayPanel::makePrompts()
{
    m_serverRequest->setObjectName(u"replayQuestion"_s);
    for (Banner *prompt : {m_serverRequest, m_confirm})
        prompt->layout()->setContentsMargins(2 * Grid, Grid, 2 * Grid, Grid);
    const auto response = [this](const QString &text, const QString &name, bool run, bool ofAll) {
        QPushButton *button = addPromptButton(m_serverRequest, text, name);
        connect(button, &QPushButton::clicked, this, [this, run, ofAll] {
            m_hasJustAnswered = true;
            m_run->decide(run, ofAll);
        });
        return button;
    };
    response(tr("&Run"), u"askRun"_s, true, false);
    m_skip = response(tr("&Skip"), u"askSkip"_s, false, false);
    response(tr("Run all"), u"askRunAll"_s, true, true);
    response(tr("Skip all"), u"askSkipAll"_s, false, true);
    m_confirm->setObjectName(u"replayConfirm"_s);
    QPushButton *accept = addPromptButton(m_confirm, tr("Accept"), u"confirmAccept"_s);
    m_cancel = addPromptButton(m_confirm, tr("Cancel"), u"confirmCancel"_s);
    connect(accept, &QPushButton::clicked, this, [this] {
        m_confirm->hide();
        m_run->accept();
    });
    connect(m_cancel, &QPushButton::clicked, m_confirm, &QWidget::hide);
}

QString ReplayPanel::title() const
{
    return tr("Replay · %1 → %2")
        .arg(visibleLine(m_run->plan().recordingName(), 60), visibleLine(m_run->plan().server.name, 40));
}

bool ReplayPanel::isRunning() const
{
    return m_run->isActive();
}

qsizetype ReplayPanel::callsLeft() const
{
    if (!isRunning())
        return 0;
    const QList<ReplayStep> &steps = m_run->steps();
    const auto isLeft = [](const ReplayStep &step) {
        return step.status == ReplayStep::Status::Waiting || step.status == ReplayStep::Status::Running;
    };
    // Before the session has been read nobody knows how many there are.
    return steps.isEmpty() ? 1 : std::count_if(steps.begin(), steps.end(), isLeft);
}

void ReplayPanel::start()
{
    m_notice->hide();
    m_confirm->hide();
    m_hasJustAnswered = false;
    m_run->start();
}

void ReplayPanel::stop()
{
    m_run->stop();
}

void ReplayPanel::onStateChanged()
{
    const bool running = m_run->isActive();
    m_bar->setRunning(running);
    m_escape->setEnabled(running);
    m_bar->setRuleCount(m_run->rules().rules().size());
    m_bar->setAcceptProblem(m_run->acceptProblem());
    showReportable();
    if (m_run->state() == State::Finished) {
        showProblem();
        selectFirstDifference();
    }
    showCounts();
    showEmpty();
}

void ReplayPanel::onStepsReset()
{
    m_latest = -1;
    m_counts = {};
    m_steps->setSteps(std::exchange(m_firstRows, {}), m_run->recording());
    m_view->clear();
}

void ReplayPanel::onStepChanged(qsizetype step)
{
    if (const auto before = countOf(m_steps->statusOf(step)))
        --m_counts[*before];
    if (const auto now = countOf(m_run->steps()[step].status))
        ++m_counts[*now];
    StepRow row = stepRow(m_run->steps()[step], *m_run->recording());
    row.nowNs = m_run->durationNs(step);
    m_steps->setStep(step, row);
    if (step == m_steps->selected())
        showSelected();
    m_latest = step;
    if (!m_soon.isActive())
        m_soon.start();
}

void ReplayPanel::onAsked()
{
    const qsizetype step = m_run->askedStep();
    if (step < 0) {
        if (m_serverRequest->isAncestorOf(window()->focusWidget()))
            m_steps->setFocus();
        m_serverRequest->hide();
        return;
    }
    const QString tool = visibleLine(stepTitle(m_run->steps()[step]), 80);
    const QString arguments = visibleLine(QString::fromUtf8(m_run->arguments(step).slice().first(
                                              qMin(m_run->arguments(step).slice().size(), 4 * MaxArgumentsLength))),
                                          MaxArgumentsLength);
    showPrompt(m_serverRequest, Tone::ToolError, tr("%1 may change or delete data. Run it?").arg(tool),
               arguments.isEmpty() ? QString() : tr("Step %1, with %2").arg(step + 1).arg(arguments));
    focusServerRequest();
    if (m_steps->selected() < 0)
        m_steps->scrollTo(step);
}

// After Run again, after a response to the previous server request, or on opening this tab, the server request takes
// the focus. Otherwise the focus stays: the next Space would respond to something unread.
void ReplayPanel::focusServerRequest()
{
    const QWidget *focused = window()->focusWidget();
    const bool isHere = !focused || focused == this || isAncestorOf(focused);
    if (!isVisible() || m_serverRequest->isHidden() || !isHere)
        return;
    const bool isReading = focused && focused != this && !m_bar->isAncestorOf(focused) && m_steps->selected() >= 0;
    if (!isReading || m_hasJustAnswered)
        m_skip->setFocus();
}

void ReplayPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    // The tab widget gives the focus to this page after it has shown it.
    QMetaObject::invokeMethod(this, &ReplayPanel::focusServerRequest, Qt::QueuedConnection);
}

// When the replay ends, select the first interesting step, unless the user is reading one.
void ReplayPanel::selectFirstDifference()
{
    if (m_steps->selected() >= 0 || m_run->steps().isEmpty())
        return;
    const QList<ReplayStep> &steps = m_run->steps();
    const auto found = std::find_if(steps.begin(), steps.end(), [](const ReplayStep &step) {
        return step.status == ReplayStep::Status::Changed || step.status == ReplayStep::Status::Failed;
    });
    m_steps->select(found == steps.end() ? 0 : found - steps.begin());
}

void ReplayPanel::showMenu(qsizetype step, const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(u"replayStepMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *save = menu->addAction(tr("Save as saved call…"), this, [this, step] {
        if (step >= m_run->steps().size() || !m_run->recording())
            return;
        const ReplayStep &saved = m_run->steps()[step];
        Q_EMIT saveCallRequested(m_run->recording()->message(saved.call.row),
                                 saved.live.isResponse() ? saved.live : saved.recorded);
    });
    save->setEnabled(m_run->steps().value(step).method == methods::CallTool);
    menu->popup(place);
}

void ReplayPanel::showSelected()
{
    const qsizetype step = m_steps->selected();
    if (step < 0 || step >= m_run->steps().size())
        m_view->clear();
    else
        m_view->showStep(m_run->steps()[step], m_run->arguments(step));
}

void ReplayPanel::showCounts()
{
    const qsizetype over = std::accumulate(m_counts.begin(), m_counts.end(), qsizetype(0));
    m_bar->setCounts(m_counts);
    if (m_latest >= 0 && m_steps->selected() < 0 && m_run->isActive())
        m_steps->scrollTo(m_latest);
    const qsizetype total = m_run->steps().size();
    QStringList facts;
    if (m_run->state() == State::Loading)
        facts << tr("loading the session…");
    else if (m_run->state() == State::Connecting)
        facts << tr("starting the server…");
    else if (m_run->isActive())
        facts << tr("%1 of %2").arg(grouped(over), grouped(total));
    else if (m_run->state() != State::Idle)
        facts << counted(total, tr("1 step"), tr("%1 steps"));
    if (m_run->elapsedNs() >= 0)
        facts << durationText(m_run->elapsedNs());
    m_bar->setFacts(facts.join(u" · "_s));
    if (m_bar->shownStatus())
        m_steps->setShownStatus(m_bar->shownStatus());  // some have another one by now
}

// While steps are being compared again, a report would mix the results of two sets of rules.
void ReplayPanel::showReportable()
{
    m_bar->setReportable(!m_run->isActive() && !m_run->isJudging() && !m_run->steps().isEmpty());
}

void ReplayPanel::showProblem()
{
    const Error problem = m_run->problem();
    if (!problem) {
        const QStringList left = m_run->replayer() ? m_run->replayer()->serverRequestsLeft() : QStringList();
        if (!m_run->damage().isEmpty() && m_notice->isHidden())
            say(Tone::ToolError, tr("The session was not fully replayed"), m_run->damage());
        else if (!left.isEmpty() && m_notice->isHidden())
            say(Tone::Finding, tr("These recorded server requests outside of calls did not occur"), left.join(u", "_s));
        return;
    }
    const QList<ReplayStep> &steps = m_run->steps();
    const bool any = std::any_of(steps.begin(), steps.end(), [](const ReplayStep &step) { return step.hasRun(); });
    QStringList text{problem.message};
    if (!problem.hint.isEmpty())
        text << problem.hint;
    if (!problem.detail.isEmpty())
        text << problem.detail.trimmed().section(u'\n', -3);
    say(Tone::ProtocolError,
        !m_run->replayer()                     ? tr("The session was not replayed")
        : any                                  ? tr("The connection to the server was lost during the replay")
        : m_run->plan().server.startsProcess() ? tr("The server did not start")
                                               : tr("The server could not be reached"),
        text.join(u'\n'));
}

void ReplayPanel::showEmpty()
{
    m_view->setVisible(!m_run->steps().isEmpty());
    if (m_run->state() == State::Loading)
        m_steps->setEmptyText(tr("Loading the session…"), m_run->plan().recordingPath);
    else if (m_run->problem())
        m_steps->setEmptyText(tr("Nothing was replayed"), {});
    else if (m_run->state() == State::Idle)
        m_steps->setEmptyText(tr("Not run"), m_run->plan().recordingPath);
    else if (m_run->plan().calls == ReplayPlan::Calls::All)
        m_steps->setEmptyText(tr("No calls"), tr("This session contains no requests to a server."));
    else
        m_steps->setEmptyText(tr("No calls"), tr("None of the session's calls match the selection."));
}

void ReplayPanel::setRules(const ReplayRules &rules)
{
    const Error error = m_run->setRules(rules, m_steps->selected());
    m_bar->setRuleCount(rules.rules().size());
    if (m_rulesDialog)
        m_rulesDialog->showSaved(error);
    if (error)
        say(Tone::ToolError, tr("The rules apply to this replay but could not be saved"), error.message);
    showSelected();
    showCounts();
    showReportable();
}

void ReplayPanel::openRules(const ReplayRule *draft)
{
    m_rulesDialog = new IgnoreRulesDialog(m_run->rules(), ReplayRules::pathBeside(m_run->plan().recordingPath), this);
    m_rulesDialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_rulesDialog, &IgnoreRulesDialog::rulesChanged, this, &ReplayPanel::setRules);
    m_rulesDialog->open();
    if (draft)
        m_rulesDialog->addDraft(*draft);
}

void ReplayPanel::saveReport(ReplayBar::Report report)
{
    if (!m_run->replayer())
        return;
    const bool isJUnit = report == ReplayBar::Report::JUnit;
    const QByteArray bytes = isJUnit ? replayJUnit(*m_run->replayer(), m_run->recording()->serverName())
                                     : replayJson(*m_run->replayer()) + '\n';
    const QString name = m_run->plan().recordingName() + (isJUnit ? u".junit.xml"_s : u".replay.json"_s);
    saveBytesAs(this, name, bytes,
                [this](const QString &sentence, bool saved) { say(saved ? Tone::Ok : Tone::ToolError, sentence); });
}

void ReplayPanel::askToAccept()
{
    const QString path = m_run->plan().recordingPath;
    showPrompt(
        m_confirm, Tone::Accent, tr("Accept these responses as the new baseline?"),
        tr("%1 will contain the new responses. The previous session is kept in the same folder as NAME.before-DATE.")
            .arg(path));
    m_cancel->setFocus();
}

void ReplayPanel::onAccepted(const Error &error)
{
    if (error)
        say(Tone::ToolError, tr("Not accepted; the session is unchanged."),
            error.hint.isEmpty() ? error.message : error.message + u' ' + error.hint);
    else
        say(Tone::Ok, tr("Accepted: %1 now contains the new responses.").arg(m_run->plan().recordingPath),
            tr("The previous session is %1.").arg(m_run->previousPath()));
    if (!error)
        Q_EMIT recordingReplaced(m_run->plan().recordingPath);
}

void ReplayPanel::say(Tone tone, const QString &title, const QString &text)
{
    m_notice->setContent(tone, title, text);
    m_notice->show();
}

}  // namespace sonde::ui
