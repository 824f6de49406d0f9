// SPDX-License-Identifier: Apache-2.0
#include "core/replay/replayreport.h"

#include "core/export/junitwriter.h"
#include "core/json/builder.h"
#include "core/protocol/differencetext.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr std::array Counted{ReplayStep::Status::Same, ReplayStep::Status::Changed, ReplayStep::Status::Failed,
                             ReplayStep::Status::Skipped};

struct ReplayReportText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Replayer)
};

QString statusWord(ReplayServerRequest::Status status)
{
    switch (status) {
        case ReplayServerRequest::Status::Same:
            return u"same"_s;
        case ReplayServerRequest::Status::Changed:
            return u"changed"_s;
        case ReplayServerRequest::Status::New:
            return u"new"_s;
        case ReplayServerRequest::Status::Missing:
            return u"missing"_s;
        case ReplayServerRequest::Status::Withheld:
            break;
    }
    return u"withheld"_s;
}

// Which question it was: its method, and what it says to the person where it says something.
QString nameOf(const ReplayServerRequest &serverRequest)
{
    const Message &asked =
        serverRequest.live.kind() == Message::Kind::Request ? serverRequest.live : serverRequest.recorded;
    const json::Value message = asked.params()[u"message"];
    return message.isString() ? visibleLine(serverRequest.method) + u' ' + valueText(message)
                              : visibleLine(serverRequest.method);
}

QString sentence(const ReplayServerRequest &serverRequest)
{
    switch (serverRequest.status) {
        case ReplayServerRequest::Status::Same:
            break;
        case ReplayServerRequest::Status::Changed:
            return ReplayReportText::tr("Server request changed: %1").arg(nameOf(serverRequest));
        case ReplayServerRequest::Status::New:
            return ReplayReportText::tr("New server request: %1").arg(nameOf(serverRequest));
        case ReplayServerRequest::Status::Missing:
            return ReplayReportText::tr("Server request missing: %1").arg(nameOf(serverRequest));
        case ReplayServerRequest::Status::Withheld:
            return ReplayReportText::tr("No response was sent; the recorded one contains a redacted secret: %1")
                .arg(nameOf(serverRequest));
    }
    return {};
}

void addServerRequests(json::Builder &builder, const ReplayStep &step)
{
    if (step.serverRequests.isEmpty())
        return;
    builder.key(u"serverRequests").beginArray();
    for (const ReplayServerRequest &serverRequest : step.serverRequests) {
        builder.beginObject().member(u"method", serverRequest.method);
        builder.member(u"status", statusWord(serverRequest.status));
        const bool isNew = serverRequest.status == ReplayServerRequest::Status::New;
        const json::Value params = (isNew ? serverRequest.live : serverRequest.recorded).params();
        if (params.exists())
            builder.key(u"params").value(params);
        builder.key(u"differences").beginArray();
        for (const json::Difference &difference : serverRequest.differences)
            builder.raw(toJson(difference));
        builder.endArray().endObject();
    }
    builder.endArray();
}

QString details(const ReplayStep &step)
{
    QStringList lines = describeServerRequests(step);
    for (const json::Difference &difference : step.differences)
        lines.append(describe(difference));
    if (step.isCut)
        lines.append(ReplayReportText::tr("There are more differences."));
    return lines.join(u'\n');
}

void addResponse(json::Builder &builder, QStringView name, const Message &response)
{
    if (!response.isResponse())
        return;
    builder.key(name).beginObject();
    builder.key(response.kind() == Message::Kind::Error ? u"error" : u"result").value(resultOrError(response));
    builder.endObject();
}

void addStep(json::Builder &builder, const ReplayStep &step, quint32 number)
{
    builder.beginObject().member(u"record", qint64(number)).member(u"method", step.method);
    if (!step.target.isEmpty())
        builder.member(u"target", step.target);
    builder.member(u"status", toString(step.status));
    if (!step.reason.isEmpty())
        builder.member(u"reason", step.reason);
    if (step.durationNs >= 0)
        builder.key(u"durationMs").number(double(step.durationNs) / 1e6);
    if (!step.ignored.isEmpty())
        builder.member(u"ignored", qint64(step.ignored.size()));
    builder.key(u"differences").beginArray();
    for (const json::Difference &difference : step.differences)
        builder.raw(toJson(difference));
    builder.endArray();
    if (step.isCut)
        builder.member(u"more", true);
    if (!step.findings.isEmpty()) {
        builder.key(u"findings").beginArray();
        for (const QString &finding : step.findings)
            builder.beginObject().member(u"text", finding).member(u"record", qint64(number)).endObject();
        builder.endArray();
    }
    addServerRequests(builder, step);
    if (step.status == ReplayStep::Status::Failed ||
        (step.status == ReplayStep::Status::Changed && step.differences.isEmpty())) {
        addResponse(builder, u"recorded", step.recorded);
        addResponse(builder, u"live", step.live);
    }
    builder.endObject();
}

JUnitCase junitCase(const ReplayStep &step, quint32 recordNumber)
{
    const QString number = u" #"_s + QString::number(recordNumber);
    JUnitCase result{step.method, (step.target.isEmpty() ? step.method : step.target) + number, step.durationNs};
    const std::optional<JUnitProblem::Kind> kind =
        step.status == ReplayStep::Status::Changed   ? std::optional(JUnitProblem::Kind::Failure)
        : step.status == ReplayStep::Status::Failed  ? std::optional(JUnitProblem::Kind::Error)
        : step.status == ReplayStep::Status::Skipped ? std::optional(JUnitProblem::Kind::Skipped)
                                                     : std::nullopt;
    if (!kind)
        return result;
    const QString first =
        step.differences.isEmpty() ? describeServerRequests(step).value(0) : describe(step.differences.first());
    const bool isSkipped = *kind == JUnitProblem::Kind::Skipped;
    result.problems.append({*kind, step.reason.isEmpty() ? first : step.reason, details(step),
                            isSkipped ? QString() : toString(step.status)});
    return result;
}

}  // namespace

QStringList describeServerRequests(const ReplayStep &step)
{
    QStringList lines;
    for (const ReplayServerRequest &serverRequest : step.serverRequests) {
        if (serverRequest.status == ReplayServerRequest::Status::Same)
            continue;
        lines.append(sentence(serverRequest));
        for (const json::Difference &difference : serverRequest.differences)
            lines.append(describe(difference));
    }
    return lines;
}

QByteArray replayJson(const Replayer &replayer)
{
    json::Builder builder;
    builder.beginObject().key(u"counts").beginObject();
    for (const ReplayStep::Status status : Counted)
        builder.member(toString(status), qint64(replayer.count(status)));
    builder.endObject().key(u"steps").beginArray();
    for (const ReplayStep &step : replayer.steps())
        addStep(builder, step, replayer.numberOf(step));
    builder.endArray();
    if (const QStringList left = replayer.serverRequestsLeft(); !left.isEmpty()) {
        builder.key(u"serverRequestsLeft").beginArray();
        for (const QString &method : left)
            builder.string(method);
        builder.endArray();
    }
    return builder.endObject().take();
}

QByteArray replayJUnit(const Replayer &replayer, const QString &name)
{
    JUnitSuite suite{name};
    for (const ReplayStep &step : replayer.steps())
        suite.cases.append(junitCase(step, replayer.numberOf(step)));
    return junitXml({suite});
}

}  // namespace sonde
