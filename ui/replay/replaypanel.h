// A tab that replays a recording against a server, with the differences of each step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayrun.h"
#include "ui/replay/replaybar.h"
#include "ui/replay/replaytext.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <memory>

class QPushButton;
class QShortcut;

namespace sonde::ui {

class Banner;
class IgnoreRulesDialog;
class ReplayStepList;
class ReplayStepView;

// Owns its run: deleting the panel ends the server.
class ReplayPanel : public QWidget {
    Q_OBJECT
public:
    ReplayPanel(const ReplayPlan &plan, const SessionLibrary &library, QWidget *parent = nullptr);
    ~ReplayPanel() override;

    QString title() const;  // "Replay · RECORDING → SERVER"
    bool isRunning() const;
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

    std::unique_ptr<ReplayRun> m_run;
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
