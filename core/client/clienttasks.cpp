// SPDX-License-Identifier: Apache-2.0
#include "core/client/clienttasks.h"

#include "core/client/calltask.h"
#include "core/client/clientprivate.h"
#include "core/client/requestmeta.h"
#include "core/client/taskmessages.h"
#include "core/protocol/methods.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxTaskFailures = 5;
constexpr std::chrono::milliseconds MinRetryPause{1000};
constexpr QStringView RelatedTask = u"io.modelcontextprotocol/related-task";

Error taskError(Error::Kind kind, const QString &text)
{
    return {kind, 0, text, {}, {}, {}};
}

}  // namespace

CallOptions Client::Tasks::roundOptions(const Call *call)
{
    CallOptions options = call->m_options;
    if (call->m_task) {
        options.askForProgress = false;
        options.task.ask = false;
    }
    return options;
}

QString Client::Tasks::relatedTask(const json::Value &params)
{
    return params[u"_meta"][RelatedTask][u"taskId"].string();
}

QByteArray Client::Tasks::withRelatedTask(const QByteArray &result, const json::Value &params)
{
    const json::Value related = params[u"_meta"][RelatedTask];
    return related.isObject() ? withMeta(result, {{RelatedTask.toLatin1(), related.bytes()}}).params : result;
}

// A call dies with its client at the latest.
bool Client::Tasks::isOpen(const QPointer<Call> &call) const
{
    return call && d->isOpen(call);
}

bool Client::Tasks::conclude(Call *call, Interpretation *meaning)
{
    const bool isTask = meaning->kind == Interpretation::Kind::TaskStarted;
    const TaskSupport &support = q->m_dialect->taskSupport();
    if (call->m_isRaw || (!isTask && !call->m_task) || call->m_method != methods::CallTool)
        return false;
    if (!call->m_task && call->m_options.task.follow == TaskOptions::Follow::No) {
        const bool wasDeclared = support.areAskedFor || call->m_params.contains(TasksExtension.toUtf8());
        if (!wasDeclared) {
            meaning->outcome.kind = Outcome::Kind::NoResponse;
            meaning->outcome.error =
                taskError(Error::Kind::Protocol,
                          Client::tr("The server started a task, although the client did not declare tasks."));
        }
        return false;
    }
    if (isTask)
        return follow(call, meaning);
    call->m_task->failures = 0;
    call->m_task->isEndless = false;
    if (call->m_roundMethod != methods::TaskResult || call->m_task->state.isOver())
        return false;
    // Asked for while the task requires input. A task that has failed says so, and then it is asked for again.
    if (meaning->outcome.kind == Outcome::Kind::ProtocolError) {
        call->m_isBetweenRounds = true;
        schedule(call, taskRequest(methods::GetTask, call->m_task->state.id), call->m_task->state.pollInterval);
        tell(call,
             Client::tr("The server refused tasks/result while the task requires input: %1")
                 .arg(meaning->outcome.error.message),
             meaning->outcome.message);
        Q_EMIT call->taskChanged();
        return true;
    }
    call->m_task->state.status =
        meaning->outcome.kind == Outcome::Kind::ToolError ? TaskState::Status::Failed : TaskState::Status::Completed;
    return false;
}

bool Client::Tasks::follow(Call *call, Interpretation *meaning)
{
    const Message message = meaning->outcome.message;
    const bool isNew = !call->m_task;
    if (isNew) {
        start(call);
        if (q->m_dialect->taskSupport().areAskedFor && !call->m_options.task.ask &&
            !call->m_params.contains("\"task\""))
            tell(call, Client::tr("The server turned a call into a task without being asked to."), message);
    }
    CallTask &task = *call->m_task;
    task.failures = 0;
    task.isEndless = false;
    const QString known = task.state.id;
    if (!isNew && !meaning->task.id.isEmpty() && meaning->task.id != known) {
        call->m_isBetweenRounds = true;
        schedule(call, taskRequest(methods::GetTask, known), task.state.pollInterval);
        tell(call, Client::tr("The server described the task %1 instead of the task %2.").arg(meaning->task.id, known),
             message);
        return true;
    }
    update(call, meaning->task, message);
    if (meaning->next.method.isEmpty()) {
        meaning->kind = Interpretation::Kind::Finished;
        meaning->outcome = meaning->end;
        return false;
    }
    call->m_isBetweenRounds = true;
    schedule(call, meaning->next, meaning->pause);
    const QPointer<Call> open(call);
    askForInputs(call, *meaning);
    if (isOpen(open))
        Q_EMIT call->taskChanged();
    return true;
}

