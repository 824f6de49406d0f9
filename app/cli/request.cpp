// sonde-cli request and ping: any request by its method, and the one that only asks for a sign of life.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"
#include "app/cli/values.h"
#include "app/cli/verbs.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class AnyRequest final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("send any request");
        table.details = tr("Sends a request with any method and prints its result as JSON.");
        table.operands = {{u"METHOD"_s, tr("a method"), &m_options.method, tr("such as tools/list")}};
        table.sections = {
            {tr("Options"),
             {m_options.arguments.paramsRow(tr("the params of the request, sent as is (default: none)"))}}};
        table.examples = {
            u"request tools/list -- sonde-demo-server"_s,
            u"request resources/read --params '{\"uri\":\"demo://text/greeting\"}' -- sonde-demo-server"_s};
    }

    QString ownProblem() const override
    {
        return m_options.method.startsWith("notifications/"_L1)
                   ? tr("'%1' is a notification, which has no response; request sends requests only")
                         .arg(m_options.method)
                   : QString();
    }

    bool printsResponse() const override { return true; }

    // Over HTTP some parameters of a tool are sent in headers too, which its definition names.
    bool needsCatalog() const override { return m_options.method == methods::CallTool; }

    void begin(Connection *connection) override
    {
        if (!needsCatalog())
            return send(connection);
        whenListed(connection, Catalog::List::Tools, [this, connection] {
            const Catalog::Status &status = connection->catalog()->status(Catalog::List::Tools);
            if (status.state == Catalog::State::Failed)
                output().note(tr("The server's tools could not be listed, so no parameters are sent as headers: %1")
                                  .arg(visibleText(status.error.message)));
            const json::Value params = json::parse(m_options.arguments.params);
            const Tool *tool = connection->catalog()->tool(params[u"name"].string());
            whenAllowed(tool, [this, connection] { send(connection); });
        });
    }

private:
    void send(Connection *connection)
    {
        follow(connection->request(m_options.method, m_options.arguments.params), [this](const Outcome &outcome) {
            conclude(outcome, [&] {
                output().value(outcome.result());
                if (outcome.kind == Outcome::Kind::ToolError)
                    output().note(tr("Tool error: the tool ran and reported a failure."));
            });
        });
    }

    struct {
        QString method;
        CallArguments arguments;
    } m_options;
};

class Ping final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("measure how long a server takes to respond");
        table.details =
            tr("Sends a ping and prints how long the response took. Revision 2026-07-28 has no ping; server/discover "
               "is sent instead.");
        table.examples = {u"ping --url https://example.com/mcp"_s, u"ping --json -- sonde-demo-server"_s};
    }

    bool printsResponse() const override { return true; }

    void begin(Connection *connection) override
    {
        follow(connection->ping(), [this](const Outcome &outcome) {
            conclude(outcome,
                     [&] { output().line(tr("Responded in %1 ms").arg(double(outcome.durationNs) / 1e6, 0, 'f', 1)); });
        });
    }
};

}  // namespace

std::unique_ptr<Verb> makeRequest()
{
    return std::make_unique<AnyRequest>();
}

std::unique_ptr<Verb> makePing()
{
    return std::make_unique<Ping>();
}

}  // namespace sonde::cli
