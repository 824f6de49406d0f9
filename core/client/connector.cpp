// SPDX-License-Identifier: Apache-2.0
#include "core/client/connector.h"

#include "core/client/statefuldialect.h"
#include "core/client/statelessdialect.h"
#include "core/client/taskmessages.h"
#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QTimer>
#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr std::chrono::milliseconds ExitGrace{500};
constexpr QLatin1StringView ProbeId("server-discover-probe");

bool isStatelessRevision(const QString &name)
{
    const std::optional<Revision> revision = revisionFromString(name);
    return revision && statelessRevisions().contains(*revision);
}

// A refusal shows the server's own words and data; what its data says about revisions is put into words as well.
Error refusal(Error error)
{
    if (error.data.exists())
        error.detail = QString::fromUtf8(json::indented(error.data));
    QStringList supported;
    const json::Value list = error.data[u"supported"];
    for (const json::Value &revision : list)
        supported.append(revision.isString() ? revision.string() : QString::fromUtf8(revision.bytes()));
    const auto stateless = std::find_if(supported.begin(), supported.end(), isStatelessRevision);
    if (list.isArray())
        error.hint = Connector::tr("The server supports revisions %1; Sonde supports %2.")
                         .arg(shownRevisions(supported), revisionNames(statelessRevisions() + statefulRevisions()));
    if (stateless != supported.end())
        error.hint +=
            u' ' + Connector::tr("%1 has no initialize: set the protocol revision of this server to Automatic.")
                       .arg(*stateless);
    if (list.isArray())
        return error;
    if (isOfStatelessRevision(error.code))
        error.hint = Connector::tr(
            "The server speaks revision 2026-07-28 or later, which has no initialize. Set the protocol revision of "
            "this "
            "server to Automatic.");
    else if (error.code == errorcodes::MethodNotFound)
        error.hint = Connector::tr(
            "The server does not know initialize. It may speak only revision 2026-07-28 or later: set the protocol "
            "revision of this server to Automatic.");
    return error;
}

}  // namespace

Connector::Connector(Client *client, Options options, QObject *parent)
    : QObject(parent), m_client(client), m_options(std::move(options)), m_deadline(new QTimer(this))
{
    m_deadline->setSingleShot(true);
    connect(m_deadline, &QTimer::timeout, this, [this] {
        if (m_provisional) {
            fail(m_provisional);
            return;
        }
        fail(Error::of(Error::Kind::Timeout,
                       tr("Connecting timed out after %1 s.").arg(secondsText(m_options.handshakeTimeout))));
    });
}

void Connector::start()
{
    if (m_step != Step::Idle || m_endsSoon)
        return;
    Transport *transport = m_client ? m_client->transport() : nullptr;
    if (!transport) {
        failLater(Error::local(tr("No transport.")));
        return;
    }
    connect(m_client, &Client::transportOpened, this, &Connector::begin);
    connect(m_client, &Client::transportClosed, this, &Connector::onClosed);
    const QPointer<Connector> alive(this);
    enter(Step::Opening);
    if (!alive || m_step != Step::Opening)
        return;
    if (transport->state() == Transport::State::Open) {
        QMetaObject::invokeMethod(this, &Connector::begin, Qt::QueuedConnection);
        return;
    }
    // HTTP+SSE needs credentials to open. The time that a person takes to sign in does not count.
    connect(transport, &Transport::credentialsAwaited, this, [this](CredentialWait *wait) {
        if (m_step != Step::Opening)
            return;
        m_deadline->stop();
        connect(wait, &CredentialWait::given, this, [this] {
            if (m_step == Step::Opening)
                startDeadline();
        });
    });
    startDeadline();
    if (transport->state() == Transport::State::Closed)
        transport->open();
}

void Connector::startDeadline()
{
    if (m_options.handshakeTimeout.count() <= 0)
        return;
    constexpr std::chrono::milliseconds maxWait{std::numeric_limits<int>::max()};
    m_deadline->start(std::min(m_options.handshakeTimeout, maxWait));
}

void Connector::enter(Step step)
{
    m_step = step;
    Q_EMIT stepChanged(step);
}

void Connector::fail(const Error &error)
{
    if (m_step == Step::Ready || m_step == Step::Failed)
        return;
    m_deadline->stop();
    if (m_call)
        m_call->disconnect(this);
    if (m_client) {
        m_client->disconnect(this);
        if (m_client->transport())
            m_client->transport()->close();
    }
    const QPointer<Connector> alive(this);
    enter(Step::Failed);
    if (alive)
        Q_EMIT finished(error);
}

