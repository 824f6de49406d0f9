// SPDX-License-Identifier: Apache-2.0
#include "core/client/taskmessages.h"

#include "core/client/resultcheck.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct TaskMessagesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Dialect)
};

constexpr std::chrono::milliseconds AtOnce{0};
// Every request about the task repeats the ID, over HTTP in a header as well.
constexpr qsizetype MaxTaskIdLength = 4096;

Error brokenTask(const QString &text, const json::Value &task)
{
    return {Error::Kind::Protocol, 0, text, QString::fromUtf8(task.bytes().left(2048)), {}, {}};
}

Outcome withoutResult(const Error &error, const Interpretation &meaning)
{
    Outcome outcome;
    outcome.message = meaning.outcome.message;
    outcome.bytes = meaning.outcome.bytes;
    outcome.error = error;
    return outcome;
}

Outcome cancelledTask(const TaskState &state, const Interpretation &meaning)
{
    const QString text = state.message.isEmpty()
                             ? TaskMessagesText::tr("The task was cancelled.")
                             : TaskMessagesText::tr("The task was cancelled: %1").arg(visibleLine(state.message, 400));
    return withoutResult({Error::Kind::Cancelled, 0, text, {}, {}, {}}, meaning);
}

void pollAfter(std::chrono::milliseconds pause, Interpretation *meaning)
{
    meaning->next = taskRequest(methods::GetTask, meaning->task.id);
    meaning->pause = pause;
}

// Why it cannot be asked for again; empty when it can.
QString problemOfTask(const TaskState &state, const json::Value &task)
{
    if (state.id.isEmpty())
        return TaskMessagesText::tr("The server started a task without a 'taskId', so its result cannot be read.");
    if (state.id.size() > MaxTaskIdLength)
        return TaskMessagesText::tr("The 'taskId' of the task has %1 characters; the limit is %2.")
            .arg(state.id.size())
            .arg(MaxTaskIdLength);
    const json::Value status = task[u"status"];
    if (taskStatusFromString(status.string()))
        return {};
    if (!status.exists())
        return TaskMessagesText::tr("The server does not say the 'status' of the task, so it cannot be followed.");
    return TaskMessagesText::tr(
               "The server says that the 'status' of the task is %1, which the protocol does not "
               "have, so it cannot be followed.")
        .arg(visibleLine(QString::fromUtf8(status.bytes().left(200)), 40));
}

// False when it cannot be asked for again.
bool beginTask(const json::Value &task, Interpretation *meaning)
{
    meaning->kind = Interpretation::Kind::TaskStarted;
    meaning->task = TaskState::read(task);
    const QString problem = problemOfTask(meaning->task, task);
    if (problem.isEmpty())
        return true;
    meaning->end = withoutResult(brokenTask(problem, task), *meaning);
    if (meaning->task.id.size() > MaxTaskIdLength)
        meaning->task.id.clear();
    return false;
}

// The response that the call would have got without a task: what is within the one to tasks/get.
Outcome embedded(QStringView member, const json::Value &content, const Interpretation &meaning)
{
    json::Builder response;
    response.beginObject().member(u"jsonrpc", u"2.0").rawMember(u"id", meaning.outcome.message.id().toJson());
    response.rawMember(member, content.bytes()).endObject();
    Outcome outcome = Dialect().interpret(methods::CallTool, Message::parse(response.take())).outcome;
    outcome.bytes = meaning.outcome.bytes;
    checkResult(methods::CallTool, Revision::R20260728, &outcome);
    return outcome;
}

}  // namespace

TaskSupport readTaskSupport(Revision revision, const json::Value &serverCapabilities)
{
    TaskSupport support;
    if (supports(revision, Feature::TaskCapability)) {
        const json::Value tasks = serverCapabilities[u"tasks"];
        support.calls = tasks[u"requests"][u"tools"][u"call"].exists();
        support.areAskedFor = support.calls;
        support.canBeCancelled = tasks[u"cancel"].exists();
        support.canBeListed = tasks[u"list"].exists();
    } else if (supports(revision, Feature::TaskExtension)) {
        support.calls = serverCapabilities[u"extensions"][TasksExtension].exists();
        support.canBeCancelled = support.calls;
    }
    return support;
}

