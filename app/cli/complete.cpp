// sonde-cli complete: what a server suggests for an argument of a prompt or of a resource template.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Not over ArgumentCompletion, which is silent about errors: here they are the outcome.
class CompleteArgument final : public Verb {
public:
    using Verb::Verb;

    Error check() override
    {
        for (const Assignment &assignment : arguments().assignments) {
            if (assignment.isJson)
                return Error::local(tr("arguments to complete are strings: use %1=VALUE").arg(assignment.key));
        }
        return {};
    }

    void start(Connection *connection) override
    {
        follow(connection->request(methods::Complete, params(*connection)),
               [this](const Outcome &outcome) { conclude(outcome, [&] { show(outcome.result()); }); });
    }

private:
    QByteArray params(const Connection &connection)
    {
        const bool isPrompt = arguments().uriTemplate.isEmpty();
        json::Builder builder;
        builder.beginObject().key(u"ref").beginObject();
        builder.member(u"type", isPrompt ? u"ref/prompt" : u"ref/resource");
        builder.member(isPrompt ? u"name" : u"uri", isPrompt ? arguments().promptName : arguments().uriTemplate);
        builder.endObject().key(u"argument").beginObject();
        builder.member(u"name", arguments().target).member(u"value", arguments().text).endObject();
        const std::optional<Revision> revision = revisionFromString(connection.serverInfo().protocolVersion);
        const bool hasContext = revision && *revision >= Revision::R20250618;
        if (!arguments().assignments.isEmpty() && !hasContext)
            output().note(tr("Revision %1 has no place for other arguments; they were not sent.")
                              .arg(visibleLine(connection.serverInfo().protocolVersion)));
        if (!arguments().assignments.isEmpty() && hasContext) {
            builder.key(u"context").beginObject().key(u"arguments").beginObject();
            for (const Assignment &assignment : arguments().assignments)
                builder.member(assignment.key, assignment.value);
            builder.endObject().endObject();
        }
        return builder.endObject().take();
    }

    void show(const json::Value &result)
    {
        const json::Value completion = result[u"completion"];
        const json::Value values = completion[u"values"];
        if (!values.isArray()) {
            output().value(result);
            return;
        }
        for (const json::Value &value : values)
            output().line(visibleLine(value.isString() ? value.string() : QString::fromUtf8(value.bytes())));
        const std::optional<qint64> total = completion[u"total"].toInteger();
        if (values.isEmpty())
            output().note(tr("No suggestions."));
        else if (total && *total > values.size())
            output().note(tr("%1 of %2 suggestions.").arg(values.size()).arg(*total));
        else if (completion[u"hasMore"].toBool())
            output().note(tr("The server has more suggestions."));
    }
};

}  // namespace

std::unique_ptr<Verb> makeComplete(const Arguments &arguments, Output &output)
{
    return std::make_unique<CompleteArgument>(arguments, output);
}

}  // namespace sonde::cli
