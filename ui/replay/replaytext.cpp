// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaytext.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Status = ReplayStep::Status;

QString tr(const char *source)
{
    return QCoreApplication::translate("sonde::ui::ReplayText", source);
}

constexpr QChar NotEqual(0x2260);

// Without those that only the writing makes.
qsizetype realDifferences(const ReplayStep &step)
{
    return std::count_if(step.differences.begin(), step.differences.end(), [](const json::Difference &difference) {
        return difference.kind != json::Difference::Kind::TextOnly;
    });
}

bool hasOtherQuestions(const ReplayStep &step)
{
    return std::any_of(step.questions.begin(), step.questions.end(),
                       [](const ReplayQuestion &question) { return question.status != ReplayQuestion::Status::Same; });
}

}  // namespace

StepBadge stepBadge(const ReplayStep &step)
{
    switch (step.status) {
        case Status::Waiting:
            return {tr("waiting"), Tone::Neutral, tr("waiting")};
        case Status::Running:
            return {tr("… running"), Tone::Accent, tr("running")};
        case Status::Same:
            return {sign(Tone::Ok) + u' ' + tr("same"), Tone::Ok, tr("same")};
        case Status::Changed: {
            const qsizetype real = realDifferences(step);
            const QString count = grouped(real) + (step.isCut ? u"+"_s : QString());
            if (real == 0 && !step.isCut && hasOtherQuestions(step))
                return {NotEqual + (u' ' + tr("question")), Tone::ToolError, tr("changed: other questions")};
            if (real == 0 && !step.isCut)
                return {NotEqual + (u' ' + tr("result")), Tone::ToolError, tr("changed: a result now")};
            return {NotEqual + (u' ' + count), Tone::ToolError,
                    real == 1 && !step.isCut ? tr("changed in 1 place") : tr("changed in %1 places").arg(count)};
        }
        case Status::Failed:
            if (step.isUnsent)
                return {sign(Tone::ProtocolError) + u' ' + tr("not sent"), Tone::ProtocolError, tr("failed: not sent")};
            if (!step.live.isAnswer())
                return {sign(Tone::NoAnswer) + u' ' + tr("no answer"), Tone::NoAnswer, tr("failed: no answer")};
            if (const int code = step.live.toError().code; code != 0)
                return {badgeText(RowOutcome::ProtocolError, code), Tone::ProtocolError, tr("failed: %1").arg(code)};
            return {sign(Tone::ProtocolError) + u' ' + tr("failed"), Tone::ProtocolError, tr("failed")};
        case Status::Skipped:
            break;
    }
    return {tr("skipped"), Tone::NoAnswer, tr("skipped")};
}

StepBadge countBadge(Status status, qsizetype count)
{
    const QString n = grouped(count);
    if (status == Status::Same)
        return {sign(Tone::Ok) + u' ' + tr("%1 same").arg(n), Tone::Ok, tr("%1 same").arg(n)};
    if (status == Status::Changed)
        return {NotEqual + (u' ' + tr("%1 changed").arg(n)), Tone::ToolError, tr("%1 changed").arg(n)};
    if (status == Status::Failed)
        return {sign(Tone::ProtocolError) + u' ' + tr("%1 failed").arg(n), Tone::ProtocolError, tr("%1 failed").arg(n)};
    return {tr("%1 skipped").arg(n), Tone::NoAnswer, tr("%1 skipped").arg(n)};
}

QString differencesSummary(const ReplayStep &step)
{
    if (!step.hasRun() || !step.live.isAnswer())
        return {};
    const qsizetype real = realDifferences(step);
    const qsizetype textOnly = step.differences.size() - real;
    QStringList parts;
    if (step.isCut)
        parts << tr("more than %1 differences").arg(grouped(real));
    else if (real > 0)
        parts << counted(real, tr("1 difference"), tr("%1 differences"));
    if (textOnly > 0)
        parts << tr("%1 only in how it is written").arg(grouped(textOnly));
    if (step.ignored > 0)
        parts << counted(step.ignored, tr("1 ignored by rule"), tr("%1 ignored by rules"));
    return parts.isEmpty() && step.status == Status::Same ? tr("no difference") : parts.join(u", "_s);
}

QString ruleText(const ReplayRule &rule)
{
    QString text;
    switch (rule.kind) {
        case ReplayRule::Kind::Anything:
            text = tr("anything");
            break;
        case ReplayRule::Kind::Timestamp:
            text = tr("timestamps");
            break;
        case ReplayRule::Kind::Uuid:
            text = tr("UUIDs");
            break;
        case ReplayRule::Kind::Regex:
            text = tr("text that matches %1").arg(rule.regex);
            break;
    }
    text += rule.pointer.isEmpty() ? tr(" anywhere") : tr(" at %1").arg(rule.pointer);
    if (!rule.method.isEmpty())
        text += tr(" in %1").arg(rule.method);
    if (!rule.target.isEmpty())
        text += (rule.method.isEmpty() ? tr(" of %1") : u" %1"_s).arg(rule.target);
    return visibleLine(text);
}

QString stepTitle(const ReplayStep &step)
{
    return step.target.isEmpty() ? step.method : step.target;
}

}  // namespace sonde::ui
