// sonde-cli diff: what two servers, live or recorded, offer, and where they differ.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"
#include "app/cli/commonoptions.h"
#include "app/cli/serververb.h"
#include "app/cli/targetserver.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"
#include "core/replay/changewords.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>

#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// What one side is, and what became of it.
struct Side {
    std::unique_ptr<Connection> connection;  // null: a session
    std::optional<ServerSnapshot> snapshot;
};

// What is there and cannot be started is no program; nor is a name that only a session has. What is wrong with it as a
// session is said when it is opened.
bool isMeantAsSession(const QString &text)
{
    const QFileInfo file(text);
    if (file.isFile())
        return !file.isExecutable() || file.suffix() == "mcpsession"_L1;
    if (file.suffix() != "mcpsession"_L1 || file.exists())
        return false;
    const Result<ServerSpec> spec = ServerSpec::fromLine(text);
    return !spec || (spec->startsProcess() && spec->arguments.isEmpty());
}

class Diff final : public Verb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeServer = [this](const QString &name) {
            m_given.append({name, true});
            return QString();
        };
        table.summary =
            tr("compare what two servers offer; each is a session file, a URL, a command line in quotes, or "
               "--server NAME");
        table.operands = {
            {u"A B"_s, expectedSides(), sidesInto(&m_given), {}, app::Completion::files(), u"--server"_s}};
        app::Option transport = m_server.transportRow();
        transport.help =
            tr("of each side that is a URL: streamable-http, sse (HTTP+SSE) or automatic, which tries both");
        table.sections = {{tr("Options"),
                           {{u"--server NAME"_s,
                             tr("a server saved in Sonde, as A or B"),
                             {takeServer, app::OptionTarget::Repeat::Yes},
                             app::Completion::of(savedServerNames)},
                            transport,
                            m_server.revisionRow()}},
                          {CommonOptions::title(), m_common.rows(), true}};
        table.command = &m_command;
        table.examples = {u"diff before.mcpsession 'npx -y some-server'"_s,
                          u"diff https://example.com/mcp --server mine --json"_s};
        table.notes =
            tr("Exit codes: 0 same offering, 1 different, 2 breaking differences, 3 no response, or a list could "
               "not be read, 4 usage error");
    }

    QString problem() const override
    {
        return m_given.size() == 2 && m_command.isEmpty() ? QString() : tr("expected %1").arg(expectedSides());
    }

    void start(const Profile &profile) override
    {
        m_profile = profile;
        for (size_t i = 0; i < m_sides.size(); ++i) {
            if (const Error error = prepare(m_sides[i], m_given[qsizetype(i)])) {
                m_output.note(u"sonde-cli: %1: %2"_s.arg(m_given[qsizetype(i)].text, visibleText(error.message)));
                Q_EMIT finished(ExitCode::WrongUse);
                return;
            }
        }
        const bool hasUrl = std::ranges::any_of(
            m_sides, [](const Side &side) { return side.connection && !side.connection->spec().startsProcess(); });
        if (m_server.httpKind && !hasUrl) {
            m_output.note(tr("sonde-cli: --transport requires a URL on one side"));
            Q_EMIT finished(ExitCode::WrongUse);
            return;
        }
        for (Side &side : m_sides) {
            if (side.connection)
                watch(side);
        }
        compareWhenReady();
    }

    void interrupt() override { end(ExitCode::NoResponse); }

