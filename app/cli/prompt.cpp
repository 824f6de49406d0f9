// sonde-cli prompt: the messages of one prompt.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/values.h"
#include "app/cli/verb.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class GetPrompt final : public Verb {
public:
    using Verb::Verb;

    Error check() override
    {
        const Result<QByteArray> object = promptArguments(arguments());
        if (!object)
            return object.error();
        m_arguments = *object;
        return {};
    }

    void start(Connection *connection) override
    {
        const QByteArray params = arguments().params;
        Call *call = params.isEmpty() ? connection->getPrompt(arguments().target, m_arguments)
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

    QByteArray m_arguments;
};

}  // namespace

std::unique_ptr<Verb> makePrompt(const Arguments &arguments, Output &output)
{
    return std::make_unique<GetPrompt>(arguments, output);
}

}  // namespace sonde::cli
