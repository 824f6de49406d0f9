// What a person subscribed to on one server, and the lists that are followed there: in every revision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/catalog.h"
#include "core/connection/listenstream.h"

#include <memory>
#include <vector>

namespace sonde {

class StreamedSubscriptions;

// The dialect says how: in the stateful revisions by a request for each resource, in 2026-07-28 by one stream for all
// of them and for the changes of lists. What was wanted outlives the connection, and is asked for again on the next
// one.
class Subscriptions : public QObject {
    Q_OBJECT
public:
    enum class State {
        None,       // not wanted, or not connected
        Requested,  // waiting for the server
        Active,
        Refused,  // by the server, or it did not respond in time
        Ended,    // by the server, in order; subscribed again only when a person wants it
        Lost      // the stream broke; it is opened again by itself
    };
    Q_ENUM(State)
    struct Pauses {
        std::chrono::milliseconds acknowledgement{30'000};  // of a stream
        std::chrono::milliseconds retry{1'000};             // the first; it doubles
    };

    // Neither is owned; both outlive it.
    Subscriptions(Client *client, Catalog *catalog, QObject *parent = nullptr);
    ~Subscriptions() override;

    // Whether the connected server says that resources can be subscribed.
    bool canSubscribe() const { return m_isConnected && m_capabilities[u"resources"][u"subscribe"].toBool(); }
    // Whether one stream carries everything, so that there is a filter.
    bool hasStream() const { return m_stream != nullptr; }
    bool isWanted(const QString &uri) const;
    QStringList wanted() const;  // in the order in which they were
    QStringList active() const;
    void subscribe(const QString &uri);
    void unsubscribe(const QString &uri);
    // Running tasks, whose changes the stream is to tell as well. Those that are over are left out of the next stream;
    // no new one is opened for that. Does nothing but remember them where there is no stream.
    void setTasks(const QStringList &ids);
    State stateOf(const QString &uri) const;
    // Why it was refused, lost or ended; None otherwise.
    Error problemOf(const QString &uri) const;

    // The stream. Where there is none, or nothing to listen to: None.
    State state() const;
    // It was lost before, and is asked for again.
    bool isReconnecting() const;
    Error error() const;
    // What the newest stream was asked for, and what was granted to the one that is active.
    ListenFilter requested() const;
    ListenFilter acknowledged() const;
    void listenAgain();  // after it ended, was refused or lost

    // By the connection: it can be used, or cannot any more. What is wanted is asked for in the next turn.
    // followsLists: whether changes of the lists are wanted.
    void begin(const json::Value &capabilities, bool followsLists);
    void suspend();

    void setAcknowledgementTimeout(std::chrono::milliseconds timeout) { m_pauses.acknowledgement = timeout; }
    void setRetryInterval(std::chrono::milliseconds interval) { m_pauses.retry = interval; }

Q_SIGNALS:
    void changed();
    // changedUri: as the server named it; it may lie below what was subscribed.
    void updated(const QString &uri, const QString &changedUri);
    // Active once more after a time in which updates went unheard.
    void resumed(const QString &uri);
    // About the subscription of that request; None when it is about none.
    void findingAdded(const QString &finding, const sonde::RequestId &id);

private:
    struct Wanted {
        QString uri;
        bool isWanted = true;  // false: waits for its unsubscription
        bool isSubscribed = false;
        QPointer<Call> call;
        Error error;
        State shown = State::None;
        bool wasActive = false;
    };

    Wanted *find(const QString &uri);
    const Wanted *find(const QString &uri) const;
    State computedState(const Wanted &wanted) const;
    void announce();
    void askAll();

    // Without a stream.
    void reconcile(const QString &uri);
    void onResponse(const QString &uri, bool isSubscription, const Outcome &outcome);

    ListenFilter desired() const;
    void dropStream();
    void onNotified(const Message &notification, const RequestId &carrier);

    QPointer<Client> m_client;
    QPointer<Catalog> m_catalog;
    json::Value m_capabilities;
    bool m_isConnected = false;
    bool m_followsLists = false;
    std::vector<Wanted> m_wanted;
    QStringList m_tasks;
    QTimer m_soon;
    Pauses m_pauses;
    std::unique_ptr<StreamedSubscriptions> m_stream;  // while there is a connection whose dialect has one
};

}  // namespace sonde
