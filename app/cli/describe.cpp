// sonde-cli describe: one tool, with its arguments as people read them and a command that calls it.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recordedlists.h"
#include "app/cli/run.h"
#include "app/cli/serververb.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"

#include "core/connection/clicommand.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/shape/example.h"
#include "core/shape/typehint.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr int MaxSchemaDepth = 6;  // a schema may refer to itself
constexpr qsizetype MaxNamedChoices = 30;
constexpr qsizetype MaxNamedBranches = 20;
constexpr qsizetype SchemaIndent = 2;

// The places of a schema, one below the other, those within others indented.
class SchemaPrinter {
public:
    explicit SchemaPrinter(Output &output, const json::Value &schema)
        : m_output(output), m_terminal(Terminal::of(app::StandardStream::Output)), m_reader(schema), m_values(m_reader)
    {}

    const ShapeReader &reader() const { return m_reader; }

    // Of an object its members, of anything else what it is.
    void print(const json::Value &schema)
    {
        const Shape shape = m_reader.read(schema);
        if (shape.kind == Shape::Kind::Object && !shape.propertyNames().isEmpty())
            members(shape, 1);
        else
            place({}, shape, false, 1);
    }

private:
    void members(const Shape &shape, int depth)
    {
        for (const QString &name : shape.propertyNames())
            place(name, m_reader.property(shape, name), shape.isRequired(name), depth);
    }

    void place(const QString &name, const Shape &shape, bool isRequired, int depth)
    {
        if (!m_reader.spend())
            return;
        QStringList facts{typeHint(m_values, shape)};
        if (isRequired)
            facts.append(ServerVerb::tr("required"));
        // Only the name is a word of its own to look for.
        const QString shown = m_terminal.painted(visibleLine(name), Terminal::Tone::Name);
        line((shown.isEmpty() ? QString() : shown + u"  "_s) + facts.join(u" · "_s), depth);
        paragraph(visibleText(shape.text(u"description")), depth + 1);
        choices(shape, depth + 1);
        if (depth < MaxSchemaDepth)
            within(shape, depth + 1);
    }

    void choices(const Shape &shape, int depth)
    {
        if (shape.kind != Shape::Kind::Choice && shape.kind != Shape::Kind::Constant)
            return;
        QStringList shown;
        for (qsizetype i = 0; i < std::min(shape.choices.size(), MaxNamedChoices); ++i) {
            const Choice choice = shape.choices.at(i);
            const QString json = visibleLine(QString::fromUtf8(choice.json), 80);
            const bool isTitled = choice.label != shape.choices.value(i).string() && choice.label != json;
            shown.append(isTitled ? u"%1 (%2)"_s.arg(json, visibleLine(choice.label, 80)) : json);
        }
        if (shape.choices.size() > shown.size())
            shown.append(ServerVerb::tr("and %1 more").arg(shape.choices.size() - shown.size()));
        const QString lead =
            shape.kind == Shape::Kind::Constant ? ServerVerb::tr("always: %1") : ServerVerb::tr("one of: %1");
        paragraph(lead.arg(shown.join(u", "_s)), depth);
    }

    // What is in a value of this shape. Of one that is within itself, once.
    void within(const Shape &shape, int depth)
    {
        if (!shape.isContainer() || shape.layers.isEmpty())
            return;
        const json::Value definition = shape.layers.constLast();
        if (std::ranges::any_of(m_around, [&](const json::Value &each) { return each.isSameNode(definition); }))
            return line(ServerVerb::tr("(as above)"), depth);
        m_around.append(definition);
        parts(shape, depth);
        m_around.removeLast();
    }

    void parts(const Shape &shape, int depth)
    {
        const QString description = shape.text(u"description");
        if (shape.kind == Shape::Kind::Object) {
            members(shape, depth);
            if (shape.isMap())
                entry(ServerVerb::tr("each entry"), m_reader.extraMember(shape, {}), description, depth);
        } else if (shape.kind == Shape::Kind::List) {
            entry(ServerVerb::tr("each item"), m_reader.item(shape, 0), description, depth);
        } else if (shape.kind == Shape::Kind::Union) {
            for (qsizetype i = 0; i < std::min(shape.branches.size(), MaxNamedBranches); ++i)
                entry(ServerVerb::tr("either %1").arg(visibleLine(m_values.branchLabel(shape, i), 60)),
                      m_reader.branch(shape, i), description, depth);
            if (shape.branches.size() > MaxNamedBranches)
                line(ServerVerb::tr("and %1 more").arg(shape.branches.size() - MaxNamedBranches), depth);
        }
    }

    // Of which the line above has told the type: only what is within it, or limits it, is new.
    void entry(const QString &label, const Shape &shape, const QString &known, int depth)
    {
        const QString hint = typeHint(m_values, shape);
        const QString own = shape.text(u"description");
        const QString description = own == known ? QString() : own;
        const bool isPlain = !hint.contains(u" · ") && shape.kind != Shape::Kind::Choice && !shape.isContainer();
        if (isPlain && description.isEmpty())
            return;
        line(label + u": "_s + hint, depth);
        paragraph(visibleText(description), depth + 1);
        choices(shape, depth + 1);
        if (depth < MaxSchemaDepth)
            within(shape, depth + 1);
    }

    void line(const QString &text, int depth) { m_output.line(QString(depth * SchemaIndent, u' ') + text); }

    void paragraph(const QString &text, int depth)
    {
        if (text.trimmed().isEmpty())
            return;
        for (const QString &each : m_terminal.wrapped(text.trimmed(), depth * SchemaIndent))
            line(each, depth);
    }

