// SPDX-License-Identifier: Apache-2.0
#include "core/calls/sessionsummary.h"

namespace sonde {

SessionSummary SessionSummary::of(const Session &session)
{
    SessionSummary summary;
    Operations operations(&session);
    operations.advance();
    const QList<CallStatistics> statistics = callStatistics(session, operations);
    for (const CallStatistics &each : statistics) {
        summary.calls += each.count;
        summary.toolErrors += each.toolErrors;
        summary.protocolErrors += each.protocolErrors;
        summary.unanswered += each.unanswered;
    }
    for (qsizetype row = 0; row < session.size(); ++row) {
        const RecordInfo &info = session.at(row);
        // A finding also marks the message that it is about.
        summary.findings += info.kind == WireEvent::Kind::Note && info.hasProblems ? 1 : 0;
        summary.durationNs = qMax(summary.durationNs, info.timeNs);
    }
    summary.messages = session.messageCount();
    summary.damaged = session.damage().size();
    summary.isEnded = session.size() > 0 && session.at(session.size() - 1).kind == WireEvent::Kind::End;
    return summary;
}

Result<SessionSummary> SessionSummary::read(const QString &path, const std::shared_ptr<const std::atomic_bool> &stop)
{
    const Result<std::unique_ptr<Session>> session = Session::open(path, {}, stop);
    if (!session)
        return session.error();
    return of(**session);
}

}  // namespace sonde
