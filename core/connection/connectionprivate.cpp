// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connectionprivate.h"

#include "core/connection/erastore.h"
#include "core/connection/specsecrets.h"
#include "core/connection/transportoptions.h"
#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/transport/facts.h"
#include "core/transport/http/httptransport.h"
#include "core/transport/http/ssetransport.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/process/commandline.h"
#include "core/transport/process/loginshell.h"
#include "core/transport/process/programlookup.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QMetaMethod>

#include <algorithm>
#include <array>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// The lookup's error says it at length; a list of servers has room for two words.
QString lookupWords(const StdioOptions &options, const ProgramLookup &lookup)
{
    const QDir folder(options.workingDirectory.isEmpty() ? QDir::homePath() : options.workingDirectory);
    if (options.program.contains(u'/'))
        return folder.exists(options.program) ? Connection::tr("not executable") : Connection::tr("no such program");
    const QStringList folders = lookup.searchPath.split(u':', Qt::SkipEmptyParts);
    const bool isThere = std::any_of(folders.begin(), folders.end(), [&](const QString &directory) {
        return QFileInfo(directory + u'/' + options.program).isFile();
    });
    return isThere ? Connection::tr("not executable") : Connection::tr("command not found");
}

// What is asked for again whenever a session has begun. That it is answered does not say that the session lasts.
bool isOfStart(QStringView method)
{
    constexpr std::array asked{methods::Initialize,
                               methods::Discover,
                               methods::ListTools,
                               methods::ListResources,
                               methods::ListResourceTemplates,
                               methods::ListPrompts,
                               methods::Subscribe,
                               methods::Listen};
    return std::find(asked.begin(), asked.end(), method) != asked.end();
}

// A package runner may download the server before it can respond.
constexpr std::chrono::milliseconds RunnerProbeTimeout{30'000};

bool mayDownloadFirst(const QString &command)
{
    static const QStringList runners{u"npx"_s, u"npm"_s, u"pnpm"_s, u"yarn"_s,   u"bunx"_s,
                                     u"uvx"_s, u"uv"_s,  u"pipx"_s, u"docker"_s, u"podman"_s};
    return runners.contains(QFileInfo(command).completeBaseName());
}

// A capability without those of its members that have such a name, "elicitation.url". Empty where there is nothing left
// to declare: elicitation without members means forms.
QByteArray withoutMembers(const json::Value &capability, const QStringList &names)
{
    const QString prefix = capability.key() + u'.';
    if (std::none_of(names.begin(), names.end(), [&](const QString &name) { return name.startsWith(prefix); }))
        return capability.bytes();
    json::Builder builder;
    builder.beginObject();
    bool isEmpty = true;
    for (const json::Value &member : capability) {
        if (names.contains(prefix + member.key()))
            continue;
        builder.rawKey(member.keySlice()).value(member);
        isEmpty = false;
    }
    const bool meansMore = prefix == InputRequest::capabilityOf(InputRequest::Kind::Elicitation) + u'.';
    return isEmpty && meansMore ? QByteArray() : builder.endObject().take();
}

// A server that responds with an HTTP status was reached.
bool isBrokenWay(const Error &error)
{
    return error.kind == Error::Kind::Transport && error.reason != Error::Reason::HttpStatus;
}

}  // namespace

