// sonde-cli servers: the list of saved servers, which the window shows as well. None is started or connected to.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"
#include "app/cli/fileverb.h"
#include "app/cli/output.h"
#include "app/cli/serversecrets.h"
#include "app/cli/targetserver.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/yesnoquestion.h"

#include "core/protocol/visibletext.h"
#include "core/server/approval.h"
#include "core/server/hostdetails.h"
#include "core/server/serverexport.h"
#include "core/server/serverstore.h"
#include "core/server/specsecrets.h"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

enum class Action { List, Show, Add, Remove, Rename, Approve };

struct ActionEntry {
    QLatin1StringView word;
    Action action;
    int names;  // how many follow
};

constexpr std::array<ActionEntry, 6> Actions{{{"list"_L1, Action::List, 0},
                                              {"show"_L1, Action::Show, 1},
                                              {"add"_L1, Action::Add, 1},
                                              {"remove"_L1, Action::Remove, 1},
                                              {"rename"_L1, Action::Rename, 2},
                                              {"approve"_L1, Action::Approve, 1}}};

QStringList actionWords()
{
    QStringList words;
    for (const ActionEntry &entry : Actions)
        words.append(entry.word);
    return words;
}

HostServer withSecretPlaces(const ServerSpec &spec)
{
    HostServer server;
    server.spec = spec;
    server.secrets = secretPlaces(spec);
    server.problems = spec.problems();
    return server;
}

class Servers final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeAction = [this](const QString &word) {
            const auto found = std::find_if(Actions.begin(), Actions.end(),
                                            [&word](const ActionEntry &entry) { return entry.word == word; });
            if (found == Actions.end())
                return tr("unknown action '%1'; use one of %2").arg(word, actionWords().join(u", "_s));
            m_action = *found;
            return QString();
        };
        table.summary = tr("list, show, add, remove, rename or approve saved servers");
        table.details =
            tr("Manages the saved servers, which Sonde's window shows too:\n"
               "list, or no action: print all of them\n"
               "show NAME: print what would be started, with secrets redacted\n"
               "add NAME (-- COMMAND… | --url URL): save a server; secrets go to the keychain\n"
               "remove NAME: delete the server, its secrets and its sign-in\n"
               "rename NAME NEW-NAME\n"
               "approve NAME: show what would be started, and let other verbs start it without asking");
        table.operands = {
            {u"[ACTION]"_s,
             {},
             takeAction,
             tr("list, show, add, remove, rename or approve"),
             app::Completion::of(actionWords())},
            {u"[NAME…]"_s, {}, &m_names, tr("the name of a server"), app::Completion::of(savedServerNames)}};
        m_server.declare(table);
        table.usageEnd = tr("[-- COMMAND… | --url URL]");
        table.sections.append({tr("Options"), {{u"--yes"_s, tr("approve without asking"), &m_isYes}}});
        table.examples = {u"servers add weather --env 'API_KEY=${env:API_KEY}' -- npx -y weather-server"_s,
                          u"servers approve weather --yes"_s};
        table.notes = exitCodes();
    }

    QString problem() const override
    {
        if (m_names.size() != m_action.names)
            return m_action.names == 0   ? tr("%1 takes no name").arg(m_action.word)
                   : m_action.names == 1 ? tr("%1 needs one name").arg(m_action.word)
                                         : tr("%1 needs two names: the current one and the new one").arg(m_action.word);
        if (m_action.action == Action::Add) {
            if (!m_server.name.isEmpty() || !m_server.configPath.isEmpty())
                return tr("add takes -- COMMAND or --url URL; to add servers from another MCP client, use import");
            return m_server.problem();
        }
        return m_server.count() > 0 ? tr("only add takes a command or a URL") : QString();
    }

