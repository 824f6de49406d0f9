// sonde-cli tasks: what the server is working on, or has done, and what came of it.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"
#include "app/cli/verbs.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/revision.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class Tasks final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("list, get, wait for or cancel tasks");
        table.details =
            tr("Without an action, or with list, prints the tasks that the server lists or, where servers do not list "
               "them (2026-07-28), those that Sonde started there and that the server still knows.\n\n"
               "get prints the state of one task. result waits until the task is over and prints the result of its "
               "tool. cancel cancels it.");
        table.operands = {{u"[list | get ID | result ID | cancel ID]"_s,
                           {},
                           &m_options.what,
                           {},
                           app::Completion::of(QStringList{u"list"_s} + whatWithOne())},
                          {{}, {}, &m_options.id}};
        table.examples = {u"tasks --url https://example.com/mcp"_s,
                          u"tasks result 786512e2-9e0d --url https://example.com/mcp"_s};
    }

    QString ownProblem() const override
    {
        const QString &what = m_options.what;
        if (!what.isEmpty() && what != "list"_L1 && !isOfOne())
            return tr("unknown action '%1'; use list, get, result or cancel").arg(what);
        if (isOfOne() && m_options.id.isEmpty())
            return tr("expected the ID of a task");
        return isOfOne() || m_options.id.isEmpty() ? QString() : tr("unexpected argument '%1'").arg(m_options.id);
    }

    bool isWaiting() const override { return m_isListing || ServerVerb::isWaiting(); }

    void begin(Connection *connection) override
    {
        const QString what = m_options.what;
        const bool isOffered = connection->taskSupport().calls || connection->taskSupport().canBeListed;
        if (!isOffered && !isOfOne() && !hasListRequest(*connection)) {
            Outcome none;
            none.error = Error::local(whyNotOffered(*connection),
                                      tr("Revision %1 has no request that lists tasks.")
                                          .arg(visibleLine(connection->serverInfo().protocolVersion)));
            conclude(none, [] {});
            return;
        }
        if (!isOffered && what != "result"_L1)
            output().note(whyNotOffered(*connection) + u' ' + tr("Sending the request anyway."));
        if (what == "result"_L1)
            awaitResult(connection);
        else if (what == "get"_L1 || what == "cancel"_L1)
            ask(connection, what == "get"_L1 ? methods::GetTask : methods::CancelTask);
        else if (!isOffered)
            ask(connection, methods::ListTasks);
        else
            list(connection);
    }

private:
    static QStringList whatWithOne() { return {u"get"_s, u"result"_s, u"cancel"_s}; }
    bool isOfOne() const { return whatWithOne().contains(m_options.what); }

    static bool hasListRequest(const Connection &connection)
    {
        const std::optional<Revision> revision = revisionFromString(connection.serverInfo().protocolVersion);
        return revision && supports(*revision, Feature::TaskCapability);
    }

    static QString whyNotOffered(const Connection &connection)
    {
        return connection.spec().undeclaredCapabilities.contains(u"tasks"_s)
                   ? tr("Tasks are switched off for this server.")
                   : tr("The server does not declare tasks.");
    }

    void ask(Connection *connection, QStringView method)
    {
        json::Builder params;
        params.beginObject();
        if (!m_options.id.isEmpty())
            params.member(u"taskId", m_options.id);
        follow(connection->request(method, params.endObject().take()),
               [this](const Outcome &outcome) { conclude(outcome, [&] { output().value(outcome.result()); }); });
    }

    void awaitResult(Connection *connection)
    {
        const KnownTask *known = connection->tasks()->task(m_options.id);
        follow(connection->followTask(m_options.id, known ? known->tool : QString(), TaskOptions::Follow::Connected),
               [this](const Outcome &outcome) { conclude(outcome, [&] { showToolResult(outcome, output()); }); });
    }

    void list(Connection *connection)
    {
        m_tasks = connection->tasks();
        m_isListing = true;
        m_canBeListed = connection->taskSupport().canBeListed;
        if (connection->taskSupport().calls && !m_canBeListed)
            output().note(
                tr("The server does not list its tasks. These are the ones that Sonde started and "
                   "remembers."));
        connect(m_tasks, &TaskList::changed, this, &Tasks::showList);
        m_tasks->refresh();
        QMetaObject::invokeMethod(this, &Tasks::showList, Qt::QueuedConnection);  // where nothing was asked
    }

    void showList()
    {
        if (!m_isListing || m_tasks->isLoading())
            return;
        m_isListing = false;
        if (output().isJson())
            output().result(listJson());
        else if (m_tasks->tasks().empty() && !m_tasks->error())
            output().note(m_canBeListed ? tr("No tasks.") : tr("No tasks are remembered."));
        else
            printLines();
        if (m_tasks->error())
            output().failure(m_tasks->error());
        const bool isRemote = m_tasks->error().kind == Error::Kind::Remote;
        Q_EMIT done(isRemote ? ExitCode::ProtocolError : m_tasks->error() ? ExitCode::NoResponse : ExitCode::Ok);
    }

    void printLines()
    {
        for (const KnownTask &task : m_tasks->tasks()) {
            QStringList words{visibleLine(task.state.id), task.isLost ? u"lost"_s : toString(task.state.status)};
            if (!task.tool.isEmpty())
                words << visibleLine(task.tool);
            if (!task.state.message.isEmpty())
                words << visibleLine(task.state.message);
            output().line(words.join(u"  "_s));
        }
    }

    QByteArray listJson() const
    {
        json::Builder builder;
        builder.beginObject().key(u"tasks").beginArray();
        for (const KnownTask &task : m_tasks->tasks()) {
            builder.beginObject().member(u"taskId", task.state.id).member(u"status", toString(task.state.status));
            if (task.isLost)
                builder.rawMember(u"isLost", "true");
            if (!task.tool.isEmpty())
                builder.member(u"tool", task.tool);
            if (!task.state.message.isEmpty())
                builder.member(u"statusMessage", task.state.message);
            if (task.state.createdAt.isValid())
                builder.member(u"createdAt", task.state.createdAt.toString(Qt::ISODateWithMs));
            if (task.state.ttl)
                builder.member(u"ttlMs", qint64(task.state.ttl->count()));
            builder.endObject();
        }
        return builder.endArray().endObject().take();
    }

    struct {
        QString what;  // empty: list
        QString id;
    } m_options;
    QPointer<TaskList> m_tasks;
    bool m_isListing = false;
    bool m_canBeListed = false;
};

}  // namespace

std::unique_ptr<Verb> makeTasks()
{
    return std::make_unique<Tasks>();
}

}  // namespace sonde::cli