void Client::Tasks::start(Call *call)
{
    call->m_task = std::make_unique<CallTask>();
    CallTask &task = *call->m_task;
    task.timer.setSingleShot(true);
    QObject::connect(&task.timer, &QTimer::timeout, call, [this, call] { wake(call); });
}

void Client::Tasks::take(Call *call, const QString &taskId)
{
    start(call);
    call->m_task->state.id = taskId;
    call->m_tool = json::parse(call->m_params)[u"name"].string();
    if (call->m_options.task.follow == TaskOptions::Follow::No)
        call->m_options.task.follow = TaskOptions::Follow::Connected;
    if (d->canSend() && !q->m_dialect->taskSupport().calls) {
        d->endLater(call, Error::local(Client::tr("The server does not support tasks.")));
        return;
    }
    const RequestBody get = taskRequest(methods::GetTask, taskId);
    call->m_roundMethod = get.method;
    call->m_roundParams = get.params;
    d->sendRound(call);
}

void Client::Tasks::schedule(Call *call, const RequestBody &next, std::chrono::milliseconds pause)
{
    call->m_task->next = next;
    arm(call->m_task.get(), pause);
}

void Client::Tasks::arm(CallTask *task, std::chrono::milliseconds pause)
{
    task->wakeNs = q->now() + std::chrono::nanoseconds(pause).count();
    task->timer.start(pause);
}

// For a client that has a time of its own, which the timer does not follow.
void Client::Tasks::wakeDue()
{
    const QList<QPointer<Call>> calls = d->openCalls();
    for (const QPointer<Call> &call : calls) {
        if (!isOpen(call))
            continue;
        if (call->m_task && call->m_task->timer.isActive() && call->m_task->wakeNs <= q->now())
            wake(call);
    }
}

void Client::Tasks::wake(Call *call)
{
    CallTask &task = *call->m_task;
    task.timer.stop();
    if (!d->isOpen(call))
        return;
    if (!call->m_isBetweenRounds) {
        if (task.isEndless)
            look(call);
        return;
    }
    const QPointer<Call> open(call);
    const RequestBody next = std::exchange(task.next, {});
    task.isEndless = next.method == methods::TaskResult && !task.state.isOver();
    if (task.isEndless)
        arm(&task, task.state.pollInterval);
    d->startNextRound(call, next);
    if (isOpen(open))
        Q_EMIT call->taskChanged();
}

// While tasks/result waits for the end, what the task is doing can still be shown.
void Client::Tasks::look(Call *call)
{
    const RequestBody get = taskRequest(methods::GetTask, call->m_task->state.id);
    CallOptions options = roundOptions(call);
    options.id = {};
    QObject::connect(q->request(get.method, get.params, options), &Call::finished, call,
                     [this, call](const Outcome &outcome) {
                         CallTask &task = *call->m_task;
                         if (!d->isOpen(call) || !task.isEndless)
                             return;
                         if (outcome.kind == Outcome::Kind::Ok)
                             update(call, TaskState::read(outcome.result()), outcome.message);
                         if (task.state.isOver()) {
                             task.isEndless = false;
                             call->m_lastActivityNs = q->now();
                             d->watch(d->deadlineOf(call));
                         } else {
                             arm(&task, task.state.pollInterval);
                         }
                         Q_EMIT call->taskChanged();
                     });
}

void Client::Tasks::tell(Call *call, const QString &finding, const Message &message)
{
    if (call->m_task->toldFindings.contains(finding))
        return;
    call->m_task->toldFindings.append(finding);
    d->addFinding(finding, message);
}

