// The pending table of a Client: how calls begin, what comes in for them, and how they end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/batches.h"
#include "core/client/client.h"
#include "core/client/clienttasks.h"
#include "core/client/requesthistory.h"
#include "core/client/serverrequests.h"
#include "core/transport/repeatlimit.h"

#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sonde {

// As long as it lives, a signal of the transport is being handled.
class Depth {
public:
    explicit Depth(std::shared_ptr<int> depth) : m_depth(std::move(depth)) { ++*m_depth; }
    ~Depth() { --*m_depth; }
    Q_DISABLE_COPY_MOVE(Depth)

private:
    std::shared_ptr<int> m_depth;
};

// The same JSON object on one line; empty stays empty. complaint: what to say about anything else.
Result<QByteArray> oneLineObject(const QByteArray &text, const QString &complaint);

// A call is open while it is in Client::m_calls. settle() takes it out, finish() emits; between the two no signal is
// emitted and no slot can run, or the call has been queued to finish: so it ends once whatever slots do.
class Client::Private {
public:
    using Ending = RequestHistory::Ending;

    explicit Private(Client *client)
        : tasks(client, this), serverRequests(client, this), batches(client, this), q(client)
    {}

    // Sending.
    bool wasCancelled(const RequestId &id) const { return m_history.isCancelled(id); }
    RequestId nextId();
    RequestId noteForeign(const RequestId &id);
    Error send(const Message &message, const OutgoingHeaders &headers = {});
    void send(Call *call, const Message &message, const OutgoingHeaders &headers = {});
    void sendRound(Call *call);
    void refuseRound(Call *call, const Error &error);

    // Receiving.
    void onTransportOpened();
    void onTapped(const WireEvent &event);
    void onTransportFailed(const RequestId &id, const Error &error);
    void receive(const Message &message, const RequestId &carrier = {});
    void fail(const RequestId &id, const Error &error);
    void onTransportClosed(const Error &error);

    // Finishing.
    bool isOpen(const Call *call) const { return q->m_calls.value(call->m_id) == call; }
    void settle(Call *call, Ending ending);
    void finish(Call *call, Outcome outcome);
    void deleteSoon(Call *call);
    void endLater(Call *call, const Error &error);
    void endUnanswered(const Error &error);
    void cancel(Call *call, const QString &reason);
    bool mayRepeat(const Call *call) const;
    void repeatKept();
    void failKept(const Error &error);
    void expireDue();
    // No deadline of the call counts as long as this lives; the same object for all who wait at once.
    std::shared_ptr<void> pauseDeadline(Call *call);

    // How many signals of the transport are being handled.
    std::shared_ptr<int> depth = std::make_shared<int>(0);
    QTimer deadline;
    QHash<int, RepeatLimit> findingLimits;  // of this connection, by kind
    Error loss;                             // why the transport is closed, when it told us
    std::function<bool(const Call &)> isHarmless;
    std::function<void(std::function<void()>)> listTools;
    Tasks tasks;
    ServerRequests serverRequests;
    Batches batches;

    // batch: that the message is an item of; null for none.
    void route(const Message &message, const RequestId &carrier = {}, const std::shared_ptr<BatchReply> &batch = {});
    void routeResponse(const Message &response);
    bool failEchoed(const Message &request);
    void routeNotification(const Message &notification, const RequestId &carrier);
    void routeWithdrawal(const Message &notification);
    void routeProgress(const Message &notification);
    void parseOnWorker(Call *call, const QByteArray &bytes);
    void conclude(Call *call, const Message &response);
    // A server can cause any of them without end, so each kind, which is each place that calls this, has a limit.
    void addFinding(const QString &text, const Message &message = {}, int kind = __builtin_LINE());
    void askForInputs(Call *call, const Interpretation &meaning);
    void repeatWithTools(Call *call);
    void startNextRound(Call *call, const RequestBody &body);
    void leaveTables(const Call *call);
    bool mayHaveOutputSchema(const Call *call, const Outcome &outcome) const;
    void checkOnWorker(Call *call, const Outcome &outcome);
    void complete(Call *call, const Outcome &outcome);

    bool canSend() const;
    void sendCancellation(const Call *call, const QString &reason);
    void expire(Call *call);
    void watch(qint64 deadlineNs);
    static qint64 deadlineOf(const Call *call);
    QList<QPointer<Call>> openCalls() const;

    // Deletes calls that have ended, all of one turn at once: each deleteLater() wakes the event loop.
    class EndedCalls final : public QObject {
    public:
        using QObject::QObject;
        ~EndedCalls() override;
        std::deque<QPointer<Call>> calls;
    };

    Client *const q;
    QPointer<EndedCalls> m_ended;
    RequestHistory m_history;
    QHash<RequestId, Call *> m_tokens;
    QList<QPointer<Call>> m_kept;  // open, but lost with their session
    DeclaredOutputs m_outputs;
    qint64 m_nextId = 1;
    bool m_hasForeignNumbers = false;
    qint64 m_watchedNs = 0;
    int m_sending = 0;
    std::optional<qint64> m_sentNs;  // the last message on the wire
    std::optional<qint64> m_receivedNs;
    std::optional<qint64> m_lostNs;  // when the connection ended
};

}  // namespace sonde