Connection::Private::Private(Connection *connection, ServerSpec spec_, ConnectionOptions options_)
    : q(connection),
      spec(std::move(spec_)),
      options(std::move(options_)),
      session(options.sessionPath.isEmpty()
                  ? std::make_unique<Session>()
                  : Session::create(options.sessionPath, spec.name, options.fileOps, options.ifSessionTaken)),
      client(std::make_unique<Client>()),
      catalog(std::make_unique<Catalog>(client.get())),
      toolMemory(std::make_unique<ToolMemory>(catalog.get(), options.toolMemoryPath)),
      subscriptions(std::make_unique<Subscriptions>(client.get(), catalog.get())),
      tasks(std::make_unique<TaskList>(connection, options.taskStore)),
      logLevel(std::make_unique<LogLevelChoice>(connection)),
      secrets(session.get(), catalog.get())
{
    if (!options.eras)
        options.eras = std::make_shared<EraStore>();
    session->setLimit(options.recordingLimit);
    if (options.credentials)
        options.credentials->setObserver(signInObserver());
    if (options.checkMessages)
        messageCheck = std::make_unique<SessionCheck>(session.get());
    client->setHarmlessCalls([this](const Call &call) { return isHarmless(call); });
    connect(catalog.get(), &Catalog::loaded, q, [this] {
        if (const StartStep *step = steps.current(); step && step->kind == StartStep::Kind::List)
            steps.complete();
    });
    connect(client.get(), &Client::transportClosed, q, [this](const Error &reason) { onClosed(reason); });
    connect(client.get(), &Client::transportFailed, q, [this](const RequestId &id, const Error &reason) {
        session->giveUp(id, number, isBrokenWay(reason) ? GiveUp::Lost : GiveUp::Unanswered);
        onFailed(reason);
    });
    connect(client.get(), &Client::callEnded, q, [this](const Call &call, const Outcome &outcome) {
        if (outcome.kind == Outcome::Kind::NoResponse)
            session->giveUp(call.id(), number,
                            client->wasCancelled(call.id()) ? GiveUp::Cancelled
                            : isBrokenWay(outcome.error)    ? GiveUp::Lost
                                                            : GiveUp::Unanswered);
        else if (m_isRenewed && !isOfStart(call.method()))
            m_isRenewed = false;
        reads.keep(call, outcome);
    });
    connect(client.get(), &Client::notified, q, [this](const Message &notification) {
        if (notification.method() == methods::ResourceUpdated)
            reads.invalidate(notification.params()[u"uri"].string());
        Q_EMIT q->notified(notification);
    });
    connect(client.get(), &Client::inputRequested, q, [this](InputRequest *request) { passOn(request); });
    connect(client.get(), &Client::serverRequested, q, &Connection::serverRequested);
    connect(client.get(), &Client::findingAdded, q, [this](const QString &finding, const Message &message) {
        session->addFinding(finding, message.id(), number);
    });
    connect(tasks.get(), &TaskList::changed, q, [this] { listenToTasks(); });
    connect(subscriptions.get(), &Subscriptions::findingAdded, q,
            [this](const QString &finding, const RequestId &id) { session->addFinding(finding, id, number); });
}

// Besides asking for them again and again.
void Connection::Private::listenToTasks()
{
    QStringList running;
    if (options.followLists && subscriptions && subscriptions->hasStream() && q->taskSupport().calls) {
        for (const KnownTask &known : tasks->tasks()) {
            if (known.call && !known.state.isOver())
                running.append(known.state.id);
        }
    }
    if (subscriptions)
        subscriptions->setTasks(running);
}

// Whoever chooses Automatic again wants to see what the server says now.
void Connection::Private::setSpec(const ServerSpec &changed)
{
    if (changed == spec)
        return;
    if (changed.revision != spec.revision)
        options.eras->forget(changed);
    spec = changed;
    m_foundHttpSse = false;
    if (!m_isPreparing)
        return;
    // What is started has to be what was asked about. Not at once: whoever changes the list is not done with it yet.
    approval.reset();
    QMetaObject::invokeMethod(
        q,
        [this, generation = ++m_generation] {
            if (generation == m_generation)
                begin();
        },
        Qt::QueuedConnection);
}

void Connection::Private::forgetVerdict()
{
    options.eras->forget(spec);
    m_foundHttpSse = false;
}

void Connection::Private::start()
{
    m_isRenewed = false;
    m_hasTriedNext = false;
    begin();
}

// The server has forgotten the session: a new one, in which calls that may run twice are made again.
void Connection::Private::renew(const Error &reason)
{
    m_isRenewed = true;
    session->addFinding(tr("Session lost (HTTP %1). Starting a new one.").arg(reason.code), {}, number);
    subscriptions->suspend();
    giveUpPending();
    begin();
}

void Connection::Private::begin()
{
    forgetStart();
    m_isPreparing = true;
    steps.begin();
    askForApproval();
}

// Before anything else happens: neither is the keychain read for what nobody has agreed to.
void Connection::Private::askForApproval()
{
    if (!options.approvals)
        return resolveSecrets();
    steps.enter(StartStep::Kind::Approve);
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return failLater(Error::local(problems.join(u' ')));
    if (spec.startsProcess() && spec.loginShellPath && LoginShell::known().path.isEmpty())
        askLoginShell([this] { compareWithApproved(); });
    else
        compareWithApproved();
}

