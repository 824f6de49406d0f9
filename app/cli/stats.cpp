// sonde-cli stats: how long the calls of a session took, and how they ended.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/sessionfile.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"

#include "core/calls/callstatistics.h"
#include "core/export/sessionredactor.h"
#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

QString millisecondsText(qint64 ns)
{
    return ns < 0 ? u"-"_s : QString::number(double(ns) / 1e6, 'f', ns < 100'000'000 ? 1 : 0);
}

void addPercentiles(json::Builder &builder, QStringView name, const Percentiles &values)
{
    builder.key(name).beginObject();
    const auto add = [&builder](QStringView key, qint64 ns) {
        builder.key(key);
        if (ns < 0)
            builder.null();
        else
            builder.number(milliseconds(ns));
    };
    add(u"p50", values.p50);
    add(u"p90", values.p90);
    add(u"p99", values.p99);
    add(u"max", values.longest);
    builder.endObject();
}

QByteArray statisticsForMachines(const QList<CallStatistics> &all)
{
    json::Builder builder;
    builder.beginObject().key(u"calls").beginArray();
    for (const CallStatistics &call : all) {
        builder.beginObject();
        builder.member(u"method", call.method);
        if (!call.target.isEmpty())
            builder.member(u"target", call.target);
        builder.member(u"count", qint64(call.count)).member(u"ok", qint64(call.ok));
        builder.member(u"toolErrors", qint64(call.toolErrors));
        builder.member(u"protocolErrors", qint64(call.protocolErrors));
        builder.member(u"noResponse", qint64(call.unanswered)).member(u"open", qint64(call.open));
        addPercentiles(builder, u"durationMs", call.server);
        addPercentiles(builder, u"firstByteMs", call.firstByte);
        builder.key(u"waitingForUserMs").number(milliseconds(call.waitedNs));
        builder.endObject();
    }
    return builder.endArray().endObject().take();
}

void printStatistics(const QList<CallStatistics> &all)
{
    qsizetype width = 4;
    const auto name = [](const CallStatistics &call) {
        return visibleLine((call.method + u' ' + call.target).trimmed(), 60);
    };
    for (const CallStatistics &call : all)
        width = std::max(width, name(call).size());
    const auto row = [width](const QString &first, const QStringList &cells) {
        QString line = first.leftJustified(int(width));
        for (const QString &cell : cells)
            line += cell.rightJustified(10);
        standardoutput::writeText(line + u'\n');
    };
    row(FileVerb::tr("Call"), {FileVerb::tr("count"), FileVerb::tr("errors"), u"p50 ms"_s, u"p90 ms"_s, u"p99 ms"_s,
                               FileVerb::tr("first ms"), FileVerb::tr("user ms")});
    for (const CallStatistics &call : all)
        row(name(call),
            {QString::number(call.count), QString::number(call.errors()), millisecondsText(call.server.p50),
             millisecondsText(call.server.p90), millisecondsText(call.server.p99), millisecondsText(call.firstByte.p50),
             call.waitedNs > 0 ? millisecondsText(call.waitedNs) : u"-"_s});
}

class Stats final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("print call statistics of a session");
        table.details =
            tr("Prints how often each tool, prompt and resource of a recorded session was called, with what "
               "outcomes, and how long the responses took.");
        table.operands = {sessionOperand(&m_path)};
        table.examples = {u"stats session.mcpsession"_s, u"stats session.mcpsession --json"_s};
        table.notes = exitCodes();
    }

private:
    ExitCode run(const Profile &) override
    {
        const Result<std::unique_ptr<Session>> session = openSession(m_path, output());
        if (!session)
            return wrongUse(session.error());
        Operations operations(session->get());
        operations.advance();
        QList<CallStatistics> all = callStatistics(**session, operations);
        SessionRedactor redactor(**session, SessionRedactor::Policy::Print);
        for (CallStatistics &call : all)
            call.target = redactor.name(0, call.target);
        if (output().isJson())
            output().result(statisticsForMachines(all));
        else
            printStatistics(all);
        return ExitCode::Ok;
    }

    QString m_path;
};

}  // namespace

std::unique_ptr<Verb> makeStats()
{
    return std::make_unique<Stats>();
}

}  // namespace sonde::cli
