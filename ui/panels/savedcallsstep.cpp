// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/savedcallsstep.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/replay/ignorerulesdialog.h"
#include "ui/replay/replaystepview.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct CallStepText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::CallStep)
};

ReplayStep::Status replayStatus(CallStep::Status status)
{
    switch (status) {
        case CallStep::Status::Waiting:
            return ReplayStep::Status::Waiting;
        case CallStep::Status::Running:
            return ReplayStep::Status::Running;
        case CallStep::Status::Passed:
            return ReplayStep::Status::Same;
        case CallStep::Status::Failed:
            return ReplayStep::Status::Changed;
        case CallStep::Status::Error:
            return ReplayStep::Status::Failed;
        case CallStep::Status::Skipped:
            break;
    }
    return ReplayStep::Status::Skipped;
}

// In its own file a rule concerns no other call.
ReplayRule ownRule(ReplayRule rule)
{
    rule.method.clear();
    rule.target.clear();
    return rule;
}

}  // namespace

StepBadge stepBadge(const CallStep &step)
{
    switch (step.status) {
        case CallStep::Status::Passed:
            return {sign(Tone::Ok) + u' ' + CallStepText::tr("passed"), Tone::Ok, CallStepText::tr("passed")};
        case CallStep::Status::Failed: {
            const QString count = grouped(step.differences.size()) + (step.isCut ? u"+"_s : QString());
            const QString text = step.differences.isEmpty() ? CallStepText::tr("failed") : count;
            return {u"≠ "_s + text, Tone::ToolError, CallStepText::tr("failed")};
        }
        case CallStep::Status::Error:
            if (!step.outcome || *step.outcome == Outcome::Kind::NoResponse)
                return {sign(Tone::NoResponse) + u' ' +
                            (step.outcome ? CallStepText::tr("no response") : CallStepText::tr("not sent")),
                        Tone::NoResponse, CallStepText::tr("error")};
            return {sign(Tone::ProtocolError) + u' ' + CallStepText::tr("error"), Tone::ProtocolError,
                    CallStepText::tr("error")};
        case CallStep::Status::Waiting:
        case CallStep::Status::Running:
        case CallStep::Status::Skipped:
            break;
    }
    return stepBadge(shownStep(step, 0));
}

StepRow stepRow(const CallStep &step)
{
    StepRow row;
    row.target = step.call.name;
    row.badge = stepBadge(step);
    row.status = replayStatus(step.status);
    row.nowNs = step.durationNs;
    row.note = !step.reasons.isEmpty()            ? step.reasons.constFirst()
               : step.call.tool != step.call.name ? step.call.tool
                                                  : QString();
    return row;
}

ReplayStep shownStep(const CallStep &step, qsizetype index)
{
    ReplayStep shown = comparisonOf(step);
    shown.call.row = index;
    shown.target = step.call.name;
    shown.status = replayStatus(step.status);
    shown.isUnsent = step.status == CallStep::Status::Error && !step.outcome;
    shown.findings = step.response.findings;
    shown.reason = step.reasons.join(u'\n');
    if (step.status == CallStep::Status::Passed)
        shown.reason = CallStepText::tr("As expected: %1, after %2.")
                           .arg(outcomeWords(step.call.expect.outcome), durationText(step.durationNs));
    else if (step.status == CallStep::Status::Skipped && shown.reason.isEmpty())
        shown.reason = CallStepText::tr("Not run: the suite was stopped.");
    return shown;
}

ReplayStepView *makeCallStepView(const std::function<SavedCall()> &callOf,
                                 const std::function<void(const CallExpectation &)> &changed)
{
    auto *view = new ReplayStepView;
    view->setWords(CallStepText::tr("Expected"), CallStepText::tr("Received"), CallStepText::tr("No call selected"),
                   CallStepText::tr("Select a call on the left to see its result."));
    QObject::connect(view, &ReplayStepView::ruleRequested, view, [callOf, changed](const ReplayRule &rule) {
        CallExpectation expectation = callOf().expect;
        if (!expectation.ignore.add(ownRule(rule)))
            changed(expectation);
    });
    QObject::connect(view, &ReplayStepView::ruleDrafted, view, [view, callOf, changed](const ReplayRule &rule) {
        const SavedCall call = callOf();
        auto *dialog = new IgnoreRulesDialog(call.expect.ignore, call.path, view);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &IgnoreRulesDialog::rulesChanged, view,
                         [expectation = call.expect, changed](const ReplayRules &rules) {
                             CallExpectation with = expectation;
                             with.ignore = rules;
                             changed(with);
                         });
        dialog->open();
        dialog->addDraft(ownRule(rule));
    });
    return view;
}

CallStepWindow::CallStepWindow(QWidget *parent)
    : QWidget(parent, Qt::Window),
      m_view(makeCallStepView([this] { return m_step.call; },
                              [this](const CallExpectation &expectation) { Q_EMIT expectationChanged(expectation); }))
{
    setObjectName(u"savedCallDifferences"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    resize(760, 560);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
}

void CallStepWindow::showStep(const CallStep &step)
{
    m_step = step;
    setWindowTitle(CallStepText::tr("%1: expected and received").arg(visibleLine(step.call.name, 60)));
    m_view->showStep(shownStep(step, 0), step.call.arguments);
}

void CallStepWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
