// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connectionprivate.h"

#include "core/connection/erastore.h"
#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/transport/http/httptransport.h"
#include "core/transport/monotonicclock.h"

#include <QMetaMethod>
#include <algorithm>
#include <array>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

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
      toolMemory(std::make_unique<ToolMemory>(catalog.get(), options.profile.tools, spec.name)),
      subscriptions(std::make_unique<Subscriptions>(client.get(), catalog.get())),
      tasks(std::make_unique<TaskList>(connection, options.profile.tasks)),
      logLevel(std::make_unique<LogLevelChoice>(connection)),
      secrets(session.get(), catalog.get())
{
    if (!options.profile.eras)
        options.profile.eras = std::make_shared<EraStore>();
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
        session->giveUp(id, run.number, isBrokenWay(reason) ? GiveUp::Lost : GiveUp::Unanswered);
        onFailed(reason);
    });
    connect(client.get(), &Client::callEnded, q, [this](const Call &call, const Outcome &outcome) {
        if (outcome.kind == Outcome::Kind::NoResponse)
            session->giveUp(call.id(), run.number,
                            outcome.error.kind == Error::Kind::Cancelled ? GiveUp::Cancelled
                            : isBrokenWay(outcome.error)                 ? GiveUp::Lost
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
        session->addFinding(finding, message.id(), run.number);
    });
    connect(tasks.get(), &TaskList::changed, q, [this] { listenToTasks(); });
    for (QTimer *timer : {&m_beginLater, &m_endLater})
        timer->setSingleShot(true);
    connect(&m_beginLater, &QTimer::timeout, q, [this] { begin(); });
    connect(&m_endLater, &QTimer::timeout, q, [this] { disconnected({}); });
    connect(subscriptions.get(), &Subscriptions::findingAdded, q,
            [this](const QString &finding, const RequestId &id) { session->addFinding(finding, id, run.number); });
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

// Choosing Automatic again asks the server once more.
void Connection::Private::setSpec(const ServerSpec &changed)
{
    if (changed == spec)
        return;
    if (changed.revision != spec.revision)
        options.profile.eras->forget(changed);
    spec = changed;
    m_foundHttpSse = false;
    if (!start || !start->isPreparing())
        return;
    // What is started has to be what was asked about. Not at once: the list of servers is in the middle of a change.
    start.reset();
    m_beginLater.start();
}

void Connection::Private::forgetVerdict()
{
    options.profile.eras->forget(spec);
    m_foundHttpSse = false;
}

void Connection::Private::startAnew()
{
    m_isRenewed = false;
    m_hasTriedNext = false;
    begin();
}

// The server has forgotten the session: a new one, in which calls that may run twice are made again.
void Connection::Private::renew(const Error &reason)
{
    m_isRenewed = true;
    session->addFinding(tr("Session lost (HTTP %1). Starting a new one.").arg(reason.code), {}, run.number);
    subscriptions->suspend();
    giveUpPending();
    begin();
}

void Connection::Private::begin()
{
    m_beginLater.stop();
    m_endLater.stop();
    reopen = false;
    beginRun();
    start = makeStart();
    state = State::Connecting;
    start->begin();
}

void Connection::Private::beginRun()
{
    const int number = run.number + 1;
    run = {};
    run.number = number;
    reads.clear();
}

std::unique_ptr<ServerStart> Connection::Private::makeStart()
{
    auto made = std::make_unique<ServerStart>(ServerStart::Parts{
        spec,
        options,
        session.get(),
        client.get(),
        &steps,
        &run,
        usesHttpSse(),
        spec.revision ? QDateTime() : options.profile.eras->handshakeSince(spec),
        [this] { return q->isSignalConnected(QMetaMethod::fromSignal(&Connection::approvalNeeded)); },
        [this](const ServerSpec &resolved) { return credentialsFor(resolved); },
        [this](std::unique_ptr<Transport> transportMade) { useTransport(std::move(transportMade)); },
        [this] { return declaredCapabilities(); },
    });
    connect(made.get(), &ServerStart::changed, q, &Connection::stateChanged);
    connect(made.get(), &ServerStart::approvalNeeded, q, &Connection::approvalNeeded);
    connect(made.get(), &ServerStart::finished, q, [this](const Error &reason) {
        if (reason)
            disconnected(Error(reason));  // a copy: it may be a part of the start, which ends there
        else
            onStarted();
    });
    return made;
}

// Who is signed in stays so as long as it is the same server with the same settings.
std::shared_ptr<CredentialSource> Connection::Private::credentialsFor(const ServerSpec &resolved)
{
    if (options.credentials)
        return options.credentials;
    const bool isWanted = resolved.kind == ServerSpec::Kind::Http && options.profile.tokens;
    const http::NetworkOptions &network = resolved.network;
    if (isWanted && oauth && oauth->endpoint() == resolved.url && oauth->settings() == resolved.oauth &&
        oauth->options().network == network)
        return oauth;
    oauth.reset();
    if (!isWanted || !resolved.problems().isEmpty())
        return nullptr;
    oauth = std::make_shared<OAuth>(resolved.url, resolved.oauth,
                                    OAuth::Options{options.profile.tokens, options.hasPerson, network});
    const std::shared_ptr<OAuth> made = oauth;
    made->setObserver(signInObserver());
    connect(made.get(), &OAuth::pageReady, q, [this] {
        if (state == State::Connecting)
            Q_EMIT q->stateChanged();  // it is the person's turn
    });
    Q_EMIT q->signInChanged();
    return made;
}

CredentialSource::Observer Connection::Private::signInObserver()
{
    return {[this](const WireEvent &event) { session->append(event, run.number); },
            [this](const QByteArray &secret) { session->addSecret(QString::fromUtf8(secret)); }};
}

void Connection::Private::useTransport(std::unique_ptr<Transport> made)
{
    dropTransport();
    transport = std::move(made);
    // Secrets are known before anything is recorded, and it is recorded before the client hears of it. Of the end, too,
    // the recorder has to hear first: the next connection may begin at once, with a recorder of its own.
    connect(transport.get(), &Transport::tapped, q, [this](const WireEvent &event) { secrets.see(event); });
    recorder = std::make_unique<Recorder>(transport.get(), session.get(), run.number);
    connect(transport.get(), &Transport::tapped, q, [this](const WireEvent &event) { onTapped(event); });
    if (const auto *http = qobject_cast<const HttpTransport *>(transport.get()))
        connect(http, &HttpTransport::connectionLost, q,
                [this](const Error &reason, bool wasSent) { onConnectionLost(reason, wasSent); });
    client->setTransport(transport.get());
}

bool Connection::Private::isStateless() const
{
    const std::optional<Revision> revision = revisionFromString(run.serverInfo.protocolVersion);
    return revision && statelessRevisions().contains(*revision);
}

// The server may have been replaced by one of the other era. True when it is asked once more.
bool Connection::Private::startsAgain(const Error &reason, bool usedMemory)
{
    if (!usedMemory || reason.kind == Error::Kind::Cancelled || reason.kind == Error::Kind::Auth)
        return false;
    options.profile.eras->forget(spec);
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
void Connection::Private::tryNextTransport(const Error &reason, const std::shared_ptr<CredentialSource> &credentials)
{
    m_hasTriedNext = true;
    m_foundHttpSse = !m_foundHttpSse;
    const QString why = m_foundHttpSse ? tr("HTTP+SSE: the server rejected Streamable HTTP (HTTP %1)").arg(reason.code)
                                       : tr("Streamable HTTP: HTTP+SSE failed (%1)").arg(reason.message);
    ServerSpec resolved = std::move(run.resolved);
    beginRun();
    run.resolved = std::move(resolved);
    const EventFacts facts{
        .what = toString(EventCode::TransportChanged), .to = m_foundHttpSse ? u"http+sse"_s : u"http"_s, .reason = why};
    WireEvent event;
    event.kind = WireEvent::Kind::State;
    event.eventCode = EventCode::TransportChanged;
    event.facts = facts.toJson();
    event.monotonicNs = monotonicNs();
    session->append(event, run.number);
    start = makeStart();
    start->beginWithTransport(credentials, why);
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
    catalog->load(run.serverInfo.capabilities);
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
    m_beginLater.stop();
    start.reset();
    if (oauth)
        oauth->cancel();
    subscriptions->suspend();
    steps.fail(tr("Cancelled by you"));
    const QPointer<Connection> alive(q);
    client->closeServerRequests();
    if (!alive)
        return;
    if (transport && transport->state() != Transport::State::Closed)
        transport->close();
    else
        m_endLater.start();
    setState(State::Closing);
}

void Connection::Private::tearDown()
{
    if (options.credentials)
        options.credentials->setObserver({});
    if (oauth)
        oauth->setObserver({});
    client->disconnect(q);
    start.reset();
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
    if (start && start->approval())
        return tr("Waiting for your approval…");
    if (const StartStep *step = steps.current();
        step && step->kind == StartStep::Kind::Authorize && step->state == Step::State::Paused)
        return oauth && !oauth->page().isEmpty() ? tr("Waiting for you to sign in…") : tr("Waiting for credentials…");
    const Connector::Step step = start ? start->connectorStep() : Connector::Step::Idle;
    if (step == Connector::Step::Probing)
        return tr("Waiting for server/discover…");
    if (m_isRenewed)
        return tr("Session lost. Starting a new one…");
    if (step == Connector::Step::Handshake)
        return tr("Waiting for the handshake…");
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
        session->addFinding(unsent.message, {}, run.number);
}

void Connection::Private::onTapped(const WireEvent &event)
{
    run.disconnectReason.watch(event);
    watchReach(event);
    watchJunk(event);
    // Giving a request up is always told to the server: the one trace that all ways of doing so leave.
    if (event.kind == WireEvent::Kind::Message && event.direction == Direction::ToServer &&
        event.message.method() == methods::Cancelled) {
        const RequestId id = RequestId::fromValue(event.message.params()[u"requestId"]);
        session->giveUp(id, run.number, client->wasCancelled(id) ? GiveUp::Cancelled : GiveUp::Unanswered);
    }
}

void Connection::Private::watchReach(const WireEvent &event)
{
    if (event.kind == WireEvent::Kind::HttpRequest)
        run.hasHeard = false;
    // What was left over of a response that broke off is no sign of life.
    if (event.direction != Direction::FromServer || event.kind == WireEvent::Kind::Partial)
        return;
    run.hasHeard = true;
    if (!run.trouble)
        return;
    run.trouble = {};
    // A turn later: nobody else has heard of the event yet.
    QMetaObject::invokeMethod(q, &Connection::stateChanged, Qt::QueuedConnection);
}

// Over HTTP the request that such a body answers fails, and says so.
void Connection::Private::watchJunk(const WireEvent &event)
{
    const auto mask = [this](const QByteArray &line) { return session->masked(line); };
    if (spec.kind == ServerSpec::Kind::Stdio && run.junk.add(event, mask) && run.junk.count() == 1)
        QMetaObject::invokeMethod(q, &Connection::stateChanged, Qt::QueuedConnection);
}

// Over HTTP a request can fail and the connection go on. One that nothing came back to has not reached the server.
void Connection::Private::onFailed(const Error &reason)
{
    if (!run.hasHeard && !run.trouble && reason.kind == Error::Kind::Transport)
        setTrouble(reason, run.disconnectReason.shortText(reason));
}

// It is told again with each attempt to resume, of which the last says most.
void Connection::Private::onConnectionLost(const Error &reason, bool wasSent)
{
    const bool isBroken = wasSent && reason.reason == Error::Reason::Other;
    setTrouble(reason, isBroken ? tr("connection lost") : run.disconnectReason.shortText(reason));
}

void Connection::Private::setTrouble(const Error &reason, const QString &text)
{
    if (state != State::Connected || (run.trouble && text == run.troubleText))
        return;
    run.trouble = reason;
    run.troubleText = text;
    // A turn later: the transport is in the middle of telling it.
    QMetaObject::invokeMethod(q, &Connection::stateChanged, Qt::QueuedConnection);
}

void Connection::Private::onStarted()
{
    start.reset();
    m_isAskedAgain = m_hasTriedNext = false;
    // First: receivers of the state may want to subscribe.
    subscriptions->begin(run.serverInfo.capabilities, options.followLists);
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
    if (start) {
        start->onTransportClosed(reason);
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
    disconnected(state == State::Closing ? Error() : reason);
}

void Connection::Private::disconnected(const Error &reason)
{
    if (state == State::Disconnected)
        return;
    m_endLater.stop();
    const bool usedMemory = start && start->usesMemory();
    const std::shared_ptr<CredentialSource> credentials = start ? start->credentials() : nullptr;
    start.reset();
    subscriptions->suspend();
    if (state == State::Connecting && mayTryNextTransport(reason)) {
        giveUpPending();
        return tryNextTransport(reason, credentials);
    }
    if (state == State::Connecting && startsAgain(reason, usedMemory)) {
        giveUpPending();
        return begin();
    }
    run.error = run.disconnectReason.explained(reason, stderrTail());
    m_isAskedAgain = false;
    if (state == State::Connecting && run.error)
        run.error = std::exchange(run.junk, {}).explained(run.error);  // no finding beside it
    steps.fail(run.error ? run.disconnectReason.shortText(run.error) : QString());
    giveUpPending();
    const QPointer<Connection> alive(q);
    client->failKept(run.error ? run.error
                               : Error{Error::Kind::Cancelled, 0, tr("The connection was closed."), {}, {}, {}});
    if (!alive)
        return;
    if (options.loadCatalog || catalog->isLoading())
        catalog->suspend();
    if (!alive)
        return;
    setState(State::Disconnected);
    if (alive && state == State::Disconnected && std::exchange(reopen, false))
        startAnew();
}

// No call is open any more, so no request of this start will be answered.
void Connection::Private::giveUpPending()
{
    const QList<RequestId> pending = session->pendingRequests(run.number);
    for (const RequestId &id : pending)
        session->giveUp(id, run.number);
}

void Connection::Private::setState(State next)
{
    state = next;
    Q_EMIT q->stateChanged();
}

}  // namespace sonde