// Announces what is wrong with it.
void Client::Tasks::update(Call *call, const TaskState &fresh, const Message &message)
{
    const TaskState before = std::exchange(call->m_task->state, fresh);
    if (before.isOver() && !fresh.isOver())
        tell(call,
             Client::tr("The status of the task was %1, which is final; now it is %2.")
                 .arg(toString(before.status), toString(fresh.status)),
             message);
    for (const QString &finding : fresh.findings)
        tell(call, finding, message);
}

void Client::Tasks::hear(const Message &notification)
{
    if (notification.method() != methods::TaskStatusChanged && notification.method() != methods::TaskChanged)
        return;
    const TaskState fresh = TaskState::read(notification.params());
    const QList<QPointer<Call>> calls = d->openCalls();
    for (const QPointer<Call> &call : calls) {
        if (!isOpen(call) || !call->m_task || fresh.id.isEmpty() || call->m_task->state.id != fresh.id)
            continue;
        const bool isNews = fresh.status != call->m_task->state.status && fresh.status != TaskState::Status::Working;
        update(call, fresh, notification);
        if (isNews && call->m_isBetweenRounds && call->m_task->timer.isActive())
            wake(call);
        else
            Q_EMIT call->taskChanged();
    }
}

bool Client::Tasks::retry(Call *call, const Error &error)
{
    if (!call->m_task)
        return false;
    if (!d->canSend())
        return survives(call, error);
    if (error.kind != Error::Kind::Transport && error.kind != Error::Kind::Timeout)
        return false;
    CallTask &task = *call->m_task;
    if (++task.failures > MaxTaskFailures)
        return false;
    (void)q->m_transport->abandon(call->m_id);
    call->m_answeredNs = q->now();
    call->m_isBetweenRounds = true;
    task.isEndless = false;
    schedule(call, taskRequest(methods::GetTask, task.state.id), std::max(task.state.pollInterval, MinRetryPause));
    Q_EMIT call->taskChanged();
    return true;
}

bool Client::Tasks::survives(Call *call, const Error &error)
{
    const bool isOver = !call->m_task || d->canSend();
    const TaskOptions::Follow follow = call->m_options.task.follow;
    if (isOver || (follow != TaskOptions::Follow::Always && error.reason != Error::Reason::SessionLost))
        return false;
    CallTask &task = *call->m_task;
    task.timer.stop();
    task.isEndless = false;
    task.isUnreachable = true;
    call->m_answeredNs = q->now();
    call->m_isBetweenRounds = true;
    Q_EMIT call->taskChanged();
    return true;
}

void Client::Tasks::resume()
{
    const QList<QPointer<Call>> calls = d->openCalls();
    for (const QPointer<Call> &call : calls) {
        if (!isOpen(call) || !call->m_task || !std::exchange(call->m_task->isUnreachable, false))
            continue;
        call->m_task->failures = 0;
        if (!q->m_dialect->taskSupport().calls) {
            fail(call, Error::local(Client::tr("The server does not support tasks any more.")));
            continue;
        }
        d->startNextRound(call, taskRequest(methods::GetTask, call->m_task->state.id));
        if (isOpen(call))
            Q_EMIT call->taskChanged();
    }
}

QList<QPointer<Call>> Client::Tasks::waitingForSession()
{
    QList<QPointer<Call>> calls = d->openCalls();
    calls.removeIf([](const QPointer<Call> &call) {
        return !call->isTaskUnreachable() || call->m_options.task.follow == TaskOptions::Follow::Always;
    });
    return calls;
}

// A slot that hears of the end of a request must not run before the call has been told of its own.
void Client::Tasks::leave(Call *call, InputRequest::End how, const QString &reason)
{
    if (!call->m_task)
        return;
    call->m_task->timer.stop();
    call->m_task->isUnreachable = false;
    QMetaObject::invokeMethod(
        q,
        [inputs = std::exchange(call->m_task->inputs, {}), how, reason] {
            for (const auto &[key, input] : inputs) {
                if (input.round)
                    input.round->close(how, reason);
            }
        },
        Qt::QueuedConnection);
}

