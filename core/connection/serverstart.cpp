// SPDX-License-Identifier: Apache-2.0
#include "core/connection/serverstart.h"

#include "core/authorization/oauth.h"
#include "core/connection/erastore.h"
#include "core/protocol/numbertext.h"
#include "core/redact/secretforms.h"
#include "core/server/specsecrets.h"
#include "core/server/specvariables.h"
#include "core/server/transportoptions.h"
#include "core/transport/http/httptransport.h"
#include "core/transport/http/ssetransport.h"
#include "core/transport/process/commandline.h"
#include "core/transport/process/loginshell.h"
#include "core/transport/process/programlookup.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPointer>
#include <algorithm>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// The lookup's error says it at length; a list of servers has room for two words.
QString lookupWords(const StdioOptions &options, const ProgramLookup &lookup)
{
    const QDir folder(options.workingDirectory.isEmpty() ? QDir::homePath() : options.workingDirectory);
    if (options.program.contains(u'/'))
        return folder.exists(options.program) ? ServerStart::tr("not executable") : ServerStart::tr("no such program");
    const QStringList folders = lookup.searchPath.split(u':', Qt::SkipEmptyParts);
    const bool isThere = std::any_of(folders.begin(), folders.end(), [&](const QString &directory) {
        return QFileInfo(directory + u'/' + options.program).isFile();
    });
    return isThere ? ServerStart::tr("not executable") : ServerStart::tr("command not found");
}

// A package runner may download the server before it can respond.
constexpr std::chrono::milliseconds RunnerProbeTimeout{30'000};

bool mayDownloadFirst(const QString &command)
{
    static const QStringList runners{u"npx"_s, u"npm"_s, u"pnpm"_s, u"yarn"_s,   u"bunx"_s,
                                     u"uvx"_s, u"uv"_s,  u"pipx"_s, u"docker"_s, u"podman"_s};
    return runners.contains(QFileInfo(command).completeBaseName());
}

bool isClosed(const Transport *transport)
{
    return !transport || transport->state() == Transport::State::Closed;
}

}  // namespace

ServerStart::~ServerStart()
{
    dropConnector();
}

void ServerStart::begin()
{
    m_parts.steps->begin();
    askForApproval();
}

void ServerStart::beginWithTransport(const std::shared_ptr<CredentialSource> &credentials, const QString &why)
{
    m_credentials = credentials;
    m_parts.steps->restartFrom(StartStep::Kind::ChooseTransport);
    chooseTransport(why);
}

// Before anything else happens: neither is the keychain read for what nobody has agreed to.
void ServerStart::askForApproval()
{
    if (!m_parts.options.profile.approvals)
        return resolveSecrets();
    m_parts.steps->enter(StartStep::Kind::Approve);
    const QStringList problems = m_parts.spec.problems();
    if (!problems.isEmpty())
        return finishLater(Error::local(problems.join(u' ')));
    if (m_parts.spec.startsProcess() && m_parts.spec.loginShellPath && LoginShell::known().path.isEmpty())
        askLoginShell([this] { compareWithApproved(); });
    else
        compareWithApproved();
}

void ServerStart::compareWithApproved()
{
    ProgramLookup lookup;
    if (m_parts.spec.startsProcess())
        lookup = sonde::findProgram(stdioOptions(m_parts.spec));
    m_approvedProgram = lookup.path;
    std::optional<Approval> question = m_parts.options.profile.approvals->question(
        m_parts.options.approvalNameOf(m_parts.spec), launchLines(m_parts.spec, lookup.path));
    if (!question)
        return resolveSecrets();
    if (lookup.error) {  // nothing can be started, and opening it says why
        m_parts.run->resolved = m_parts.spec;
        return findTarget();
    }
    if (!m_parts.hasApprover())
        return finishLater(Error::local(tr("This server has not been approved with its current settings."),
                                        tr("Start it from the list of servers, where Sonde shows what it would run.")));
    m_approval = std::move(question);
    m_parts.steps->pause(tr("Waiting for your approval"));
    const QPointer<ServerStart> alive(this);
    Q_EMIT changed();
    if (alive)
        Q_EMIT approvalNeeded();
}

