// What a person subscribed to on one server, and the lists that are followed there: in every revision.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/catalog.h"
#include "core/connection/listenstream.h"
#include "core/transport/repeatlimit.h"

#include <QSet>
#include <optional>
#include <vector>

namespace sonde {

// In the stateful revisions a request for each resource; in 2026-07-28 one stream for all of them and for the changes
// of lists. For another choice a new stream is opened there, and the old one closed as soon as that one is
// acknowledged. What was wanted outlives the connection, and is asked for again on the next one.
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

    // Neither is owned; both outlive it.
    Subscriptions(Client *client, Catalog *catalog, QObject *parent = nullptr);
    ~Subscriptions() override;

    // Whether the connected server says that resources can be subscribed.
    bool canSubscribe() const { return m_isConnected && m_capabilities[u"resources"][u"subscribe"].toBool(); }
    // Whether one stream carries everything, so that there is a filter.
    bool hasStream() const { return m_isConnected && m_isStateless; }
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
    bool isReconnecting() const { return state() == State::Requested && m_hasGap && m_losses > 0; }
    Error error() const { return m_end ? m_end->error : Error(); }
    // What the newest stream was asked for, and what was granted to the one that is active.
    ListenFilter requested() const;
    ListenFilter acknowledged() const;
    void listenAgain();  // after it ended, was refused or lost

    // By the connection: it can be used, or cannot any more. What is wanted is asked for in the next turn.
    // followsLists: whether changes of the lists are wanted.
    void begin(const json::Value &capabilities, bool isStateless, bool followsLists);
    void suspend();

    void setAcknowledgementTimeout(std::chrono::milliseconds timeout) { m_acknowledgementTimeout = timeout; }  // 30 s
    void setRetryInterval(std::chrono::milliseconds interval) { m_retryInterval = interval; }  // the first; 1 s

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
    struct LastEnd {
        ListenStream::End end = ListenStream::End::Graceful;
        Error error;
    };

    Wanted *find(const QString &uri);
    const Wanted *find(const QString &uri) const;
    State computedState(const Wanted &wanted) const;
    void announce();
    void askAll();

    // Stateful.
    void reconcile(const QString &uri);
    void onResponse(const QString &uri, bool isSubscription, const Outcome &outcome);

    // Stateless.
    ListenFilter desired() const;
    void scheduleListening();
    void listen();
    void onAcknowledged(ListenStream *stream);
    void onEnded(ListenStream *stream, ListenStream::End end, const Error &error);
    void retryLater();
    void readListsAgain(const ListenFilter &filter);
    void drop(ListenStream *stream);
    void dropStreams();

    void onNotified(const Message &notification, const RequestId &carrier);
    ListenStream *streamOf(const Message &notification, const RequestId &carrier);
    ListenStream *openStream(const RequestId &id) const;

    QPointer<Client> m_client;
    QPointer<Catalog> m_catalog;
    json::Value m_capabilities;
    bool m_isConnected = false;
    bool m_isStateless = false;
    bool m_followsLists = false;
    std::vector<Wanted> m_wanted;
    QStringList m_tasks;

    ListenStream *m_active = nullptr;  // acknowledged
    ListenStream *m_next = nullptr;    // not yet
    QSet<RequestId> m_past;            // of the streams of this connection that are closed
    std::optional<LastEnd> m_end;      // of the newest one, when there is none in its place
    QTimer m_soon;
    QTimer m_retry;
    int m_losses = 0;                // in a row
    bool m_hasGap = false;           // nobody listened for a while
    bool m_asksAgain = false;        // also where the same was asked before
    bool m_wasAcknowledged = false;  // ever, on this connection
    qint64 m_activeSinceNs = 0;
    RepeatLimit m_strays;
    std::chrono::milliseconds m_acknowledgementTimeout{30'000};
    std::chrono::milliseconds m_retryInterval{1'000};
};

}  // namespace sonde