void Client::Tasks::sendCancellation(Call *call)
{
    if (!d->canSend())
        return;
    if (!call->m_answeredNs)
        (void)q->m_transport->abandon(call->m_id);
    if (!q->m_dialect->taskSupport().canBeCancelled) {
        d->addFinding(Client::tr("The server does not declare tasks/cancel; it goes on with the task."));
        return;
    }
    const RequestBody body = taskRequest(methods::CancelTask, call->m_task->state.id);
    CallOptions options = roundOptions(call);
    options.id = {};
    options.cancellable = false;
    QObject::connect(q->request(body.method, body.params, options), &Call::finished, q, [this](const Outcome &outcome) {
        if (outcome.kind == Outcome::Kind::ProtocolError)
            d->addFinding(Client::tr("The server did not cancel the task: %1").arg(outcome.error.message),
                          outcome.message);
    });
}

void Client::Tasks::fail(Call *call, const Error &error)
{
    d->settle(call, RequestHistory::Ending::Failed);
    Outcome outcome;
    outcome.error = error;
    d->finish(call, outcome);
}

// Spec: "Task Update Requests". Each key once in the life of a task, whatever the following polls repeat. May end the
// call.
void Client::Tasks::askForInputs(Call *call, const Interpretation &meaning)
{
    CallTask &task = *call->m_task;
    QList<QPointer<InputRequest>> requests;
    QList<std::shared_ptr<InputRound>> withdrawn;
    for (const auto &[name, input] : task.inputs) {
        const bool isWanted = std::any_of(meaning.inputs.begin(), meaning.inputs.end(),
                                          [&key = name](const InputEntry &entry) { return entry.key == key; });
        if (!isWanted && input.round)
            withdrawn.append(input.round);
    }
    if (const QString problem = d->serverRequests.problemOf(meaning.inputs); !problem.isEmpty()) {
        sendCancellation(call);
        fail(call, taskError(Error::Kind::Protocol, problem));
        return;
    }
    for (const InputEntry &entry : meaning.inputs) {
        if (task.inputs.contains(entry.key)) {
            sendUpdate(call, entry.key);
            continue;
        }
        const auto complete = [this, call](const QList<InputResponse> &responses) {
            if (!d->isOpen(call))
                return;
            for (const InputResponse &response : responses) {
                call->m_task->inputs[response.key].response = response.result;
                sendUpdate(call, response.key);
            }
        };
        const auto refused = [this, call](const Error &error) {
            if (!d->isOpen(call))
                return;
            sendCancellation(call);
            fail(call, error);
        };
        CallTask::Input input;
        input.round = std::make_shared<InputRound>(call, InputRound::Hooks{complete, refused});
        requests += input.round->ask(q, {entry}, meaning.outcome.message);
        task.inputs.insert_or_assign(entry.key, input);
    }
    for (const std::shared_ptr<InputRound> &round : std::as_const(withdrawn))
        round->close(InputRequest::End::Withdrawn);
    for (const QPointer<InputRequest> &request : std::as_const(requests)) {
        if (request && request->isOpen())
            Q_EMIT q->inputRequested(request);
    }
}

// A response that did not arrive is sent again as long as the server wants it.
void Client::Tasks::sendUpdate(Call *call, const QString &key)
{
    CallTask::Input &input = call->m_task->inputs[key];
    if (!input.response || input.isBeingSent || !d->canSend())
        return;
    input.isBeingSent = true;
    const RequestBody body = taskUpdate(call->m_task->state.id, {key, *input.response});
    CallOptions options = roundOptions(call);
    options.id = {};
    QObject::connect(
        q->request(body.method, body.params, options), &Call::finished, call,
        [this, call, key](const Outcome &outcome) {
            if (!d->isOpen(call))
                return;
            CallTask::Input &sent = call->m_task->inputs[key];
            sent.isBeingSent = false;
            if (outcome.kind != Outcome::Kind::NoResponse)
                sent.response.reset();
            if (outcome.kind == Outcome::Kind::ProtocolError)
                d->addFinding(
                    Client::tr("The server did not accept the response to %1: %2").arg(key, outcome.error.message),
                    outcome.message);
        });
}

}  // namespace sonde
