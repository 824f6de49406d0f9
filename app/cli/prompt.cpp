// sonde-cli prompt: the messages of one prompt.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/argumentcheck.h"
#include "app/cli/recordedlists.h"
#include "app/cli/serververb.h"
#include "app/cli/values.h"
#include "app/cli/verbs.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class GetPrompt final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("get a prompt");
        table.details = tr("Gets a prompt and prints its messages.");
        table.operands = {{u"NAME"_s,
                           tr("the name of a prompt"),
                           &m_options.name,
                           {},
                           app::Completion::of(recordedPrompts),
                           u"--params"_s},
                          {u"[KEY=VALUE…]"_s,
                           {},
                           assignmentsInto(&m_options.arguments.assignments),
                           tr("an argument, sent as a string; KEY:=JSON is sent as is"),
                           app::Completion::of(recordedPromptArguments)}};
        table.sections = {{tr("Options"),
                           {m_options.arguments.fileRow(),
                            m_options.arguments.paramsRow(
                                tr("the complete params of the request, sent as is, instead of NAME and arguments"))}}};
        table.examples = {u"prompt summarize topic=MCP -- sonde-demo-server"_s,
                          u"prompt summarize --args arguments.json --json -- sonde-demo-server"_s};
    }

    QString ownProblem() const override { return m_options.arguments.problem(m_options.name); }

    bool savesContent() const override { return true; }
    bool printsResponse() const override { return true; }
    bool countsFindings() const override { return true; }
    bool readsStandardInput() const override { return m_options.arguments.file == "-"_L1; }

    Error check() override
    {
        const Result<QByteArray> object = promptArguments(m_options.arguments);
        if (!object)
            return object.error();
        m_arguments = *object;
        return {};
    }

    void begin(Connection *connection) override
    {
        whenListed(connection, Catalog::List::Prompts, [this, connection] { get(connection); });
    }

private:
    void get(Connection *connection)
    {
        const json::Value whole = json::parse(m_options.arguments.params);
        const Prompt *prompt = connection->catalog()->prompt(whole.exists() ? whole[u"name"].string() : m_options.name);
        const QByteArray arguments = whole.exists() ? whole[u"arguments"].bytes() : m_arguments;
        if (prompt && !maySend(findingsOfArguments(arguments, *prompt)))
            return;
        const QByteArray params = m_options.arguments.params;
        Call *call = params.isEmpty() ? connection->getPrompt(m_options.name, m_arguments)
                                      : connection->request(methods::GetPrompt, params);
        follow(call, [this, connection](const Outcome &outcome) {
            report(outcome, [&] { show(outcome.result()); });
            suggest(outcome, connection, Catalog::List::Prompts, m_options.name,
                    [this, code = codeOf(outcome)] { Q_EMIT done(code); });
        });
    }

    void show(const json::Value &result)
    {
        const json::Value messages = result[u"messages"];
        if (!messages.isArray())
            output().value(result);
        for (const json::Value &message : messages.isArray() ? messages : json::Value()) {
            output().line(visibleLine(message[u"role"].string()) + u':');
            output().content(readContent(message[u"content"]));
        }
    }

    struct {
        QString name;
        CallArguments arguments;
    } m_options;
    QByteArray m_arguments;
};

}  // namespace

std::unique_ptr<Verb> makePrompt()
{
    return std::make_unique<GetPrompt>();
}

}  // namespace sonde::cli
