// sonde-cli call: one tool, once.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"
#include "app/cli/values.h"
#include "app/cli/verbs.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

void sayToolError(const Outcome &outcome, Output &output)
{
    if (outcome.kind == Outcome::Kind::ToolError)
        output.note(ServerVerb::tr("Tool error: the tool ran and reported a failure."));
}

class CallTool final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("call a tool");
        table.operands = {{u"TOOL"_s, tr("a name"), &m_options.tool, {}, {}, u"--params"_s},
                          {u"[KEY=VALUE…]"_s, {}, assignmentsInto(&m_options.arguments.assignments)}};
        table.sections = {
            {tr("Arguments of a call"),
             {{u"KEY=VALUE"_s,
               tr("typed by the tool's schema: numbers keep their digits; true, false and null where allowed; JSON for "
                  "objects and arrays; otherwise a string. Repeating a key appends to an array")},
              {u"KEY:=JSON"_s, tr("sent as is, whatever the schema says")},
              m_options.arguments.fileRow(),
              m_options.arguments.paramsRow(
                  tr("the complete params of call, read or prompt, sent as is, instead of TOOL, URI or NAME and the "
                     "arguments; the params of request METHOD"))},
             true},
            {tr("Options"),
             {{u"--task"_s, tr("run the tool as a task where it allows that, and wait for its result"),
               &m_options.isTask},
              {u"--ttl SECONDS"_s, tr("the same; how long the server should keep the task"), &m_options.ttl}}}};
        table.examples = {u"call add a=1 b=2 -- sonde-demo-server"_s,
                          u"call search 'query=native apps' tags=qt tags=mcp --json --url https://example.com/mcp"_s};
    }

    QString ownProblem() const override
    {
        if (isTask() && !m_options.arguments.params.isEmpty())
            return tr("--params are sent as they are; put a member task into them instead of --task");
        return m_options.arguments.problem(m_options.tool);
    }

    bool savesContent() const override { return true; }
    bool readsStandardInput() const override { return m_options.arguments.file == "-"_L1; }
    bool needsCatalog() const override { return true; }

    void begin(Connection *connection) override
    {
        whenListed(connection, Catalog::List::Tools, [this, connection] { call(connection); });
    }

private:
    bool isTask() const { return m_options.isTask || m_options.ttl; }

    void call(Connection *connection)
    {
        const json::Value params = json::parse(m_options.arguments.params);
        const Tool *tool = connection->catalog()->tool(params.exists() ? params[u"name"].string() : m_options.tool);
        if (tool && !mayCall(*tool))
            return;
        if (params.exists()) {
            await(connection->request(methods::CallTool, m_options.arguments.params));
            return;
        }
        if (!tool)
            output().note(u"%1 %2"_s.arg(whyUnknown(*connection),
                                         tr("It will be called anyway, with every KEY=VALUE sent as a string.")));
        const Result<QByteArray> object = callArguments(m_options.arguments, tool ? tool->inputSchema : json::Value());
        if (!object) {
            output().note(u"sonde-cli: "_s + object.error().message);
            if (!object.error().hint.isEmpty())
                output().note(object.error().hint);
            Q_EMIT done(ExitCode::WrongUse);
            return;
        }
        json::Builder body;
        body.beginObject().member(u"name", m_options.tool);
        if (!object->isEmpty())
            body.rawMember(u"arguments", *object);
        await(connection->request(methods::CallTool, body.endObject().take(), options(*connection, tool)));
    }

    QString whyUnknown(const Connection &connection) const
    {
        const Catalog::Status &status = connection.catalog()->status(Catalog::List::Tools);
        const QString name = visibleLine(m_options.tool);
        if (status.state == Catalog::State::Failed)
            return tr("The server's tools could not be listed, so the schema of '%1' is unknown: %2")
                .arg(name, visibleText(status.error.message));
        if (!isOffered(connection, Catalog::List::Tools))
            return tr("The server declares no tools, so the schema of '%1' is unknown.").arg(name);
        return tr("The server does not list a tool '%1'.").arg(name);
    }

    void await(Call *call)
    {
        connect(call, &Call::taskChanged, this, [this, call] {
            if (!std::exchange(m_isRunningAsTask, true))
                output().note(tr("Running as task %1").arg(visibleLine(call->task()->id)));
        });
        follow(call, [this](const Outcome &outcome) { conclude(outcome, [&] { showToolResult(outcome, output()); }); });
    }

    CallOptions options(const Connection &connection, const Tool *tool)
    {
        CallOptions options = connection.options().callOptions;
        options.task.follow = TaskOptions::Follow::Connected;
        options.task.ttl = m_options.ttl;
        const QString support = tool ? tool->taskSupport : QString();
        options.task.ask = support == u"required" || (isTask() && support == u"optional");
        if (!isTask())
            return options;
        if (!connection.taskSupport().calls)
            output().note(tr("The server does not support tasks; the tool is called without one."));
        else if (!connection.taskSupport().areAskedFor)
            output().note(tr("In this revision the server decides what runs as a task."));
        else if (!options.task.ask)
            output().note(tr("The tool does not run as a task; it is called without one."));
        return options;
    }

    struct {
        QString tool;
        CallArguments arguments;
        bool isTask = false;
        std::optional<std::chrono::milliseconds> ttl;  // of the task
    } m_options;
    bool m_isRunningAsTask = false;
};

}  // namespace

void showToolResult(const Outcome &outcome, Output &output)
{
    const json::Value result = outcome.result();
    const QList<Content> contents = readContents(result[u"content"]);
    const json::Value structured = result[u"structuredContent"];
    // A task, a content that is no list, a member of another time: whatever came is printed.
    if (!result[u"content"].isArray() && (!structured.exists() || result.contains(u"content"))) {
        output.value(result);
        sayToolError(outcome, output);
        return;
    }
    if (contents.isEmpty() && !structured.exists())
        output.note(ServerVerb::tr("Empty content; a model would see nothing."));
    bool repeated = false;
    for (const Content &content : contents) {
        output.content(content);
        if (structured.exists() && content.kind == Content::Kind::Text) {
            const json::Document text = json::Document::parse(content.text.utf8());
            repeated = repeated || (text.isValid() && json::equal(text.root(), structured));
        }
    }
    if (structured.exists() && !repeated)
        output.value(structured);
    sayToolError(outcome, output);
}

std::unique_ptr<Verb> makeCall()
{
    return std::make_unique<CallTool>();
}

}  // namespace sonde::cli
