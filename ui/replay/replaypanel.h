// A tab that replays a recording against a server, with the differences of each step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayrun.h"
#include "ui/replay/replaybar.h"
#include "ui/replay/replaytext.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <functional>
#include <memory>
#include <optional>

class QPushButton;
class QShortcut;

namespace sonde::ui {

class Banner;
class IgnoreRulesDialog;
class ReplayStepList;
class ReplayStepView;

// Deleting the panel ends the server, unless the run is shared with the panel that takes its place.
class ReplayPanel : public QWidget {
    Q_OBJECT
public:
    ReplayPanel(const ReplayPlan &plan, const SessionLibrary &library, QWidget *parent = nullptr);
    // Shows a run that is over, or one that is yet to be started by the user.
    explicit ReplayPanel(std::shared_ptr<ReplayRun> run, QWidget *parent = nullptr);
    ~ReplayPanel() override;

    // Asked when the user clicks Run: an Error says why it cannot run, one without a message that nobody wants it.
    void setBeforeRun(const std::function<std::optional<Error>()> &beforeRun) { m_beforeRun = beforeRun; }
    std::shared_ptr<ReplayRun> sharedRun() const { return m_run; }
    QString title() const;  // "Replay · RECORDING → SERVER"
    bool isRunning() const;
    qsizetype callsLeft() const;  // that would be cancelled or not made if it ended now
    void start();
    void stop();
    const ReplayRun &run() const { return *m_run; }

protected:
    void showEvent(QShowEvent *event) override;

Q_SIGNALS:
    // New responses have replaced the recording at this path.
    void recordingReplaced(const QString &path);
    // A tools/call of the recording, with its new response or, where there is none, the recorded one.
    void saveCallRequested(const sonde::Message &request, const sonde::Message &response);

private:
    void makePrompts();
    void showRun();
    void runByUser();
    void onStateChanged();
    void onStepsReset();
    void onStepChanged(qsizetype step);
    void onAsked();
    void focusServerRequest();
    void selectFirstDifference();
    void showMenu(qsizetype step, const QPoint &place);
    void showSelected();
    void showCounts();
    void showReportable();
    void showProblem();
    void showEmpty();
    void setRules(const ReplayRules &rules);
    void openRules(const ReplayRule *draft);
    void saveReport(ReplayBar::Report report);
    void askToAccept();
    void onAccepted(const Error &error);
    void say(Tone tone, const QString &title, const QString &text = {});

    std::shared_ptr<ReplayRun> m_run;
    std::function<std::optional<Error>()> m_beforeRun;
    QList<StepRow> m_firstRows;  // until the list has them
    ReplayBar *m_bar;
    Banner *m_notice;
    Banner *m_serverRequest;
    Banner *m_confirm;
    QPushButton *m_skip = nullptr;  // of the server request; the default for Enter
    QPushButton *m_cancel = nullptr;
    ReplayStepList *m_steps;
    ReplayStepView *m_view;
    QShortcut *m_escape;
    QPointer<IgnoreRulesDialog> m_rulesDialog;
    std::array<qsizetype, 4> m_counts{};  // of the steps that are over, as the bar has them
    qsizetype m_latest = -1;              // step that changed; -1: none yet
    bool m_hasJustAnswered = false;       // and so waits for the next question
    QTimer m_soon;                        // counts and facts, not at every step
};

}  // namespace sonde::ui