Error ServerStart::approve()
{
    if (!m_approval)
        return {};
    const QList<LaunchLine> lines = std::exchange(m_approval, std::nullopt)->lines;
    const Error unsaved =
        m_parts.options.profile.approvals->approve(m_parts.options.approvalNameOf(m_parts.spec), lines);
    m_parts.steps->resume();
    resolveSecrets();
    return unsaved;
}

void ServerStart::resolveSecrets()
{
    m_parts.steps->enter(StartStep::Kind::ResolveSecrets);
    const QStringList names = keychainNames(m_parts.spec);
    if (names.isEmpty() || !m_parts.options.profile.secrets)
        return useSecrets({});
    m_parts.steps->describe(tr("Waiting for the keychain"));
    const QPointer<ServerStart> alive(this);
    Q_EMIT changed();
    if (!alive)
        return;
    readSecrets(m_parts.options.profile.secrets, names, this,
                [this](const QHash<QString, QString> &values, const Error &unread) {
                    if (unread) {
                        Q_EMIT finished(unread);
                        return;
                    }
                    m_parts.steps->describe(tr("%1 from the keychain").arg(values.size()));
                    useSecrets(values);
                });
}

void ServerStart::useSecrets(const QHash<QString, QString> &values)
{
    const Result<ResolvedVariables> variables = withVariables(m_parts.spec);
    if (!variables)
        return finishLater(variables.error());
    ServerSpec &resolved = m_parts.run->resolved;
    resolved = withKeychainValues(variables->spec, values);
    // Before the first byte: what is written is written.
    QStringList secrets = resolved.secrets() + values.values();
    for (const QString &value : variables->values) {
        if (isSearchedElsewhere(value.toUtf8()))  // not "1" or "production"
            secrets.append(value);
    }
    for (const QString &secret : std::as_const(secrets))
        m_parts.session->addSecret(secret);
    // A value may hold what no header or argument can carry.
    if (const QStringList problems = resolved.problems(); !problems.isEmpty() && m_parts.spec.problems().isEmpty())
        return finishLater(Error::local(problems.join(u' ')));
    const QPointer<ServerStart> alive(this);
    const std::shared_ptr<CredentialSource> credentials = m_parts.credentialsFor(resolved);
    if (!alive)
        return;
    m_credentials = credentials;
    findTarget();
}

void ServerStart::findTarget()
{
    m_parts.steps->enter(StartStep::Kind::FindTarget);
    const QStringList problems = m_parts.spec.problems();
    if (!problems.isEmpty())
        return finishLater(Error::local(problems.join(u' ')));
    if (m_parts.spec.kind == ServerSpec::Kind::Http) {
        m_parts.steps->describe(shownTarget(m_parts.spec));
        return chooseTransport(transportReason());
    }
    if (m_parts.spec.loginShellPath && LoginShell::known().path.isEmpty())
        askLoginShell([this] { findProgram(); });
    else
        findProgram();
}

// One that failed before may have been set right since.
void ServerStart::askLoginShell(const std::function<void()> &then)
{
    LoginShell::forget();
    m_parts.steps->describe(tr("Asking the login shell for its PATH"));
    const QPointer<ServerStart> alive(this);
    Q_EMIT changed();
    if (!alive)
        return;
    LoginShell::ask(this, [this, then](const LoginShell::Path &answer) {
        if (answer.error)
            finishLater(answer.error);
        else
            then();
    });
}

void ServerStart::findProgram()
{
    // Without a program nobody was asked: it may have come only since, while the keychain was being unlocked.
    const bool isUnasked = m_parts.options.profile.approvals && m_approvedProgram.isEmpty();
    if (isUnasked && !sonde::findProgram(stdioOptions(m_parts.run->resolved)).error)
        return finishLater(
            Error::local(tr("“%1” did not exist when you were asked, but does now.").arg(m_parts.spec.command),
                         tr("Start the server again. Sonde asks before it runs.")));
    std::unique_ptr<Transport> transport = makeTransport();
    // Opening it says at length what is wrong with a program that was not found.
    if (!m_parts.run->target.isEmpty()) {
        m_parts.steps->describe(m_parts.run->target);
        m_parts.steps->enter(StartStep::Kind::Open);
    }
    open(std::move(transport));
}

