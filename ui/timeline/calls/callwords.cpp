// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/calls/callwords.h"

#include "core/calls/recordedcalls.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "ui/result/outcometext.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

constexpr qsizetype ShownCallCharacters = 300;
constexpr qint64 LookedInto = 8 * 1024;

struct CallWordsText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::Calls)
};

// Only small messages are read; large ones have no details.
Message smallMessage(const Session &session, qsizetype row)
{
    return row >= 0 && session.at(row).wireLength <= LookedInto ? session.message(row) : Message();
}

Message smallResponse(const Session &session, qsizetype row)
{
    const qsizetype partner = session.partnerOf(row);
    return partner >= 0 && session.at(partner).wireLength <= LookedInto ? responseTo(session, row) : Message();
}

QString taskStatus(const json::Value &value)
{
    const json::Value task = value[u"task"];
    return visibleLine((task.exists() ? task : value)[u"status"].string(), ShownCallCharacters);
}

QString wantedInput(const json::Value &result)
{
    QStringList names;
    for (const json::Value &request : result[u"inputRequests"])
        names.append(request.key());
    return visibleLine(names.join(QStringLiteral(", ")), ShownCallCharacters);
}

}  // namespace

QString roleWords(RecordRole role)
{
    switch (role) {
        case RecordRole::None:
        case RecordRole::Request:
            break;
        case RecordRole::Response:
        case RecordRole::ServerRequestResponse:
        case RecordRole::PollResponse:
            return CallWordsText::tr("response");
        case RecordRole::Progress:
            return CallWordsText::tr("progress");
        case RecordRole::Log:
            return CallWordsText::tr("log");
        case RecordRole::ServerRequest:
            return CallWordsText::tr("server request");
        case RecordRole::InputRequired:
            return CallWordsText::tr("input required");
        case RecordRole::Retry:
            return CallWordsText::tr("retry");
        case RecordRole::Poll:
            return CallWordsText::tr("task poll");
        case RecordRole::TaskStatus:
            return CallWordsText::tr("task status");
        case RecordRole::Cancel:
            return CallWordsText::tr("cancelled");
        case RecordRole::Event:
            return CallWordsText::tr("event");
        case RecordRole::Transport:
            return CallWordsText::tr("transport");
        case RecordRole::Finding:
            return CallWordsText::tr("finding");
    }
    return {};
}

RowText stepText(const Session &session, const Operations &operations, qsizetype row)
{
    const RecordRole role = operations.role(row);
    RowText text = rowText(session, row);
    const QString method = std::exchange(text.lead, roleWords(role));
    switch (role) {
        case RecordRole::ServerRequest:
        case RecordRole::Event:
            text.target = method;
            break;
        case RecordRole::Poll:
            text.target = method;
            text.more = taskStatus(smallResponse(session, row).result());
            break;
        case RecordRole::TaskStatus:
            text.more = taskStatus(smallMessage(session, row).params());
            break;
        case RecordRole::InputRequired:
            text.target.clear();
            text.more = wantedInput(smallMessage(session, row).result());
            break;
        default:
            break;
    }
    return text;
}

QString serverRequestBadge(const Session &session, qsizetype row)
{
    const RecordInfo &record = session.at(row);
    const bool isServerRequest = record.kind == WireEvent::Kind::Message && record.direction == Direction::FromServer &&
                                 record.messageKind == Message::Kind::Request;
    if (!isServerRequest || record.outcome == RowOutcome::NoResponse)
        return {};
    if (record.outcome == RowOutcome::Pending)
        return sign(Tone::Asks) + QLatin1Char(' ') + CallWordsText::tr("open");
    const QString action = smallResponse(session, row).result()[u"action"].string();
    return record.outcome == RowOutcome::Ok && !action.isEmpty() ? visibleLine(action, 20) : QString();
}

QString noResponseBadge(const Error &reason)
{
    Outcome outcome;
    outcome.error = reason;
    return badgeText(outcome);
}

