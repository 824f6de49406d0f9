// SPDX-License-Identifier: Apache-2.0
#include "core/connection/subscriptions.h"

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/transport/monotonicclock.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sonde {

namespace {

constexpr int MaxShownId = 60;
constexpr std::chrono::milliseconds MaxRetryInterval{60'000};
// A stream that stood this long has not failed: the next loss begins with the shortest pause again.
constexpr qint64 SteadyNs = qint64(10) * 1'000'000'000;
// Of a server that has never acknowledged anything.
constexpr int MaxFirstTries = 5;

constexpr std::array Carried{methods::SubscriptionAcknowledged, methods::ToolsChanged,    methods::PromptsChanged,
                             methods::ResourcesChanged,         methods::ResourceUpdated, methods::TaskChanged};

Subscriptions::State stateAfter(ListenStream::End end)
{
    switch (end) {
        case ListenStream::End::Graceful:
            return Subscriptions::State::Ended;
        case ListenStream::End::Lost:
            return Subscriptions::State::Lost;
        case ListenStream::End::Refused:
        case ListenStream::End::Unacknowledged:
            break;
    }
    return Subscriptions::State::Refused;
}

}  // namespace

Subscriptions::Subscriptions(Client *client, Catalog *catalog, QObject *parent)
    : QObject(parent), m_client(client), m_catalog(catalog)
{
    m_soon.setSingleShot(true);
    m_retry.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &Subscriptions::askAll);
    connect(&m_retry, &QTimer::timeout, this, &Subscriptions::listen);
    connect(client, &Client::notified, this, &Subscriptions::onNotified);
}

Subscriptions::~Subscriptions()
{
    delete m_next;
    delete m_active;
}

Subscriptions::Wanted *Subscriptions::find(const QString &uri)
{
    return const_cast<Wanted *>(std::as_const(*this).find(uri));
}

const Subscriptions::Wanted *Subscriptions::find(const QString &uri) const
{
    const auto found =
        std::find_if(m_wanted.begin(), m_wanted.end(), [&](const Wanted &wanted) { return wanted.uri == uri; });
    return found == m_wanted.end() ? nullptr : &*found;
}

bool Subscriptions::isWanted(const QString &uri) const
{
    const Wanted *wanted = find(uri);
    return wanted && wanted->isWanted;
}

QStringList Subscriptions::wanted() const
{
    QStringList uris;
    for (const Wanted &wanted : m_wanted) {
        if (wanted.isWanted)
            uris.append(wanted.uri);
    }
    return uris;
}

QStringList Subscriptions::active() const
{
    QStringList uris;
    for (const Wanted &wanted : m_wanted) {
        if (computedState(wanted) == State::Active)
            uris.append(wanted.uri);
    }
    return uris;
}

void Subscriptions::subscribe(const QString &uri)
{
    if (Wanted *known = find(uri)) {
        m_asksAgain = computedState(*known) == State::Refused;
        known->isWanted = true;
        known->error = {};
    } else {
        m_wanted.push_back({uri, true, false, {}, {}, State::None, false});
    }
    if (m_isStateless)
        scheduleListening();
    else
        reconcile(uri);
    announce();
}

void Subscriptions::unsubscribe(const QString &uri)
{
    Wanted *known = find(uri);
    if (!known)
        return;
    known->isWanted = false;
    if (m_isConnected && !m_isStateless) {
        reconcile(uri);
    } else {
        m_wanted.erase(m_wanted.begin() + (known - m_wanted.data()));
        // One that the server has ended is not opened again for that.
        if (m_active || m_next || desired().isEmpty())
            scheduleListening();
    }
    announce();
}

void Subscriptions::setTasks(const QStringList &ids)
{
    if (ids == m_tasks)
        return;
    m_tasks = ids;
    const QStringList heard = m_next     ? m_next->requested().taskIds
                              : m_active ? m_active->requested().taskIds
                                         : QStringList();
    const bool isNew = std::any_of(ids.begin(), ids.end(), [&heard](const QString &id) { return !heard.contains(id); });
    const bool isOver = m_end && !m_active && !m_next;  // and is not opened again for that
    if (hasStream() && !isOver && (isNew || desired().isEmpty()))
        scheduleListening();
}

Subscriptions::State Subscriptions::stateOf(const QString &uri) const
{
    const Wanted *wanted = find(uri);
    return wanted ? computedState(*wanted) : State::None;
}

Subscriptions::State Subscriptions::computedState(const Wanted &wanted) const
{
    if (!m_isConnected || !wanted.isWanted)
        return State::None;
    if (!m_isStateless)
        return wanted.error ? State::Refused : wanted.isSubscribed && !wanted.call ? State::Active : State::Requested;
    if (m_active && m_active->acknowledged().uris.contains(wanted.uri))
        return State::Active;
    if (m_soon.isActive() || (m_next && m_next->requested().uris.contains(wanted.uri)))
        return State::Requested;
    if (m_active && m_active->requested().uris.contains(wanted.uri))
        return State::Refused;
    return m_end ? stateAfter(m_end->end) : State::None;
}

Error Subscriptions::problemOf(const QString &uri) const
{
    const Wanted *wanted = find(uri);
    const auto said = [](const QString &text) { return Error{Error::Kind::Protocol, 0, text, {}, {}, {}}; };
    switch (wanted ? computedState(*wanted) : State::None) {
        case State::None:
        case State::Requested:
        case State::Active:
            return {};
        case State::Ended:
            return said(tr("The server ended the subscription."));
        case State::Refused:
            if (wanted->error)
                return wanted->error;
            if (m_active && m_active->requested().uris.contains(uri))
                return said(tr("The server did not acknowledge this resource."));
            break;
        case State::Lost:
            break;
    }
    return error();
}

Subscriptions::State Subscriptions::state() const
{
    if (!hasStream())
        return State::None;
    if (m_active)
        return State::Active;
    if (m_next || m_soon.isActive())
        return State::Requested;
    return m_end ? stateAfter(m_end->end) : State::None;
}

ListenFilter Subscriptions::requested() const
{
    return m_next ? m_next->requested() : m_active ? m_active->requested() : hasStream() ? desired() : ListenFilter();
}

ListenFilter Subscriptions::acknowledged() const
{
    return m_active ? m_active->acknowledged() : ListenFilter();
}

void Subscriptions::listenAgain()
{
    m_losses = 0;
    m_asksAgain = true;
    if (m_isStateless)
        scheduleListening();
    announce();
}

void Subscriptions::begin(const json::Value &capabilities, bool isStateless, bool followsLists)
{
    m_capabilities = capabilities;
    m_isConnected = true;
    m_isStateless = isStateless;
    m_followsLists = followsLists;
    m_hasGap = false;
    m_wasAcknowledged = false;
    m_losses = 0;
    m_strays = {};
    m_past.clear();
    m_soon.start(0);
}

void Subscriptions::askAll()
{
    if (m_isStateless)
        return listen();
    const QStringList uris = wanted();
    for (const QString &uri : uris)
        reconcile(uri);
    announce();
}

void Subscriptions::suspend()
{
    if (!m_isConnected)
        return;
    m_isConnected = false;
    dropStreams();
    m_end.reset();
    m_wanted.erase(
        std::remove_if(m_wanted.begin(), m_wanted.end(), [](const Wanted &wanted) { return !wanted.isWanted; }),
        m_wanted.end());
    for (Wanted &wanted : m_wanted) {
        if (wanted.call)
            wanted.call->disconnect(this);
        wanted.call.clear();
        wanted.isSubscribed = false;
        wanted.error = {};
        wanted.shown = State::None;
    }
    // A turn later: the connection is in the middle of closing.
    QMetaObject::invokeMethod(this, &Subscriptions::changed, Qt::QueuedConnection);
}

// A slot may subscribe or unsubscribe, or delete us.
void Subscriptions::announce()
{
    QStringList again;
    for (Wanted &wanted : m_wanted) {
        const State state = computedState(wanted);
        if (state == State::Active && wanted.shown != State::Active && std::exchange(wanted.wasActive, true))
            again.append(wanted.uri);
        wanted.shown = state;
    }
    const QPointer<Subscriptions> alive(this);
    Q_EMIT changed();
    for (const QString &uri : std::as_const(again)) {
        if (!alive)
            return;
        Q_EMIT resumed(uri);
    }
}

// Stateful: one request a resource at a time, so that the last wish is the one that counts.

void Subscriptions::reconcile(const QString &uri)
{
    Wanted *wanted = find(uri);
    if (!wanted || wanted->call || !m_isConnected || !m_client)
        return;
    if (wanted->isWanted == wanted->isSubscribed || wanted->error) {
        if (!wanted->isWanted)
            m_wanted.erase(m_wanted.begin() + (wanted - m_wanted.data()));
        return;
    }
    const bool isSubscription = wanted->isWanted;
    CallOptions options;
    options.askForProgress = false;
    Call *call = m_client->request(isSubscription ? methods::Subscribe : methods::Unsubscribe,
                                   json::Builder().beginObject().member(u"uri", uri).endObject().take(), options);
    // The tap may have told somebody of it.
    if (Wanted *still = find(uri))
        still->call = call;
    connect(call, &Call::finished, this,
            [this, uri, isSubscription](const Outcome &outcome) { onResponse(uri, isSubscription, outcome); });
}

void Subscriptions::onResponse(const QString &uri, bool isSubscription, const Outcome &outcome)
{
    Wanted *wanted = find(uri);
    if (!wanted)
        return;
    wanted->call.clear();
    const bool hasWorked = outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError;
    // What could not be unsubscribed is let go of all the same: its updates are not passed on any more.
    wanted->isSubscribed = isSubscription && hasWorked;
    if (isSubscription && !hasWorked && wanted->isWanted)
        wanted->error = outcome.error;
    reconcile(uri);
    announce();
}

// Stateless.

ListenFilter Subscriptions::desired() const
{
    const auto follows = [this](QStringView list) {
        return m_followsLists && m_capabilities[list][u"listChanged"].toBool();
    };
    return {follows(u"tools"), follows(u"prompts"), follows(u"resources"), wanted(), m_tasks};
}

// Several wishes of one turn become one stream.
void Subscriptions::scheduleListening()
{
    m_retry.stop();
    m_soon.start(0);
}

void Subscriptions::listen()
{
    if (!hasStream() || !m_client)
        return;
    m_soon.stop();
    m_retry.stop();
    m_end.reset();
    const bool asksAgain = std::exchange(m_asksAgain, false);
    const ListenFilter filter = desired();
    if (filter.isEmpty()) {
        dropStreams();
    } else if (m_active && m_active->requested() == filter && !asksAgain) {
        drop(std::exchange(m_next, nullptr));
    } else if (!m_next || m_next->requested() != filter) {
        drop(std::exchange(m_next, nullptr));
        auto *stream = new ListenStream(m_client, filter, m_acknowledgementTimeout, this);
        m_next = stream;
        connect(stream, &ListenStream::findingAdded, this, &Subscriptions::findingAdded);
        connect(stream, &ListenStream::acknowledgedNow, this, [this, stream] { onAcknowledged(stream); });
        connect(stream, &ListenStream::ended, this,
                [this, stream](ListenStream::End end, const Error &error) { onEnded(stream, end, error); });
    }
    announce();
}

void Subscriptions::onAcknowledged(ListenStream *stream)
{
    drop(std::exchange(m_active, stream));
    m_next = nullptr;
    m_activeSinceNs = monotonicNs();
    m_wasAcknowledged = true;
    const QPointer<Subscriptions> alive(this);
    if (std::exchange(m_hasGap, false))
        readListsAgain(stream->acknowledged());
    if (alive)
        announce();
}

void Subscriptions::onEnded(ListenStream *stream, ListenStream::End end, const Error &error)
{
    const bool wasActive = stream == m_active;
    const RequestId id = stream->id();
    (wasActive ? m_active : m_next) = nullptr;
    m_past.insert(id);
    stream->disconnect(this);
    stream->release();
    if (wasActive && monotonicNs() - m_activeSinceNs > SteadyNs)
        m_losses = 0;
    m_hasGap = m_hasGap || wasActive;
    // Where the one in its place is on its way, nobody needs to be told.
    if (!m_next) {
        m_end = LastEnd{end, error};
        if (end == ListenStream::End::Lost)
            retryLater();
    }
    const QPointer<Subscriptions> alive(this);
    if (end == ListenStream::End::Lost || end == ListenStream::End::Unacknowledged)
        Q_EMIT findingAdded(
            end == ListenStream::End::Lost ? tr("The subscription was lost: %1").arg(error.message) : error.message,
            id);
    if (alive)
        announce();
}

void Subscriptions::retryLater()
{
    if (++m_losses >= MaxFirstTries && !m_wasAcknowledged) {
        m_end->end = ListenStream::End::Refused;
        return;
    }
    std::chrono::milliseconds pause = m_retryInterval;
    for (int i = 1; i < m_losses && pause < MaxRetryInterval; ++i)
        pause *= 2;
    pause = std::min(pause, MaxRetryInterval);
    m_end->error.hint = tr("Subscribing again in %1 s.").arg(QString::number(double(pause.count()) / 1000, 'g', 3));
    m_retry.start(pause);
}

// Nobody has heard what changed in between, but a list that the server has called fresh until later still is.
void Subscriptions::readListsAgain(const ListenFilter &filter)
{
    using List = Catalog::List;
    const QPointer<Catalog> catalog = m_catalog;
    for (const auto &[list, isFollowed] :
         {std::pair{List::Tools, filter.tools}, std::pair{List::Prompts, filter.prompts},
          std::pair{List::Resources, filter.resources}, std::pair{List::ResourceTemplates, filter.resources}}) {
        if (catalog && isFollowed && catalog->status(list).state != Catalog::State::NotOffered)
            catalog->refreshUnlessFresh(list);
    }
}

void Subscriptions::drop(ListenStream *stream)
{
    if (!stream)
        return;
    m_past.insert(stream->id());
    stream->disconnect(this);
    stream->release();
}

void Subscriptions::dropStreams()
{
    m_soon.stop();
    m_retry.stop();
    drop(std::exchange(m_next, nullptr));
    drop(std::exchange(m_active, nullptr));
}

void Subscriptions::onNotified(const Message &notification, const RequestId &carrier)
{
    if (!m_isConnected)
        return;
    const QString method = notification.method();
    if (m_isStateless && method == methods::Cancelled) {
        const RequestId id = RequestId::fromValue(notification.params()[u"requestId"]);
        if (ListenStream *stream = openStream(id)) {
            stream->endAsCancelled();
            return;
        }
    }
    if (std::find(Carried.begin(), Carried.end(), method) == Carried.end())
        return;
    const QPointer<Subscriptions> alive(this);
    if (m_isStateless) {
        ListenStream *stream = streamOf(notification, carrier);
        if (!alive || !stream || !stream->take(notification) || !alive)
            return;
    }
    if (method != methods::ResourceUpdated)
        return;
    const QString changedUri = notification.params()[u"uri"].string();
    const QStringList uris = wanted();
    for (const QString &uri : uris) {
        if (alive && isWithin(changedUri, uri))
            Q_EMIT updated(uri, changedUri);
    }
}

ListenStream *Subscriptions::openStream(const RequestId &id) const
{
    for (ListenStream *stream : {m_next, m_active}) {
        if (stream && stream->id() == id)
            return stream;
    }
    return nullptr;
}

// Null for one of a stream that is closed already, or was opened by hand. What the transport knows of the stream counts
// for more than what the message says of it.
ListenStream *Subscriptions::streamOf(const Message &notification, const RequestId &carrier)
{
    const QString method = notification.method();
    const RequestId named =
        RequestId::fromValue(notification.params()[u"_meta"][u"io.modelcontextprotocol/subscriptionId"]);
    const QString name = visibleLine(named.toString(), MaxShownId);
    const auto tell = [this](const QString &text, const RequestId &about) {
        if (m_strays.admit())
            Q_EMIT findingAdded(text, about);
    };
    const QPointer<ListenStream> found(openStream(carrier.isNone() ? named : carrier));
    const QPointer<ListenStream> only(m_next && m_active ? nullptr : m_next ? m_next : m_active);
    const QString carrierMethod = m_client ? m_client->openMethod(carrier) : QString();
    if (found) {
        if (named.isNone())
            tell(tr("%1 without the ID of its subscription.").arg(method), carrier);
        else if (named != found->id())
            tell(
                tr("%1 names the subscription %2, but came on the stream of %3.").arg(method, name, carrier.toString()),
                carrier);
        return found;
    }
    if (!carrierMethod.isEmpty()) {
        if (carrierMethod != methods::Listen)
            tell(tr("%1 came on the stream of request %2 (%3), which is not a subscription.")
                     .arg(method, carrier.toString(), carrierMethod),
                 carrier);
        return nullptr;
    }
    if (!carrier.isNone())
        return nullptr;
    if (!named.isNone()) {
        const bool isKnown = m_past.contains(named) || (m_client && !m_client->openMethod(named).isEmpty());
        if (!isKnown)
            tell(tr("%1 for an unknown subscription: %2").arg(method, name), {});
        return nullptr;
    }
    tell(tr("%1 without the ID of its subscription.").arg(method), only ? only->id() : RequestId());
    return only;
}

}  // namespace sonde
