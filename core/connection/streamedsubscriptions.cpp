// SPDX-License-Identifier: Apache-2.0
#include "core/connection/streamedsubscriptions.h"

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

StreamedSubscriptions::State stateAfter(ListenStream::End end)
{
    switch (end) {
        case ListenStream::End::Graceful:
            return StreamedSubscriptions::State::Ended;
        case ListenStream::End::Lost:
            return StreamedSubscriptions::State::Lost;
        case ListenStream::End::Refused:
        case ListenStream::End::Unacknowledged:
            break;
    }
    return StreamedSubscriptions::State::Refused;
}

}  // namespace

StreamedSubscriptions::StreamedSubscriptions(Client *client, Catalog *catalog, const Pauses &pauses)
    : m_client(client), m_catalog(catalog), m_pauses(pauses)
{
    m_soon.setSingleShot(true);
    m_retry.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &StreamedSubscriptions::open);
    connect(&m_retry, &QTimer::timeout, this, &StreamedSubscriptions::open);
}

StreamedSubscriptions::~StreamedSubscriptions()
{
    delete m_next;
    delete m_active;
}

StreamedSubscriptions::State StreamedSubscriptions::stateOf(const QString &uri) const
{
    if (m_active && m_active->acknowledged().uris.contains(uri))
        return State::Active;
    if (m_soon.isActive() || (m_next && m_next->requested().uris.contains(uri)))
        return State::Requested;
    if (isUnacknowledged(uri))
        return State::Refused;
    return m_end ? stateAfter(m_end->end) : State::None;
}

bool StreamedSubscriptions::isUnacknowledged(const QString &uri) const
{
    return m_active && m_active->requested().uris.contains(uri);
}

StreamedSubscriptions::State StreamedSubscriptions::state() const
{
    if (m_active)
        return State::Active;
    if (m_next || m_soon.isActive())
        return State::Requested;
    return m_end ? stateAfter(m_end->end) : State::None;
}

ListenFilter StreamedSubscriptions::requested() const
{
    return m_next ? m_next->requested() : m_active ? m_active->requested() : m_desired;
}

ListenFilter StreamedSubscriptions::acknowledged() const
{
    return m_active ? m_active->acknowledged() : ListenFilter();
}

// Several wishes of one turn become one stream.
void StreamedSubscriptions::listen(const ListenFilter &desired)
{
    m_desired = desired;
    m_retry.stop();
    m_soon.start(0);
}

// One that the server has ended is not opened again for that.
void StreamedSubscriptions::listenToLess(const ListenFilter &desired)
{
    m_desired = desired;
    if (m_active || m_next || desired.isEmpty())
        listen(desired);
}

void StreamedSubscriptions::listenToTasks(const ListenFilter &desired)
{
    const QStringList heard = m_next || m_active ? requested().taskIds : QStringList();
    const bool isNew = std::any_of(desired.taskIds.begin(), desired.taskIds.end(),
                                   [&heard](const QString &id) { return !heard.contains(id); });
    const bool isOver = m_end && !m_active && !m_next;  // and is not opened again for that
    m_desired = desired;
    if (!isOver && (isNew || desired.isEmpty()))
        listen(desired);
}

void StreamedSubscriptions::listenAgain()
{
    m_losses = 0;
    m_asksAgain = true;
    listen(m_desired);
}

void StreamedSubscriptions::open()
{
    if (!m_client)
        return;
    m_soon.stop();
    m_retry.stop();
    m_end.reset();
    const bool asksAgain = std::exchange(m_asksAgain, false);
    if (m_desired.isEmpty()) {
        stop();
    } else if (m_active && m_active->requested() == m_desired && !asksAgain) {
        drop(std::exchange(m_next, nullptr));
    } else if (!m_next || m_next->requested() != m_desired) {
        drop(std::exchange(m_next, nullptr));
        auto *stream = new ListenStream(m_client, m_desired, m_pauses.acknowledgement, this);
        m_next = stream;
        connect(stream, &ListenStream::findingAdded, this, &StreamedSubscriptions::findingAdded);
        connect(stream, &ListenStream::acknowledgedNow, this, [this, stream] { onAcknowledged(stream); });
        connect(stream, &ListenStream::ended, this,
                [this, stream](ListenStream::End end, const Error &error) { onEnded(stream, end, error); });
    }
    Q_EMIT changed();
}

void StreamedSubscriptions::onAcknowledged(ListenStream *stream)
{
    drop(std::exchange(m_active, stream));
    m_next = nullptr;
    m_activeSinceNs = monotonicNs();
    m_wasAcknowledged = true;
    const QPointer<StreamedSubscriptions> alive(this);
    if (std::exchange(m_hasGap, false))
        readListsAgain(stream->acknowledged());
    if (alive)
        Q_EMIT changed();
}

void StreamedSubscriptions::onEnded(ListenStream *stream, ListenStream::End end, const Error &error)
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
    const QPointer<StreamedSubscriptions> alive(this);
    if (end == ListenStream::End::Lost || end == ListenStream::End::Unacknowledged)
        Q_EMIT findingAdded(
            end == ListenStream::End::Lost ? tr("The subscription was lost: %1").arg(error.message) : error.message,
            id);
    if (alive)
        Q_EMIT changed();
}

void StreamedSubscriptions::retryLater()
{
    if (++m_losses >= MaxFirstTries && !m_wasAcknowledged) {
        m_end->end = ListenStream::End::Refused;
        return;
    }
    std::chrono::milliseconds pause = m_pauses.retry;
    for (int i = 1; i < m_losses && pause < MaxRetryInterval; ++i)
        pause *= 2;
    pause = std::min(pause, MaxRetryInterval);
    m_end->error.hint = tr("Subscribing again in %1 s.").arg(QString::number(double(pause.count()) / 1000, 'g', 3));
    m_retry.start(pause);
}

// Nobody has heard what changed in between, but a list that the server has called fresh until later still is.
void StreamedSubscriptions::readListsAgain(const ListenFilter &filter)
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

void StreamedSubscriptions::drop(ListenStream *stream)
{
    if (!stream)
        return;
    m_past.insert(stream->id());
    stream->disconnect(this);
    stream->release();
}

void StreamedSubscriptions::stop()
{
    m_soon.stop();
    m_retry.stop();
    drop(std::exchange(m_next, nullptr));
    drop(std::exchange(m_active, nullptr));
}

bool StreamedSubscriptions::receive(const Message &notification, const RequestId &carrier)
{
    const QString method = notification.method();
    if (method == methods::Cancelled) {
        const RequestId id = RequestId::fromValue(notification.params()[u"requestId"]);
        if (ListenStream *stream = openStream(id))
            stream->endAsCancelled();
        return false;
    }
    if (std::find(Carried.begin(), Carried.end(), method) == Carried.end())
        return false;
    const QPointer<StreamedSubscriptions> alive(this);
    ListenStream *stream = streamOf(notification, carrier);
    return alive && stream && stream->take(notification);
}

ListenStream *StreamedSubscriptions::openStream(const RequestId &id) const
{
    for (ListenStream *stream : {m_next, m_active}) {
        if (stream && stream->id() == id)
            return stream;
    }
    return nullptr;
}

// Null for one of a stream that is closed already, or was opened by hand. What the transport knows of the stream counts
// for more than what the message says of it.
ListenStream *StreamedSubscriptions::streamOf(const Message &notification, const RequestId &carrier)
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