void Connection::Private::compareWithApproved()
{
    ProgramLookup lookup;
    if (spec.startsProcess())
        lookup = sonde::findProgram(stdioOptions(spec));
    m_approvedProgram = lookup.path;
    const QList<LaunchLine> lines = launchLines(spec, lookup.path);
    std::optional<Approval> question = options.approvals->question(spec.name, lines);
    if (!question)
        return resolveSecrets();
    if (lookup.error) {  // nothing can be started, and opening it says why
        resolved = spec;
        return findTarget();
    }
    if (!q->isSignalConnected(QMetaMethod::fromSignal(&Connection::approvalNeeded)))
        return failLater(Error::local(tr("Nobody has approved this server as it is described now."),
                                      tr("Start it from the list of servers, where Sonde shows what it would run.")));
    approval = std::move(question);
    steps.pause(tr("Waiting for your approval"));
    setState(State::Connecting);
    Q_EMIT q->approvalNeeded();
}

Error Connection::Private::approve()
{
    if (!approval)
        return {};
    const QList<LaunchLine> lines = std::exchange(approval, std::nullopt)->lines;
    const Error unsaved = options.approvals->approve(spec.name, lines);
    steps.resume();
    resolveSecrets();
    return unsaved;
}

void Connection::Private::forgetStart()
{
    ++m_generation;
    ++number;
    reopen = false;
    error = {};
    trouble = {};
    m_refusal = {};
    approval.reset();
    m_approvedProgram.clear();
    m_hasHeard = true;
    serverInfo = {};
    latencyNs = -1;
    target.clear();
    disconnectReason = {};
    handshakeFindings.clear();
    revisionReason.clear();
    reads.clear();
    junk = {};
    m_rememberedSince = spec.revision ? QDateTime() : options.eras->handshakeSince(spec);
}

void Connection::Private::resolveSecrets()
{
    steps.enter(StartStep::Kind::ResolveSecrets);
    const QStringList names = keychainNames(spec);
    if (names.isEmpty() || !options.secrets)
        return useSecrets({});
    steps.describe(tr("Waiting for the keychain"));
    setState(State::Connecting);
    readSecrets(options.secrets, names, q,
                [this, generation = m_generation](const QHash<QString, QString> &values, const Error &unread) {
                    if (generation != m_generation)
                        return;
                    if (unread)
                        return disconnected(unread);
                    steps.describe(tr("%1 from the keychain").arg(values.size()));
                    useSecrets(values);
                });
}

void Connection::Private::useSecrets(const QHash<QString, QString> &values)
{
    resolved = withKeychainValues(spec, values);
    // Before the first byte: what is written is written.
    for (const QString &secret : resolved.secrets() + values.values())
        session->addSecret(secret);
    prepareSignIn();
    findTarget();
}

// Who is signed in stays so as long as it is the same server with the same settings.
void Connection::Private::prepareSignIn()
{
    const bool isWanted = resolved.kind == ServerSpec::Kind::Http && options.tokens && !options.credentials;
    const http::NetworkOptions network = httpOptions(resolved).network;
    if (isWanted && oauth && oauth->endpoint() == resolved.url && oauth->settings() == resolved.oauth &&
        oauth->options().network == network)
        return;
    oauth.reset();
    if (!isWanted || !resolved.problems().isEmpty())
        return;
    oauth = std::make_shared<OAuth>(resolved.url, resolved.oauth,
                                    OAuth::Options{options.tokens, options.hasPerson, network});
    oauth->setObserver(signInObserver());
    connect(oauth.get(), &OAuth::pageReady, q, [this] {
        if (state == State::Connecting)
            Q_EMIT q->stateChanged();  // it is the person's turn
    });
    Q_EMIT q->signInChanged();
}

CredentialSource::Observer Connection::Private::signInObserver()
{
    return {[this](const WireEvent &event) { session->append(event, number); },
            [this](const QByteArray &secret) { session->addSecret(QString::fromUtf8(secret)); }};
}