private:
    ExitCode run(const Profile &profile) override
    {
        ServerStore &store = *profile.servers;
        if (const Error error = store.load())
            return wrongUse(error);
        QString unsaved;
        QObject::connect(&store, &ServerStore::notSaved, &store, [&](const Error &error) { unsaved = error.message; });
        const ExitCode code = act(profile);
        return code == ExitCode::Ok && !unsaved.isEmpty() ? cannotWrite(Error::local(unsaved)) : code;
    }

    ExitCode act(const Profile &profile)
    {
        if (m_action.action == Action::List)
            return list(profile);
        if (m_action.action == Action::Add)
            return add(profile);
        const Result<ServerSpec> spec = storedSpec(*profile.servers, m_names.first());
        if (!spec)
            return wrongUse(spec.error());
        switch (m_action.action) {
            case Action::Show:
                return show(profile, *spec);
            case Action::Remove:
                return remove(profile, *spec);
            case Action::Rename:
                return rename(profile, *spec);
            case Action::Approve:
                return approve(profile, *spec);
            case Action::List:
            case Action::Add:
                break;
        }
        return ExitCode::Ok;
    }

    enum class ApprovalState { Approved, NotApproved, Changed };

    static ApprovalState approvalState(const Profile &profile, const ServerSpec &spec)
    {
        const std::optional<Approval> question = profile.approvals->question(spec.name, launchLines(spec));
        return !question                    ? ApprovalState::Approved
               : question->before.isEmpty() ? ApprovalState::NotApproved
                                            : ApprovalState::Changed;
    }

    static QString wordFor(ApprovalState state)
    {
        return state == ApprovalState::Approved      ? u"approved"_s
               : state == ApprovalState::NotApproved ? u"not-approved"_s
                                                     : u"changed"_s;
    }

    void addTo(json::Builder *builder, const Profile &profile, const ServerSpec &spec)
    {
        builder->beginObject().member(u"name", spec.name);
        builder->member(u"transport", spec.startsProcess() ? u"stdio"_s : u"http"_s);
        builder->member(u"target", maskedTarget(spec)).member(u"approval", wordFor(approvalState(profile, spec)));
        builder->rawMember(u"entry", maskedEntry(withSecretPlaces(spec))).endObject();
    }

    // An argument may hold a secret.
    static QString maskedTarget(const ServerSpec &spec)
    {
        QString target = shownTarget(spec);
        for (const QString &secret : spec.secrets())
            target.replace(secret, LaunchLine::secretMark());
        return target;
    }

    ExitCode list(const Profile &profile)
    {
        const QList<ServerSpec> &servers = profile.servers->servers();
        if (output().isJson()) {
            json::Builder builder;
            builder.beginObject().key(u"servers").beginArray();
            for (const ServerSpec &spec : servers)
                addTo(&builder, profile, spec);
            output().result(builder.endArray().endObject().take());
            return ExitCode::Ok;
        }
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        if (servers.isEmpty())
            output().note(tr("No servers are saved. Add one with 'sonde-cli servers add', or use 'sonde-cli import'."));
        qsizetype width = 0;
        for (const ServerSpec &spec : servers)
            width = std::max(width, visibleLine(spec.name).size());
        for (const ServerSpec &spec : servers) {
            const QString name = visibleLine(spec.name);
            const ApprovalState state = approvalState(profile, spec);
            QString line = terminal.painted(name, Terminal::Tone::Name) + QString(width - name.size() + 2, u' ') +
                           visibleLine(maskedTarget(spec), 200);
            if (state == ApprovalState::NotApproved)
                line += u"  "_s + terminal.painted(tr("[not approved]"), Terminal::Tone::Warning);
            else if (state == ApprovalState::Changed)
                line += u"  "_s + terminal.painted(tr("[changed since it was approved]"), Terminal::Tone::Warning);
            output().line(line);
        }
        return ExitCode::Ok;
    }

    ExitCode show(const Profile &profile, const ServerSpec &spec)
    {
        if (output().isJson()) {
            json::Builder builder;
            addTo(&builder, profile, spec);
            output().result(builder.take());
            return ExitCode::Ok;
        }
        const Terminal &terminal = Terminal::of(app::StandardStream::Output);
        output().line(terminal.painted(visibleLine(spec.name), Terminal::Tone::Name));
        output().line(serverDetails(withSecretPlaces(spec), tr("******** (secret)")).trimmed());
        const ApprovalState state = approvalState(profile, spec);
        output().line(state == ApprovalState::Approved      ? tr("Approved")
                      : state == ApprovalState::NotApproved ? tr("Not approved yet")
                                                            : tr("Changed since it was approved"));
        return ExitCode::Ok;
    }

    // Words such as server.py mean a file of the current folder, wherever the server is started from later.
    static bool namesFileHere(const ServerSpec &spec)
    {
        const QStringList words = QStringList{spec.command} + spec.arguments;
        return std::any_of(words.begin(), words.end(), [](const QString &word) {
            return QDir::isRelativePath(word) && !word.startsWith(u'-') && !word.isEmpty() && QFileInfo::exists(word);
        });
    }

    ExitCode add(const Profile &profile)
    {
        const Result<ServerSpec> given = m_server.spec(profile);
        if (!given)
            return wrongUse(given.error());
        ServerSpec spec = *given;
        spec.name = m_names.first();
        if (m_server.workingDirectory.isEmpty() && !namesFileHere(spec))
            spec.workingDirectory.clear();
        QHash<QString, QString> values;
        spec = withKeychainReferences(spec, secretPlaces(spec), &values);
        if (const Error error = profile.servers->add(spec))
            return wrongUse(error);
        keepSecrets(output(), *profile.secrets, spec, values, SecretNames::New);
        // Who typed it has seen what it starts.
        if (const Error error = profile.approvals->approve(spec.name, launchLines(spec)))
            output().note(visibleText(error.message));
        return done(tr("Added: %1").arg(visibleLine(spec.name)), profile, spec);
    }

    ExitCode remove(const Profile &profile, const ServerSpec &spec)
    {
        if (const Error error = profile.servers->remove(spec.name))
            return wrongUse(error);
        profile.forgetServer(spec.name);
        forgetSecrets(output(), profile, spec);
        forgetSignIn(output(), profile, spec);
        return done(tr("Removed: %1").arg(visibleLine(spec.name)), profile, std::nullopt);
    }

    ExitCode rename(const Profile &profile, const ServerSpec &spec)
    {
        ServerSpec renamed = spec;
        renamed.name = m_names.last();
        const bool wasApproved = approvalState(profile, spec) == ApprovalState::Approved;
        if (const Error error = profile.servers->replace(spec.name, renamed))
            return wrongUse(error);
        profile.renameServer(spec.name, renamed.name);
        // It starts what it started before.
        if (wasApproved) {
            if (const Error error = profile.approvals->approve(renamed.name, launchLines(renamed)))
                output().note(visibleText(error.message));
        }
        return done(tr("Renamed: %1 is now %2").arg(visibleLine(spec.name), visibleLine(renamed.name)), profile,
                    renamed);
    }

    ExitCode approve(const Profile &profile, const ServerSpec &spec)
    {
        const std::optional<Approval> question = profile.approvals->question(spec.name, launchLines(spec));
        if (!question)
            return done(tr("Already approved: %1").arg(visibleLine(spec.name)), profile, spec);
        showApproval(output(), spec.name, *question);
        if (!m_isYes) {
            if (!YesNoQuestion::canBeAsked())
                return wrongUse(approvalRefused());
            if (!isYesTyped())
                return wrongUse(Error::local(tr("Not approved.")));
        }
        if (const Error error = profile.approvals->approve(spec.name, question->lines))
            return cannotWrite(error);
        return done(tr("Approved: %1").arg(visibleLine(spec.name)), profile, spec);
    }

    bool isYesTyped() const
    {
        QEventLoop loop;
        const auto *question = new YesNoQuestion(tr("Approve it?"), output(), &loop);
        connect(question, &YesNoQuestion::answered, &loop, [&loop](bool isYes) { loop.exit(isYes ? 1 : 0); });
        return loop.exec() == 1;
    }

    // server: as it is now; none: it is gone.
    ExitCode done(const QString &text, const Profile &profile, const std::optional<ServerSpec> &server)
    {
        if (!output().isJson()) {
            output().line(text);
            return ExitCode::Ok;
        }
        json::Builder builder;
        builder.beginObject().key(u"server");
        if (server)
            addTo(&builder, profile, *server);
        else
            builder.null();
        output().result(builder.endObject().take());
        return ExitCode::Ok;
    }

    ActionEntry m_action = Actions.front();
    QStringList m_names;
    ServerOptions m_server;
    bool m_isYes = false;
};

}  // namespace

std::unique_ptr<Verb> makeServers()
{
    return std::make_unique<Servers>();
}

}  // namespace sonde::cli
