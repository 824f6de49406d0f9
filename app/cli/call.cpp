// sonde-cli call: one tool, once.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/values.h"
#include "app/cli/verb.h"

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
        output.note(Verb::tr("Tool error: the tool ran and reported a failure."));
}

class CallTool final : public Verb {
public:
    using Verb::Verb;

    bool needsCatalog() const override { return true; }

    void start(Connection *connection) override
    {
        whenListed(connection, Catalog::List::Tools, [this, connection] { call(connection); });
    }

private:
    void call(Connection *connection)
    {
        const json::Value params = json::parse(arguments().params);
        const Tool *tool = connection->catalog()->tool(params.exists() ? params[u"name"].string() : arguments().target);
        if (tool && !mayCall(*tool))
            return;
        if (params.exists()) {
            await(connection->request(methods::CallTool, arguments().params));
            return;
        }
        if (!tool)
            output().note(u"%1 %2"_s.arg(whyUnknown(*connection),
                                         tr("It will be called anyway, with every KEY=VALUE sent as a string.")));
        const Result<QByteArray> object = callArguments(arguments(), tool ? tool->inputSchema : json::Value());
        if (!object) {
            output().note(u"sonde-cli: "_s + object.error().message);
            if (!object.error().hint.isEmpty())
                output().note(object.error().hint);
            Q_EMIT finished(ExitCode::WrongUse);
            return;
        }
        json::Builder body;
        body.beginObject().member(u"name", arguments().target);
        if (!object->isEmpty())
            body.rawMember(u"arguments", *object);
        await(connection->request(methods::CallTool, body.endObject().take(), options(*connection, tool)));
    }

    QString whyUnknown(const Connection &connection) const
    {
        const Catalog::Status &status = connection.catalog()->status(Catalog::List::Tools);
        const QString name = visibleLine(arguments().target);
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
            if (!std::exchange(m_isTask, true))
                output().note(tr("Running as task %1").arg(visibleLine(call->task()->id)));
        });
        follow(call, [this](const Outcome &outcome) { conclude(outcome, [&] { showToolResult(outcome, output()); }); });
    }

    CallOptions options(const Connection &connection, const Tool *tool)
    {
        CallOptions options = connection.options().callOptions;
        options.task.follow = TaskOptions::Follow::Connected;
        options.task.ttl = arguments().taskTtl;
        const QString support = tool ? tool->taskSupport : QString();
        options.task.ask = support == u"required" || (arguments().asTask && support == u"optional");
        if (!arguments().asTask)
            return options;
        if (!connection.taskSupport().calls)
            output().note(tr("The server does not support tasks; the tool is called without one."));
        else if (!connection.taskSupport().areAskedFor)
            output().note(tr("In this revision the server decides what runs as a task."));
        else if (!options.task.ask)
            output().note(tr("The tool does not run as a task; it is called without one."));
        return options;
    }

    bool m_isTask = false;
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
        output.note(Verb::tr("Empty content; a model would see nothing."));
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

std::unique_ptr<Verb> makeCall(const Arguments &arguments, Output &output)
{
    return std::make_unique<CallTool>(arguments, output);
}

}  // namespace sonde::cli