void Connection::Private::findTarget()
{
    steps.enter(StartStep::Kind::FindTarget);
    const QStringList problems = spec.problems();
    if (!problems.isEmpty())
        return failLater(Error::local(problems.join(u' ')));
    if (spec.kind == ServerSpec::Kind::Http) {
        steps.describe(spec.line());
        return chooseTransport(transportReason());
    }
    if (spec.loginShellPath && LoginShell::known().path.isEmpty())
        askLoginShell([this] { findProgram(); });
    else
        findProgram();
}

// One that failed before may have been set right since.
void Connection::Private::askLoginShell(const std::function<void()> &then)
{
    LoginShell::forget();
    steps.describe(tr("Asking the login shell for its PATH"));
    setState(State::Connecting);
    LoginShell::ask(q, [this, then, generation = m_generation](const LoginShell::Path &answer) {
        if (generation != m_generation)
            return;
        if (answer.error)
            failLater(answer.error);
        else
            then();
    });
}

// Whoever has called open() hears of it later.
void Connection::Private::failLater(const Error &reason)
{
    setState(State::Connecting);
    QMetaObject::invokeMethod(
        q,
        [this, reason, generation = m_generation] {
            if (generation == m_generation)
                disconnected(reason);
        },
        Qt::QueuedConnection);
}

void Connection::Private::findProgram()
{
    dropTransport();
    // Without a program nobody was asked: it may have come only since, while the keychain was being unlocked.
    const bool isUnasked = options.approvals && m_approvedProgram.isEmpty();
    if (isUnasked && !sonde::findProgram(stdioOptions(resolved)).error)
        return failLater(Error::local(tr("“%1” was not there at first, and is now.").arg(spec.command),
                                      tr("Start the server again. Sonde asks before it runs.")));
    transport = makeTransport();
    // Opening it says at length what is wrong with a program that was not found.
    if (!target.isEmpty()) {
        steps.describe(target);
        steps.enter(StartStep::Kind::Open);
    }
    openTransport();
}

void Connection::Private::chooseTransport(const QString &why)
{
    steps.enter(StartStep::Kind::ChooseTransport);
    steps.describe(why);
    dropTransport();
    transport = makeTransport();
    steps.enter(StartStep::Kind::Open);
    openTransport();
}

QString Connection::Private::transportReason() const
{
    const QString name = usesHttpSse() ? u"HTTP+SSE"_s : u"Streamable HTTP"_s;
    if (spec.httpKind != ServerSpec::HttpKind::Automatic)
        return tr("%1, chosen in this server's settings").arg(name);
    return m_foundHttpSse ? tr("%1, which the server used before").arg(name) : tr("%1, which is tried first").arg(name);
}

void Connection::Private::openTransport()
{
    // Secrets are known before anything is recorded, and it is recorded before the client hears of it. Of the end, too,
    // the recorder has to hear first: the next connection may begin at once, with a recorder of its own.
    connect(transport.get(), &Transport::tapped, q, [this](const WireEvent &event) { secrets.see(event); });
    recorder = std::make_unique<Recorder>(transport.get(), session.get(), number);
    connect(transport.get(), &Transport::tapped, q, [this](const WireEvent &event) { onTapped(event); });
    connect(transport.get(), &Transport::credentialsAwaited, q,
            [this](CredentialWait *wait) { awaitCredentials(wait); });
    if (const auto *http = qobject_cast<const HttpTransport *>(transport.get()))
        connect(http, &HttpTransport::connectionLost, q,
                [this](const Error &reason, bool wasSent) { onConnectionLost(reason, wasSent); });
    client->setTransport(transport.get());

    connector = std::make_unique<Connector>(client.get(), connecting());
    connect(connector.get(), &Connector::stepChanged, q, [this](Connector::Step step) {
        if (step == Connector::Step::Handshake || step == Connector::Step::Probing)
            enterHandshake();
        if (step == Connector::Step::Handshake || step == Connector::Step::Probing || step == Connector::Step::Opening)
            Q_EMIT q->stateChanged();
    });
    connect(connector.get(), &Connector::finished, q, [this](const Error &reason) { onConnectorFinished(reason); });
    state = State::Connecting;
    connector->start();
}