private:
    static QString expectedSides()
    {
        return tr("two sides after diff, each a session file, a URL, a command line in quotes, or --server NAME");
    }

    Error prepare(Side &side, const ServerSide &given)
    {
        if (!given.isServerName && isMeantAsSession(given.text)) {
            const Result<std::unique_ptr<Session>> session = Session::open(given.text);
            if (!session)
                return session.error();
            Result<ServerSnapshot> snapshot = ServerSnapshot::of(*session.value());
            if (!snapshot)
                return snapshot.error();
            for (const DamagedRange &range : session.value()->damage())
                m_output.note(tr("%1 is damaged at byte %2: %3")
                                  .arg(visibleLine(given.text))
                                  .arg(range.offset)
                                  .arg(visibleText(range.reason)));
            side.snapshot = std::move(snapshot).value();
            if (side.snapshot->name.isEmpty())
                side.snapshot->name = given.text;
            return {};
        }
        const Result<ServerSpec> spec = m_server.spec(m_profile, given);
        if (!spec)
            return spec.error();
        if (const QStringList problems = spec->problems(); !problems.isEmpty())
            return Error::local(problems.join(u'\n'));
        ConnectionOptions options;
        options.profile = profileFor(given.isServerName, m_profile);
        options.profile.tasks.reset();  // none is begun
        options.hasPerson = false;
        if (m_common.timeout)
            options.handshakeTimeout = *m_common.timeout;
        side.connection = std::make_unique<Connection>(*spec, options);
        if (m_common.isYes)
            m_questions.push_back(
                std::make_unique<ApprovalQuestion>(side.connection.get(), true, m_output, [](const Error &) {}));
        side.connection->catalog()->setMaxRetries(0);
        if (m_common.timeout)
            side.connection->catalog()->setListTimeout(*m_common.timeout);
        return {};
    }

    void watch(Side &side)
    {
        Connection *connection = side.connection.get();
        connect(connection, &Connection::stateChanged, this, [this, connection, &side] {
            if (connection->state() == Connection::State::Connected)
                return;
            if (m_code)
                finishWhenClosed();
            else if (connection->state() == Connection::State::Disconnected && !side.snapshot)
                fail(*connection);
        });
        connect(connection->catalog(), &Catalog::loaded, this, [this, connection, &side] {
            if (connection->state() != Connection::State::Connected || side.snapshot)
                return;
            if (const QString unread = unreadLists(*connection); !unread.isEmpty()) {
                m_output.note(u"sonde-cli: %1: %2"_s.arg(visibleLine(connection->spec().line()), unread));
                end(ExitCode::NoResponse);
                return;
            }
            side.snapshot = ServerSnapshot::of(*connection);
            compareWhenReady();
        });
        connection->open();
    }

    // Of lists that the server offers. What is not known cannot be called the same.
    static QString unreadLists(const Connection &connection)
    {
        static const std::array lists{
            std::pair{Catalog::List::Tools, u"tools/list"_s},
            std::pair{Catalog::List::Resources, u"resources/list"_s},
            std::pair{Catalog::List::ResourceTemplates, u"resources/templates/list"_s},
            std::pair{Catalog::List::Prompts, u"prompts/list"_s},
        };
        QStringList unread;
        for (const auto &[list, method] : lists) {
            const Catalog::Status &status = connection.catalog()->status(list);
            if (isOffered(connection, list) && status.state != Catalog::State::Ready)
                unread.append(
                    tr("%1 failed: %2").arg(method, visibleText(maskedError(connection, status.error).message)));
        }
        return unread.join(u'\n');
    }

    void fail(const Connection &connection)
    {
        m_output.note(u"sonde-cli: %1: %2"_s.arg(visibleLine(connection.spec().line()),
                                                 visibleText(maskedError(connection, connection.error()).message)));
        end(ExitCode::NoResponse);
    }

    void compareWhenReady()
    {
        if (m_code || !m_sides[0].snapshot || !m_sides[1].snapshot)
            return;
        const Comparison comparison = compareSnapshots(*m_sides[0].snapshot, *m_sides[1].snapshot);
        if (m_output.isJson())
            m_output.printJson(comparisonJson(comparison));
        else
            show(comparison);
        end(comparison.isOfferSame()  ? ExitCode::Ok
            : comparison.isBreaking() ? ExitCode::ProtocolError
                                      : ExitCode::ToolError);
    }

    void show(const Comparison &comparison)
    {
        const auto count = [&comparison](auto matches) {
            return std::count_if(comparison.changes.begin(), comparison.changes.end(), matches);
        };
        for (const SnapshotChange &change : comparison.changes) {
            const QString word = impactWord(change.part, change.impact);
            m_output.line((change.impact == Impact::Breaking ? word.toUpper() : word).leftJustified(13) +
                          toString(change.part) + u' ' + changedThing(change).name + u"  "_s +
                          changeWords(change, Wording::Whole));
        }
        for (const QString &finding : comparison.findings)
            m_output.note(visibleText(finding));
        const auto started =
            count([](const SnapshotChange &change) { return change.part == SnapshotChange::Part::Environment; });
        if (started > 0)
            m_output.line(tr("Differences in launch settings: %1").arg(started));
        const auto breaking = count([](const SnapshotChange &change) { return change.impact == Impact::Breaking; });
        m_output.line(comparison.isOfferSame() ? comparison.isComplete ? tr("Same offering.")
                                                                       : tr("No differences in what could be compared.")
                                               : tr("Differences in the offering: %1, %2 of them breaking")
                                                     .arg(comparison.changes.size() - started)
                                                     .arg(breaking));
    }

    void end(ExitCode code)
    {
        if (m_code)
            return;
        m_code = code;
        for (Side &side : m_sides) {
            if (side.connection)
                side.connection->close();
        }
        finishWhenClosed();
    }

    void finishWhenClosed()
    {
        const bool areClosed = std::all_of(m_sides.begin(), m_sides.end(), [](const Side &side) {
            return !side.connection || side.connection->state() == Connection::State::Disconnected;
        });
        if (m_code && areClosed)
            Q_EMIT finished(*m_code);
    }

    QList<ServerSide> m_given;
    QStringList m_command;  // after "--": wrong, since both sides stand in quotes
    ServerOptions m_server;
    CommonOptions m_common;
    Profile m_profile;
    Output m_output{m_common.output};
    std::vector<std::unique_ptr<ApprovalQuestion>> m_questions;
    std::array<Side, 2> m_sides;
    std::optional<ExitCode> m_code;
};

}  // namespace

std::unique_ptr<Verb> makeDiff()
{
    return std::make_unique<Diff>();
}

}  // namespace sonde::cli
