// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callsuite.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/redact/secretforms.h"
#include "core/replay/replayjudge.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

json::Value stringValue(const QString &text)
{
    return json::parse(json::Builder().string(text).take());
}

QString scalarText(const json::Value &value)
{
    return value.isString() ? value.string() : QString::fromUtf8(value.bytes());
}

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

CallSuite::CallSuite(const QList<SavedCall> &calls, Connection *connection, QObject *parent)
    : QObject(parent), m_connection(connection)
{
    for (const SavedCall &call : calls) {
        m_steps.emplaceBack().call = call;
        const QList<Placeholder> placeholders = placeholdersOf(call);
        for (const Placeholder &each : placeholders) {
            if (each.kind == Placeholder::Kind::Result)
                m_needed.insert(each.name);
        }
    }
}

void CallSuite::start()
{
    m_isRunning = true;
    next();
}

void CallSuite::stop()
{
    if (!m_isRunning || std::exchange(m_isStopped, true))
        return;
    if (m_call)
        m_call->cancel(u"Cancelled by the user"_s);
}

qsizetype CallSuite::count(CallStep::Status status) const
{
    return std::ranges::count(m_steps, status, &CallStep::status);
}

void CallSuite::next()
{
    ++m_current;
    if (m_current < m_steps.size() && !m_isStopped) {
        m_steps[m_current].status = CallStep::Status::Running;
        Q_EMIT stepChanged(m_current);
        readKeychain();
        return;
    }
    for (; m_current < m_steps.size(); ++m_current) {
        m_steps[m_current].status = CallStep::Status::Skipped;
        Q_EMIT stepChanged(m_current);
    }
    m_isRunning = false;
    Q_EMIT finished();
}

void CallSuite::readKeychain()
{
    const Result<QList<PlaceholderUse>> uses = placeholdersIn(m_steps[m_current].call.arguments);
    if (!uses)
        return notSent(uses.error(), CallStep::Status::Error);
    m_uses = *uses;
    QStringList names;
    for (const PlaceholderUse &use : std::as_const(m_uses)) {
        for (const Placeholder &each : use.placeholders) {
            if (each.kind == Placeholder::Kind::Keychain && !names.contains(each.name))
                names.append(each.name);
        }
    }
    if (names.isEmpty())
        return send({});
    const std::shared_ptr<SecretStore> store = m_connection->options().profile.secrets;
    if (!store)
        return notSent(Error::local(tr("There is no keychain to read %1 from.").arg(names.join(u", "_s))),
                       CallStep::Status::Error);
    readSecrets(store, names, this, [this](const QHash<QString, QString> &values, const Error &unread) {
        if (unread)
            notSent(unread, CallStep::Status::Error);
        else
            send(values);
    });
}

void CallSuite::send(const Secrets &secrets)
{
    if (m_isStopped)
        return notSent(Error::of(Error::Kind::Cancelled, tr("Cancelled by you")), CallStep::Status::Error);
    const SavedCall &call = m_steps[m_current].call;
    learn(secrets);
    json::Builder params;
    params.beginObject().member(u"name", call.tool);
    if (call.arguments.exists()) {
        const Result<QByteArray> arguments = withPlaceholderValues(
            call.arguments, [&](const Placeholder &placeholder) { return valueOf(placeholder, secrets); });
        // Only what a server has returned can be missing here, or a variable that was unset.
        if (!arguments)
            return notSent(arguments.error(), CallStep::Status::Failed);
        // One line: over standard input a message ends with it.
        params.rawMember(u"arguments", json::compact(json::parse(*arguments)));
    }
    m_call = m_connection->request(methods::CallTool, params.endObject().take(), options(call));
    connect(m_call, &Call::progressed, this, &CallSuite::progressed);
    connect(m_call, &Call::finished, this, &CallSuite::end);
}

CallOptions CallSuite::options(const SavedCall &call) const
{
    CallOptions options = m_connection->options().callOptions;
    const Tool *tool = m_connection->catalog()->tool(call.tool);
    options.task.follow = TaskOptions::Follow::Connected;
    options.task.ask = tool && tool->taskSupport == u"required";
    return options;
}

Result<json::Value> CallSuite::valueOf(const Placeholder &placeholder, const Secrets &secrets) const
{
    switch (placeholder.kind) {
        case Placeholder::Kind::Keychain:
            return stringValue(secrets.value(placeholder.name));
        case Placeholder::Kind::Environment: {
            const QByteArray name = placeholder.name.toLocal8Bit();
            if (!qEnvironmentVariableIsSet(name.constData()))
                return Error::local(tr("The environment variable %1 is not set.").arg(placeholder.name));
            return stringValue(qEnvironmentVariable(name.constData()));
        }
        case Placeholder::Kind::Result:
            break;
    }
    return resultOf(placeholder);
}

Result<json::Value> CallSuite::resultOf(const Placeholder &placeholder) const
{
    const json::Value result = m_responses.value(placeholder.name).result();
    if (!result.exists())
        return Error::local(
            tr("%1 has no value: the saved call '%2' returned no result.").arg(placeholder.text, placeholder.name));
    const json::Value value = resolvePlace(result, placeholder.pointer);
    if (value.exists())
        return value;
    QStringList members;
    for (const json::Value &member : result)
        members.append(member.key());
    return Error::local(tr("%1 has no value: the result of the saved call '%2' has no %3.")
                            .arg(placeholder.text, placeholder.name, placeholder.pointer),
                        tr("The members of the result are %1.").arg(visibleLine(members.join(u", "_s))));
}