    Output &m_output;
    const Terminal &m_terminal;
    const ShapeReader m_reader;
    const ShapeValues m_values;
    QList<json::Value> m_around;  // definitions that the place is within
};

class Describe final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("show a tool's arguments, annotations and output, and a command that calls it");
        table.operands = {{u"TOOL"_s, tr("the name of a tool"), &m_tool, {}, app::Completion::of(recordedTools)}};
        table.examples = {u"describe add -- sonde-demo-server"_s,
                          u"describe search --json --url https://example.com/mcp"_s};
    }

    bool needsCatalog() const override { return true; }

    void begin(Connection *connection) override
    {
        whenListed(connection, Catalog::List::Tools, [this, connection] { describe(*connection); });
    }

private:
    void describe(const Connection &connection)
    {
        const Catalog &catalog = *connection.catalog();
        const Tool *tool = catalog.tool(m_tool);
        if (!tool) {
            const Catalog::Status &status = catalog.status(Catalog::List::Tools);
            if (status.state == Catalog::State::Failed) {
                output().failure(status.error);
                output().findings(findingsAbout(connection, Catalog::List::Tools));
                Q_EMIT done(exitCodeFor(status.error));
                return;
            }
            refuseCall(unknownTool(connection, m_tool, tr("'sonde-cli list tools' prints the server's tools.")));
            return;
        }
        const ShapeReader reader(tool->inputSchema);
        const QByteArray example = exampleOf(reader, reader.read(tool->inputSchema));
        if (output().isJson())
            printForMachines(*tool, example);
        else
            printForPeople(connection, *tool, example);
        Q_EMIT done(ExitCode::Ok);
    }

    QString command(const Tool &tool, const QByteArray &example) const
    {
        json::Builder params;
        params.beginObject().member(u"name", tool.name).rawMember(u"arguments", example).endObject();
        return cliCommand(run().server().words(), methods::CallTool, params.take());
    }

    void printForMachines(const Tool &tool, const QByteArray &example)
    {
        json::Builder builder;
        builder.beginObject().key(u"tool").value(tool.value);
        if (example.isEmpty())
            builder.key(u"example").null().key(u"command").null();
        else
            builder.rawMember(u"example", example).member(u"command", command(tool, example));
        output().result(builder.endObject().take());
    }

    void printForPeople(const Connection &connection, const Tool &tool, const QByteArray &example)
    {
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        const bool hasTitle = !tool.title.isEmpty() && tool.title != tool.name;
        output().line(terminal.painted(visibleLine(tool.name), Terminal::Tone::Name) +
                      (hasTitle ? u"  "_s + visibleLine(tool.title) : QString()));
        for (const QString &line : terminal.wrapped(visibleText(tool.description).trimmed(), 0))
            output().line(line);
        if (const QStringList hints = annotations(tool); !hints.isEmpty())
            section(tr("Annotations"), hints);
        if (const QString reason = connection.whyNotCallable(tool); !reason.isEmpty())
            output().note(visibleText(reason));
        printSchema(tr("Arguments"), tool.inputSchema, tr("none"));
        if (tool.outputSchema.exists())
            printSchema(tr("Output"), tool.outputSchema, tr("not described"));
        heading(tr("Example"));
        if (example.isEmpty())
            output().line(u"  "_s + tr("No arguments were found that the schema allows."));
        else
            output().line(u"  "_s + visibleText(command(tool, example)));
        output().findings(Finding::of(Finding::Code::List, tool.findings));
    }

    void heading(const QString &text)
    {
        output().line(u'\n' + Terminal::of(app::StandardStream::Output).painted(text, Terminal::Tone::Heading));
    }

    void section(const QString &title, const QStringList &lines)
    {
        heading(title);
        for (const QString &line : lines)
            output().line(u"  "_s + line);
    }

    void printSchema(const QString &title, const json::Value &schema, const QString &empty)
    {
        SchemaPrinter printer(output(), schema);
        const Shape shape = printer.reader().read(schema);
        const bool isEmpty = shape.isContainer() && shape.propertyNames().isEmpty() && !shape.isMap() &&
                             shape.kind == Shape::Kind::Object;
        const bool isFree = shape.kind == Shape::Kind::AnyJson && shape.type == "object"_L1;
        if (isEmpty || isFree)
            return section(title, {isFree ? tr("any object") : empty});
        heading(title);
        printer.print(schema);
    }

    // What the tool says of itself; a hint that it leaves out has the protocol's default.
    static QStringList annotations(const Tool &tool)
    {
        const ToolAnnotations &hints = tool.annotations;
        QStringList lines;
        const auto add = [&lines](const std::optional<bool> &hint, const QString &yes, const QString &no) {
            if (hint)
                lines.append(*hint ? yes : no);
        };
        add(hints.readOnly, tr("read-only: changes nothing"), tr("not read-only: may change something"));
        if (!hints.readOnly.value_or(false)) {
            add(hints.destructive, tr("destructive: may delete or overwrite"), tr("not destructive: only adds"));
            add(hints.idempotent, tr("idempotent: repeating the call changes nothing more"),
                tr("not idempotent: repeating the call changes more"));
        }
        add(hints.openWorld, tr("open world: works with systems outside the server"),
            tr("closed world: works only with what the server has"));
        if (!tool.taskSupport.isEmpty())
            lines.append(tr("task support: %1").arg(visibleLine(tool.taskSupport)));
        return lines;
    }

    QString m_tool;
};

}  // namespace

std::unique_ptr<Verb> makeDescribe()
{
    return std::make_unique<Describe>();
}

}  // namespace sonde::cli
