// A call of a saved call, shown as a step of a replay is: expected beside received.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/callstep.h"
#include "ui/replay/replaytext.h"

#include <QWidget>
#include <functional>

namespace sonde::ui {

class ReplayStepView;

StepBadge stepBadge(const CallStep &step);  // "✓ passed", "≠ 3", "✕ error"
StepRow stepRow(const CallStep &step);
// index: among others that the same view shows.
ReplayStep shownStep(const CallStep &step, qsizetype index);

// Its steps are shown by showStep(shownStep()). A rule that it asks for becomes one of the call whose step it shows:
// changed gets what that call then expects. callOf: that call; it is asked for when a rule comes.
ReplayStepView *makeCallStepView(const std::function<SavedCall()> &callOf,
                                 const std::function<void(const CallExpectation &)> &changed);

// The same for one call, in a window of its own. Deletes itself; Esc closes it.
class CallStepWindow : public QWidget {
    Q_OBJECT
public:
    explicit CallStepWindow(QWidget *parent);
    void showStep(const CallStep &step);

Q_SIGNALS:
    void expectationChanged(const sonde::CallExpectation &expectation);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    CallStep m_step;
    ReplayStepView *m_view;
};

}  // namespace sonde::ui
