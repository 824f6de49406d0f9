// SPDX-License-Identifier: Apache-2.0
#include "app/demo/statelessconversation.h"

#include "app/demo/methods.h"
#include "app/demo/offer.h"
#include "app/demo/task.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

constexpr char MetaPrefix[] = "io.modelcontextprotocol/";

QByteArray serverMeta()
{
    return json::Object()
        .raw("io.modelcontextprotocol/serverInfo", implementation(QLatin1StringView(StatelessRevision)))
        .done();
}

// How long a client may keep a result of this method, and whether others may see it; empty where there is nothing to
// keep.
QByteArray cachingHints(const Request &request)
{
    if (request.method.endsWith("/list"_L1) || request.method == "server/discover"_L1)
        return R"(,"ttlMs":60000,"cacheScope":"public")";
    if (request.method != "resources/read"_L1)
        return {};
    const bool changes = json::text(json::member(request.params, u"uri"_s)).contains("/live/"_L1);
    return changes ? R"(,"ttlMs":0,"cacheScope":"private")"_ba : R"(,"ttlMs":60000,"cacheScope":"private")"_ba;
}

QByteArray detailedTask(const Task &task, bool withOutcome)
{
    json::Object object;
    object.text("taskId", task.id()).text("status", task.statusOf(true));
    if (!task.statusMessage().isEmpty())
        object.text("statusMessage", task.statusMessage());
    object.text("createdAt", task.createdAt())
        .text("lastUpdatedAt", task.updatedAt())
        .number("ttlMs", task.ttlMs())
        .number("pollIntervalMs", Task::PollIntervalMs);
    if (!withOutcome)
        return object.done();
    if (!task.result().isEmpty())
        object.raw("result", task.result());
    if (!task.error().isEmpty())
        object.raw("error", task.error());
    if (!task.pendingInputs().isEmpty())
        object.raw("inputRequests", inputRequests(task.pendingInputs()));
    return object.done();
}

}  // namespace

QByteArray metaOf(const QByteArray &params, const char *name)
{
    return json::member(json::member(params, u"_meta"_s), QLatin1StringView(MetaPrefix) + QLatin1StringView(name));
}

bool isStateless(const QByteArray &message)
{
    const QString method = json::text(json::member(message, u"method"_s));
    return method == "server/discover"_L1 || method == "subscriptions/listen"_L1 ||
           !metaOf(json::member(message, u"params"_s), "protocolVersion").isEmpty();
}

QByteArray inputRequests(const QList<Input> &inputs)
{
    QByteArray members;
    for (const Input &input : inputs) {
        const QByteArray entry = json::Object()
                                     .text("method", input.method)
                                     .raw("params", input.params.isEmpty() ? "{}"_ba : input.params)
                                     .done();
        members += (members.isEmpty() ? "" : ",") + json::quoted(input.key) + ':' + entry;
    }
    return '{' + members + '}';
}

StatelessConversation::StatelessConversation(ServerState &state, QObject *parent) : Conversation(state, parent)
{
    connect(&state, &ServerState::toolsChanged, this, [this] {
        for (const Listener &listener : std::as_const(m_listeners)) {
            if (listener.tools)
                tell(listener, u"notifications/tools/list_changed"_s, {});
        }
    });
    connect(&state, &ServerState::promptsChanged, this, [this] {
        for (const Listener &listener : std::as_const(m_listeners)) {
            if (listener.prompts)
                tell(listener, u"notifications/prompts/list_changed"_s, {});
        }
    });
    connect(&state, &ServerState::resourceUpdated, this, [this](const QString &uri, int *heard) {
        for (const Listener &listener : std::as_const(m_listeners)) {
            if (!listener.uris.contains(uri))
                continue;
            ++*heard;
            tell(listener, u"notifications/resources/updated"_s, json::Object().text("uri", uri));
        }
    });
    connect(&state.tasks(), &TaskStore::changed, this, [this](const Task *task) {
        for (const Listener &listener : std::as_const(m_listeners)) {
            if (listener.taskIds.contains(task->id())) {
                json::Object params;
                for (const json::Member &member : json::members(detailedTask(*task, true)))
                    params.raw(member.name.toLatin1().constData(), member.value);
                tell(listener, u"notifications/tasks"_s, params);
            }
        }
    });
    connect(&state, &ServerState::subscriptionsEnded, this, &StatelessConversation::endListeners);
}

Client StatelessConversation::clientOf(const Request &request) const
{
    return {json::text(json::member(metaOf(request.params, "clientInfo"), u"name"_s)),
            metaOf(request.params, "clientCapabilities"), json::text(metaOf(request.params, "logLevel"))};
}

QStringList StatelessConversation::subscriptions() const
{
    QStringList all;
    for (const Listener &listener : m_listeners)
        all += listener.uris.values();
    return all;
}

