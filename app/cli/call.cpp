// sonde-cli call: one tool, once.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/argumentcheck.h"
#include "app/cli/recordedlists.h"
#include "app/cli/run.h"
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
        table.details =
            tr("Calls a tool and prints its result. Arguments are converted to the types in the tool's schema. Ctrl+C "
               "cancels the call.");
        table.operands = {{u"TOOL"_s,
                           tr("the name of a tool"),
                           &m_options.tool,
                           {},
                           app::Completion::of(recordedTools),
                           u"--params"_s},
                          {u"[KEY=VALUE…]"_s,
                           {},
                           assignmentsInto(&m_options.arguments.assignments),
                           {},
                           app::Completion::of(recordedToolArguments)}};
        table.sections = {
            {tr("Tool arguments"),
             {{u"KEY=VALUE"_s,
               tr("converted to the type in the tool's schema: a number keeps its digits; true, false and null where "
                  "allowed; JSON for objects and arrays; otherwise a string. Repeat the key to add to an array")},
              {u"KEY:=JSON"_s, tr("JSON, sent as is, regardless of the schema")},
              m_options.arguments.fileRow(),
              m_options.arguments.paramsRow(
                  tr("the complete params of the request, sent as is, instead of TOOL and arguments"))}},
            {tr("Options"),
             {{u"--task"_s, tr("run the tool as a task if it allows that, and wait for its result"), &m_options.isTask},
              {u"--ttl SECONDS"_s, tr("like --task; also ask the server to keep the task this long"),
               &m_options.ttl}}}};
        table.examples = {u"call add a=1 b=2 -- sonde-demo-server"_s,
                          u"call search 'query=native apps' tags=qt tags=mcp --json --url https://example.com/mcp"_s};
    }

    QString ownProblem() const override
    {
        if (isTask() && !m_options.arguments.params.isEmpty())
            return tr("--params is sent as is; add a member 'task' to it instead of using --task or --ttl");
        return m_options.arguments.problem(m_options.tool);
    }

    bool savesContent() const override { return true; }
    bool printsResponse() const override { return true; }
    bool countsFindings() const override { return true; }
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
        if (params.exists()) {
            whenAllowed(tool, [this, connection, params, tool] {
                if (!tool || maySend(findingsOfArguments(params[u"arguments"].bytes(), tool->inputSchema)))
                    await(connection->request(methods::CallTool, m_options.arguments.params));
            });
        } else if (tool || !isListKnown(*connection)) {
            whenAllowed(tool, [this, connection] { send(connection); });
        } else if (isLine() && !std::exchange(m_isListedAgain, true)) {
            // A line before may have changed what the server offers.
            connection->catalog()->refreshThen(Catalog::List::Tools, [this, connection] {
                if (!run().hasEnded())
                    call(connection);
            });
        } else {
            refuseCall(unknownTool(
                *connection, m_options.tool,
                tr("Nothing was sent. 'sonde-cli request tools/call' can call a tool that is not in the list.")));
        }
    }

    // Whether a tool that is not in the list does not exist.
    static bool isListKnown(const Connection &connection)
    {
        const Catalog::Status &status = connection.catalog()->status(Catalog::List::Tools);
        return isOffered(connection, Catalog::List::Tools) && status.state == Catalog::State::Ready &&
               !status.hasMore && !status.isNotImplemented;
    }

    void send(Connection *connection)
    {
        const Tool *tool = connection->catalog()->tool(m_options.tool);
        if (!tool)
            output().note(u"%1 %2"_s.arg(whyUnknown(*connection),
                                         tr("It will be called anyway, with every KEY=VALUE sent as a string.")));
        const Result<QByteArray> object = callArguments(m_options.arguments, tool ? tool->inputSchema : json::Value());
        if (!object) {
            refuseCall(object.error());
            return;
        }
        if (tool && !maySend(findingsOfArguments(*object, tool->inputSchema)))
            return;
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
        return tr("The server's list of tools was not read completely, so the schema of '%1' is unknown.").arg(name);
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
    bool m_isListedAgain = false;
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
