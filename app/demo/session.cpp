// SPDX-License-Identifier: Apache-2.0
#include "app/demo/session.h"

#include "app/demo/methods.h"
#include "app/demo/offer.h"
#include "app/demo/rawjson.h"

#include <memory>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

QByteArray relatedTask(const QString &id)
{
    const QByteArray related = json::Object().text("taskId", id).done();
    return json::Object().raw("io.modelcontextprotocol/related-task", related).done();
}

QByteArray taskObject(const Task &task)
{
    json::Object object;
    object.text("taskId", task.id()).text("status", task.statusOf(false));
    if (!task.statusMessage().isEmpty())
        object.text("statusMessage", task.statusMessage());
    return object.text("createdAt", task.createdAt())
        .text("lastUpdatedAt", task.updatedAt())
        .number("ttl", task.ttlMs())
        .number("pollInterval", Task::PollIntervalMs)
        .done();
}

}  // namespace

QStringList statefulRevisions()
{
    return {u"2025-11-25"_s, u"2025-06-18"_s, u"2025-03-26"_s, u"2024-11-05"_s};
}

Session::Session(ServerState &state, QObject *parent) : Conversation(state, parent)
{
    connect(&state, &ServerState::resourceUpdated, this, [this](const QString &uri, int *heard) {
        if (!m_subscriptions.contains(uri))
            return;
        ++*heard;
        notify(u"notifications/resources/updated"_s, json::Object().text("uri", uri).done());
    });
    connect(&m_tasks, &TaskStore::changed, this, &Session::taskChanged);
}

Session::~Session() = default;

Client Session::clientOf(const Request &) const
{
    return {m_clientName, m_clientCapabilities, m_logLevel};
}

void Session::setExtraTool(bool on)
{
    m_extraTool = on;
    notify(u"notifications/tools/list_changed"_s, {});
}

Conversation::Handler Session::handler(const QString &method)
{
    static const QHash<QString, Method> table{
        {u"initialize"_s, &Session::initialize},         {u"ping"_s, &Session::ping},
        {u"logging/setLevel"_s, &Session::setLevel},     {u"tools/call"_s, &Session::callTool},
        {u"resources/subscribe"_s, &Session::subscribe}, {u"resources/unsubscribe"_s, &Session::unsubscribe},
    };
    static const QHash<QString, Method> ofTasks{
        {u"tasks/get"_s, &Session::getTask},
        {u"tasks/result"_s, &Session::taskResult},
        {u"tasks/list"_s, &Session::listTasks},
        {u"tasks/cancel"_s, &Session::cancelTask},
    };
    Method own = table.value(method);
    if (!own && isAtLeast("2025-11-25"))
        own = ofTasks.value(method);
    if (!own)
        return Conversation::handler(method);
    return [this, own](const Request &request) { (this->*own)(request); };
}

bool Session::admits(const Request &request)
{
    const bool early = request.method == "initialize"_L1 || request.method == "ping"_L1;
    if (!m_revision.isEmpty() || early || !handler(request.method))
        return true;
    refuse(request, InvalidRequest, u"The conversation must start with initialize."_s);
    return false;
}

void Session::noted(const QString &method, const QByteArray &params)
{
    if (method == "notifications/initialized"_L1) {
        flood();
    } else if (method == "notifications/cancelled"_L1 && !options().has(Fault::Late)) {
        const QByteArray id = json::member(params, u"requestId"_s);
        if (cancelWork(id))
            Q_EMIT ended(id);
    }
}

void Session::answered(const QByteArray &id, const QByteArray &result, const QByteArray &error)
{
    if (const Answered then = m_asked.take(id))
        then(result, error);
}

void Session::initialize(const Request &request)
{
    const QString proposed = json::text(json::member(request.params, u"protocolVersion"_s));
    if (proposed.isEmpty()) {
        refuse(request, InvalidParams, u"initialize needs a protocolVersion."_s);
        return;
    }
    if (!m_revision.isEmpty()) {
        refuse(request, InvalidRequest, u"This conversation is initialized already."_s);
        return;
    }
    m_clientName = json::text(json::member(json::member(request.params, u"clientInfo"_s), u"name"_s));
    m_clientCapabilities = json::member(request.params, u"capabilities"_s);
    m_revision = !options().revision.isEmpty()            ? options().revision
                 : statefulRevisions().contains(proposed) ? proposed
                                                          : statefulRevisions().constFirst();
    QByteArray capabilities = sharedCapabilities(*this);
    if (isAtLeast("2025-11-25"))
        capabilities += R"(,"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})";
    response(request, json::Object()
                          .text("protocolVersion", m_revision)
                          .raw("capabilities", '{' + capabilities + '}')
                          .raw("serverInfo", implementation(m_revision))
                          .text("instructions", instructions())
                          .done());
}

void Session::ping(const Request &request)
{
    response(request, "{}");
}

void Session::setLevel(const Request &request)
{
    const QString level = json::text(json::member(request.params, u"level"_s));
    if (!logLevels().contains(level)) {
        refuse(request, InvalidParams, u"There is no log level '%1'."_s.arg(level),
               json::Object().text("levels", logLevels().join(u", "_s)).done());
        return;
    }
    m_logLevel = level;
    response(request, "{}");
}

void Session::callTool(const Request &request)
{
    if (isAtLeast("2025-11-25") && !json::member(request.params, u"task"_s).isEmpty()) {
        const QString name = json::text(json::member(request.params, u"name"_s));
        const QByteArray execution = json::member(toolDefinition(*this, name), u"execution"_s);
        if (json::member(execution, u"taskSupport"_s).isEmpty()) {
            refuse(request, MethodNotFound, u"The tool '%1' cannot run as a task."_s.arg(name));
            return;
        }
    }
    Conversation::handler(request.method)(request);
}

