// SPDX-License-Identifier: Apache-2.0
#include "core/connection/subscriptions.h"

#include "core/connection/streamedsubscriptions.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <utility>

namespace sonde {

Subscriptions::Subscriptions(Client *client, Catalog *catalog, QObject *parent)
    : QObject(parent), m_client(client), m_catalog(catalog)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &Subscriptions::askAll);
    connect(client, &Client::notified, this, &Subscriptions::onNotified);
}

Subscriptions::~Subscriptions() = default;

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
        if (m_stream && computedState(*known) == State::Refused)
            m_stream->askAgain();
        known->isWanted = true;
        known->error = {};
    } else {
        m_wanted.push_back({uri, true, false, {}, {}, State::None, false});
    }
    if (m_stream)
        m_stream->listen(desired());
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
    if (m_isConnected && !m_stream) {
        reconcile(uri);
    } else {
        m_wanted.erase(m_wanted.begin() + (known - m_wanted.data()));
        if (m_stream)
            m_stream->listenToLess(desired());
    }
    announce();
}

void Subscriptions::setTasks(const QStringList &ids)
{
    if (ids == m_tasks)
        return;
    m_tasks = ids;
    if (m_stream)
        m_stream->listenToTasks(desired());
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
    if (m_stream)
        return m_stream->stateOf(wanted.uri);
    return wanted.error ? State::Refused : wanted.isSubscribed && !wanted.call ? State::Active : State::Requested;
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
            if (m_stream && m_stream->isUnacknowledged(uri))
                return said(tr("The server did not acknowledge this resource."));
            break;
        case State::Lost:
            break;
    }
    return error();
}

Subscriptions::State Subscriptions::state() const
{
    return m_stream ? m_stream->state() : State::None;
}

bool Subscriptions::isReconnecting() const
{
    return m_stream && m_stream->isReconnecting();
}

Error Subscriptions::error() const
{
    return m_stream ? m_stream->error() : Error();
}

ListenFilter Subscriptions::requested() const
{
    return m_stream ? m_stream->requested() : ListenFilter();
}

ListenFilter Subscriptions::acknowledged() const
{
    return m_stream ? m_stream->acknowledged() : ListenFilter();
}

void Subscriptions::listenAgain()
{
    if (m_stream)
        m_stream->listenAgain();
    announce();
}

ListenFilter Subscriptions::desired() const
{
    const auto follows = [this](QStringView list) {
        return m_followsLists && m_capabilities[list][u"listChanged"].toBool();
    };
    return {follows(u"tools"), follows(u"prompts"), follows(u"resources"), wanted(), m_tasks};
}

void Subscriptions::begin(const json::Value &capabilities, bool followsLists)
{
    m_capabilities = capabilities;
    m_isConnected = true;
    m_followsLists = followsLists;
    dropStream();
    if (!m_client->dialect().hasListenStream())
        return m_soon.start(0);
    m_stream = std::make_unique<StreamedSubscriptions>(m_client, m_catalog, m_pauses);
    connect(m_stream.get(), &StreamedSubscriptions::changed, this, &Subscriptions::announce);
    connect(m_stream.get(), &StreamedSubscriptions::findingAdded, this, &Subscriptions::findingAdded);
    m_stream->listen(desired());
}

void Subscriptions::askAll()
{
    const QStringList uris = wanted();
    for (const QString &uri : uris)
        reconcile(uri);
    announce();
}

// It may be in one of its own signals.
void Subscriptions::dropStream()
{
    if (!m_stream)
        return;
    m_stream->disconnect(this);
    m_stream->stop();
    m_stream.release()->deleteLater();
}

void Subscriptions::suspend()
{
    if (!m_isConnected)
        return;
    m_isConnected = false;
    m_soon.stop();
    dropStream();
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

// Without a stream: one request a resource at a time, so that the last wish is the one that counts.

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

void Subscriptions::onNotified(const Message &notification, const RequestId &carrier)
{
    if (!m_isConnected)
        return;
    const QPointer<Subscriptions> alive(this);
    const bool isOurs = !m_stream || m_stream->receive(notification, carrier);
    if (!alive || !isOurs || notification.method() != methods::ResourceUpdated)
        return;
    const QString changedUri = notification.params()[u"uri"].string();
    const QStringList uris = wanted();
    for (const QString &uri : uris) {
        if (alive && isWithin(changedUri, uri))
            Q_EMIT updated(uri, changedUri);
    }
}

}  // namespace sonde
