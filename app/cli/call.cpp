// sonde-cli call: one tool, once.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/values.h"
#include "app/cli/verb.h"

#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

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
        await(connection->callTool(arguments().target, *object));
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
        follow(call, [this](const Outcome &outcome) { conclude(outcome, [&] { show(outcome); }); });
    }

    void show(const Outcome &outcome)
    {
        const json::Value result = outcome.result();
        const QList<Content> contents = readContents(result[u"content"]);
        const json::Value structured = result[u"structuredContent"];
        // A task, a content that is no list, a member of another time: whatever came is printed.
        if (!result[u"content"].isArray() && (!structured.exists() || result.contains(u"content"))) {
            output().value(result);
            sayToolError(outcome);
            return;
        }
        if (contents.isEmpty() && !structured.exists())
            output().note(tr("Empty content; a model would see nothing."));
        bool repeated = false;
        for (const Content &content : contents) {
            output().content(content);
            if (structured.exists() && content.kind == Content::Kind::Text) {
                const json::Document text = json::Document::parse(content.text.utf8());
                repeated = repeated || (text.isValid() && json::equal(text.root(), structured));
            }
        }
        if (structured.exists() && !repeated)
            output().value(structured);
        sayToolError(outcome);
    }

    void sayToolError(const Outcome &outcome)
    {
        if (outcome.kind == Outcome::Kind::ToolError)
            output().note(tr("Tool error: the tool ran and reported a failure."));
    }
};

}  // namespace

std::unique_ptr<Verb> makeCall(const Arguments &arguments, Output &output)
{
    return std::make_unique<CallTool>(arguments, output);
}

}  // namespace sonde::cli