void ServerStart::chooseTransport(const QString &why)
{
    m_parts.steps->enter(StartStep::Kind::ChooseTransport);
    m_parts.steps->describe(why);
    m_parts.steps->enter(StartStep::Kind::Open);
    open(makeTransport());
}

QString ServerStart::transportReason() const
{
    const QString name = m_parts.usesHttpSse ? u"HTTP+SSE"_s : u"Streamable HTTP"_s;
    if (m_parts.spec.httpKind != ServerSpec::HttpKind::Automatic)
        return tr("%1, chosen in this server's settings").arg(name);
    return m_parts.usesHttpSse ? tr("%1, which the server used before").arg(name)
                               : tr("%1, which is tried first").arg(name);
}

std::unique_ptr<Transport> ServerStart::makeTransport()
{
    const ServerSpec &resolved = m_parts.run->resolved;
    if (m_parts.spec.kind == ServerSpec::Kind::Http) {
        HttpOptions http = httpOptions(resolved);
        http.maxMessageBytes = m_parts.options.maxMessageBytes;
        http.credentials = m_credentials;
        m_parts.run->target = shownTarget(m_parts.spec);
        if (m_parts.usesHttpSse)
            return std::make_unique<SseTransport>(std::move(http));
        return std::make_unique<HttpTransport>(std::move(http));
    }
    StdioOptions process = stdioOptions(resolved);
    process.maxMessageBytes = m_parts.options.maxMessageBytes;
    ProgramLookup lookup = sonde::findProgram(process);
    // Between the approval and the start another program may have come into the way.
    if (!m_approvedProgram.isEmpty())
        process.program = lookup.path = m_approvedProgram;
    if (lookup.error)
        m_parts.run->disconnectReason.setLookupFailure(lookupWords(process, lookup));
    else
        m_parts.run->target = joinCommandLine(QStringList{lookup.path} + process.arguments);
    return std::make_unique<StdioTransport>(std::move(process));
}

void ServerStart::open(std::unique_ptr<Transport> made)
{
    m_hasTransport = true;
    Transport *const transport = made.get();
    m_parts.useTransport(std::move(made));
    connect(transport, &Transport::credentialsAwaited, this, &ServerStart::awaitCredentials);

    m_connector = std::make_unique<Connector>(m_parts.client, connecting());
    connect(m_connector.get(), &Connector::stepChanged, this, [this](Connector::Step step) {
        if (step == Connector::Step::Handshake || step == Connector::Step::Probing)
            enterHandshake();
        if (step == Connector::Step::Handshake || step == Connector::Step::Probing || step == Connector::Step::Opening)
            Q_EMIT changed();
    });
    connect(m_connector.get(), &Connector::finished, this, &ServerStart::onConnectorFinished);
    m_connector->start();
}

// The same question about the era goes to a server only when its verdict is unknown, old or has failed.
Connector::Options ServerStart::connecting() const
{
    using Era = Connector::Options::Era;
    const ServerSpec &spec = m_parts.spec;
    Connector::Options connecting;
    connecting.capabilities = m_parts.capabilities();
    connecting.handshakeTimeout = m_parts.options.handshakeTimeout;
    connecting.overHttp = spec.kind == ServerSpec::Kind::Http;
    connecting.tellsClientInfo = !spec.undeclaredCapabilities.contains(u"clientInfo"_s);
    connecting.era = usesMemory() || m_parts.usesHttpSse ? Era::Stateful : Era::Automatic;
    if (spec.revision && statelessRevisions().contains(*spec.revision)) {
        connecting.era = Era::Stateless;
    } else if (spec.revision) {
        connecting.era = Era::Stateful;
        connecting.proposed = *spec.revision;
    }
    if (mayDownloadFirst(spec.command))
        connecting.probeTimeout = RunnerProbeTimeout;
    return connecting;
}

