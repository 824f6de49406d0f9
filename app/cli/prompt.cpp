// sonde-cli prompt: the messages of one prompt.
// SPDX-License-Identifier: Apache-2.0
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
        table.operands = {{u"NAME"_s, tr("a name"), &m_options.name, {}, {}, u"--params"_s},
                          {u"[KEY=VALUE…]"_s,
                           {},
                           assignmentsInto(&m_options.arguments.assignments),
                           tr("an argument, sent as a string; KEY:=JSON is sent as is")}};
        table.sections = {{tr("Options"),
                           {m_options.arguments.fileRow(),
                            m_options.arguments.paramsRow(
                                tr("the complete params, sent as is, instead of NAME and the arguments"))}}};
        table.examples = {u"prompt summarize topic=MCP -- sonde-demo-server"_s};
    }

    QString ownProblem() const override { return m_options.arguments.problem(m_options.name); }

    bool savesContent() const override { return true; }
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
        const QByteArray params = m_options.arguments.params;
        Call *call = params.isEmpty() ? connection->getPrompt(m_options.name, m_arguments)
                                      : connection->request(methods::GetPrompt, params);
        follow(call, [this](const Outcome &outcome) { conclude(outcome, [&] { show(outcome.result()); }); });
    }

private:
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
