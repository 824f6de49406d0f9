// sonde-cli read: one resource, named by its address or by a template and values.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/argumentcheck.h"
#include "app/cli/recordedlists.h"
#include "app/cli/serververb.h"
#include "app/cli/values.h"
#include "app/cli/verbs.h"

#include "core/protocol/methods.h"
#include "core/protocol/uritemplate.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class Read final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("read a resource");
        table.details =
            tr("Reads a resource and prints its contents. With values, the URI is a template, which is "
               "expanded first.");
        table.operands = {{u"URI"_s,
                           tr("the URI of a resource"),
                           &m_options.uri,
                           {},
                           app::Completion::of(recordedResources),
                           u"--params"_s},
                          {u"[NAME=VALUE…]"_s,
                           {},
                           assignmentsInto(&m_options.arguments.assignments),
                           tr("value of a variable in the template; repeat the name for a list")}};
        table.sections = {{tr("Options"),
                           {m_options.arguments.paramsRow(
                               tr("the complete params of the request, sent as is, instead of URI and values"))}}};
        table.examples = {u"read demo://text/greeting -- sonde-demo-server"_s,
                          u"read 'demo://weather/{city}' city=Rome --save . -- sonde-demo-server"_s};
    }

    QString ownProblem() const override { return m_options.arguments.problem(m_options.uri); }

    bool savesContent() const override { return true; }
    bool printsResponse() const override { return true; }
    bool countsFindings() const override { return true; }

    Error check() override
    {
        m_uri = m_options.uri;
        if (m_options.arguments.assignments.isEmpty())
            return {};
        const Result<UriTemplate> uriTemplate = UriTemplate::parse(m_uri);
        if (!uriTemplate)
            return uriTemplate.error();
        QMap<QString, UriTemplate::Value> values;
        for (const Assignment &assignment : m_options.arguments.assignments) {
            if (!uriTemplate->variables().contains(assignment.key))
                return Error::local(tr("the template has no variable '%1'").arg(assignment.key));
            if (assignment.isJson)
                return Error::local(tr("template variables are strings: use %1=VALUE").arg(assignment.key));
            addValue(&values, assignment);
        }
        const Result<QString> expanded = uriTemplate->expand(values);
        if (!expanded)
            return expanded.error();
        m_uri = *expanded;
        m_findings = findingsOfVariables(*uriTemplate, values);
        return {};
    }

    void begin(Connection *connection) override
    {
        if (!maySend(m_findings))
            return;
        const QByteArray params = m_options.arguments.params;
        Call *call =
            params.isEmpty() ? connection->readResource(m_uri) : connection->request(methods::ReadResource, params);
        follow(call, [this, connection](const Outcome &outcome) {
            report(outcome, [&] {
                const json::Value contents = outcome.result()[u"contents"];
                if (!contents.isArray())
                    output().value(outcome.result());
                for (const json::Value &each : contents.isArray() ? contents : json::Value())
                    show(readResourceContents(each));
            });
            suggest(outcome, connection, Catalog::List::Resources, m_options.uri,
                    [this, code = codeOf(outcome)] { Q_EMIT done(code); });
        });
    }

private:
    // A variable that is given again is a list.
    static void addValue(QMap<QString, UriTemplate::Value> *values, const Assignment &assignment)
    {
        const auto found = values->find(assignment.key);
        if (found == values->end())
            values->insert(assignment.key, assignment.value);
        else if (auto *text = std::get_if<QString>(&*found))
            *found = QStringList{*text, assignment.value};
        else if (auto *list = std::get_if<QStringList>(&*found))
            list->append(assignment.value);
    }

    // The text itself, without a heading: it may be on its way into a file.
    void show(const Content &content)
    {
        Content shown = content;
        if (content.kind == Content::Kind::Resource && !content.data.isString())
            shown.kind = Content::Kind::Text;
        output().content(shown);
    }

    struct {
        QString uri;
        CallArguments arguments;
    } m_options;
    QString m_uri;  // to be read
    QList<Finding> m_findings;
};

}  // namespace

std::unique_ptr<Verb> makeRead()
{
    return std::make_unique<Read>();
}

}  // namespace sonde::cli
