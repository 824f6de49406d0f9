// sonde-cli find: in which of the saved servers there is a tool, resource, template or prompt of that kind.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"
#include "app/cli/commonoptions.h"
#include "app/cli/entrysearch.h"
#include "app/cli/serververb.h"
#include "app/cli/targetserver.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"
#include "core/server/approval.h"
#include "core/server/serverstore.h"

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr size_t MaxAtOnce = 4;  // each may be a process of its own

struct Match {
    QString kind;  // "tool"
    QString name;  // or the URI
    Entry entry;
};

// One server: connected to, read and left again.
class ServerSearch final : public QObject {
    Q_OBJECT
public:
    ServerSearch(const ServerSpec &spec, const ConnectionOptions &options, const QString &text)
        : m_connection(spec, options), m_text(text)
    {
        m_connection.catalog()->setMaxRetries(0);
        m_connection.catalog()->setListTimeout(options.callOptions.timeout);
        connect(&m_connection, &Connection::stateChanged, this, &ServerSearch::onStateChanged);
        connect(m_connection.catalog(), &Catalog::loaded, this, &ServerSearch::onLoaded);
    }

    void approve(Output &output)
    {
        m_approval = std::make_unique<ApprovalQuestion>(&m_connection, true, output,
                                                        [this](const Error &error) { m_error = error; });
    }
    void start() { m_connection.open(); }
    void stop() { m_connection.close(); }

    const QString &name() const { return m_connection.spec().name; }
    const QList<Match> &matches() const { return m_matches; }
    const Error &error() const { return m_error; }  // why it was not searched, or not all of it

Q_SIGNALS:
    void finished();

private:
    void onLoaded()
    {
        if (m_connection.state() != Connection::State::Connected)
            return;
        const Catalog &catalog = *m_connection.catalog();
        const auto add = [this](const QString &kind, const Entry &entry, const QString &name) {
            if (mentions(entry, m_text))
                m_matches.append({kind, name, entry});
        };
        for (const Tool &tool : catalog.tools())
            add(u"tool"_s, tool, tool.name);
        for (const Resource &resource : catalog.resources())
            add(u"resource"_s, resource, resource.uri);
        for (const ResourceTemplate &each : catalog.resourceTemplates())
            add(u"template"_s, each, each.uriTemplate);
        for (const Prompt &prompt : catalog.prompts())
            add(u"prompt"_s, prompt, prompt.name);
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            const Catalog::Status &status = catalog.status(info.list);
            if (status.state == Catalog::State::Failed && !m_error)
                m_error = status.error;
        }
        m_isLoaded = true;
        m_connection.close();
    }

    void onStateChanged()
    {
        if (m_connection.state() != Connection::State::Disconnected)
            return;
        if (!m_isLoaded && !m_error)
            m_error = m_connection.error();
        Q_EMIT finished();
    }

    Connection m_connection;
    const QString m_text;
    std::unique_ptr<ApprovalQuestion> m_approval;
    QList<Match> m_matches;
    Error m_error;
    bool m_isLoaded = false;
};

class Find final : public Verb {
    Q_OBJECT
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("search tools, resources, templates and prompts of all saved servers");
        table.details =
            tr("Connects to each saved server that is approved, several at a time, and prints every entry that has "
               "TEXT in its name, title, description or URI. Servers that are not approved or cannot be reached are "
               "named and left out.");
        table.operands = {{u"TEXT"_s, tr("the text to search for"), &m_text}};
        table.sections = {{CommonOptions::title(), m_common.rows(), true}};
        table.examples = {u"find weather"_s, u"find 'create issue' --timeout 10 --json"_s};
        table.notes = exitCodesText({{ExitCode::Ok, tr("found")},
                                     {ExitCode::ToolError, tr("nothing found")},
                                     {ExitCode::ProtocolError, {}},
                                     {ExitCode::NoResponse, tr("no server could be searched; or output could not be "
                                                               "written")}});
    }

    void start(const Profile &profile) override
    {
        if (const Error error = profile.servers->load())
            return refuse(error);
        for (const ServerSpec &spec : profile.servers->servers()) {
            const bool isApproved = !profile.approvals->question(spec.name, launchLines(spec));
            if (!isApproved && !m_common.isYes) {
                m_unapproved.append(spec.name);
                continue;
            }
            ConnectionOptions options;
            options.profile = profileFor(true, profile);
            options.profile.tasks.reset();  // none is begun
            options.hasPerson = false;
            options.takesUpTasks = false;
            m_common.setTimeouts(&options, spec.timeouts);
            auto search = std::make_unique<ServerSearch>(spec, options, m_text);
            if (!isApproved)
                search->approve(output());
            // Queued: it comes within a signal of the connection that goes with it.
            connect(search.get(), &ServerSearch::finished, this, &Find::onFinished, Qt::QueuedConnection);
            m_searches.push_back(std::move(search));
        }
        startMore();
    }

    void interrupt(app::Interruption interruption) override
    {
        m_searches.clear();
        output().failure(errorFor(interruption));
        Q_EMIT finished(exitCodeFor(interruption));
    }

