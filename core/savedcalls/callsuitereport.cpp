// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callsuitereport.h"

#include "core/export/junitwriter.h"
#include "core/json/builder.h"
#include "core/protocol/differencetext.h"
#include "core/protocol/numbertext.h"
#include "core/savedcalls/texts.h"

#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr std::array ReportedStatuses{CallStep::Status::Passed, CallStep::Status::Failed, CallStep::Status::Error,
                                      CallStep::Status::Skipped};

void addStep(json::Builder &builder, const CallStep &step)
{
    builder.beginObject().member(u"name", step.call.name).member(u"file", step.call.path);
    builder.member(u"tool", step.call.tool).member(u"status", toString(step.status));
    if (step.outcome)
        builder.member(u"outcome", outcomeName(*step.outcome));
    if (step.durationNs >= 0)
        builder.key(u"durationMs").number(milliseconds(step.durationNs));
    builder.key(u"reasons").beginArray();
    for (const QString &reason : step.reasons)
        builder.string(reason);
    builder.endArray().key(u"differences").beginArray();
    for (const json::Difference &difference : step.differences)
        builder.raw(toJson(difference));
    builder.endArray();
    if (step.ignored > 0)
        builder.member(u"ignored", qint64(step.ignored));
    if (step.isCut)
        builder.member(u"more", true);
    builder.endObject();
}

JUnitCase junitCase(const CallStep &step)
{
    JUnitCase result{step.call.tool, step.call.name, step.durationNs};
    const std::optional<JUnitProblem::Kind> kind =
        step.status == CallStep::Status::Failed    ? std::optional(JUnitProblem::Kind::Failure)
        : step.status == CallStep::Status::Error   ? std::optional(JUnitProblem::Kind::Error)
        : step.status == CallStep::Status::Skipped ? std::optional(JUnitProblem::Kind::Skipped)
                                                   : std::nullopt;
    if (kind)
        result.problems.append({*kind, step.reasons.value(0), describe(step).join(u'\n')});
    return result;
}

}  // namespace

QStringList describe(const CallStep &step)
{
    QStringList lines = step.reasons;
    if (step.status == CallStep::Status::Passed)
        return lines;
    for (const json::Difference &difference : step.differences)
        lines.append(describe(difference));
    if (step.isCut)
        lines.append(SavedCallText::tr("There are more differences."));
    return lines;
}

QByteArray callSuiteJson(const CallSuite &suite)
{
    json::Builder builder;
    builder.beginObject().key(u"counts").beginObject();
    for (const CallStep::Status status : ReportedStatuses)
        builder.member(toString(status), qint64(suite.count(status)));
    builder.endObject().key(u"calls").beginArray();
    for (const CallStep &step : suite.steps())
        addStep(builder, step);
    return builder.endArray().endObject().take();
}

QByteArray callSuiteJUnit(const CallSuite &suite, const QString &name)
{
    JUnitSuite report{name};
    for (const CallStep &step : suite.steps())
        report.cases.append(junitCase(step));
    return junitXml({report});
}

}  // namespace sonde