void Session::subscribe(const Request &request)
{
    const QString uri = json::text(json::member(request.params, u"uri"_s));
    if (state().offer().read(uri).isEmpty()) {
        refuse(request, ResourceNotFound, u"Resource not found: %1"_s.arg(uri), json::Object().text("uri", uri).done());
        return;
    }
    m_subscriptions.insert(uri);
    response(request, "{}");
}

void Session::unsubscribe(const Request &request)
{
    m_subscriptions.remove(json::text(json::member(request.params, u"uri"_s)));
    response(request, "{}");
}

QByteArray Session::send(const QString &method, const QByteArray &params, const Request &about, const Answered &then)
{
    const QByteArray id = json::quoted(u"server-%1"_s.arg(++m_lastAsked));
    m_asked.insert(id, then);
    json::Object message;
    message.text("jsonrpc", u"2.0"_s).raw("id", id).text("method", method);
    if (!params.isEmpty())
        message.raw("params", params);
    Q_EMIT sent(message.done(), about.id);
    return id;
}

void Session::pose(const Request &request, const QList<Input> &inputs, const Then &then)
{
    const auto round = std::make_shared<Round>();
    round->missing = inputs.size();
    const QObject *work = beginWork(request);
    for (const Input &input : inputs) {
        const auto take = [this, request, then, round, input](const QByteArray &result, const QByteArray &error) {
            if (result.isEmpty()) {
                response(request, failure(u"The client refused %1: %2"_s.arg(
                                      input.method, json::text(json::member(error, u"message"_s)))));
                return;
            }
            round->results.insert(input.key, result);
            if (--round->missing == 0)
                then(round->results);
        };
        const QByteArray id = send(input.method, input.params, request, take);
        // The call ended before the client responded: it need not ask anybody any more.
        connect(work, &QObject::destroyed, this, [this, id] {
            if (m_asked.remove(id) > 0)
                notify(u"notifications/cancelled"_s,
                       json::Object().raw("requestId", id).text("reason", u"The call has ended."_s).done());
        });
    }
}

void Session::runAsTask(const Request &request, bool required, const Body &body)
{
    const QByteArray wanted = isAtLeast("2025-11-25") ? json::member(request.params, u"task"_s) : QByteArray();
    if (wanted.isEmpty() && required && isAtLeast("2025-11-25")) {
        refuse(request, MethodNotFound, u"This tool runs only as a task."_s);
    } else if (wanted.isEmpty()) {
        body(*this, request);
    } else {
        Task *task = m_tasks.create(*this, request, json::member(wanted, u"ttl"_s).toLongLong());
        response(request, json::Object().raw("task", taskObject(*task)).done());
        task->start(body);
    }
}

Task *Session::taskOf(const Request &request)
{
    const QString id = json::text(json::member(request.params, u"taskId"_s));
    Task *task = m_tasks.find(id);
    if (!task)
        refuse(request, InvalidParams, u"There is no task '%1'."_s.arg(id));
    return task;
}

void Session::getTask(const Request &request)
{
    if (const Task *task = taskOf(request))
        response(request, taskObject(*task));
}

void Session::listTasks(const Request &request)
{
    QList<QByteArray> tasks;
    for (const Task *task : m_tasks.all())
        tasks.append(taskObject(*task));
    response(request, json::Object().raw("tasks", json::array(tasks)).done());
}

void Session::cancelTask(const Request &request)
{
    Task *task = taskOf(request);
    if (!task)
        return;
    if (task->isOver()) {
        refuse(request, InvalidParams, u"The task '%1' is over."_s.arg(task->id()));
        return;
    }
    task->cancel();
    response(request, taskObject(*task));
}

void Session::taskResult(const Request &request)
{
    if (Task *task = taskOf(request)) {
        m_waitingForTasks.append({request, task});
        serveTaskResult(request, task);
    }
}

void Session::taskChanged(Task *task)
{
    const QByteArray params = taskObject(*task);
    notify(u"notifications/tasks/status"_s, params);
    const auto waiting = m_waitingForTasks;
    for (const auto &[request, of] : waiting) {
        if (of == task)
            serveTaskResult(request, task);
    }
}

void Session::serveTaskResult(const Request &request, Task *task)
{
    for (const Input &input : task->takeInputsToPose()) {
        QByteArray params = input.params.isEmpty() ? "{}"_ba : input.params;
        params.chop(1);
        params += (params.size() > 1 ? "," : "") + R"("_meta":)"_ba + relatedTask(task->id()) + '}';
        const auto take = [task = QPointer<Task>(task), key = input.key](const QByteArray &result, const QByteArray &) {
            if (task && !result.isEmpty())
                task->supply(key, result);
            else if (task)
                task->cancel();
        };
        send(input.method, params, request, take);
    }
    if (!task->isOver())
        return;
    m_waitingForTasks.removeIf([&request](const auto &waiting) { return waiting.first.id == request.id; });
    if (!task->error().isEmpty()) {
        const QByteArray error = task->error();
        refuse(request, json::member(error, u"code"_s).toInt(), json::text(json::member(error, u"message"_s)),
               json::member(error, u"data"_s));
    } else if (task->result().isEmpty()) {
        refuse(request, InvalidRequest, u"The task '%1' was cancelled."_s.arg(task->id()));
    } else {
        QByteArray result = task->result();
        result.chop(1);
        response(request, result + R"(,"_meta":)" + relatedTask(task->id()) + '}');
    }
}

}  // namespace sonde::demo