// The same question about the era goes to a server only when its verdict is unknown, old or has failed.
Connector::Options Connection::Private::connecting() const
{
    using Era = Connector::Options::Era;
    Connector::Options connecting;
    connecting.capabilities = declaredCapabilities();
    connecting.handshakeTimeout = options.handshakeTimeout;
    connecting.overHttp = spec.kind == ServerSpec::Kind::Http;
    connecting.tellsClientInfo = !spec.undeclaredCapabilities.contains(u"clientInfo"_s);
    connecting.era = usesMemory() || usesHttpSse() ? Era::Stateful : Era::Automatic;
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

bool Connection::Private::isStateless() const
{
    const std::optional<Revision> revision = revisionFromString(serverInfo.protocolVersion);
    return revision && statelessRevisions().contains(*revision);
}

// The server may have been replaced by one of the other era. True when it is asked once more.
bool Connection::Private::startsAgain(const Error &reason)
{
    if (!usesMemory() || reason.kind == Error::Kind::Cancelled || reason.kind == Error::Kind::Auth)
        return false;
    options.eras->forget(spec);
    return !std::exchange(m_isAskedAgain, true);
}

// A server without a choice of transport gets Streamable HTTP first, and the one that worked first at the next start.
bool Connection::Private::mayTryNextTransport(const Error &reason) const
{
    if (spec.kind != ServerSpec::Kind::Http || spec.httpKind != ServerSpec::HttpKind::Automatic ||
        reason.kind == Error::Kind::Cancelled || reason.kind == Error::Kind::Auth || m_hasTriedNext)
        return false;
    const auto *http = qobject_cast<const HttpTransport *>(transport.get());
    return m_foundHttpSse || (http && http->foundHttpSse());
}

// The start goes on from the choice of the transport, under a number of its own in the recording.
void Connection::Private::tryNextTransport(const Error &reason)
{
    m_hasTriedNext = true;
    m_foundHttpSse = !m_foundHttpSse;
    const QString why = m_foundHttpSse ? tr("HTTP+SSE: the server rejected Streamable HTTP (HTTP %1)").arg(reason.code)
                                       : tr("Streamable HTTP: HTTP+SSE failed (%1)").arg(reason.message);
    forgetStart();
    Facts facts(Occurrence::TransportChanged);
    facts.text(u"to", m_foundHttpSse ? u"http+sse" : u"http").text(u"reason", why);
    WireEvent event;
    event.kind = WireEvent::Kind::State;
    event.occurrence = facts.occurrence();
    event.facts = facts.take();
    event.monotonicNs = monotonicNs();
    session->append(event, number);
    steps.restartFrom(StartStep::Kind::ChooseTransport);
    chooseTransport(why);
}

void Connection::Private::enterHandshake()
{
    m_handshakeNs = monotonicNs();
    if (connector->step() == Connector::Step::Probing) {
        steps.enter(StartStep::Kind::Probe);
        if (spec.startsProcess())
            steps.describe(tr("Waiting for at most %1 s; servers that need a handshake may not respond")
                               .arg(secondsText(connecting().probeTimeout)));
        return;
    }
    if (connector->verdict()) {
        revisionReason = connector->verdict()->reason;
        steps.describe(revisionReason);
    } else {
        revisionReason = spec.revision ? tr("Chosen in this server's settings.")
                         : usesHttpSse()
                             ? tr("HTTP+SSE servers always need a handshake.")
                             : tr("Remembered from %1: the server wants a handshake.")
                                   .arg(QLocale().toString(m_rememberedSince.toLocalTime(), QLocale::ShortFormat));
    }
    steps.enter(StartStep::Kind::AgreeOnRevision);
}

// It is the handshake that has to wait, and goes on where it was.
void Connection::Private::awaitCredentials(CredentialWait *wait)
{
    if (state != State::Connecting)
        return;
    connect(wait, &CredentialWait::given, q, [this] { goOnWithCredentials(); });
    steps.restartFrom(StartStep::Kind::Authorize);
    steps.enter(StartStep::Kind::Authorize);
    steps.pause(wait->refusal() ? wait->refusal().message : tr("Waiting for credentials"));
    Q_EMIT q->stateChanged();
}

void Connection::Private::goOnWithCredentials()
{
    const StartStep *step = steps.current();
    if (state != State::Connecting || !step || step->kind != StartStep::Kind::Authorize)
        return;
    steps.resume();
    enterHandshake();  // the latency begins anew: a person may have signed in
    Q_EMIT q->stateChanged();
}

// The connection can be used already.
void Connection::Private::list()
{
    if (!options.loadCatalog && !catalog->isLoading()) {  // it may have been when its session was lost
        steps.complete();
        return;
    }
    steps.enter(StartStep::Kind::List);
    catalog->setPageByPage(spec.pageByPage);
    catalog->load(serverInfo.capabilities);
}

std::unique_ptr<Transport> Connection::Private::makeTransport()
{
    m_isPreparing = false;
    if (spec.kind == ServerSpec::Kind::Http) {
        HttpOptions http = httpOptions(resolved);
        http.maxMessageBytes = options.maxMessageBytes;
        http.credentials = options.credentials ? options.credentials : oauth;
        target = spec.line();
        if (usesHttpSse())
            return std::make_unique<SseTransport>(std::move(http));
        return std::make_unique<HttpTransport>(std::move(http));
    }
    StdioOptions process = stdioOptions(resolved);
    process.maxMessageBytes = options.maxMessageBytes;
    ProgramLookup lookup = sonde::findProgram(process);
    // Between the approval and the start another program may have come into the way.
    if (!m_approvedProgram.isEmpty())
        process.program = lookup.path = m_approvedProgram;
    if (lookup.error)
        disconnectReason.setLookupFailure(lookupWords(process, lookup));
    else
        target = joinCommandLine(QStringList{lookup.path} + process.arguments);
    return std::make_unique<StdioTransport>(std::move(process));
}

// A transport must not be deleted within its own signal: what emits it may still have something to do.
void Connection::Private::dropTransport()
{
    if (!transport)
        return;
    client->setTransport(nullptr);
    transport->disconnect(q);
    if (*client->transportDepth() > 0)
        transport.release()->deleteLater();
    else
        transport.reset();
}

void Connection::Private::stop()
{
    if (state == State::Disconnected || state == State::Closing)
        return;
    ++m_generation;
    m_isPreparing = false;
    approval.reset();
    if (oauth)
        oauth->cancel();
    dropConnector();
    subscriptions->suspend();
    steps.fail(tr("Cancelled by you"));
    const QPointer<Connection> alive(q);
    client->closeServerRequests();
    if (!alive)
        return;
    if (!isTransportClosed()) {
        transport->close();
        setState(State::Closing);
        return;
    }
    setState(State::Closing);
    QMetaObject::invokeMethod(
        q,
        [this, generation = m_generation] {
            if (generation == m_generation)
                disconnected({});
        },
        Qt::QueuedConnection);
}

void Connection::Private::tearDown()
{
    if (options.credentials)
        options.credentials->setObserver({});
    if (oauth)
        oauth->setObserver({});
    client->disconnect(q);
    dropConnector();
    subscriptions.reset();
    tasks.reset();
    logLevel.reset();
    toolMemory.reset();
    catalog.reset();
    const std::shared_ptr<const int> depth = client->transportDepth();
    client.reset();
    if (transport)
        transport->disconnect(q);
    giveUpPending();
    if (*depth > 0 && transport)
        transport.release()->deleteLater();
    transport.reset();  // ends the process
    recorder.reset();
    if (messageCheck)
        messageCheck->finish();
    session->finish();
}

// Whether it may run twice.
bool Connection::Private::isHarmless(const Call &call) const
{
    constexpr std::array reading{methods::ListTools,    methods::ListResources, methods::ListResourceTemplates,
                                 methods::ReadResource, methods::ListPrompts,   methods::GetPrompt,
                                 methods::Complete,     methods::Ping,          methods::SetLogLevel,
                                 methods::GetTask,      methods::ListTasks};
    if (call.method() != methods::CallTool)
        return std::find(reading.begin(), reading.end(), call.method()) != reading.end();
    const Tool *tool = catalog->tool(json::parse(call.params())[u"name"].string());
    return tool && (tool->annotations.readOnly.value_or(false) || tool->annotations.idempotent.value_or(false));
}

QString Connection::Private::progressText() const
{
    if (approval)
        return tr("Waiting for your approval…");
    if (const StartStep *step = steps.current();
        step && step->kind == StartStep::Kind::Authorize && step->state == StartStep::State::Paused)
        return oauth && !oauth->page().isEmpty() ? tr("Waiting for you to sign in…") : tr("Waiting for credentials…");
    if (connector && connector->step() == Connector::Step::Probing)
        return tr("Waiting for server/discover…");
    const bool shaking = connector && connector->step() == Connector::Step::Handshake;
    if (shaking && !m_isRenewed)
        return tr("Waiting for the handshake…");
    if (m_isRenewed)
        return tr("Session lost. Starting a new one…");
    return spec.kind == ServerSpec::Kind::Http ? tr("Connecting…") : tr("Starting…");
}

// In the order of the options; what nobody responds to and what this server is not to know of is left out.
QByteArray Connection::Private::declaredCapabilities() const
{
    QStringList unheard = spec.undeclaredCapabilities;
    QStringList undetailed;
    const json::Value details = json::parse(options.capabilities);
    for (const InputRequest::Kind kind :
         {InputRequest::Kind::Elicitation, InputRequest::Kind::Sampling, InputRequest::Kind::Roots}) {
        const QString name = InputRequest::capabilityOf(kind);
        const auto responder = responders.find(kind);
        if (responder == responders.end() || !responder->second.context)
            unheard.append(name);
        else if (!details.contains(name) && !unheard.contains(name))
            undetailed.append(name);
    }
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : details) {
        const QByteArray left = unheard.contains(member.key()) ? QByteArray() : withoutMembers(member, unheard);
        if (!left.isEmpty())
            builder.rawKey(member.keySlice()).raw(left);
    }
    for (const QString &name : std::as_const(undetailed))
        builder.rawMember(name, "{}");
    return builder.endObject().take();
}

