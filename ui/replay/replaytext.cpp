// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaytext.h"

#include "core/protocol/differencetext.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct ReplayWordsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::ReplayText)
};

constexpr QChar NotEqual(0x2260);

// Without differences in spelling only.
qsizetype realDifferences(const ReplayStep &step)
{
    return std::count_if(step.differences.begin(), step.differences.end(), [](const json::Difference &difference) {
        return difference.kind != json::Difference::Kind::TextOnly;
    });
}

bool hasOtherServerRequests(const ReplayStep &step)
{
    return std::any_of(step.serverRequests.begin(), step.serverRequests.end(),
                       [](const ReplayServerRequest &serverRequest) {
                           return serverRequest.status != ReplayServerRequest::Status::Same;
                       });
}

}  // namespace

StepBadge stepBadge(const ReplayStep &step)
{
    switch (step.status) {
        case ReplayStep::Status::Waiting:
            return {ReplayWordsText::tr("waiting"), Tone::Neutral, ReplayWordsText::tr("waiting")};
        case ReplayStep::Status::Running:
            return {ReplayWordsText::tr("… running"), Tone::Accent, ReplayWordsText::tr("running")};
        case ReplayStep::Status::Same:
            return {sign(Tone::Ok) + u' ' + ReplayWordsText::tr("same"), Tone::Ok, ReplayWordsText::tr("same")};
        case ReplayStep::Status::Changed: {
            const qsizetype real = realDifferences(step);
            const QString count = grouped(real) + (step.isCut ? u"+"_s : QString());
            if (real == 0 && !step.isCut && hasOtherServerRequests(step))
                return {NotEqual + (u' ' + ReplayWordsText::tr("server request")), Tone::ToolError,
                        ReplayWordsText::tr("changed: different server requests")};
            if (real == 0 && !step.isCut)
                return {NotEqual + (u' ' + ReplayWordsText::tr("result")), Tone::ToolError,
                        ReplayWordsText::tr("changed: result instead of an error")};
            return {NotEqual + (u' ' + count), Tone::ToolError,
                    real == 1 && !step.isCut ? ReplayWordsText::tr("changed in 1 place")
                                             : ReplayWordsText::tr("changed in %1 places").arg(count)};
        }
        case ReplayStep::Status::Failed:
            if (step.isUnsent)
                return {sign(Tone::ProtocolError) + u' ' + ReplayWordsText::tr("not sent"), Tone::ProtocolError,
                        ReplayWordsText::tr("failed: not sent")};
            if (!step.live.isResponse())
                return {sign(Tone::NoResponse) + u' ' + ReplayWordsText::tr("no response"), Tone::NoResponse,
                        ReplayWordsText::tr("failed: no response")};
            if (const int code = step.live.toError().code; code != 0)
                return {badgeText(RowOutcome::ProtocolError, code), Tone::ProtocolError,
                        ReplayWordsText::tr("failed: %1").arg(code)};
            return {sign(Tone::ProtocolError) + u' ' + ReplayWordsText::tr("failed"), Tone::ProtocolError,
                    ReplayWordsText::tr("failed")};
        case ReplayStep::Status::Skipped:
            break;
    }
    return {ReplayWordsText::tr("skipped"), Tone::NoResponse, ReplayWordsText::tr("skipped")};
}

StepBadge countBadge(ReplayStep::Status status, qsizetype count)
{
    const QString n = grouped(count);
    if (status == ReplayStep::Status::Same)
        return {sign(Tone::Ok) + u' ' + ReplayWordsText::tr("%1 same").arg(n), Tone::Ok,
                ReplayWordsText::tr("%1 same").arg(n)};
    if (status == ReplayStep::Status::Changed)
        return {NotEqual + (u' ' + ReplayWordsText::tr("%1 changed").arg(n)), Tone::ToolError,
                ReplayWordsText::tr("%1 changed").arg(n)};
    if (status == ReplayStep::Status::Failed)
        return {sign(Tone::ProtocolError) + u' ' + ReplayWordsText::tr("%1 failed").arg(n), Tone::ProtocolError,
                ReplayWordsText::tr("%1 failed").arg(n)};
    return {ReplayWordsText::tr("%1 skipped").arg(n), Tone::NoResponse, ReplayWordsText::tr("%1 skipped").arg(n)};
}

StepBadge callCountBadge(ReplayStep::Status status, qsizetype count)
{
    const QString n = grouped(count);
    if (status == ReplayStep::Status::Same)
        return {sign(Tone::Ok) + u' ' + ReplayWordsText::tr("%1 passed").arg(n), Tone::Ok,
                ReplayWordsText::tr("%1 passed").arg(n)};
    if (status == ReplayStep::Status::Changed)
        return {NotEqual + (u' ' + ReplayWordsText::tr("%1 failed").arg(n)), Tone::ToolError,
                ReplayWordsText::tr("%1 failed").arg(n)};
    if (status == ReplayStep::Status::Skipped)
        return countBadge(status, count);
    const QString errors = counted(count, ReplayWordsText::tr("1 error"), ReplayWordsText::tr("%1 errors"));
    return {sign(Tone::ProtocolError) + u' ' + errors, Tone::ProtocolError, errors};
}

QString differencesSummary(const ReplayStep &step)
{
    if (!step.hasRun() || !step.live.isResponse())
        return {};
    QStringList parts;
    if (const QString count = countText(step.differences, step.isCut); !count.isEmpty())
        parts << count;
    if (!step.ignored.isEmpty())
        parts << counted(step.ignored.size(), ReplayWordsText::tr("1 ignored by rule"),
                         ReplayWordsText::tr("%1 ignored by rules"));
    return parts.isEmpty() && step.status == ReplayStep::Status::Same ? ReplayWordsText::tr("no differences")
                                                                      : parts.join(u", "_s);
}

QString ruleText(const ReplayRule &rule)
{
    QString text;
    switch (rule.kind) {
        case ReplayRule::Kind::Anything:
            text = ReplayWordsText::tr("anything");
            break;
        case ReplayRule::Kind::Timestamp:
            text = ReplayWordsText::tr("timestamps");
            break;
        case ReplayRule::Kind::Uuid:
            text = ReplayWordsText::tr("UUIDs");
            break;
        case ReplayRule::Kind::Regex:
            text = ReplayWordsText::tr("text matching %1").arg(rule.regex);
            break;
    }
    text += rule.pointer.isEmpty() ? ReplayWordsText::tr(" anywhere") : ReplayWordsText::tr(" at %1").arg(rule.pointer);
    if (!rule.method.isEmpty())
        text += ReplayWordsText::tr(" in %1").arg(rule.method);
    if (!rule.target.isEmpty())
        text += (rule.method.isEmpty() ? ReplayWordsText::tr(" of %1") : u" %1"_s).arg(rule.target);
    return visibleLine(text);
}

QString stepTitle(const ReplayStep &step)
{
    return step.target.isEmpty() ? step.method : step.target;
}

StepRow stepRow(const ReplayStep &step, const Session &recording)
{
    return {step.method,     step.target, step.call.row,
            stepBadge(step), step.status, recording.durationNs(step.call.row),
            step.durationNs};
}

}  // namespace sonde::ui