Error whyNoResponse(const Session &session, const Operations &operations, qsizetype operation)
{
    const Operation call = operations.at(operation);
    if (!call.isLocal || call.isOpen)
        return {};
    // Before the first response there was no connection that could be lost.
    const RecordInfo &record = session.at(call.currentRow);
    const QString method = session.name(record.method);
    if (record.isLost && (method == methods::Initialize || method == methods::Discover))
        return {};
    if (record.isLost)
        return Error::of(Error::Kind::Transport, {});
    for (qsizetype row = call.currentRow; row >= 0; row = operations.rowAfter(row)) {
        const EventFacts facts =
            operations.role(row) == RecordRole::Finding ? EventFacts::read(session.facts(row)) : EventFacts();
        if (facts.eventCode() != EventCode::GaveUp)
            continue;
        // Written right after what it tells of.
        const RecordInfo &before = session.at(row - 1);
        const bool isInvalid = before.kind == WireEvent::Kind::Junk && before.connection == session.at(row).connection;
        return facts.isCancelled ? Error::of(Error::Kind::Cancelled, {})
               : isInvalid       ? Error::of(Error::Kind::Protocol, {})
                                 : Error();
    }
    // The connection was closed from here.
    return Error::of(Error::Kind::Cancelled, {});
}

CallTimes timesOfCall(const Operations &operations, qsizetype operation, qint64 nowNs)
{
    const Operation call = operations.at(operation);
    CallTimes times;
    times.startNs = operations.startNs(operation);
    times.firstByteNs = call.isLocal ? operations.firstByteNs(operation) : times.startNs;
    const RowOutcome outcome = operations.outcome(operation);
    times.isOpen = call.isOpen && outcome == RowOutcome::Pending;
    times.endNs = std::max(times.isOpen  ? nowNs
                           : call.isOpen ? operations.firstByteNs(operation)
                                         : operations.endNs(operation),
                           times.startNs);
    times.tone = call.isLocal ? toneOf(outcome) : Tone::Asks;
    times.waits = operations.waits(operation);
    if (times.isOpen && operations.isWaiting(operation))
        times.waits.back().endNs = std::max(times.waits.back().endNs, nowNs);
    return times;
}

CallTimes timesOfStep(const Session &session, const Operations &operations, qsizetype row, qint64 nowNs)
{
    const RecordInfo &record = session.at(row);
    CallTimes times;
    times.startNs = times.endNs = record.timeNs;
    const RecordRole role = operations.role(row);
    times.isMoment = record.messageKind != Message::Kind::Request || record.kind != WireEvent::Kind::Message;
    times.tone = role == RecordRole::ServerRequest || role == RecordRole::InputRequired ? Tone::Asks
                 : role == RecordRole::Progress || role == RecordRole::Log              ? Tone::Accent
                                                                                        : Tone::Neutral;
    if (times.isMoment)
        return times;
    const qint64 duration = session.durationNs(row);
    times.isOpen = record.outcome == RowOutcome::Pending;
    times.endNs = std::max(duration >= 0 ? record.timeNs + duration : times.isOpen ? nowNs : 0, times.startNs);
    times.firstByteNs = role == RecordRole::ServerRequest ? times.startNs : duration >= 0 ? times.endNs : -1;
    if (role != RecordRole::ServerRequest)
        times.tone = toneOf(record.outcome);
    return times;
}

QString timesHint(const Session &session, qsizetype row, const CallTimes &times)
{
    QStringList lines;
    const QString clock = session.wallTime(row).toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz"));
    if (times.isMoment)
        return CallWordsText::tr("At %1").arg(clock);
    lines.append(CallWordsText::tr("Started at %1").arg(clock));
    if (times.firstByteNs > times.startNs)
        lines.append(CallWordsText::tr("First byte after %1").arg(durationText(times.firstByteNs - times.startNs)));
    else if (times.firstByteNs < 0)
        lines.append(CallWordsText::tr("No response yet"));
    const QString duration = durationText(times.endNs - times.startNs);
    if (!times.isStanding)
        lines.append(times.isOpen ? CallWordsText::tr("Running for %1").arg(duration)
                                  : CallWordsText::tr("Took %1").arg(duration));
    qint64 waited = 0;
    for (const TimeSpan &wait : times.waits)
        waited += wait.endNs - wait.startNs;
    if (waited > 0)
        lines.append(CallWordsText::tr("Waiting for user: %1").arg(durationText(waited)));
    return lines.join(QLatin1Char('\n'));
}

QString callTitle(const Session &session, qsizetype requestRow)
{
    const RowText text = rowText(session, requestRow);
    return QStringLiteral("#%1 ").arg(session.numberOf(requestRow)) +
           (text.lead + QLatin1Char(' ') + text.target).trimmed();
}

}  // namespace sonde::ui