void Connection::Private::passOn(InputRequest *request)
{
    const auto responder = responders.find(request->kind());
    if (responder != responders.end() && responder->second.context)
        responder->second.respond(request);
    else if (const Error unsent =
                 request->fail(errorcodes::InternalError, u"No user is available to respond to this request."_s))
        session->addFinding(unsent.message, {}, number);
}

void Connection::Private::onTapped(const WireEvent &event)
{
    disconnectReason.watch(event);
    watchReach(event);
    watchJunk(event);
    // Whoever gave a request up says so to the server: the one trace that all of them leave.
    if (event.kind == WireEvent::Kind::Message && event.direction == Direction::ToServer &&
        event.message.method() == methods::Cancelled) {
        const RequestId id = RequestId::fromValue(event.message.params()[u"requestId"]);
        session->giveUp(id, number, client->wasCancelled(id) ? GiveUp::Cancelled : GiveUp::Unanswered);
    }
}

void Connection::Private::watchReach(const WireEvent &event)
{
    if (event.kind == WireEvent::Kind::HttpRequest)
        m_hasHeard = false;
    // What was left over of a response that broke off is no sign of life.
    if (event.direction != Direction::FromServer || event.kind == WireEvent::Kind::Partial)
        return;
    m_hasHeard = true;
    if (!trouble)
        return;
    trouble = {};
    // A turn later: nobody else has heard of the event yet.
    QMetaObject::invokeMethod(q, &Connection::stateChanged, Qt::QueuedConnection);
}

