// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callsuite.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

CallSuite::CallSuite(const QList<SavedCall> &calls, Connection *connection, QObject *parent)
    : QObject(parent), m_connection(connection), m_sender(new CallSender(connection, this))
{
    for (const SavedCall &call : calls) {
        m_steps.emplaceBack().call = call;
        const QList<Placeholder> placeholders = placeholdersOf(call);
        for (const Placeholder &each : placeholders) {
            if (each.kind == Placeholder::Kind::Result)
                m_needed.insert(each.name);
        }
    }
    connect(m_sender, &CallSender::sent, this, &CallSuite::onSent);
    connect(m_sender, &CallSender::notSent, this, &CallSuite::notSent);
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
    if (m_call) {
        m_call->cancel(u"Cancelled by the user"_s);
    } else if (m_current >= 0 && m_steps[m_current].status == CallStep::Status::Running) {
        m_sender->cancel();
        notSent(Error::of(Error::Kind::Cancelled, tr("Cancelled by you")), CallStep::Status::Error);
    }
}

void CallSuite::abandon(const Error &why)
{
    if (!m_isRunning)
        return;
    m_isStopped = true;
    m_isRunning = false;
    m_sender->cancel();
    if (m_call)
        m_call->disconnect(this);
    m_call = nullptr;
    qsizetype left = std::max<qsizetype>(m_current, 0);
    if (left < m_steps.size() && m_steps[left].status == CallStep::Status::Running) {
        CallStep &step = m_steps[left];
        step.outcome = Outcome::Kind::NoResponse;
        step.error = why;
        judge(step);
        Q_EMIT stepChanged(left);
    }
    while (left < m_steps.size() && m_steps[left].hasEnded())
        ++left;
    skipFrom(left, why.message);
    Q_EMIT finished();
}

qsizetype CallSuite::count(CallStep::Status status) const
{
    return std::ranges::count(m_steps, status, &CallStep::status);
}

void CallSuite::replaceCall(qsizetype index, const SavedCall &call)
{
    CallStep &step = m_steps[index];
    step.call = call;
    if (!step.hasEnded() || !step.response.message.isResponse())
        return;
    judge(step);
    Q_EMIT stepChanged(index);
}

void CallSuite::next()
{
    if (!m_isRunning)
        return;
    ++m_current;
    if (m_current < m_steps.size() && !m_isStopped) {
        m_steps[m_current].status = CallStep::Status::Running;
        Q_EMIT stepChanged(m_current);
        if (m_steps[m_current].status == CallStep::Status::Running)  // whoever heard this may have stopped it
            m_sender->send(m_steps[m_current].call, options(m_steps[m_current].call), m_responses);
        return;
    }
    skipFrom(m_current, {});
    m_isRunning = false;
    Q_EMIT finished();
}

void CallSuite::skipFrom(qsizetype index, const QString &reason)
{
    for (; index < m_steps.size(); ++index) {
        m_steps[index].status = CallStep::Status::Skipped;
        if (!reason.isEmpty())
            m_steps[index].reasons.append(tr("Not run: %1").arg(reason));
        Q_EMIT stepChanged(index);
    }
}

void CallSuite::onSent(Call *call)
{
    m_call = call;
    connect(call, &Call::progressed, this, &CallSuite::progressed);
    connect(call, &Call::finished, this, &CallSuite::end);
}

CallOptions CallSuite::options(const SavedCall &call) const
{
    CallOptions options = m_connection->options().callOptions;
    const Tool *tool = m_connection->catalog()->tool(call.tool);
    options.task.follow = TaskOptions::Follow::Connected;
    options.task.ask = tool && tool->taskSupport == u"required";
    return options;
}

void CallSuite::end(const Outcome &outcome)
{
    m_call = nullptr;
    CallStep &step = m_steps[m_current];
    if (m_needed.contains(step.call.name))
        m_responses.insert(step.call.name, outcome.message);
    setOutcome(step, outcome, *m_connection->session());
    finishStep();
}

void CallSuite::notSent(const Error &why, CallStep::Status status)
{
    setNotSent(m_steps[m_current], why, status);
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

}  // namespace sonde
