// sonde-cli list: tools, resources, templates and prompts.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/entrysearch.h"
#include "app/cli/serververb.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

struct Row {
    QString name;
    QString text;
};

// The first line of a description, or the title where there is none. A terminal wraps it, and so has room for more.
QString summary(const Entry &entry, const QStringList &badges = {})
{
    const int maxLength = Terminal::of(app::StandardStream::Output).columns() > 0 ? 300 : 100;
    QString text = visibleLine(entry.description.section(u'\n', 0, 0), maxLength);
    if (text.isEmpty() && entry.title != entry.name)
        text = visibleLine(entry.title, maxLength);
    if (!badges.isEmpty())
        text += (text.isEmpty() ? QString() : u" "_s) + u'[' + badges.join(u", "_s) + u']';
    return text;
}

// In the order of Catalog::List.
const QStringList &listNames()
{
    static const QStringList names{u"tools"_s, u"resources"_s, u"templates"_s, u"prompts"_s};
    return names;
}

class List final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeList = [this](const QString &name) {
            if (!listNames().contains(name))
                return tr("unknown list '%1'; use one of %2").arg(name, listNames().join(u", "_s));
            m_options.lists.append(name);
            return QString();
        };
        table.summary = tr("list tools, resources, templates and prompts");
        table.details = tr("Prints all of a server's lists, or only those that are named.");
        table.operands = {{u"[LIST…]"_s,
                           {},
                           {takeList, app::OptionTarget::Repeat::Yes},
                           tr("one of tools, resources, templates and prompts"),
                           app::Completion::of(listNames())}};
        table.sections = {
            {tr("Options"),
             {{u"--filter TEXT"_s, tr("only entries with this text in their name, title, description or URI"),
               &m_options.filter},
              {u"--pages N"_s, tr("only the first N pages of each list (default: all)"),
               app::countInto(&m_options.pages, tr("pages"))}}}};
        table.examples = {u"list tools -- npx -y @modelcontextprotocol/server-everything"_s,
                          u"list tools --filter file --server mine"_s,
                          u"list --pages 1 --json --url https://example.com/mcp"_s};
    }

    QString ownProblem() const override
    {
        return isLine() && m_options.pages > 0 ? tr("--pages cannot be used in a script") : QString();
    }

    bool needsCatalog() const override { return true; }
    bool countsFindings() const override { return true; }
    void adapt(ServerSpec *spec, ConnectionOptions *) const override { spec->pageByPage = m_options.pages > 0; }

    void begin(Connection *connection) override
    {
        m_connection = connection;
        const QStringList &named = m_options.lists;
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            if (named.isEmpty() || named.contains(listNames().at(int(info.list))))
                m_wanted.append(info.list);
        }
        next();
    }