// Over HTTP the request that such a body answers fails, and says so.
void Connection::Private::watchJunk(const WireEvent &event)
{
    const auto mask = [this](const QByteArray &line) { return session->masked(line); };
    if (spec.kind == ServerSpec::Kind::Stdio && junk.add(event, mask) && junk.count() == 1)
        QMetaObject::invokeMethod(q, &Connection::stateChanged, Qt::QueuedConnection);
}

// Over HTTP a request can fail and the connection go on. One that nothing came back to has not reached the server.
void Connection::Private::onFailed(const Error &reason)
{
    if (!m_hasHeard && !trouble && reason.kind == Error::Kind::Transport)
        setTrouble(reason, disconnectReason.shortText(reason));
}

// It is told again with each attempt to resume, of which the last says most.
void Connection::Private::onConnectionLost(const Error &reason, bool wasSent)
{
    const bool isBroken = wasSent && reason.reason == Error::Reason::Other;
    setTrouble(reason, isBroken ? tr("connection lost") : disconnectReason.shortText(reason));
}

void Connection::Private::setTrouble(const Error &reason, const QString &text)
{
    if (state != State::Connected || (trouble && text == troubleText))
        return;
    trouble = reason;
    troubleText = text;
    // A turn later: the transport is in the middle of telling it.
    QMetaObject::invokeMethod(q, &Connection::stateChanged, Qt::QueuedConnection);
}

