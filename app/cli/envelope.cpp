// SPDX-License-Identifier: Apache-2.0
#include "app/cli/envelope.h"

#include "app/cli/texts.h"
#include "core/json/builder.h"
#include "core/protocol/numbertext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

bool isFailure(Verdict verdict)
{
    return verdict == Verdict::ProtocolError || verdict == Verdict::NoResponse || verdict == Verdict::UsageError ||
           verdict == Verdict::Interrupted;
}

void addTextOrNull(json::Builder &builder, QStringView name, const QString &text)
{
    builder.key(name);
    if (text.isEmpty())
        builder.null();
    else
        builder.string(text);
}

void addFinding(json::Builder &builder, const Finding &finding)
{
    builder.beginObject().member(u"code", toString(finding.code)).member(u"text", finding.text);
    addTextOrNull(builder, u"pointer", finding.pointer);
    builder.key(u"record");
    if (finding.record > 0)
        builder.number(finding.record);
    else
        builder.null();
    if (finding.count > 1)
        builder.member(u"count", finding.count);
    if (!finding.method.isEmpty())
        builder.member(u"method", finding.method);
    if (!finding.sender.isEmpty())
        builder.member(u"sender", finding.sender);
    builder.endObject();
}

void addError(json::Builder &builder, const Error &error, Verdict verdict)
{
    builder.beginObject().key(u"code");
    if (error.code != 0)
        builder.number(qint64(error.code));
    else
        builder.null();
    builder.member(u"kind", verdict == Verdict::UsageError ? u"usage"_s : toString(error.kind));
    builder.member(u"text", error.message);
    if (!error.detail.isEmpty())
        builder.member(u"detail", error.detail);
    if (!error.hint.isEmpty())
        builder.member(u"hint", error.hint);
    if (error.data.exists())
        builder.key(u"data").value(error.data);
    builder.endObject();
}

}  // namespace

QString toString(Verdict verdict)
{
    switch (verdict) {
        case Verdict::Ok:
            return u"ok"_s;
        case Verdict::ToolError:
            return u"tool-error"_s;
        case Verdict::Findings:
            return u"findings"_s;
        case Verdict::Changed:
            return u"changed"_s;
        case Verdict::Failed:
            return u"failed"_s;
        case Verdict::NotFound:
            return u"not-found"_s;
        case Verdict::NotValid:
            return u"not-valid"_s;
        case Verdict::ProtocolError:
            return u"protocol-error"_s;
        case Verdict::Breaking:
            return u"breaking"_s;
        case Verdict::NoResponse:
            return u"no-response"_s;
        case Verdict::UsageError:
            return u"usage-error"_s;
        case Verdict::Interrupted:
            break;
    }
    return u"interrupted"_s;
}

ExitCode exitCodeFor(Verdict verdict)
{
    switch (verdict) {
        case Verdict::Ok:
            return ExitCode::Ok;
        case Verdict::ToolError:
        case Verdict::Findings:
        case Verdict::Changed:
        case Verdict::Failed:
        case Verdict::NotFound:
        case Verdict::NotValid:
            return ExitCode::ToolError;
        case Verdict::ProtocolError:
        case Verdict::Breaking:
            return ExitCode::ProtocolError;
        case Verdict::UsageError:
            return ExitCode::WrongUse;
        case Verdict::Interrupted:
            return ExitCode::Interrupted;
        case Verdict::NoResponse:
            break;
    }
    return ExitCode::NoResponse;
}

Verdict verdictFor(ExitCode code)
{
    for (const Verdict verdict :
         {Verdict::Ok, Verdict::ToolError, Verdict::ProtocolError, Verdict::NoResponse, Verdict::UsageError}) {
        if (exitCodeFor(verdict) == code)
            return verdict;
    }
    return Verdict::Interrupted;
}