private:
    void onFinished()
    {
        ++m_ended;
        startMore();
    }

    void startMore()
    {
        if (m_ended == m_searches.size())
            return end();
        while (m_begun < m_searches.size() && m_begun - m_ended < MaxAtOnce)
            m_searches.at(m_begun++)->start();
    }

    void end()
    {
        qsizetype count = 0;
        size_t searched = 0;
        for (const auto &search : m_searches) {
            count += search->matches().size();
            searched += search->error() ? 0 : 1;
        }
        if (output().isJson())
            printForMachines();
        else
            printForPeople(count);
        if (count == 0)
            output().envelope().setVerdict(Verdict::NotFound);
        if (searched == 0 && !m_searches.empty())
            output().envelope().setError(m_searches.front()->error());
        const bool isSearched = searched > 0 || m_searches.empty();
        Q_EMIT finished(count > 0 ? ExitCode::Ok : isSearched ? ExitCode::ToolError : ExitCode::NoResponse);
    }

    void printForPeople(qsizetype count)
    {
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        for (const auto &search : m_searches) {
            for (const Match &match : search->matches()) {
                const QString head = visibleLine(search->name()) + u"  "_s + match.kind + u"  "_s;
                const QString text =
                    visibleLine(match.entry.description.section(u'\n', 0, 0), terminal.columns() > 0 ? 300 : 100);
                const QString name = visibleLine(match.name);
                const QStringList lines = terminal.wrapped(text, head.size() + name.size() + 2);
                output().line(head + terminal.painted(name, Terminal::Tone::Name) +
                              (text.isEmpty() ? QString() : u"  "_s + lines.first()));
                for (const QString &line : lines.mid(1))
                    output().line(QString(head.size() + name.size() + 2, u' ') + line);
            }
        }
        if (count == 0)
            output().note(m_searches.empty() && m_unapproved.isEmpty()
                              ? tr("No servers are saved.")
                              : tr("Nothing found for '%1'.").arg(visibleLine(m_text)));
        for (const auto &search : m_searches) {
            if (search->error())
                output().note(tr("%1 could not be searched: %2")
                                  .arg(visibleLine(search->name()), visibleText(search->error().message)));
        }
        for (const QString &name : std::as_const(m_unapproved))
            output().note(
                tr("%1 is not approved and was left out; see sonde-cli servers approve.").arg(visibleLine(name)));
    }

    void printForMachines()
    {
        json::Builder builder;
        builder.beginObject().key(u"matches").beginArray();
        for (const auto &search : m_searches) {
            for (const Match &match : search->matches()) {
                builder.beginObject().member(u"server", search->name()).member(u"kind", match.kind);
                builder.member(u"name", match.name).key(u"entry").value(match.entry.value).endObject();
            }
        }
        builder.endArray().key(u"servers").beginArray();
        for (const auto &search : m_searches) {
            builder.beginObject().member(u"name", search->name());
            builder.member(u"state", search->error() ? u"failed"_s : u"searched"_s);
            if (search->error())
                builder.member(u"text", search->error().message);
            builder.endObject();
        }
        for (const QString &name : std::as_const(m_unapproved))
            builder.beginObject().member(u"name", name).member(u"state", u"not-approved"_s).endObject();
        output().result(builder.endArray().endObject().take());
    }

    QString m_text;
    CommonOptions m_common{outputOptions()};
    std::vector<std::unique_ptr<ServerSearch>> m_searches;  // in the order of the list
    size_t m_begun = 0;
    size_t m_ended = 0;
    QStringList m_unapproved;
};

}  // namespace

std::unique_ptr<Verb> makeFind()
{
    return std::make_unique<Find>();
}

}  // namespace sonde::cli

#include "find.moc"