void Connection::Private::onConnectorFinished(const Error &reason)
{
    if (state != State::Connecting)
        return;
    if (connector->verdict())
        revisionReason = connector->verdict()->reason;
    if (reason) {
        // It has closed the transport, which may take a moment to be gone.
        m_refusal = reason;
        dropConnector();
        if (isTransportClosed())
            disconnected(reason);
        return;
    }
    serverInfo = connector->serverInfo();
    m_isAskedAgain = m_hasTriedNext = false;
    if (isStateless())
        options.eras->forget(spec);
    else if (connector->verdict())
        options.eras->rememberHandshake(spec);
    if (spec.revision)
        revisionReason = toString(*spec.revision) == serverInfo.protocolVersion
                             ? tr("Chosen in this server's settings.")
                             : tr("The server chose it; this server's settings say %1.").arg(toString(*spec.revision));
    handshakeFindings = connector->findings();
    latencyNs = monotonicNs() - m_handshakeNs;
    disconnectReason.setHandshakeDone();
    dropConnector();
    steps.describe(serverInfo.protocolVersion);
    // First: whoever hears of the state may want to subscribe.
    subscriptions->begin(serverInfo.capabilities, isStateless(), options.followLists);
    const QPointer<Connection> alive(q);
    setState(State::Connected);
    if (alive && state == State::Connected)
        client->repeatKept();
    if (alive && state == State::Connected)
        logLevel->begin();
    if (alive && state == State::Connected)
        list();
}

void Connection::Private::onClosed(const Error &reason)
{
    // While the connector is at work it has heard of this too, and says it better.
    if (state == State::Connecting && connector) {
        QMetaObject::invokeMethod(
            q,
            [this, reason, generation = m_generation] {
                const bool goesOn = connector && connector->isReopening();
                if (generation == m_generation && state == State::Connecting && !goesOn)
                    disconnected(reason);
            },
            Qt::QueuedConnection);
        return;
    }
    if (state == State::Connected && reason.reason == Error::Reason::SessionLost) {
        if (!m_isRenewed)
            return renew(reason);
        Error again = reason;
        again.message =
            tr("Session lost: the server no longer knew the new session either (HTTP %1).").arg(reason.code);
        again.hint = tr("A new session was started once, and lost before anything worked. To try again, reconnect.");
        return disconnected(again);
    }
    disconnected(state == State::Closing ? Error() : m_refusal ? m_refusal : reason);
}

void Connection::Private::disconnected(const Error &reason)
{
    if (state == State::Disconnected)
        return;
    ++m_generation;
    m_isPreparing = false;
    dropConnector();
    subscriptions->suspend();
    if (state == State::Connecting && mayTryNextTransport(reason)) {
        giveUpPending();
        return tryNextTransport(reason);
    }
    if (state == State::Connecting && startsAgain(reason)) {
        giveUpPending();
        return begin();
    }
    error = disconnectReason.explained(reason, stderrTail());
    m_isAskedAgain = false;
    if (state == State::Connecting && error)
        error = std::exchange(junk, {}).explained(error);  // no finding beside it
    steps.fail(error ? disconnectReason.shortText(error) : QString());
    giveUpPending();
    const QPointer<Connection> alive(q);
    client->failKept(error ? error : Error{Error::Kind::Cancelled, 0, tr("The connection was closed."), {}, {}, {}});
    if (!alive)
        return;
    if (options.loadCatalog || catalog->isLoading())
        catalog->suspend();
    if (!alive)
        return;
    setState(State::Disconnected);
    if (alive && state == State::Disconnected && std::exchange(reopen, false))
        start();
}

// It may be in one of its own signals.
void Connection::Private::dropConnector()
{
    if (!connector)
        return;
    connector->disconnect(q);
    connector.release()->deleteLater();
}

// No call is open any more, so no request of this start will be answered.
void Connection::Private::giveUpPending()
{
    const QList<RequestId> pending = session->pendingRequests(number);
    for (const RequestId &id : pending)
        session->giveUp(id, number);
}

void Connection::Private::setState(State next)
{
    state = next;
    Q_EMIT q->stateChanged();
}

}  // namespace sonde