// For what is asked for from outside: nobody is told before the asking function has returned, and nothing that
// happens until then counts.
void Connector::failLater(const Error &error)
{
    if (m_step == Step::Ready || m_step == Step::Failed || m_endsSoon)
        return;
    m_endsSoon = true;
    m_deadline->stop();
    QMetaObject::invokeMethod(
        this, [this, error] { fail(error); }, Qt::QueuedConnection);
}

// A process that ends takes its pipes with it first. How it ended follows at once, and says more than a broken pipe.
void Connector::failAfterExit(const Error &error)
{
    const Transport *transport = m_client ? m_client->transport() : nullptr;
    if (error.kind != Error::Kind::Transport || !transport || transport->processId() == 0 ||
        transport->state() != Transport::State::Open) {
        fail(error);
        return;
    }
    m_provisional = error;
    m_deadline->start(ExitGrace);
}

// While a response is awaited it is the call that tells of a loss.
void Connector::onClosed(const Error &error)
{
    if (m_isReopening)
        QMetaObject::invokeMethod(this, &Connector::reopen, Qt::QueuedConnection);
    else if (m_provisional)
        fail(error ? withEvidence(error) : m_provisional);
    else if (m_step == Step::Opening)
        fail(error ? error : Error::of(Error::Kind::Cancelled, tr("The connection was closed.")));
}

void Connector::reopen()
{
    Transport *transport = m_client ? m_client->transport() : nullptr;
    if (!m_isReopening || !transport || transport->state() != Transport::State::Closed)
        return;
    m_isReopening = false;
    m_step = Step::Opening;
    transport->open();
}

void Connector::begin()
{
    if (m_step != Step::Opening || m_endsSoon || !m_client)
        return;
    m_deadline->stop();
    if (m_options.era == Options::Era::Stateful || m_verdict)
        shakeHands();
    else
        probe();
}

std::unique_ptr<StatelessDialect> Connector::makeStateless(Revision revision) const
{
    auto dialect = std::make_unique<StatelessDialect>(revision, m_options.capabilities, m_options.overHttp);
    dialect->setTellsClientInfo(m_options.tellsClientInfo);
    return dialect;
}

// Spec (2026-07-28): basic/versioning, "Backward Compatibility". Until the response is there nothing else is sent.
void Connector::probe()
{
    CallOptions options;
    options.timeout =
        m_options.overHttp ? m_options.handshakeTimeout : std::min(m_options.probeTimeout, m_options.handshakeTimeout);
    options.maxTotal = options.timeout;
    options.askForProgress = false;
    options.cancellable = false;
    options.id = RequestId(ProbeId);
    m_client->setCapabilities(m_options.capabilities);
    m_client->setDialect(makeStateless(statelessRevisions().first()));
    m_call = m_client->request(methods::Discover, {}, options);
    connect(m_call, &Call::finished, this, &Connector::onProbed);
    if (!m_options.overHttp)
        connect(m_client->transport(), &Transport::received, m_call, [this](const Message &message) {
            if (message.kind() == Message::Kind::Error && !message.id().isMatchable())
                onNamelessError(message);
        });
    enter(Step::Probing);
}

// A server that could not read the probe does not know its ID, and the probe is the only request that there is.
// It may come with the response to the probe, whose call still exists then while m_call is that of the handshake.
void Connector::onNamelessError(const Message &message)
{
    if (m_step != Step::Probing)
        return;
    m_call->disconnect(this);
    m_call->cancel();
    Outcome outcome;
    outcome.kind = Outcome::Kind::ProtocolError;
    outcome.message = message;
    outcome.error = message.toError();
    onProbed(outcome);
}

void Connector::onProbed(const Outcome &outcome)
{
    if (m_step != Step::Probing || m_endsSoon)
        return;
    const EraVerdict verdict = judgeDiscovery(outcome, m_options.overHttp);
    m_verdict = verdict;
    if (verdict.kind == EraVerdict::Kind::Stateless) {
        auto dialect = makeStateless(verdict.revision);
        m_serverInfo = dialect->readDiscovery(outcome.result());
        m_findings = outcome.findings;
        m_latencyNs = outcome.durationNs;
        dialect->setTaskSupport(readTaskSupport(verdict.revision, m_serverInfo.capabilities));
        m_client->setDialect(std::move(dialect));
        m_client->transport()->setRevision(verdict.revision);
        becomeReady();
        return;
    }
    if (verdict.kind == EraVerdict::Kind::Failed)
        return failAfterExit(withEvidence(verdict.error));
    if (m_options.era == Options::Era::Stateless) {
        const Error error = outcome.error ? outcome.error : Error::of(Error::Kind::Protocol, verdict.reason);
        return failAfterExit(withEvidence(error));
    }
    if (outcome.error.kind != Error::Kind::Transport || m_options.overHttp) {
        m_step = Step::Opening;
        shakeHands();
        return;
    }
    // Some servers exit on any request before initialize.
    m_isReopening = true;
    if (m_client->transport()->state() != Transport::State::Closed)
        m_client->transport()->close();
}