// Before the request is recorded.
void CallSuite::learn(const Secrets &secrets)
{
    Session *session = m_connection->session();
    for (const PlaceholderUse &use : std::as_const(m_uses)) {
        bool holdsSecret = false;
        for (const Placeholder &each : use.placeholders) {
            const Result<json::Value> value = valueOf(each, secrets);
            if (!value || value->isContainer() || !isSecret(each, scalarText(*value)))
                continue;
            session->addSecret(scalarText(*value));
            holdsSecret = true;
        }
        // A short one is masked under the name of its member only.
        const Result<QByteArray> whole = withPlaceholderValues(
            use.string, [&](const Placeholder &placeholder) { return valueOf(placeholder, secrets); });
        if (holdsSecret && whole && !use.string.key().isEmpty())
            session->addSecretMember(use.string.key(), scalarText(json::parse(*whole)));
    }
}

bool CallSuite::isSecret(const Placeholder &placeholder, const QString &value) const
{
    switch (placeholder.kind) {
        case Placeholder::Kind::Keychain:
            return true;
        case Placeholder::Kind::Environment:
            return isSearchedElsewhere(value.toUtf8());  // not "1" or "production"
        case Placeholder::Kind::Result:
            break;
    }
    return isMasked(placeholder);
}

// What was masked in the response it comes from is a secret wherever it goes.
bool CallSuite::isMasked(const Placeholder &placeholder) const
{
    const QByteArray recorded = m_connection->session()->masked(m_responses.value(placeholder.name).raw());
    const json::Value value = resolvePlace(Message::parse(recorded).result(), placeholder.pointer);
    return holdsSecretMark(scalarText(value));
}

void CallSuite::end(const Outcome &outcome)
{
    m_call = nullptr;
    CallStep &step = m_steps[m_current];
    if (m_needed.contains(step.call.name))
        m_responses.insert(step.call.name, outcome.message);
    const QByteArray recorded = m_connection->session()->masked(outcome.message.raw());
    const Message live = recorded == outcome.message.raw() ? outcome.message : Message::parse(recorded);
    step.response = outcome;
    step.response.message = live;
    step.outcome = outcome.kind;
    step.durationNs = outcome.durationNs;
    const CallExpectation &expected = step.call.expect;
    if (outcome.kind == Outcome::Kind::NoResponse || outcome.kind == Outcome::Kind::ProtocolError) {
        step.error = outcome.error;
        step.error.message = masked(step.error.message);
        step.error.detail = masked(step.error.detail);
        if (step.error.data.exists())
            step.error.data = json::parse(m_connection->session()->masked(step.error.data.bytes()));
    }
    if (outcome.kind == Outcome::Kind::NoResponse) {
        step.status = CallStep::Status::Error;
        step.reasons.append(tr("No response: %1").arg(visibleLine(step.error.message)));
        return finishStep();
    }
    step.status = CallStep::Status::Passed;
    if (outcome.kind != expected.outcome) {
        const bool isError = outcome.kind == Outcome::Kind::ProtocolError;
        step.status = isError ? CallStep::Status::Error : CallStep::Status::Failed;
        const QString said = isError ? u"%1 %2"_s.arg(step.error.code).arg(visibleLine(step.error.message))
                             : outcome.kind == Outcome::Kind::ToolError ? firstText(live.result())
                                                                        : QString();
        const QString actual = outcomeWords(outcome.kind) + (said.isEmpty() ? QString() : u": "_s + said);
        step.reasons.append(tr("Expected %1, got %2").arg(outcomeWords(expected.outcome), actual));
    } else {
        compare(step, live);
    }
    const qint64 limitMs = expected.maxDurationMs.value_or(0);
    if (limitMs > 0 && milliseconds(step.durationNs) > double(limitMs)) {
        step.status = std::max(step.status, CallStep::Status::Failed);
        step.reasons.append(
            tr("Took %1 ms, expected at most %2 ms").arg(milliseconds(step.durationNs), 0, 'f', 1).arg(limitMs));
    }
    finishStep();
}

void CallSuite::compare(CallStep &step, const Message &live) const
{
    const bool isError = live.kind() == Message::Kind::Error;
    const json::Value &expected = isError ? step.call.expect.error : step.call.expect.result;
    if (!expected.exists())
        return;
    ReplayStep comparison;
    comparison.method = methods::CallTool.toString();
    comparison.target = step.call.tool;
    comparison.recorded = responseWith(isError ? u"error" : u"result", expected);
    comparison.live = live;
    ReplayJudge(step.call.expect.ignore).judge(comparison);
    step.differences = comparison.differences;
    step.ignored = comparison.ignored.size();
    step.isCut = comparison.isCut;
    if (comparison.status == ReplayStep::Status::Same)
        return;
    step.status = isError ? CallStep::Status::Error : CallStep::Status::Failed;
    step.reasons.append(isError ? tr("The error is not the expected one") : tr("The result is not the expected one"));
}

void CallSuite::notSent(const Error &why, CallStep::Status status)
{
    CallStep &step = m_steps[m_current];
    step.status = status;
    step.error = why;
    step.reasons.append(tr("Not sent: %1").arg(visibleLine(why.message)));
    if (!why.hint.isEmpty())
        step.reasons.append(visibleLine(why.hint));
    finishStep();
}

// The next call comes a turn later: however many there are, none is made within another's end.
void CallSuite::finishStep()
{
    const bool hasPassed = m_steps[m_current].status == CallStep::Status::Passed;
    m_isStopped = m_isStopped || (m_stopsOnFailure && !hasPassed);
    if (hasPassed)
        m_steps[m_current].response.message = {};  // there may be many, and large ones
    Q_EMIT stepChanged(m_current);
    QMetaObject::invokeMethod(this, &CallSuite::next, Qt::QueuedConnection);
}

QString CallSuite::masked(const QString &text) const
{
    return QString::fromUtf8(m_connection->session()->masked(text.toUtf8()));
}

}  // namespace sonde