QString toString(Finding::Code code)
{
    switch (code) {
        case Finding::Code::Replaced:
            return u"replaced-characters"_s;
        case Finding::Code::Arguments:
            return u"arguments"_s;
        case Finding::Code::OutputSchema:
            return u"output-schema"_s;
        case Finding::Code::Result:
            return u"result"_s;
        case Finding::Code::Content:
            return u"content"_s;
        case Finding::Code::List:
            return u"list"_s;
        case Finding::Code::NotCallable:
            return u"not-callable"_s;
        case Finding::Code::MessageRule:
            return u"message-rule"_s;
        case Finding::Code::Conversation:
            return u"conversation"_s;
        case Finding::Code::Step:
            return u"step"_s;
        case Finding::Code::Replay:
            return u"replay"_s;
        case Finding::Code::SavedCall:
            return u"saved-call"_s;
        case Finding::Code::Offering:
            return u"offering"_s;
        case Finding::Code::Session:
            return u"session"_s;
        case Finding::Code::Configuration:
            break;
    }
    return u"configuration"_s;
}

QList<Finding> Finding::of(Code code, const QStringList &texts)
{
    QList<Finding> findings;
    for (const QString &text : texts)
        findings.append({code, text});
    return findings;
}

bool Envelope::add(const Finding &finding)
{
    if (m_said.contains(finding.text))
        return false;
    const auto known = std::ranges::find_if(m_findings, [&finding](const Finding &other) {
        const bool areApart =
            !finding.pointer.isEmpty() && !other.pointer.isEmpty() && finding.pointer != other.pointer;
        return other.text == finding.text && !areApart;
    });
    if (known == m_findings.end()) {
        m_findings.append(finding);
        return true;
    }
    if (known->pointer.isEmpty())
        known->pointer = finding.pointer;
    if (known->record == 0)
        known->record = finding.record;
    return false;
}

Envelope Envelope::line(int number, const QString &verb) const
{
    Envelope part;
    part.m_verb = verb;
    part.m_server = m_server;
    part.m_line = number;
    return part;
}

Envelope Envelope::nextEvent()
{
    Envelope part = line(m_line, m_verb);
    part.m_event = ++m_events;
    return part;
}

void Envelope::addEnded(const Envelope &part, ExitCode code)
{
    for (const Finding &finding : part.m_findings)
        m_said.insert(finding.text);
    const Verdict verdict = part.verdict(code);
    if (m_verdict && exitCodeFor(*m_verdict) >= exitCodeFor(verdict))
        return;
    m_verdict = verdict;
    m_error = part.m_error;
}

ExitCode Envelope::codeWithFindings(ExitCode code)
{
    if (code != ExitCode::Ok || m_findings.isEmpty())
        return code;
    m_verdict = Verdict::Findings;
    return exitCodeFor(Verdict::Findings);
}

// What a verb said counts as long as it goes with the exit code, which may have come about otherwise.
Verdict Envelope::verdict(ExitCode code) const
{
    return m_verdict && exitCodeFor(*m_verdict) == code ? *m_verdict : verdictFor(code);
}

void Envelope::addHead(json::Builder &builder) const
{
    addTextOrNull(builder, u"verb", m_verb);
    if (m_line > 0)
        builder.member(u"line", qint64(m_line));
    if (m_event > 0)
        builder.member(u"event", qint64(m_event));
}

void Envelope::addRest(json::Builder &builder, ExitCode code) const
{
    builder.member(u"outcome", toString(verdict(code)));
    addTextOrNull(builder, u"server", m_server);
    builder.key(u"durationMs").number(milliseconds(m_durationNs.value_or(m_clock.nsecsElapsed())));
    builder.key(u"findings").beginArray();
    for (const Finding &finding : m_findings)
        addFinding(builder, finding);
    builder.endArray().key(u"error");
    if (!isFailure(verdict(code)))
        builder.null();
    else
        addError(builder, m_error ? m_error : Error::local(CliText::tr("See standard error.")), verdict(code));
}

QByteArray Envelope::toJson(ExitCode code) const
{
    json::Builder builder;
    builder.beginObject();
    addHead(builder);
    addRest(builder, code);
    builder.key(u"result");
    if (m_result.isEmpty())
        builder.null();
    else
        builder.raw(m_result);
    return builder.endObject().take();
}

QByteArray Envelope::toOpening(QStringView list) const
{
    json::Builder builder;
    builder.beginObject();
    addHead(builder);
    builder.key(u"result").beginObject().key(list).beginArray().endArray().endObject().endObject();
    return builder.take().chopped(3);  // "]}}"
}

QByteArray Envelope::toClosing(ExitCode code) const
{
    json::Builder builder;
    builder.beginObject();
    addRest(builder, code);
    return "]}," + builder.endObject().take().sliced(1);
}

}  // namespace sonde::cli