RequestBody taskRequest(QStringView method, const QString &taskId)
{
    json::Builder params;
    return {method.toString(), params.beginObject().member(u"taskId", taskId).endObject().take()};
}

RequestBody taskUpdate(const QString &taskId, const InputResponse &response)
{
    json::Builder params;
    params.beginObject().member(u"taskId", taskId).key(u"inputResponses").beginObject();
    params.rawMember(response.key, response.result).endObject().endObject();
    return {methods::UpdateTask.toString(), params.take()};
}

QByteArray withTask(const QByteArray &params, const TaskOptions &options)
{
    const json::Value object = json::parse(params);
    if (object.contains(u"task"))
        return params;
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : object)
        builder.rawKey(member.keySlice()).value(member);
    builder.key(u"task").beginObject();
    if (options.ttl)
        builder.rawMember(u"ttl", QByteArray::number(qint64(options.ttl->count())));
    return builder.endObject().endObject().take();
}

QByteArray withTasksExtension(const QByteArray &capabilities)
{
    const json::Value object = json::parse(capabilities);
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : object) {
        if (member.key() != u"extensions")
            builder.rawKey(member.keySlice()).value(member);
    }
    builder.key(u"extensions").beginObject();
    for (const json::Value &extension : object[u"extensions"]) {
        if (extension.key() != TasksExtension)
            builder.rawKey(extension.keySlice()).value(extension);
    }
    return builder.rawMember(TasksExtension, "{}").endObject().endObject().take();
}

void interpretStatefulTask(const json::Value &task, Interpretation *meaning)
{
    if (!beginTask(task, meaning))
        return;
    switch (meaning->task.status) {
        case TaskState::Status::Working:
            pollAfter(meaning->task.pollInterval, meaning);
            break;
        // The stream of this request is how the server asks.
        case TaskState::Status::InputRequired:
        case TaskState::Status::Completed:
        case TaskState::Status::Failed:
            meaning->next = taskRequest(methods::TaskResult, meaning->task.id);
            meaning->pause = AtOnce;
            break;
        case TaskState::Status::Cancelled:
            meaning->end = cancelledTask(meaning->task, *meaning);
            break;
    }
}

void interpretStatelessTask(QStringView method, const json::Value &task, Interpretation *meaning)
{
    if (!beginTask(task, meaning))
        return;
    const TaskState &state = meaning->task;
    if (!state.isOver() && (task.contains(u"result") || task.contains(u"error")))
        meaning->task.findings.append(TaskMessagesText::tr("A task that has not ended has a result; it is ignored."));
    if (method != methods::GetTask) {
        pollAfter(state.isOver() || state.status == TaskState::Status::InputRequired ? AtOnce : state.pollInterval,
                  meaning);
        return;
    }
    switch (state.status) {
        case TaskState::Status::InputRequired:
            if (!task[u"inputRequests"].isObject())
                meaning->task.findings.append(
                    TaskMessagesText::tr("The task requires input, but has no object 'inputRequests'."));
            for (const json::Value &entry : task[u"inputRequests"])
                meaning->inputs.append({entry.key(), entry[u"method"].string(), entry[u"params"]});
            pollAfter(state.pollInterval, meaning);
            break;
        case TaskState::Status::Working:
            pollAfter(state.pollInterval, meaning);
            break;
        case TaskState::Status::Completed:
            meaning->end = task.contains(u"result")
                               ? embedded(u"result", task[u"result"], *meaning)
                               : withoutResult(brokenTask(TaskMessagesText::tr("The task is completed, but the server "
                                                                               "sent no 'result' with it."),
                                                          task),
                                               *meaning);
            break;
        case TaskState::Status::Failed:
            meaning->end =
                task.contains(u"error")
                    ? embedded(u"error", task[u"error"], *meaning)
                    : withoutResult(brokenTask(TaskMessagesText::tr("The task failed, and the server sent no 'error' "
                                                                    "with it. %1")
                                                   .arg(visibleLine(state.message, 400)),
                                               task),
                                    *meaning);
            break;
        case TaskState::Status::Cancelled:
            meaning->end = cancelledTask(state, *meaning);
            break;
    }
}

}  // namespace sonde
