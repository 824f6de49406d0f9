// What is heard of a server of revision 2026-07-28 on one stream: subscribed resources, changes of lists and of tasks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/subscriptions.h"
#include "core/transport/repeatlimit.h"

#include <QSet>
#include <optional>

namespace sonde {

// For another choice a new stream is opened, and the old one closed as soon as that one is acknowledged. A stream that
// is lost is opened again. Of one connection.
class StreamedSubscriptions final : public QObject {
    Q_OBJECT
public:
    using State = Subscriptions::State;
    using Pauses = Subscriptions::Pauses;

    // All three outlive it, or it has been stopped.
    StreamedSubscriptions(Client *client, Catalog *catalog, const Pauses &pauses);
    ~StreamedSubscriptions() override;

    // From the next turn on.
    void listen(const ListenFilter &desired);
    void listenToLess(const ListenFilter &desired);   // no new stream is opened only for that
    void listenToTasks(const ListenFilter &desired);  // the same, where none is new
    void askAgain() { m_asksAgain = true; }           // also for the same
    void listenAgain();                               // after it ended, was refused or lost
    void stop();

    State state() const;
    State stateOf(const QString &uri) const;
    // Asked for, but not granted by the stream that is active.
    bool isUnacknowledged(const QString &uri) const;
    bool isReconnecting() const { return state() == State::Requested && m_hasGap && m_losses > 0; }
    Error error() const { return m_end ? m_end->error : Error(); }
    ListenFilter requested() const;
    ListenFilter acknowledged() const;

    // True for an update or a change that was subscribed.
    bool receive(const Message &notification, const RequestId &carrier);

Q_SIGNALS:
    void changed();
    void findingAdded(const QString &finding, const sonde::RequestId &id);

private:
    struct LastEnd {
        ListenStream::End end = ListenStream::End::Graceful;
        Error error;
    };

    void open();
    void onAcknowledged(ListenStream *stream);
    void onEnded(ListenStream *stream, ListenStream::End end, const Error &error);
    void retryLater();
    void readListsAgain(const ListenFilter &filter);
    void drop(ListenStream *stream);
    ListenStream *streamOf(const Message &notification, const RequestId &carrier);
    ListenStream *openStream(const RequestId &id) const;

    const QPointer<Client> m_client;
    const QPointer<Catalog> m_catalog;
    const Pauses &m_pauses;
    ListenFilter m_desired;
    ListenStream *m_active = nullptr;  // acknowledged
    ListenStream *m_next = nullptr;    // not yet
    QSet<RequestId> m_past;            // of the streams that are closed
    std::optional<LastEnd> m_end;      // of the newest one, when there is none in its place
    QTimer m_soon;
    QTimer m_retry;
    int m_losses = 0;                // in a row
    bool m_hasGap = false;           // nobody listened for a while
    bool m_asksAgain = false;        // also where the same was asked before
    bool m_wasAcknowledged = false;  // ever
    qint64 m_activeSinceNs = 0;
    RepeatLimit m_strays;
};

}  // namespace sonde
