// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callstep.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/replay/replayjudge.h"
#include "core/savedcalls/texts.h"
#include "core/session/session.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// A response with that result or error, as the judge of a replay wants one.
Message responseWith(QStringView member, const json::Value &value)
{
    json::Builder builder;
    builder.beginObject().member(u"jsonrpc", u"2.0").member(u"id", qint64(1)).key(member).value(value).endObject();
    return Message::parse(builder.take());
}

// What a tool says of its failure, for a report that has no room for the whole result.
QString firstText(const json::Value &result)
{
    for (const json::Value &content : result[u"content"]) {
        if (content[u"type"].string() == "text"_L1)
            return visibleLine(content[u"text"].string());
    }
    return {};
}

void compare(CallStep &step)
{
    const bool isError = step.response.message.kind() == Message::Kind::Error;
    const ReplayStep comparison = comparisonOf(step);
    if (!comparison.recorded.isResponse())
        return;
    step.differences = comparison.differences;
    step.ignored = comparison.ignored.size();
    step.isCut = comparison.isCut;
    if (comparison.status == ReplayStep::Status::Same)
        return;
    step.status = isError ? CallStep::Status::Error : CallStep::Status::Failed;
    step.reasons.append(isError ? SavedCallText::tr("The error is not the expected one")
                                : SavedCallText::tr("The result differs from the expected one"));
}

}  // namespace

QString toString(CallStep::Status status)
{
    switch (status) {
        case CallStep::Status::Waiting:
            return u"waiting"_s;
        case CallStep::Status::Running:
            return u"running"_s;
        case CallStep::Status::Passed:
            return u"passed"_s;
        case CallStep::Status::Failed:
            return u"failed"_s;
        case CallStep::Status::Error:
            return u"error"_s;
        case CallStep::Status::Skipped:
            break;
    }
    return u"skipped"_s;
}

void setOutcome(CallStep &step, const Outcome &outcome, const Session &session)
{
    const auto masked = [&session](const QString &text) { return QString::fromUtf8(session.masked(text.toUtf8())); };
    const QByteArray recorded = session.masked(outcome.message.raw());
    step.response = outcome;
    if (recorded != outcome.message.raw())
        step.response.message = Message::parse(recorded);
    step.outcome = outcome.kind;
    step.durationNs = outcome.durationNs;
    step.error = {};
    if (outcome.kind == Outcome::Kind::NoResponse || outcome.kind == Outcome::Kind::ProtocolError) {
        step.error = outcome.error;
        step.error.message = masked(step.error.message);
        step.error.detail = masked(step.error.detail);
        if (step.error.data.exists())
            step.error.data = json::parse(session.masked(step.error.data.bytes()));
    }
    judge(step);
}

void judge(CallStep &step)
{
    step.reasons.clear();
    step.differences.clear();
    step.ignored = 0;
    step.isCut = false;
    const Outcome::Kind actual = step.outcome.value_or(Outcome::Kind::NoResponse);
    if (actual == Outcome::Kind::NoResponse) {
        step.status = CallStep::Status::Error;
        step.reasons.append(SavedCallText::tr("No response: %1").arg(visibleLine(step.error.message)));
        return;
    }
    const CallExpectation &expected = step.call.expect;
    step.status = CallStep::Status::Passed;
    if (actual != expected.outcome) {
        const bool isError = actual == Outcome::Kind::ProtocolError;
        step.status = isError ? CallStep::Status::Error : CallStep::Status::Failed;
        const QString said = isError ? u"%1 %2"_s.arg(step.error.code).arg(visibleLine(step.error.message))
                             : actual == Outcome::Kind::ToolError ? firstText(step.response.message.result())
                                                                  : QString();
        const QString words = outcomeWords(actual) + (said.isEmpty() ? QString() : u": "_s + said);
        step.reasons.append(SavedCallText::tr("Expected %1, got %2").arg(outcomeWords(expected.outcome), words));
    } else {
        compare(step);
    }
    const qint64 limitMs = expected.maxDurationMs.value_or(0);
    if (limitMs > 0 && milliseconds(step.durationNs) > double(limitMs)) {
        step.status = std::max(step.status, CallStep::Status::Failed);
        step.reasons.append(SavedCallText::tr("Took %1 ms, expected at most %2 ms")
                                .arg(milliseconds(step.durationNs), 0, 'f', 1)
                                .arg(limitMs));
    }
}

void setNotSent(CallStep &step, const Error &why, CallStep::Status status)
{
    step.status = status;
    step.error = why;
    step.reasons.append(SavedCallText::tr("Not sent: %1").arg(visibleLine(why.message)));
    if (!why.hint.isEmpty())
        step.reasons.append(visibleLine(why.hint));
}

ReplayStep comparisonOf(const CallStep &step)
{
    ReplayStep comparison;
    comparison.method = methods::CallTool.toString();
    comparison.target = step.call.tool;
    comparison.live = step.response.message;
    comparison.durationNs = step.durationNs;
    const CallExpectation &expect = step.call.expect;
    if (expect.error.exists())
        comparison.recorded = responseWith(u"error", expect.error);
    else if (expect.result.exists())
        comparison.recorded = responseWith(u"result", expect.result);
    if (comparison.recorded.isResponse() && comparison.live.isResponse())
        ReplayJudge(expect.ignore).judge(comparison);
    return comparison;
}

std::optional<SavedCall> accepted(const CallStep &step)
{
    const bool isAnswered = step.outcome && *step.outcome != Outcome::Kind::NoResponse;
    if (!isAnswered || step.status == CallStep::Status::Passed)
        return std::nullopt;
    SavedCall call = step.call;
    CallExpectation &expected = call.expect;
    const bool isOther = *step.outcome != expected.outcome;
    if (!isOther && step.differences.isEmpty() && !step.isCut)
        return std::nullopt;
    const bool isDetailed = expected.result.exists() || expected.error.exists();
    const bool isError = *step.outcome == Outcome::Kind::ProtocolError;
    expected.outcome = *step.outcome;
    expected.result = isDetailed && !isError ? step.response.message.result() : json::Value();
    expected.error = isDetailed && isError ? step.response.message.error() : json::Value();
    return call;
}

}  // namespace sonde
