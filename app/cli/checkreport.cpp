// SPDX-License-Identifier: Apache-2.0
#include "app/cli/checkreport.h"

#include "app/cli/texts.h"
#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QXmlStreamWriter>
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

// XML 1.0 has no way to write these two; all others that it has none for are made visible everywhere.
QString xmlText(const QString &text)
{
    QString shown = visibleText(text);
    shown.replace(QChar(0xFFFE), u"‹U+FFFE›"_s).replace(QChar(0xFFFF), u"‹U+FFFF›"_s);
    return shown;
}

QString codeText(const Error &error)
{
    return error.code == 0 ? QString() : CliText::tr(" (code %1)").arg(error.code);
}

QString wordFor(ExitCode code)
{
    switch (code) {
        case ExitCode::Ok:
            return u"ok"_s;
        case ExitCode::ToolError:
            return u"findings"_s;
        case ExitCode::ProtocolError:
            return u"protocol-error"_s;
        case ExitCode::NoResponse:
        case ExitCode::WrongUse:
            break;
    }
    return u"no-response"_s;
}

}  // namespace

ExitCode CheckReport::code() const
{
    if (error)
        return exitCodeFor(error);
    const bool hasFailed =
        std::any_of(lines.begin(), lines.end(), [](const DoctorLine &line) { return line.state == State::Failed; });
    if (hasFailed)
        return ExitCode::NoResponse;
    return findings.isEmpty() && otherFindings.isEmpty() ? ExitCode::Ok : ExitCode::ToolError;
}

bool CheckReport::isAs(const CheckReport &other) const
{
    const auto isSame = [](const CheckFinding &one, const CheckFinding &two) {
        return one.sender == two.sender && one.method == two.method && one.text == two.text;
    };
    return code() == other.code() && stoppedAt == other.stoppedAt && error.message == other.error.message &&
           otherFindings == other.otherFindings &&
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
    for (const CheckFinding &finding : report.findings)
        lines << u"  ◆ "_s + textOf(finding);
    for (const QString &finding : report.otherFindings)
        lines << u"  ◆ "_s + visibleText(finding);
    lines << u"  "_s + summaryOf(report);
    const QString &hint = report.error.hint;
    const bool isNew = std::none_of(report.lines.begin(), report.lines.end(),
                                    [&hint](const DoctorLine &line) { return line.note == hint; });
    if (report.error && isNew && !hint.isEmpty())
        lines << u"  "_s + visibleText(hint);
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
        messages += u", "_s + counted(report.uncheckedMessages, CliText::tr("1 too large to be checked"),
                                      CliText::tr("%1 too large to be checked"));
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
            .member(u"outcome", wordFor(report.code()))
            .key(u"ms")
            .number(report.ms);
        if (report.error) {
            builder.key(u"stopped").beginObject().member(u"step", report.stoppedAt);
            builder.member(u"kind", toString(report.error.kind)).key(u"code").number(qint64(report.error.code));
            builder.member(u"message", report.error.message).endObject();
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
                builder.key(u"ms").number(line.ms);
            builder.endObject();
        }
        builder.endArray().key(u"checkedMessages").number(report.checkedMessages);
        builder.key(u"uncheckedMessages").number(report.uncheckedMessages).key(u"findings").beginArray();
        for (const CheckFinding &finding : report.findings) {
            builder.beginObject()
                .member(u"method", finding.method)
                .member(u"sender", finding.sender == Sender::Server ? u"server"_s : u"client"_s)
                .member(u"text", finding.text)
                .key(u"message")
                .number(qint64(finding.number))
                .key(u"count")
                .number(finding.count)
                .endObject();
        }
        for (const QString &finding : report.otherFindings)
            builder.beginObject().member(u"text", finding).endObject();
        builder.endArray().endObject();
    }
    return builder.endArray().endObject().take();
}

QByteArray checkJUnit(const QList<CheckReport> &reports)
{
    QByteArray text;
    QXmlStreamWriter xml(&text);
    xml.setAutoFormatting(true);
    xml.writeStartDocument();
    xml.writeStartElement(u"testsuites"_s);
    for (const CheckReport &report : reports) {
        const auto count = [&report](auto matches) {
            return QString::number(std::count_if(report.lines.begin(), report.lines.end(), matches));
        };
        const bool hasFindings = !report.findings.isEmpty() || !report.otherFindings.isEmpty();
        // A start that failed without any step that did, has still failed.
        const bool isUnexplained =
            report.error && std::none_of(report.lines.begin(), report.lines.end(),
                                         [](const auto &line) { return line.state == State::Failed; });
        xml.writeStartElement(u"testsuite"_s);
        xml.writeAttribute(u"name"_s, xmlText(visibleLine(report.name)));
        xml.writeAttribute(u"tests"_s, QString::number(report.lines.size() + 1));
        xml.writeAttribute(u"failures"_s, QString::number(hasFindings ? 1 : 0));
        xml.writeAttribute(
            u"errors"_s, isUnexplained ? u"1"_s : count([](const auto &line) { return line.state == State::Failed; }));
        xml.writeAttribute(u"skipped"_s, count([](const auto &line) {
                               return line.state == State::Waiting || line.state == State::Skipped;
                           }));
        xml.writeAttribute(u"time"_s, QString::number(double(report.ms) / 1000, 'f', 3));
        for (const DoctorLine &line : report.lines) {
            xml.writeStartElement(u"testcase"_s);
            xml.writeAttribute(u"classname"_s, xmlText(visibleLine(report.name)));
            xml.writeAttribute(u"name"_s, line.name);
            if (line.ms >= 0)
                xml.writeAttribute(u"time"_s, QString::number(double(line.ms) / 1000, 'f', 3));
            if (line.state == State::Failed) {
                xml.writeStartElement(u"error"_s);
                xml.writeAttribute(u"message"_s, xmlText(visibleLine(line.text, 1000)));
                xml.writeCharacters(xmlText((QStringList{line.detail, line.note}).join(u'\n')));
                xml.writeEndElement();
            } else if (line.state == State::Waiting || line.state == State::Skipped) {
                xml.writeEmptyElement(u"skipped"_s);
            }
            xml.writeEndElement();
        }
        xml.writeStartElement(u"testcase"_s);
        xml.writeAttribute(u"classname"_s, xmlText(visibleLine(report.name)));
        xml.writeAttribute(u"name"_s, CliText::tr("Messages"));
        if (isUnexplained) {
            xml.writeStartElement(u"error"_s);
            xml.writeAttribute(u"message"_s, xmlText(visibleLine(report.error.message, 1000)));
            xml.writeEndElement();
        }
        if (hasFindings) {
            QStringList texts;
            for (const CheckFinding &finding : report.findings)
                texts << textOf(finding);
            for (const QString &finding : report.otherFindings)
                texts << finding;
            xml.writeStartElement(u"failure"_s);
            xml.writeAttribute(u"message"_s, xmlText(summaryOf(report)));
            xml.writeCharacters(xmlText(texts.join(u'\n')));
            xml.writeEndElement();
        }
        xml.writeEndElement();
        if (!report.written.isEmpty())
            xml.writeTextElement(u"system-err"_s, xmlText(report.written));
        xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeEndDocument();
    return text;
}

}  // namespace sonde::cli
