// sonde-cli diff: what two servers, live or recorded, offer, and where they differ.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"
#include "app/cli/commonoptions.h"
#include "app/cli/didyoumean.h"
#include "app/cli/responders.h"
#include "app/cli/serververb.h"
#include "app/cli/targetserver.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"
#include "core/replay/changewords.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>

#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// What one side is, and what became of it.
struct Side {
    std::unique_ptr<Responders> responders;
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

// One word, and no such file or program. More words can only be a command line, and starting it says what is wrong.
bool isNothing(const QString &text, const ServerSpec &spec)
{
    return spec.startsProcess() && spec.arguments.isEmpty() && spec.command == text && !QFileInfo::exists(text) &&
           (text.contains(u'/') || QStandardPaths::findExecutable(text).isEmpty());
}

class Diff final : public Verb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeServer = [this](const QString &name) {
            m_given.append({name, true});
            return QString();
        };
        table.summary = tr("compare what two servers offer");
        table.details =
            tr("Compares what two servers declare and offer; A is before, B after. Each is a session file, a URL, a "
               "command line in quotes, or --server NAME. Launch settings (command, folder, environment variables, "
               "headers, client capabilities) are compared and printed too, but do not change the exit code. Redacted "
               "secrets are compared only between two running servers; otherwise they are reported as unknown.");
        table.operands = {
            {u"A B"_s, expectedSides(), sidesInto(&m_given), {}, app::Completion::files(), u"--server"_s}};
        app::Option transport = m_server.transportRow();
        transport.help =
            tr("transport of each side that is a URL: streamable-http, sse (HTTP+SSE) or automatic "
               "(default), which tries both");
        table.sections = {{tr("Options"),
                           {{u"--server NAME"_s,
                             tr("use a server saved in Sonde as A or B"),
                             {takeServer, app::OptionTarget::Repeat::Yes},
                             app::Completion::of(savedServerNames)},
                            transport,
                            m_server.revisionRow()}},
                          {CommonOptions::title(), m_common.rows(), true}};
        table.command = &m_command;
        table.examples = {u"diff before.mcpsession 'npx -y some-server'"_s,
                          u"diff https://example.com/mcp --server mine --json"_s};
        table.notes =
            exitCodesText({{ExitCode::Ok, tr("the same offering")},
                           {ExitCode::ToolError, tr("different")},
                           {ExitCode::ProtocolError, tr("breaking differences")},
                           {ExitCode::NoResponse, tr("no response, or a list could not be read; or output could not "
                                                     "be written")}});
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
                refuse(Error::local(u"%1: %2"_s.arg(m_given[qsizetype(i)].text, error.message), error.hint));
                return;
            }
        }
        const bool hasUrl = std::ranges::any_of(
            m_sides, [](const Side &side) { return side.connection && !side.connection->spec().startsProcess(); });
        if (m_server.httpKind && !hasUrl) {
            refuse(Error::local(tr("--transport requires a URL on one side")));
            return;
        }
        for (Side &side : m_sides) {
            if (side.connection)
                watch(side);
        }
        compareWhenReady();
    }

    void interrupt(app::Interruption interruption) override
    {
        output().failure(errorFor(interruption));
        end(exitCodeFor(interruption));
    }

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
                return withSuggestion(session.error(), didYouMeanFile(given.text));
            Result<ServerSnapshot> snapshot = ServerSnapshot::of(*session.value());
            if (!snapshot)
                return snapshot.error();
            for (const DamagedRange &range : session.value()->damage())
                output().findings({{Finding::Code::Session, tr("%1 is damaged at byte %2: %3")
                                                                .arg(visibleLine(given.text))
                                                                .arg(range.offset)
                                                                .arg(range.reason)}});
            side.snapshot = std::move(snapshot).value();
            if (side.snapshot->name.isEmpty())
                side.snapshot->name = given.text;
            return {};
        }
        const Result<ServerSpec> spec = m_server.spec(m_profile, given);
        if (!spec)
            return spec.error();
        if (!given.isServerName && (isNothing(given.text, *spec) || QFileInfo(given.text).isDir()))
            return withSuggestion(Error::local(tr("This is neither a session file nor a program.")),
                                  didYouMeanFile(given.text));
        if (const QStringList problems = spec->problems(); !problems.isEmpty())
            return Error::local(problems.join(u'\n'));
        ConnectionOptions options;
        options.profile = profileFor(given.isServerName, m_profile);
        options.approvalName = given.isServerName ? m_server.approvalName(spec->name) : QString();
        options.profile.tasks.reset();  // none is begun
        options.hasPerson = false;
        m_common.setTimeouts(&options, spec->timeouts);
        side.responders = std::make_unique<Responders>(*spec);
        options.capabilities = side.responders->capabilities();
        side.connection = std::make_unique<Connection>(*spec, options);
        side.responders->attach(side.connection.get());
        if (m_common.isYes)
            m_questions.push_back(
                std::make_unique<ApprovalQuestion>(side.connection.get(), true, output(), [](const Error &) {}));
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
                fail(*connection, maskedError(*connection, connection->error()));
        });
        connect(connection->catalog(), &Catalog::loaded, this, [this, connection, &side] {
            if (connection->state() != Connection::State::Connected || side.snapshot)
                return;
            if (const QString unread = unreadLists(*connection); !unread.isEmpty())
                return fail(*connection, Error::of(Error::Kind::Protocol, unread));
            side.snapshot = ServerSnapshot::of(*connection);
            compareWhenReady();
        });
        connection->open();
    }

    // Of lists that the server offers. What is not known cannot be called the same.
    static QString unreadLists(const Connection &connection)
    {
        QStringList unread;
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            const Catalog::Status &status = connection.catalog()->status(info.list);
            if (!isOffered(connection, info.list))
                continue;
            if (status.state != Catalog::State::Ready)
                unread.append(
                    tr("%1 failed: %2").arg(info.method, visibleText(maskedError(connection, status.error).message)));
            else if (status.isNotImplemented && info.list != Catalog::List::ResourceTemplates)
                unread.append(tr("%1 failed: the server declares '%2' but does not implement it (-32601).")
                                  .arg(info.method, info.capability));
        }
        return unread.join(u'\n');
    }

    void fail(const Connection &connection, Error error)
    {
        error.message = u"%1: %2"_s.arg(visibleLine(connection.spec().line()), error.message);
        error.detail.clear();
        output().refusal(error);
        end(ExitCode::NoResponse);
    }

    void compareWhenReady()
    {
        if (m_code || !m_sides[0].snapshot || !m_sides[1].snapshot)
            return;
        const Comparison comparison = compareSnapshots(*m_sides[0].snapshot, *m_sides[1].snapshot);
        output().result(comparisonJson(comparison));
        output().findings(Finding::of(Finding::Code::Offering, comparison.findings));
        if (!output().isJson())
            show(comparison);
        output().envelope().setVerdict(comparison.isBreaking() ? Verdict::Breaking : Verdict::Changed);
        if (!comparison.isComplete)
            output().envelope().setError(Error::of(Error::Kind::Protocol, unknownText()));
        end(exitCodeOf(comparison));
    }

    static QString unknownText()
    {
        return tr("Unknown whether this can break clients of A: not all lists could be compared.");
    }

    // What breaks is certain, whatever else is not known.
    static ExitCode exitCodeOf(const Comparison &comparison)
    {
        if (comparison.isBreaking())
            return ExitCode::ProtocolError;
        if (!comparison.isComplete)
            return ExitCode::NoResponse;
        return comparison.isOfferSame() ? ExitCode::Ok : ExitCode::ToolError;
    }

    void show(const Comparison &comparison)
    {
        const auto count = [&comparison](auto matches) {
            return std::count_if(comparison.changes.begin(), comparison.changes.end(), matches);
        };
        for (const SnapshotChange &change : comparison.changes) {
            const QString word = impactWord(change.part, change.impact);
            output().line((change.impact == Impact::Breaking ? word.toUpper() : word).leftJustified(13) +
                          toString(change.part) + u' ' + changedThing(change).name + u"  "_s +
                          changeWords(change, Wording::Whole));
        }
        const auto started =
            count([](const SnapshotChange &change) { return change.part == SnapshotChange::Part::Environment; });
        if (started > 0)
            output().line(tr("Differences in launch settings: %1").arg(started));
        const auto breaking = count([](const SnapshotChange &change) { return change.impact == Impact::Breaking; });
        const QString same =
            comparison.isComplete ? tr("Same offering.") : tr("No differences in what could be compared.");
        const QString different = comparison.isComplete
                                      ? tr("Differences in the offering: %1, %2 of them breaking")
                                      : tr("Differences in what could be compared: %1, %2 of them breaking");
        output().line(comparison.isOfferSame() ? same
                                               : different.arg(comparison.changes.size() - started).arg(breaking));
        if (!comparison.isComplete && breaking == 0)
            output().line(unknownText());
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
    CommonOptions m_common{outputOptions()};
    Profile m_profile;
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
