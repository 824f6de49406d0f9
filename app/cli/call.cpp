// sonde-cli call: one tool, once.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/values.h"
#include "app/cli/verb.h"

#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/schema/schema.h"

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
        if (tool)
            m_outputSchema = tool->outputSchema;
        if (params.exists()) {
            await(connection->request(methods::CallTool, arguments().params));
            return;
        }
        if (!tool)
            output().remark(tr("The server does not list a tool '%1'. It is called all the same, with text for "
                               "every KEY=VALUE.")
                                .arg(arguments().target));
        const Result<QByteArray> object = callArguments(arguments(), tool ? tool->inputSchema : json::Value());
        if (!object) {
            output().remark(u"sonde-cli: "_s + object.error().message);
            if (!object.error().hint.isEmpty())
                output().remark(object.error().hint);
            Q_EMIT finished(ExitCode::WrongUse);
            return;
        }
        await(connection->callTool(arguments().target, *object));
    }

    void await(Call *call)
    {
        follow(call, [this](const Outcome &outcome) { conclude(outcome, remarks(outcome), [&] { show(outcome); }); });
    }

    // Structured content has to keep to the output schema (spec: server/tools, "Output Schema").
    QStringList remarks(const Outcome &outcome) const
    {
        if (outcome.kind != Outcome::Kind::Ok || !m_outputSchema.isObject())
            return {};
        const json::Value content = outcome.result()[u"structuredContent"];
        if (!content.exists())
            return {tr("The tool has an output schema, but there is no structured content.")};
        QStringList sentences;
        for (const schema::Issue &issue : schema::Schema(m_outputSchema).validate(content)) {
            const QString place = issue.instance.isRoot() ? u"/"_s : issue.instance.toString();
            sentences.append(tr("Structured content, %1: %2").arg(place, issue.message));
        }
        return sentences;
    }

    void show(const Outcome &outcome)
    {
        const json::Value result = outcome.result();
        const QList<Content> contents = readContents(result[u"content"]);
        const json::Value structured = result[u"structuredContent"];
        bool repeated = false;
        for (const Content &content : contents) {
            output().content(content);
            if (structured.exists() && content.kind == Content::Kind::Text) {
                const json::Document text = json::Document::parse(content.text.toUtf8());
                repeated = repeated || (text.isValid() && json::equal(text.root(), structured));
            }
        }
        if (structured.exists() && !repeated)
            output().line(visibleText(QString::fromUtf8(json::indented(structured))));
        if (outcome.kind == Outcome::Kind::ToolError)
            output().remark(tr("Tool error: the tool ran and says that it failed."));
    }

    json::Value m_outputSchema;
};

}  // namespace

std::unique_ptr<Verb> makeCall(const Arguments &arguments, Output &output)
{
    return std::make_unique<CallTool>(arguments, output);
}

}  // namespace sonde::cli
