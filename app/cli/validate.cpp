// sonde-cli validate: whether a JSON value is one that a JSON Schema admits.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/schema/schema.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class Validate final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("check a JSON value against a JSON Schema");
        table.details =
            tr("Checks a JSON value against a JSON Schema (2020-12 or draft-07). Nothing is fetched: a $ref that leads "
               "outside the schema cannot be checked, and a value that cannot be fully checked counts as not valid.");
        table.operands = {
            {u"SCHEMA"_s, tr("a schema"), &m_schema, tr("a file, or - for standard input"), app::Completion::files()},
            {u"INSTANCE"_s, tr("a value to check"), &m_instance, tr("a file, or - for standard input"),
             app::Completion::files()}};
        table.sections = {
            {tr("Options"),
             {{u"--formats"_s, tr("also check formats such as date-time, which are only annotations in 2020-12"),
               &m_assertsFormats}}}};
        table.examples = {u"validate schema.json arguments.json"_s,
                          u"describe add --json -- sonde-demo-server | jq .result.tool.inputSchema | sonde-cli "
                          "validate - arguments.json"_s};
        table.notes = exitCodesText({{ExitCode::Ok, tr("valid")},
                                     {ExitCode::ToolError, tr("not valid")},
                                     {ExitCode::ProtocolError, {}},
                                     {ExitCode::NoResponse, tr("output could not be written")},
                                     {ExitCode::WrongUse, tr("usage error, or SCHEMA or INSTANCE cannot be read")}});
    }

    QString problem() const override
    {
        return m_schema == "-"_L1 && m_instance == "-"_L1 ? tr("only one of SCHEMA and INSTANCE can be standard input")
                                                          : QString();
    }

private:
    ExitCode run(const Profile &) override
    {
        const Result<json::Document> schemaText = readJson(m_schema);
        if (!schemaText)
            return wrongUse(schemaText.error());
        const Result<json::Document> instance = readJson(m_instance);
        if (!instance)
            return wrongUse(instance.error());
        const json::Value root = schemaText->root();
        if (!root.isObject() && !root.isBool())
            return wrongUse(
                Error::local(tr("%1 is not a JSON Schema: a schema is an object or a boolean.").arg(m_schema)));
        schema::Schema::Options options;
        options.formats = m_assertsFormats ? schema::Formats::Asserted : schema::Formats::Ignored;
        const schema::Schema checked(root, options);
        if (checked.isTooLarge())
            return wrongUse(Error::local(tr("%1 is too large to check.").arg(m_schema)));
        const QList<schema::Issue> issues = checked.validate(instance->root());
        if (output().isJson())
            printForMachines(issues);
        else
            printForPeople(issues);
        if (issues.isEmpty())
            return ExitCode::Ok;
        output().envelope().setVerdict(Verdict::NotValid);
        return ExitCode::ToolError;
    }

    static Result<json::Document> readJson(const QString &path)
    {
        const Result<QByteArray> text = readInput(path);
        if (!text)
            return text.error();
        const json::Document document = json::Document::parse(*text);
        if (document.isValid())
            return document;
        const auto wrong = std::find_if(
            document.findings().begin(), document.findings().end(),
            [](const json::Finding &finding) { return finding.severity == json::Finding::Severity::Error; });
        const QString name = path == "-"_L1 ? tr("Standard input") : path;
        if (wrong == document.findings().end())
            return Error::local(tr("%1 is not valid JSON.").arg(name));
        const QByteArray before = text->first(qMin(wrong->offset, text->size()));
        return Error::local(tr("%1 is not valid JSON: line %2: %3")
                                .arg(name)
                                .arg(before.count('\n') + 1)
                                .arg(visibleText(wrong->reason)));
    }

    static QString placeOf(const schema::Issue &issue)
    {
        return issue.instance.isRoot() ? tr("the value") : issue.instance.toString();
    }

    void printForPeople(const QList<schema::Issue> &issues)
    {
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        for (const schema::Issue &issue : issues) {
            const QString sentence = issue.notChecked ? tr("not checked: %1").arg(issue.message) : issue.message;
            output().line(
                terminal.painted(visibleLine(placeOf(issue), -1), Terminal::Tone::Name) + u": "_s +
                visibleText(sentence) +
                tr("  (schema: %1)").arg(visibleLine(issue.schema.isRoot() ? u"/"_s : issue.schema.toString())));
        }
        if (issues.isEmpty())
            output().line(terminal.painted(tr("Valid"), Terminal::Tone::Good));
        else
            output().note(tr("Not valid: %1").arg(counted(issues.size(), tr("1 finding"), tr("%1 findings"))));
    }

    void printForMachines(const QList<schema::Issue> &issues)
    {
        json::Builder builder;
        builder.beginObject().member(u"valid", issues.isEmpty()).key(u"issues").beginArray();
        for (const schema::Issue &issue : issues) {
            builder.beginObject()
                .member(u"pointer", issue.instance.toString())
                .member(u"schemaPointer", issue.schema.toString())
                .member(u"keyword", issue.keyword)
                .member(u"text", issue.message)
                .member(u"notChecked", issue.notChecked)
                .endObject();
        }
        output().result(builder.endArray().endObject().take());
    }

    QString m_schema;
    QString m_instance;
    bool m_assertsFormats = false;
};

}  // namespace

std::unique_ptr<Verb> makeValidate()
{
    return std::make_unique<Validate>();
}

}  // namespace sonde::cli
