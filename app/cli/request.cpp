// sonde-cli request and ping: any request by its method, and the one that only asks for a sign of life.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class AnyRequest final : public Verb {
public:
    using Verb::Verb;

    // Over HTTP some parameters of a tool are sent in headers too, which its definition names.
    bool needsCatalog() const override { return arguments().target == methods::CallTool; }

    void start(Connection *connection) override
    {
        if (needsCatalog())
            whenListed(connection, Catalog::List::Tools, [this, connection] {
                const Catalog::Status &status = connection->catalog()->status(Catalog::List::Tools);
                if (status.state == Catalog::State::Failed)
                    output().note(tr("The server's tools could not be listed, so no parameters are sent as headers: %1")
                                      .arg(visibleText(status.error.message)));
                const json::Value params = json::parse(arguments().params);
                const Tool *tool = connection->catalog()->tool(params[u"name"].string());
                if (!tool || mayCall(*tool))
                    send(connection);
            });
        else
            send(connection);
    }

private:
    void send(Connection *connection)
    {
        const bool isPing = arguments().verb == Arguments::Verb::Ping;
        Call *call = isPing ? connection->ping() : connection->request(arguments().target, arguments().params);
        follow(call, [this, isPing](const Outcome &outcome) {
            conclude(outcome, [&] {
                if (isPing)
                    output().line(tr("Responded in %1 ms").arg(double(outcome.durationNs) / 1e6, 0, 'f', 1));
                else
                    output().value(outcome.result());
                if (outcome.kind == Outcome::Kind::ToolError)
                    output().note(tr("Tool error: the tool ran and reported a failure."));
            });
        });
    }
};

}  // namespace

std::unique_ptr<Verb> makeRequest(const Arguments &arguments, Output &output)
{
    return std::make_unique<AnyRequest>(arguments, output);
}

}  // namespace sonde::cli
