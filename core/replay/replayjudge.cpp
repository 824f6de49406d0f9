// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replayjudge.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct ReplayJudgeText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ReplayJudge)
};

bool isCursor(const json::Difference &difference, QStringView method)
{
    return difference.kind == json::Difference::Kind::Changed && difference.pointer == "/nextCursor"_L1 &&
           isList(method);
}

}  // namespace

void ReplayJudge::judge(ReplayStep &step) const
{
    const bool wasError = step.recorded.kind() == Message::Kind::Error;
    const bool isError = step.live.kind() == Message::Kind::Error;
    step.differences.clear();
    step.ignored.clear();
    step.isCut = false;
    step.reason.clear();
    const bool asksTheSame = judgeServerRequests(step);
    if (wasError != isError) {
        step.status = isError ? ReplayStep::Status::Failed : ReplayStep::Status::Changed;
        step.reason = isError ? ReplayJudgeText::tr("A result before, a JSON-RPC error after.")
                              : ReplayJudgeText::tr("A JSON-RPC error before, a result after.");
        return;
    }
    const json::Diff diff = json::diff(resultOrError(step.recorded), resultOrError(step.live));
    step.isCut = diff.isCut;
    bool isSame = !diff.isCut;
    for (const json::Difference &difference : diff.differences) {
        if (auto ignored = ignoredDifference(difference, step.method, step.target)) {
            ignored->before = step.differences.size();
            step.ignored.append(*ignored);
            continue;
        }
        isSame = isSame && difference.kind == json::Difference::Kind::TextOnly;
        step.differences.append(difference);
    }
    step.status = isSame    ? ReplayStep::Status::Same
                  : isError ? ReplayStep::Status::Failed
                            : ReplayStep::Status::Changed;
    if (step.status == ReplayStep::Status::Failed)
        step.reason = ReplayJudgeText::tr("A different JSON-RPC error.");
    else if (!asksTheSame)
        step.status = ReplayStep::Status::Changed;
}

bool ReplayJudge::judgeServerRequests(ReplayStep &step) const
{
    bool allSame = true;
    for (ReplayServerRequest &serverRequest : step.serverRequests) {
        serverRequest.differences.clear();
        const bool wasAsked = serverRequest.recorded.kind() == Message::Kind::Request;
        const bool isAsked = serverRequest.live.kind() == Message::Kind::Request;
        bool isSame = true;
        if (wasAsked && isAsked) {
            const json::Diff diff = json::diff(comparableParams(serverRequest.recorded.params()),
                                               comparableParams(serverRequest.live.params()));
            isSame = !diff.isCut;
            for (const json::Difference &difference : diff.differences) {
                if (ignoredDifference(difference, serverRequest.method, step.target))
                    continue;
                isSame = isSame && difference.kind == json::Difference::Kind::TextOnly;
                serverRequest.differences.append(difference);
            }
        }
        serverRequest.status = !wasAsked                  ? ReplayServerRequest::Status::New
                               : !isAsked                 ? ReplayServerRequest::Status::Missing
                               : serverRequest.isWithheld ? ReplayServerRequest::Status::Withheld
                               : isSame                   ? ReplayServerRequest::Status::Same
                                                          : ReplayServerRequest::Status::Changed;
        allSame = allSame && serverRequest.status == ReplayServerRequest::Status::Same;
    }
    return allSame;
}

std::optional<QString> ReplayJudge::liveTask(const QString &recorded) const
{
    const auto task = m_tasks.constFind(recorded);
    return task == m_tasks.constEnd() ? std::nullopt : std::optional(*task);
}

std::optional<IgnoredDifference> ReplayJudge::ignoredDifference(const json::Difference &difference, QStringView method,
                                                                QStringView target) const
{
    using Reason = IgnoredDifference::Reason;
    if (const ReplayRule *rule = m_rules.ignoring(difference, method, target))
        return IgnoredDifference{difference, Reason::Rule, *rule};
    if (differsInSecretsOnly(difference))
        return IgnoredDifference{difference, Reason::Secret};
    if (isCursor(difference, method))
        return IgnoredDifference{difference, Reason::Cursor};
    if (isSameTask(difference))
        return IgnoredDifference{difference, Reason::Task};
    return std::nullopt;
}

// A task has the name that its server made up for it, wherever that stands.
bool ReplayJudge::isSameTask(const json::Difference &difference) const
{
    if (difference.kind != json::Difference::Kind::Changed || !difference.left.isString())
        return false;
    return liveTask(difference.left.string()) == difference.right.string();
}

}  // namespace sonde