Conversation::Handler StatelessConversation::handler(const QString &method)
{
    static const QHash<QString, Method> table{
        {u"server/discover"_s, &StatelessConversation::discover},
        {u"subscriptions/listen"_s, &StatelessConversation::listen},
        {u"tasks/get"_s, &StatelessConversation::getTask},
        {u"tasks/update"_s, &StatelessConversation::updateTask},
        {u"tasks/cancel"_s, &StatelessConversation::cancelTask},
        {u"skills/list"_s, &StatelessConversation::listSkills},
        {u"skills/get"_s, &StatelessConversation::getSkill},
    };
    const Method own = table.value(method);
    if (!own)
        return Conversation::handler(method);
    return [this, own](const Request &request) { (this->*own)(request); };
}

bool StatelessConversation::admits(const Request &request)
{
    QString requested = json::text(metaOf(request.params, "protocolVersion"));
    // A client of the other era, asking a server that was told to be of this one only.
    if (requested.isEmpty() && request.method == "initialize"_L1)
        requested = json::text(json::member(request.params, u"protocolVersion"_s));
    else if (requested.isEmpty() || !json::isObject(metaOf(request.params, "clientCapabilities"))) {
        refuse(request, InvalidParams,
               u"_meta must have %1protocolVersion and %1clientCapabilities."_s.arg(QLatin1StringView(MetaPrefix)), {},
               400);
        return false;
    }
    if (requested != revision() ||
        (request.method == "initialize"_L1 && json::member(request.params, u"_meta"_s).isEmpty())) {
        refuse(request, UnsupportedRevision, u"Unsupported protocol version: %1"_s.arg(requested),
               json::Object()
                   .raw("supported", json::array({json::quoted(revision())}))
                   .text("requested", requested)
                   .done(),
               400);
        return false;
    }
    if (request.method == "tools/list"_L1)
        flood(request);
    return true;
}

void StatelessConversation::noted(const QString &method, const QByteArray &params)
{
    if (method != "notifications/cancelled"_L1 || options().has(Fault::Late))
        return;
    const QByteArray id = json::member(params, u"requestId"_s);
    if (m_listeners.remove(id) > 0 || cancelWork(id))
        Q_EMIT ended(id);
}

QByteArray StatelessConversation::dressed(const Request &request, const QByteArray &result) const
{
    QByteArray dressed = R"({"resultType":"complete")";
    if (result.size() > 2)
        dressed += ',';
    dressed += QByteArrayView(result).sliced(1);
    dressed.chop(1);
    return dressed + cachingHints(request) + R"(,"_meta":)" + serverMeta() + '}';
}

// The results of earlier rounds travel in requestState, sealed: this server keeps nothing between two rounds.
void StatelessConversation::pose(const Request &request, const QList<Input> &inputs, const Then &then)
{
    const QByteArray purpose = request.method.toUtf8() + ' ' + json::member(request.params, u"name"_s);
    InputResults results;
    if (const QByteArray stated = json::member(request.params, u"requestState"_s); !stated.isEmpty()) {
        const QByteArray earlier = state().opened(json::text(stated));
        if (json::text(json::member(earlier, u"of"_s)).toUtf8() != purpose) {
            refuse(request, InvalidParams, u"requestState is not what this server sent."_s);
            return;
        }
        for (const json::Member &member : json::members(json::member(earlier, u"results"_s)))
            results.insert(member.name, member.value);
    }
    for (const json::Member &member : json::members(json::member(request.params, u"inputResponses"_s))) {
        if (json::isObject(member.value))
            results.insert(member.name, member.value);
    }
    QList<Input> missing;
    for (const Input &input : inputs) {
        if (!results.contains(input.key))
            missing.append(input);
    }
    if (missing.isEmpty()) {
        then(results);
        return;
    }
    QByteArray kept;
    for (auto result = results.cbegin(); result != results.cend(); ++result)
        kept += (kept.isEmpty() ? "" : ",") + json::quoted(result.key()) + ':' + result.value();
    const QByteArray next =
        json::Object().text("of", QString::fromUtf8(purpose)).raw("results", '{' + kept + '}').done();
    respondPlainly(request, json::Object()
                                .text("resultType", u"input_required"_s)
                                .raw("inputRequests", inputRequests(missing))
                                .text("requestState", state().sealed(next))
                                .raw("_meta", serverMeta())
                                .done());
}

void StatelessConversation::lack(const Request &request, const QByteArray &capability)
{
    refuse(request, MissingClientCapability, u"This needs a capability that the request does not declare."_s,
           json::Object().raw("requiredCapabilities", capability).done(), 400);
}

void StatelessConversation::discover(const Request &request)
{
    json::Object offered;
    offered.raw(TasksExtension, "{}");
    if (!state().offer().skills().isEmpty())
        offered.raw(SkillsExtension, "{}");
    const QByteArray extensions = offered.done();
    response(request, json::Object()
                          .raw("supportedVersions", json::array({json::quoted(revision())}))
                          .raw("capabilities", '{' + sharedCapabilities(*this) + R"(,"extensions":)" + extensions + '}')
                          .text("instructions", instructions())
                          .done());
}

