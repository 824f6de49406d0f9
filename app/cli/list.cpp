// sonde-cli list: tools, resources, templates and prompts.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"
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

// The first line of a description, or the title where there is none.
QString summary(const Entry &entry, const QStringList &badges = {})
{
    QString text = visibleLine(entry.description.section(u'\n', 0, 0), 100);
    if (text.isEmpty() && entry.title != entry.name)
        text = visibleLine(entry.title, 100);
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
                return tr("unknown list '%1'; lists are %2").arg(name, listNames().join(u", "_s));
            m_options.lists.append(name);
            return QString();
        };
        table.summary = tr("everything the server offers, or only these lists");
        table.operands = {{u"[LIST…]"_s,
                           {},
                           {takeList, app::OptionTarget::Repeat::Yes},
                           tr("tools, resources, templates or prompts"),
                           app::Completion::of(listNames())}};
        table.sections = {{tr("Options"),
                           {{u"--pages N"_s, tr("only the first N pages of each list (default: all)"),
                             app::countInto(&m_options.pages, tr("pages"))}}}};
        table.examples = {u"list tools -- npx -y @modelcontextprotocol/server-everything"_s,
                          u"list --pages 1 --json --url https://example.com/mcp"_s};
    }

    QString ownProblem() const override
    {
        return isLine() && m_options.pages > 0 ? tr("--pages cannot be used in a script") : QString();
    }

    bool needsCatalog() const override { return true; }
    void adapt(ServerSpec *spec, ConnectionOptions *) const override { spec->pageByPage = m_options.pages > 0; }

    void begin(Connection *connection) override
    {
        m_connection = connection;
        const QStringList &named = m_options.lists;
        for (const Catalog::List list : {Catalog::List::Tools, Catalog::List::Resources,
                                         Catalog::List::ResourceTemplates, Catalog::List::Prompts}) {
            if (named.isEmpty() || named.contains(listNames().at(int(list))))
                m_wanted.append(list);
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
        const QStringList about = aboutConnection();  // first, so that each list knows what the rules said of it
        ExitCode code = ExitCode::Ok;
        json::Builder builder;
        builder.beginObject();
        for (const Catalog::List list : std::as_const(m_wanted)) {
            if (output().isJson())
                printForMachines(list, &builder);
            else
                printForPeople(list);
            const Catalog::Status &status = m_connection->catalog()->status(list);
            if (status.state == Catalog::State::Failed)
                code = std::max(code, exitCodeFor(status.error));
        }
        if (output().isJson()) {
            addMore(&builder);
            addStatus(&builder, about);
            builder.endObject();
            output().printJson(builder.take());
        } else {
            output().findings(about);
        }
        Q_EMIT done(code);
    }

    template <typename Entries>
    void addEntries(json::Builder *builder, QStringView name, const Entries &entries)
    {
        builder->key(name).beginArray();
        for (const auto &entry : entries)
            builder->value(entry.value);
        builder->endArray();
    }

    void printForMachines(Catalog::List list, json::Builder *builder)
    {
        const Catalog &catalog = *m_connection->catalog();
        switch (list) {
            case Catalog::List::Tools:
                addEntries(builder, u"tools", catalog.tools());
                break;
            case Catalog::List::Resources:
                addEntries(builder, u"resources", catalog.resources());
                break;
            case Catalog::List::ResourceTemplates:
                addEntries(builder, u"resourceTemplates", catalog.resourceTemplates());
                break;
            case Catalog::List::Prompts:
                addEntries(builder, u"prompts", catalog.prompts());
                break;
        }
    }

    // Lists that are not whole, by --pages.
    void addMore(json::Builder *builder)
    {
        QStringList names;
        for (const Catalog::List list : std::as_const(m_wanted)) {
            if (m_connection->catalog()->status(list).hasMore)
                names.append(heading(list));
        }
        if (names.isEmpty())
            return;
        builder->key(u"moreOnServer").beginArray();
        for (const QString &name : std::as_const(names))
            builder->string(name);
        builder->endArray();
    }

    void addStatus(json::Builder *builder, const QStringList &about)
    {
        builder->key(u"findings").beginArray();
        for (const Catalog::List list : std::as_const(m_wanted)) {
            const Catalog::Status &status = m_connection->catalog()->status(list);
            QStringList sentences = findingsAbout(*m_connection, list);
            if (status.state == Catalog::State::Failed)
                sentences.prepend(status.error.message);
            for (const QString &sentence : sentences)
                builder->beginObject().member(u"list", heading(list)).member(u"message", sentence).endObject();
        }
        for (const QString &sentence : about)
            builder->beginObject().member(u"message", sentence).endObject();
        builder->endArray();
    }

    // Without what has been said about a list already.
    QStringList aboutConnection() const
    {
        QStringList said;
        for (const Catalog::List list : m_wanted)
            said += m_connection->catalog()->status(list).findings;
        QStringList sentences = findingsOf(*m_connection);
        sentences.removeIf([&said](const QString &sentence) { return said.contains(sentence); });
        return sentences;
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
        if (list == Catalog::List::Tools) {
            for (const Tool &tool : catalog.tools())
                rows.append({visibleLine(tool.name), summary(tool, badges(tool))});
        } else if (list == Catalog::List::Resources) {
            for (const Resource &resource : catalog.resources())
                rows.append({visibleLine(resource.uri), summary(resource, mimeType(resource.mimeType))});
        } else if (list == Catalog::List::ResourceTemplates) {
            for (const ResourceTemplate &each : catalog.resourceTemplates())
                rows.append({visibleLine(each.uriTemplate), summary(each, mimeType(each.mimeType))});
        } else {
            for (const Prompt &prompt : catalog.prompts())
                rows.append({visibleLine(prompt.name) + arguments(prompt), summary(prompt)});
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

    void printForPeople(Catalog::List list)
    {
        const Catalog::Status &status = m_connection->catalog()->status(list);
        if (!isOffered(*m_connection, list)) {
            if (!m_options.lists.isEmpty())
                output().note(tr("%1: not offered").arg(heading(list)));
            return;
        }
        const QList<Row> all = rows(list);
        if (status.state == Catalog::State::Failed && all.isEmpty())
            output().note(tr("%1 could not be listed.").arg(heading(list)));
        else
            output().line((status.hasMore ? tr("%1 (%2 loaded, more on the server)") : u"%1 (%2)"_s)
                              .arg(heading(list))
                              .arg(all.size()));
        qsizetype width = 0;
        for (const Row &row : all)
            width = std::max(width, row.name.size());
        width = std::min(width, qsizetype(40));
        for (const Row &row : all)
            output().line(
                (u"  "_s + row.name.leftJustified(int(width)) + u"  "_s + row.text).trimmed().prepend(u"  "_s));
        if (status.state == Catalog::State::Failed)
            output().failure(status.error);
        output().findings(findingsAbout(*m_connection, list));
    }

    struct {
        QStringList lists;  // none: all
        int pages = 0;      // of each; 0: all
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