void Connector::becomeReady()
{
    m_client->disconnect(this);
    const QPointer<Connector> alive(this);
    enter(Step::Ready);
    if (alive)
        Q_EMIT finished({});
}

void Connector::shakeHands()
{
    CallOptions options;
    options.timeout = m_options.handshakeTimeout;
    options.maxTotal = m_options.handshakeTimeout;
    options.askForProgress = false;
    options.cancellable = false;
    m_client->setDialect(std::make_unique<StatefulDialect>(m_options.proposed));
    m_client->setCapabilities(m_options.capabilities);
    m_call = m_client->request(methods::Initialize,
                               StatefulDialect::initializeParams(m_options.proposed, m_options.capabilities), options);
    connect(m_call, &Call::finished, this, &Connector::onResponse);
    enter(Step::Handshake);
}

void Connector::onResponse(const Outcome &outcome)
{
    if (m_step != Step::Handshake || m_endsSoon)
        return;
    if (const Error error = readResponse(outcome)) {
        failAfterExit(error);
        return;
    }

    // The transport first: what it sends from here on belongs to the agreed revision.
    const Revision revision = *revisionFromString(m_serverInfo.protocolVersion);
    Transport *transport = m_client->transport();
    auto dialect = std::make_unique<StatefulDialect>(revision);
    dialect->setTaskSupport(readTaskSupport(revision, m_serverInfo.capabilities));
    m_client->setDialect(std::move(dialect));
    transport->setRevision(revision);
    // A turn later: what the server wrote with its response it wrote before this, and the session shows it in that
    // order.
    QMetaObject::invokeMethod(this, &Connector::sayInitialized, Qt::QueuedConnection);
}

void Connector::sayInitialized()
{
    if (m_step != Step::Handshake || m_endsSoon || !m_client)
        return;
    if (const Error error = m_client->notify(methods::Initialized)) {
        failAfterExit(withEvidence(error));
        return;
    }
    m_client->transport()->sessionReady();
    becomeReady();
}

// What stands in the way of using this response; takes over the server's information when nothing does.
Error Connector::readResponse(const Outcome &outcome)
{
    if (outcome.kind == Outcome::Kind::ProtocolError)
        return refusal(outcome.error);
    if (outcome.kind == Outcome::Kind::NoResponse)
        return withEvidence(outcome.error);

    const json::Value version = outcome.result()[u"protocolVersion"];
    if (!version.isString())
        return Error::of(Error::Kind::Protocol,
                         version.exists() ? tr("The 'protocolVersion' in the response to initialize is not a string.")
                                          : tr("The response to initialize has no 'protocolVersion'."),
                         QString::fromUtf8(outcome.result().bytes().left(2048)));
    const std::optional<Revision> revision = revisionFromString(version.string());
    if (isStatelessRevision(version.string()))
        return Error::of(
            Error::Kind::Protocol,
            tr("The server responded to initialize with revision %1, which has no initialize. With initialize, "
               "Sonde supports %2.")
                .arg(version.string(), revisionNames(statefulRevisions())),
            {},
            m_verdict ? tr("Its response to server/discover did not offer that revision.")
                      : tr("Set the protocol revision of this server to Automatic."));
    if (!revision || !statefulRevisions().contains(*revision))
        return Error::of(
            Error::Kind::Protocol,
            tr("No common protocol revision: the server offered '%1', Sonde supports %2.")
                .arg(visibleLine(version.string(), 40), revisionNames(statelessRevisions() + statefulRevisions())));
    m_serverInfo = readServerInfo(outcome.result());
    m_findings = outcome.findings;
    m_latencyNs = outcome.durationNs;
    return {};
}

// Says where in the course of things it happened, and what the process said last.
Error Connector::withEvidence(Error error) const
{
    const Transport *transport = m_client ? m_client->transport() : nullptr;
    if (error.reason == Error::Reason::CallTimeout) {
        error.message = tr("The server did not respond to %1 within %2 s.")
                            .arg(m_step == Step::Probing ? methods::Discover : methods::Initialize,
                                 secondsText(m_options.handshakeTimeout));
        error.hint = tr("A server that is downloaded at start, or that waits for something, may need longer.");
    }
    if (error.detail.isEmpty() && transport)
        error.detail = transport->stderrTail().join(u'\n');
    return error;
}

}  // namespace sonde