void ServerStart::enterHandshake()
{
    if (m_connector->step() == Connector::Step::Probing) {
        m_parts.steps->enter(StartStep::Kind::Probe);
        if (m_parts.spec.startsProcess())
            m_parts.steps->describe(tr("Waiting for at most %1 s; servers that need a handshake may not respond")
                                        .arg(secondsText(connecting().probeTimeout)));
        return;
    }
    QString &reason = m_parts.run->revisionReason;
    if (m_connector->verdict()) {
        reason = m_connector->verdict()->reason;
        m_parts.steps->describe(reason);
    } else {
        reason = m_parts.spec.revision ? tr("Chosen in this server's settings.")
                 : m_parts.usesHttpSse
                     ? tr("HTTP+SSE servers always need a handshake.")
                     : tr("Remembered from %1: the server wants a handshake.")
                           .arg(QLocale().toString(m_parts.rememberedSince.toLocalTime(), QLocale::ShortFormat));
    }
    m_parts.steps->enter(StartStep::Kind::AgreeOnRevision);
}

// It is the handshake that has to wait, and goes on where it was.
void ServerStart::awaitCredentials(CredentialWait *wait)
{
    if (!m_connector)
        return;
    connect(wait, &CredentialWait::given, this, &ServerStart::goOnWithCredentials);
    m_parts.steps->restartFrom(StartStep::Kind::Authorize);
    m_parts.steps->enter(StartStep::Kind::Authorize);
    m_parts.steps->pause(wait->refusal() ? wait->refusal().message : tr("Waiting for credentials"));
    Q_EMIT changed();
}

void ServerStart::goOnWithCredentials()
{
    const StartStep *const step = m_parts.steps->current();
    if (!m_connector || !step || step->kind != StartStep::Kind::Authorize)
        return;
    m_parts.steps->resume();
    enterHandshake();
    Q_EMIT changed();
}

void ServerStart::onConnectorFinished(const Error &reason)
{
    ServerRun &run = *m_parts.run;
    const bool wasAsked = m_connector->verdict().has_value();
    if (wasAsked)
        run.revisionReason = m_connector->verdict()->reason;
    if (reason) {
        // It has closed the transport, which may take a moment to be gone.
        m_refusal = reason;
        dropConnector();
        if (isClosed(m_parts.client->transport()))
            Q_EMIT finished(reason);
        return;
    }
    run.serverInfo = m_connector->serverInfo();
    run.handshakeFindings = m_connector->findings();
    run.latencyNs = m_connector->latencyNs();
    run.disconnectReason.setHandshakeDone();
    const std::optional<Revision> revision = revisionFromString(run.serverInfo.protocolVersion);
    if (revision && statelessRevisions().contains(*revision))
        m_parts.options.profile.eras->forget(m_parts.spec);
    else if (wasAsked)
        m_parts.options.profile.eras->rememberHandshake(m_parts.spec);
    const std::optional<Revision> &chosen = m_parts.spec.revision;
    if (chosen)
        run.revisionReason = toString(*chosen) == run.serverInfo.protocolVersion
                                 ? tr("Chosen in this server's settings.")
                                 : tr("The server chose it; this server's settings say %1.").arg(toString(*chosen));
    m_parts.steps->describe(run.serverInfo.protocolVersion);
    dropConnector();
    Q_EMIT finished({});
}

void ServerStart::onTransportClosed(const Error &reason)
{
    if (!m_connector) {
        Q_EMIT finished(m_refusal ? m_refusal : reason);
        return;
    }
    // The connector has heard of this too, and says it better.
    QMetaObject::invokeMethod(
        this,
        [this, reason] {
            if (!m_connector || !m_connector->isReopening())
                Q_EMIT finished(reason);
        },
        Qt::QueuedConnection);
}

// It may be in one of its own signals.
void ServerStart::dropConnector()
{
    if (!m_connector)
        return;
    m_connector->disconnect(this);
    m_connector.release()->deleteLater();
}

// The caller that began it hears of it later.
void ServerStart::finishLater(const Error &error)
{
    QMetaObject::invokeMethod(
        this, [this, error] { Q_EMIT finished(error); }, Qt::QueuedConnection);
    Q_EMIT changed();
}

}  // namespace sonde