void StatelessConversation::listSkills(const Request &request)
{
    response(request, json::Object().raw("skills", json::array(state().offer().skills())).done());
}

void StatelessConversation::getSkill(const Request &request)
{
    const QString uri = json::text(json::member(request.params, u"uri"_s));
    const QList<QByteArray> skills = state().offer().skills();
    const auto found = std::find_if(skills.begin(), skills.end(), [&uri](const QByteArray &skill) {
        return json::text(json::member(skill, u"uri"_s)) == uri;
    });
    if (found == skills.end())
        refuse(request, InvalidParams, u"There is no skill '%1'."_s.arg(uri));
    else
        response(request, *found);
}

void StatelessConversation::listen(const Request &request)
{
    const QByteArray filter = json::member(request.params, u"notifications"_s);
    if (!json::isObject(filter)) {
        refuse(request, InvalidParams, u"'notifications' must be an object."_s, {}, 400);
        return;
    }
    Listener listener;
    listener.request = request;
    json::Object granted;
    const auto grant = [&](const char *name) {
        const bool wanted = json::member(filter, QLatin1StringView(name)) == "true";
        if (wanted)
            granted.boolean(name, true);
        return wanted;
    };
    listener.tools = grant("toolsListChanged");
    listener.prompts = grant("promptsListChanged");
    listener.resources = grant("resourcesListChanged");
    const auto grantEach = [&](const char *name, QSet<QString> *target, const auto &exists) {
        QList<QByteArray> accepted;
        for (const QByteArray &each : json::elements(json::member(filter, QLatin1StringView(name)))) {
            if (!exists(json::text(each)))
                continue;
            target->insert(json::text(each));
            accepted.append(each);
        }
        if (!accepted.isEmpty())
            granted.raw(name, json::array(accepted));
    };
    grantEach("resourceSubscriptions", &listener.uris,
              [this](const QString &uri) { return !state().offer().read(uri).isEmpty(); });
    if (hasTasks(request))
        grantEach("taskIds", &listener.taskIds,
                  [this](const QString &id) { return state().tasks().find(id) != nullptr; });
    m_listeners.insert(request.id, listener);
    tell(listener, u"notifications/subscriptions/acknowledged"_s, json::Object().raw("notifications", granted.done()));
}

void StatelessConversation::tell(const Listener &listener, const QString &method, json::Object params)
{
    const QByteArray meta = json::Object().raw("io.modelcontextprotocol/subscriptionId", listener.request.id).done();
    notify(method, params.raw("_meta", meta).done(), listener.request);
}

void StatelessConversation::endListeners()
{
    const auto listeners = std::exchange(m_listeners, {});
    for (const Listener &listener : listeners) {
        const QByteArray meta =
            json::Object().raw("io.modelcontextprotocol/subscriptionId", listener.request.id).done();
        respondPlainly(listener.request, json::Object().text("resultType", u"complete"_s).raw("_meta", meta).done());
    }
}

bool StatelessConversation::hasTasks(const Request &request) const
{
    const QByteArray extensions = json::member(clientOf(request).capabilities, u"extensions"_s);
    return !json::member(extensions, QLatin1StringView(TasksExtension)).isEmpty();
}

void StatelessConversation::runAsTask(const Request &request, bool required, const Body &body)
{
    if (!hasTasks(request)) {
        if (required)
            lack(request, R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
        else
            body(*this, request);
        return;
    }
    Task *task = state().tasks().create(*this, request, 0);
    QByteArray members = detailedTask(*task, false);
    members.chop(1);
    respondPlainly(request, members + R"(,"resultType":"task","_meta":)" + serverMeta() + '}');
    task->start(body);
}

Task *StatelessConversation::taskOf(const Request &request)
{
    if (!hasTasks(request)) {
        lack(request, R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
        return nullptr;
    }
    const QString id = json::text(json::member(request.params, u"taskId"_s));
    Task *task = state().tasks().find(id);
    if (!task)
        refuse(request, InvalidParams, u"There is no task '%1'."_s.arg(id));
    return task;
}

void StatelessConversation::getTask(const Request &request)
{
    if (const Task *task = taskOf(request))
        response(request, detailedTask(*task, true));
}

void StatelessConversation::updateTask(const Request &request)
{
    QPointer<Task> task = taskOf(request);
    if (!task)
        return;
    for (const json::Member &member : json::members(json::member(request.params, u"inputResponses"_s)))
        task->supply(member.name, member.value);
    response(request, "{}");
}

void StatelessConversation::cancelTask(const Request &request)
{
    if (Task *task = taskOf(request)) {
        task->cancel();
        response(request, "{}");
    }
}

}  // namespace sonde::demo
