// sonde-cli complete: what a server suggests for an argument of a prompt or of a resource template.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recordedlists.h"
#include "app/cli/serververb.h"
#include "app/cli/values.h"
#include "app/cli/verbs.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Not over ArgumentCompletion, which is silent about errors: here they are the outcome.
class CompleteArgument final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto isText = [](const QString &word) { return !word.contains(u'='); };
        table.summary = tr("get suggestions for an argument");
        table.details =
            tr("Prints what the server suggests for an argument of a prompt or of a resource template, one "
               "suggestion per line.");
        table.operands = {
            {u"ARGUMENT"_s, tr("the name of an argument"), &m_options.argument, tr("the name of the argument")},
            {u"[TEXT]"_s,
             {},
             &m_options.text,
             tr("the part of its value typed so far; to send text with an equals sign, use the verb request"),
             {},
             {},
             isText},
            {u"[KEY=VALUE…]"_s, {}, assignmentsInto(&m_options.others), tr("values of the other arguments")}};
        table.sections = {{tr("Options"),
                           {{u"--prompt NAME"_s, tr("the prompt that has the argument"), &m_options.prompt,
                             app::Completion::of(recordedPrompts)},
                            {u"--template URI"_s, tr("the resource template that has the argument"),
                             &m_options.uriTemplate, app::Completion::of(recordedResources)}}}};
        table.examples = {u"complete topic M --prompt summarize -- sonde-demo-server"_s,
                          u"complete city Ro --template 'demo://weather/{city}' -- sonde-demo-server"_s};
    }

    QString ownProblem() const override
    {
        return m_options.prompt.isEmpty() == m_options.uriTemplate.isEmpty()
                   ? tr("complete needs either --prompt NAME or --template URI")
                   : QString();
    }

    bool printsResponse() const override { return true; }

    Error check() override
    {
        for (const Assignment &assignment : m_options.others) {
            if (assignment.isJson)
                return Error::local(tr("argument values are strings: use %1=VALUE").arg(assignment.key));
        }
        return {};
    }

    void begin(Connection *connection) override
    {
        follow(connection->request(methods::Complete, params(*connection)),
               [this](const Outcome &outcome) { conclude(outcome, [&] { show(outcome.result()); }); });
    }

private:
    QByteArray params(const Connection &connection)
    {
        const bool isPrompt = m_options.uriTemplate.isEmpty();
        json::Builder builder;
        builder.beginObject().key(u"ref").beginObject();
        builder.member(u"type", isPrompt ? u"ref/prompt" : u"ref/resource");
        builder.member(isPrompt ? u"name" : u"uri", isPrompt ? m_options.prompt : m_options.uriTemplate);
        builder.endObject().key(u"argument").beginObject();
        builder.member(u"name", m_options.argument).member(u"value", m_options.text).endObject();
        const std::optional<Revision> revision = revisionFromString(connection.serverInfo().protocolVersion);
        const bool hasContext = revision && *revision >= Revision::R20250618;
        if (!m_options.others.isEmpty() && !hasContext)
            output().note(tr("Revision %1 does not support values of other arguments; they were not sent.")
                              .arg(visibleLine(connection.serverInfo().protocolVersion)));
        if (!m_options.others.isEmpty() && hasContext) {
            builder.key(u"context").beginObject().key(u"arguments").beginObject();
            for (const Assignment &assignment : m_options.others)
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

    struct {
        QString argument;
        QString text;
        QList<Assignment> others;
        QString prompt;
        QString uriTemplate;
    } m_options;
};

}  // namespace

std::unique_ptr<Verb> makeComplete()
{
    return std::make_unique<CompleteArgument>();
}

}  // namespace sonde::cli
