// sonde-cli list: tools, resources, templates and prompts.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

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

class List final : public Verb {
public:
    using Verb::Verb;

    bool needsCatalog() const override { return true; }

    void start(Connection *connection) override
    {
        m_connection = connection;
        const QStringList &named = arguments().lists;
        const std::pair<QString, Catalog::List> all[] = {{u"tools"_s, Catalog::List::Tools},
                                                         {u"resources"_s, Catalog::List::Resources},
                                                         {u"templates"_s, Catalog::List::ResourceTemplates},
                                                         {u"prompts"_s, Catalog::List::Prompts}};
        for (const auto &[name, list] : all) {
            if (named.isEmpty() || named.contains(name))
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
            if (status.state == Catalog::State::Ready && status.hasMore && status.pages < Verb::arguments().pages)
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
        Q_EMIT finished(code);
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
    using Verb::arguments;

    void printForPeople(Catalog::List list)
    {
        const Catalog::Status &status = m_connection->catalog()->status(list);
        if (!isOffered(*m_connection, list)) {
            if (!Verb::arguments().lists.isEmpty())
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

    Connection *m_connection = nullptr;
    QList<Catalog::List> m_wanted;
    qsizetype m_read = 0;
};

}  // namespace

std::unique_ptr<Verb> makeList(const Arguments &arguments, Output &output)
{
    return std::make_unique<List>(arguments, output);
}

}  // namespace sonde::cli
