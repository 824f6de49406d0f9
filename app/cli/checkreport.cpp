// SPDX-License-Identifier: Apache-2.0
#include "app/cli/checkreport.h"

#include "app/cli/texts.h"
#include "core/export/junitwriter.h"
#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <algorithm>

namespace sonde::cli {

using namespace Qt::StringLiterals;

namespace {

using State = Step::State;

constexpr int StepWidth = 18;  // of the longest title, and a blank

QString signOf(State state)
{
    switch (state) {
        case State::Done:
            return u"✓"_s;
        case State::Warning:
            return u"▲"_s;
        case State::Failed:
            return u"✕"_s;
        case State::Running:
        case State::Paused:
        case State::Waiting:
        case State::Skipped:
            break;
    }
    return u"–"_s;
}

QString textOf(const CheckFinding &finding)
{
    const QString from =
        finding.sender == Sender::Server ? CliText::tr("from the server") : CliText::tr("to the server");
    const QString times = finding.count > 1 ? CliText::tr(", %1 times").arg(grouped(finding.count)) : QString();
    return CliText::tr("%1 %2 (message %3%4): %5")
        .arg(visibleLine(finding.method, 80), from, grouped(finding.number), times, finding.text);
}

QString codeText(const Error &error)
{
    return error.code == 0 ? QString() : CliText::tr(" (code %1)").arg(error.code);
}

bool isReached(const DoctorLine &line)
{
    return line.state != State::Waiting && line.state != State::Skipped;
}

bool isWarning(const DoctorLine &line)
{
    return line.state == State::Warning;
}

bool hasFailed(const DoctorLine &line)
{
    return line.state == State::Failed;
}

// What a step says besides its title, each line once.
QString reasonOf(const DoctorLine &line)
{
    QStringList lines{line.text, line.detail, line.note};
    lines.removeAll(QString());
    lines.removeDuplicates();
    return lines.join(u'\n');
}

JUnitProblem problem(JUnitProblem::Kind kind, const QString &message, const QString &text)
{
    return {kind, visibleLine(message, 1000), text};
}

JUnitCase junitCase(const CheckReport &report, const DoctorLine &line)
{
    JUnitCase result{visibleLine(report.name), line.name, line.ms < 0 ? -1 : line.ms * 1'000'000};
    if (hasFailed(line))
        result.problems.append(problem(JUnitProblem::Kind::Error, line.text, reasonOf(line)));
    else if (!isReached(line))
        result.problems.append({JUnitProblem::Kind::Skipped});
    else if (isWarning(line) && report.isStrict)
        result.problems.append(problem(JUnitProblem::Kind::Failure, line.text, reasonOf(line)));
    else if (isWarning(line))
        result.output = signOf(line.state) + u' ' + reasonOf(line);
    return result;
}

// What was found about the messages. A start that failed without any step that did, has still failed.
JUnitCase messagesCase(const CheckReport &report)
{
    JUnitCase result{visibleLine(report.name), CliText::tr("Messages")};
    const bool isUnexplained = report.error && std::ranges::none_of(report.lines, hasFailed);
    if (isUnexplained) {
        QStringList reason{report.error.message, report.error.detail, report.error.hint};
        reason.removeAll(QString());
        result.problems.append(problem(JUnitProblem::Kind::Error, report.error.message, reason.join(u'\n')));
    }
    QStringList texts;
    for (const CheckFinding &finding : report.findings)
        texts << textOf(finding);
    for (const Finding &finding : report.otherFindings)
        texts << finding.text;
    if (!texts.isEmpty())
        result.problems.append(problem(JUnitProblem::Kind::Failure, summaryOf(report), texts.join(u'\n')));
    if (report.checkedMessages == 0 && result.problems.isEmpty())
        result.problems.append({JUnitProblem::Kind::Skipped});
    return result;
}

}  // namespace

Verdict CheckReport::verdict() const
{
    if (error)
        return verdictFor(exitCodeFor(error));
    if (std::ranges::any_of(lines, hasFailed))
        return Verdict::NoResponse;
    const bool isWarned = isStrict && std::ranges::any_of(lines, isWarning);
    return findings.isEmpty() && otherFindings.isEmpty() && !isWarned ? Verdict::Ok : Verdict::Findings;
}

Error CheckReport::failure() const
{
    if (error)
        return error;
    const auto failed = std::ranges::find_if(lines, hasFailed);
    return failed == lines.end() ? Error()
                                 : Error::of(Error::Kind::Transport, failed->text, failed->detail, failed->note);
}

QList<Finding> CheckReport::allFindings(qsizetype index) const
{
    const QString place = u"/result/servers/%1"_s.arg(index);
    QList<Finding> all;
    for (const CheckFinding &finding : findings)
        all.append({Finding::Code::MessageRule, finding.text, place, finding.number, finding.count, finding.method,
                    finding.sender == Sender::Server ? u"server"_s : u"client"_s});
    for (const Finding &finding : otherFindings) {
        all.append(finding);
        all.last().pointer = place;
    }
    for (const DoctorLine &line : lines) {
        if (isWarning(line))
            all.append({Finding::Code::Step, line.name + u": "_s + line.text, place});
    }
    return all;
}

bool CheckReport::isAs(const CheckReport &other) const
{
    const auto isSame = [](const CheckFinding &one, const CheckFinding &two) {
        return one.sender == two.sender && one.method == two.method && one.text == two.text;
    };
    return code() == other.code() && stoppedAt == other.stoppedAt && error.message == other.error.message &&
           std::ranges::equal(otherFindings, other.otherFindings, {}, &Finding::text, &Finding::text) &&
           std::equal(findings.begin(), findings.end(), other.findings.begin(), other.findings.end(), isSame);
}

QStringList linesOf(const CheckReport &report)
{
    QStringList lines{visibleLine(report.name) + u"  "_s + visibleLine(report.target)};
    for (const DoctorLine &line : report.lines) {
        QString text =
            u"  "_s + signOf(line.state) + u' ' + line.name.leftJustified(StepWidth) + visibleText(line.text);
        if (line.ms >= 0)
            text += u"  "_s + CliText::tr("%1 ms").arg(line.ms);
        lines << text;
        const bool isTold = line.state != State::Waiting;
        for (const QString &more : {line.detail, line.note}) {
            if (isTold && !more.isEmpty() && more != report.target)
                lines << QString(StepWidth + 4, u' ') + visibleLine(more, 1000);
        }
    }
    for (const QString &line : report.written.split(u'\n', Qt::SkipEmptyParts))
        lines << u"  │ "_s + visibleText(line);
    if (!report.isStrict)
        lines << findingLinesOf(report);
    lines << u"  "_s + summaryOf(report);
    const QString &hint = report.error.hint;
    const bool isNew = std::none_of(report.lines.begin(), report.lines.end(),
                                    [&hint](const DoctorLine &line) { return line.note == hint; });
    if (report.error && isNew && !hint.isEmpty())
        lines << u"  "_s + visibleText(hint);
    return lines;
}

QStringList findingLinesOf(const CheckReport &report)
{
    QStringList lines;
    for (const CheckFinding &finding : report.findings)
        lines << u"  ◆ "_s + textOf(finding);
    for (const Finding &finding : report.otherFindings)
        lines << u"  ◆ "_s + visibleText(finding.text);
    for (const DoctorLine &line : report.lines) {
        if (report.isStrict && isWarning(line))
            lines << u"  ◆ "_s + line.name + u": "_s + visibleText(line.text);
    }
    return lines;
}

QString summaryOf(const CheckReport &report)
{
    if (report.error)
        return report.stoppedAt.isEmpty()
                   ? visibleText(report.error.message)
                   : CliText::tr("Stopped at %1%2: %3")
                         .arg(report.stoppedAt, codeText(report.error), visibleText(report.error.message));
    const qint64 count = report.findings.size() + report.otherFindings.size();
    QString messages =
        counted(report.checkedMessages, CliText::tr("1 message checked"), CliText::tr("%1 messages checked"));
    if (report.uncheckedMessages > 0)
        messages += u", "_s + counted(report.uncheckedMessages, CliText::tr("1 too large to check"),
                                      CliText::tr("%1 too large to check"));
    return count == 0 ? CliText::tr("OK: %1, no findings, %2 ms").arg(messages).arg(report.ms)
                      : CliText::tr("%1: %2, %3 ms")
                            .arg(counted(count, CliText::tr("1 finding"), CliText::tr("%1 findings")), messages)
                            .arg(report.ms);
}

QByteArray checkJson(const QList<CheckReport> &reports)
{
    json::Builder builder;
    builder.beginObject().key(u"servers").beginArray();
    for (const CheckReport &report : reports) {
        builder.beginObject()
            .member(u"name", report.name)
            .member(u"target", report.target)
            .member(u"outcome", toString(report.verdict()))
            .member(u"durationMs", report.ms);
        if (report.error) {
            builder.key(u"stopped").beginObject().member(u"step", report.stoppedAt);
            builder.member(u"kind", toString(report.error.kind)).key(u"code");
            if (report.error.code != 0)
                builder.number(qint64(report.error.code));
            else
                builder.null();
            builder.member(u"text", report.error.message).endObject();
        }
        if (!report.written.isEmpty())
            builder.member(u"written", report.written);
        builder.key(u"steps").beginArray();
        for (const DoctorLine &line : report.lines) {
            builder.beginObject()
                .member(u"step", wordOf(line.kind).toString())
                .member(u"state", wordOf(line.state).toString())
                .member(u"text", line.text);
            if (!line.detail.isEmpty())
                builder.member(u"evidence", line.detail);
            if (!line.note.isEmpty())
                builder.member(u"note", line.note);
            if (line.ms >= 0)
                builder.member(u"durationMs", line.ms);
            builder.endObject();
        }
        builder.endArray().member(u"checkedMessages", report.checkedMessages);
        builder.member(u"uncheckedMessages", report.uncheckedMessages).endObject();
    }
    return builder.endArray().endObject().take();
}

QByteArray checkJUnit(const QList<CheckReport> &reports)
{
    QList<JUnitSuite> suites;
    for (const CheckReport &report : reports) {
        JUnitSuite suite{visibleLine(report.name), {}, report.ms * 1'000'000, report.written};
        for (const DoctorLine &line : report.lines)
            suite.cases.append(junitCase(report, line));
        suite.cases.append(messagesCase(report));
        suites.append(suite);
    }
    return junitXml(suites);
}

}  // namespace sonde::cli
