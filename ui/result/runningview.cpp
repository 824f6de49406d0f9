// SPDX-License-Identifier: Apache-2.0
#include "ui/result/runningview.h"

#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/result/taskfacts.h"
#include "ui/theme/breakingrow.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/widgets.h"

#include <QProgressBar>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace sonde::ui {

namespace {

constexpr int TickMs = 100;
constexpr int QuietTickMs = 1000;

}  // namespace

RunningView::RunningView(QWidget *parent)
    : QWidget(parent),
      m_tick(this),
      m_elapsed(new TextLabel({}, this)),
      m_task(new TaskFacts(this)),
      m_message(new TextLabel({}, this)),
      m_bar(new QProgressBar(this)),
      m_showRequest(new QPushButton(tr("Show request"), this)),
      m_cancel(new QPushButton(tr("Cancel call"), this))
{
    m_elapsed->setObjectName(QStringLiteral("elapsed"));
    m_elapsed->setAccessibleName(tr("Elapsed time"));
    m_elapsed->setWordWrap(true);  // the time is at its end
    m_elapsed->setMinimumWidth(40);
    m_message->setObjectName(QStringLiteral("progressText"));
    m_message->setAccessibleName(tr("Progress message from the server"));
    m_message->setDim(true);
    m_message->setElided(true);
    m_message->setMinimumWidth(40);
    m_bar->setObjectName(QStringLiteral("progress"));
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(Grid);
    m_showRequest->setObjectName(QStringLiteral("showRequest"));
    m_showRequest->setAccessibleName(tr("Show the request of the server"));
    m_showRequest->setToolTip(tr("Shows the server's request"));
    m_showRequest->hide();
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_cancel->setAccessibleName(tr("Cancel the call"));

    // In a low place it scrolls: buttons and texts keep their heights.
    auto *layout = new QVBoxLayout(addScrolledPage(this));
    findChild<QScrollArea *>()->setFocusPolicy(Qt::NoFocus);  // nothing there but the buttons
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Grid);
    auto *buttons = new QWidget;
    auto *flow = new FlowLayout(buttons);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->setSpacing(Grid / 2);
    flow->addWidget(m_showRequest);
    flow->addWidget(m_cancel);
    layout->addWidget(new BreakingRow(m_elapsed, buttons));
    layout->addWidget(m_task);
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    layout->addStretch(1);

    m_tick.setObjectName(QStringLiteral("tick"));
    connect(&m_tick, &QTimer::timeout, this, &RunningView::showElapsed);
    connect(m_showRequest, &QPushButton::clicked, this, [this] { Q_EMIT requestShown(m_call); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        m_cancel->setText(tr("Cancelling…"));
        Q_EMIT cancelRequested();
    });
}

void RunningView::watch(Call *call)
{
    if (m_call)
        disconnect(m_call, nullptr, this, nullptr);
    m_call = call;
    m_bar->setRange(0, 0);
    m_message->clear();
    m_message->setToolTip({});
    m_cancel->setEnabled(true);
    m_cancel->setText(tr("Cancel call"));
    m_waitsForUser = false;
    m_isRequestInSight = false;
    m_elapsed->setTone(Tone::Neutral);
    if (!call) {
        m_tick.stop();
        return;
    }
    connect(call, &Call::progressed, this, &RunningView::showProgress);
    m_tick.start(reducesMotion() ? QuietTickMs : TickMs);
    showElapsed();
}

void RunningView::setConnectionProblem(const QString &problem)
{
    if (problem == m_connectionProblem)
        return;
    m_connectionProblem = problem;
    m_elapsed->setTone(problem.isEmpty() ? Tone::Neutral : Tone::NoResponse);
    showElapsed();
}

void RunningView::showElapsed()
{
    if (!m_call) {
        m_tick.stop();
        return;
    }
    const double seconds = double(m_call->elapsedNs()) / 1e9;
    const std::optional<AwaitedInput> awaited = m_inputCheck ? m_inputCheck(*m_call) : std::nullopt;
    const bool isLost = !m_connectionProblem.isEmpty();
    const QString text = isLost    ? tr("Resuming (%1)… %2 s").arg(visibleLine(m_connectionProblem, 80))
                         : awaited ? tr("Waiting for your response… %1").arg(awaited->time)
                         : m_call->isAwaitingCredentials() ? tr("Waiting for sign-in… %1 s")
                         : m_call->task()                  ? tr("Running as a task… %1 s")
                                                           : tr("Waiting for response… %1 s");
    m_elapsed->setText(awaited && !isLost ? text : text.arg(seconds, 0, 'f', reducesMotion() ? 0 : 1));
    m_showRequest->setVisible(awaited && !awaited->isInSight);
    m_task->show(m_call);
    if (m_waitsForUser != awaited.has_value())
        m_elapsed->setTone(awaited ? Tone::Asks : Tone::Neutral);
    m_waitsForUser = awaited.has_value();
    const bool wasInSight = std::exchange(m_isRequestInSight, awaited && awaited->isInSight);
    if (m_isRequestInSight && !wasInSight)
        Q_EMIT requestCame(m_call);
}

// What a server counts wrongly is a finding of the client; here it only has to stay within the bar.
void RunningView::showProgress(const Progress &progress)
{
    constexpr int Steps = 1000;
    constexpr int Digits = 12;
    const bool isKnown = progress.total && *progress.total > 0;
    m_bar->setRange(0, isKnown ? Steps : 0);
    if (isKnown) {
        const double part = progress.progress / *progress.total;
        m_bar->setValue(part >= 1 ? Steps : part > 0 ? int(part * Steps) : 0);
    }
    QString text = QString::number(progress.progress, 'g', Digits);
    if (progress.total)
        text = tr("%1 of %2").arg(text, QString::number(*progress.total, 'g', Digits));
    m_bar->setAccessibleDescription(text);
    if (!progress.message.isEmpty())
        text += QStringLiteral(" · ") + visibleLine(progress.message, 2000);
    m_message->setText(text);
    m_message->setToolTip(plainToolTip(text));
}

}  // namespace sonde::ui