private:
    // The lists load side by side; they are waited for one after the other.
    void next()
    {
        if (m_read == m_wanted.size())
            return print();
        whenListed(m_connection, m_wanted.at(m_read), [this, list = m_wanted.at(m_read)] {
            const Catalog::Status &status = m_connection->catalog()->status(list);
            if (status.state == Catalog::State::Ready && status.hasMore && status.pages < m_options.pages)
                m_connection->catalog()->loadMore(list, Catalog::Extent::NextPage);
            else
                ++m_read;
            next();
        });
    }

    void print()
    {
        const QList<Finding> about = aboutConnection();  // first, so that each list knows what the rules said of it
        ExitCode code = ExitCode::Ok;
        for (const Catalog::List list : std::as_const(m_wanted)) {
            if (!output().isJson())
                printForPeople(list);
            const Catalog::Status &status = m_connection->catalog()->status(list);
            if (status.state == Catalog::State::Failed) {
                output().failure(status.error);
                code = std::max(code, exitCodeFor(status.error));
            }
            output().findings(findingsAbout(*m_connection, list));
        }
        if (output().isJson())
            output().result(resultForMachines());
        output().findings(about);
        Q_EMIT done(code);
    }

    // The entries as received. moreOnServer: lists that are not whole, by --pages.
    QByteArray resultForMachines() const
    {
        json::Builder builder;
        builder.beginObject();
        QList<QStringView> cut;
        for (const Catalog::List list : m_wanted) {
            builder.key(Catalog::info(list).member).beginArray();
            m_connection->catalog()->forEach(list, [&](const Entry &entry) {
                if (mentions(entry, m_options.filter))
                    builder.value(entry.value);
            });
            builder.endArray();
            if (m_connection->catalog()->status(list).hasMore)
                cut.append(Catalog::info(list).member);
        }
        if (!cut.isEmpty()) {
            builder.key(u"moreOnServer").beginArray();
            for (const QStringView name : std::as_const(cut))
                builder.string(name);
            builder.endArray();
        }
        return builder.endObject().take();
    }

    // Without what has been said about a list already.
    QList<Finding> aboutConnection() const
    {
        QStringList said;
        for (const Catalog::List list : m_wanted)
            said += m_connection->catalog()->status(list).findings;
        QList<Finding> found = findingsOf(*m_connection);
        found.removeIf([&said](const Finding &finding) { return said.contains(finding.text); });
        return found;
    }

    static QString heading(Catalog::List list)
    {
        switch (list) {
            case Catalog::List::Tools:
                return tr("Tools");
            case Catalog::List::Resources:
                return tr("Resources");
            case Catalog::List::ResourceTemplates:
                return tr("Templates");
            case Catalog::List::Prompts:
                break;
        }
        return tr("Prompts");
    }

    QList<Row> rows(Catalog::List list) const
    {
        const Catalog &catalog = *m_connection->catalog();
        QList<Row> rows;
        const auto add = [&](const Entry &entry, const QString &name, const QStringList &marks) {
            if (mentions(entry, m_options.filter))
                rows.append({name, summary(entry, marks)});
        };
        if (list == Catalog::List::Tools) {
            for (const Tool &tool : catalog.tools())
                add(tool, visibleLine(tool.name), badges(tool));
        } else if (list == Catalog::List::Resources) {
            for (const Resource &resource : catalog.resources())
                add(resource, visibleLine(resource.uri), mimeType(resource.mimeType));
        } else if (list == Catalog::List::ResourceTemplates) {
            for (const ResourceTemplate &each : catalog.resourceTemplates())
                add(each, visibleLine(each.uriTemplate), mimeType(each.mimeType));
        } else {
            for (const Prompt &prompt : catalog.prompts())
                add(prompt, visibleLine(prompt.name) + arguments(prompt), {});
        }
        return rows;
    }

    QStringList badges(const Tool &tool) const
    {
        QStringList badges;
        if (!m_connection->whyNotCallable(tool).isEmpty())
            badges.append(tr("not callable"));
        if (tool.annotations.readOnly.value_or(false))
            badges.append(tr("read-only"));
        else if (tool.annotations.destructive.value_or(false))
            badges.append(tr("destructive"));
        return badges;
    }

    static QStringList mimeType(const QString &type)
    {
        return type.isEmpty() ? QStringList() : QStringList(visibleLine(type));
    }

    static QString arguments(const Prompt &prompt)
    {
        QStringList names;
        for (const PromptArgument &argument : prompt.arguments)
            names.append(argument.required ? visibleLine(argument.name) : u'[' + visibleLine(argument.name) + u']');
        return names.isEmpty() ? QString() : u' ' + names.join(u' ');
    }

    QString countText(Catalog::List list, qsizetype shown, const Catalog::Status &status) const
    {
        if (m_options.filter.isEmpty())
            return (status.hasMore ? tr("(%1 loaded, more on the server)") : u"(%1)"_s).arg(shown);
        qsizetype count = 0;
        m_connection->catalog()->forEach(list, [&count](const Entry &) { ++count; });
        return tr("(%1 of %2)").arg(shown).arg(count);
    }

    // The name, and beside it as many lines of text as it takes.
    void printRow(const Row &row, qsizetype width)
    {
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        const qsizetype column = 2 + std::max(width, row.name.size()) + 2;
        QString line = u"  "_s + terminal.painted(row.name, Terminal::Tone::Name);
        const QString gap(qMax(qsizetype(0), width - row.name.size()) + 2, u' ');
        // A long name leaves no room: its text begins where that of the others does.
        const bool isBelow = terminal.columns() > 0 && row.name.size() > width;
        const QStringList texts = terminal.wrapped(row.text, isBelow ? width + 4 : column);
        if (row.text.isEmpty())
            return output().line(line);
        output().line(isBelow ? line : line + gap + texts.first());
        for (qsizetype i = isBelow ? 0 : 1; i < texts.size(); ++i)
            output().line(QString(isBelow ? width + 4 : column, u' ') + texts.at(i));
    }

    void printForPeople(Catalog::List list)
    {
        const Catalog::Status &status = m_connection->catalog()->status(list);
        if (!isOffered(*m_connection, list)) {
            if (!m_options.lists.isEmpty())
                output().note(tr("%1: not offered").arg(heading(list)));
            return;
        }
        const QList<Row> all = rows(list);
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        if (status.state == Catalog::State::Failed && all.isEmpty())
            output().note(tr("%1 could not be listed.").arg(heading(list)));
        else
            output().line(terminal.painted(heading(list), Terminal::Tone::Heading) + u' ' +
                          countText(list, all.size(), status));
        qsizetype width = 0;
        for (const Row &row : all)
            width = std::max(width, row.name.size());
        // A longer name has its text below it.
        width = std::min(width, qsizetype(terminal.columns() > 0 ? std::min(40, terminal.columns() / 3) : 40));
        for (const Row &row : all)
            printRow(row, width);
    }

    struct {
        QStringList lists;  // none: all
        int pages = 0;      // of each; 0: all
        QString filter;     // empty: no entry is left out
    } m_options;
    Connection *m_connection = nullptr;
    QList<Catalog::List> m_wanted;
    qsizetype m_read = 0;
};

}  // namespace

std::unique_ptr<Verb> makeList()
{
    return std::make_unique<List>();
}

}  // namespace sonde::cli
