// Pairs requests with responses over a transport. Knows nothing of eras, windows or files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "core/client/dialect.h"
#include "core/client/inputrequest.h"
#include "core/transport/transport.h"

#include <QHash>
#include <QPointer>
#include <functional>
#include <memory>

class QTimer;

namespace sonde {

// Lives on the transport's thread and does not own it; one transport may follow another. Responses larger than 64 KiB
// are parsed on a worker thread before their call finishes, so that no response blocks the event loop.
class Client : public QObject {
    Q_OBJECT
public:
    explicit Client(Transport *transport = nullptr, QObject *parent = nullptr);
    ~Client() override;

    // Only while the one before is closed, or gone; null for none. What was open on that has ended.
    void setTransport(Transport *transport);
    Transport *transport() const { return m_transport; }
    // A signal of the transport, or of this class because of one, is being handled: code that wants to delete the
    // transport has to do it later. The pointer outlives the client.
    std::shared_ptr<const int> transportDepth() const;

    // JSON-RPC without a word of MCP until then.
    void setDialect(std::unique_ptr<Dialect> dialect);
    const Dialect &dialect() const { return *m_dialect; }

    // Never null and never finished on return; when nothing can be sent the call ends with an Error next turn.
    // params: a JSON object, or empty for none. See Call for the contract.
    Call *request(QStringView method, const QByteArray &params = {}, const CallOptions &options = {});
    // Goes on with a task that an earlier call has started. params: those of that tools/call. As request() otherwise.
    Call *followTask(const QString &taskId, const QByteArray &params, const CallOptions &options = {});
    Error notify(QStringView method, const QByteArray &params = {});
    bool wasCancelled(const RequestId &id) const;   // by us, before its response came
    QString openMethod(const RequestId &id) const;  // of a request that waits for its response; empty for others
    // Sends these bytes as they are, however wrong: a request edited by hand. Never null. When they hold a usable id
    // that no open call has, the returned call waits for the response to it; otherwise it ends next turn with an Error
    // of Kind::Local that says that nothing is awaited, and a response is a finding: unmatched.
    // headers: of HTTP, for these bytes only; without HTTP, or wrong, they end the call with an Error and nothing is
    // sent.
    Call *sendRaw(const QByteArray &bytes, const CallOptions &options = {}, const MessageHeaders &headers = {});

    // What is declared to the server, a JSON object. Questions of the kinds in it are asked with inputRequested(),
    // which somebody must listen to then; all others are answered with -32601.
    void setCapabilities(const QByteArray &capabilities);

    // Whether this call may run twice. Asked when a session is lost, about those whose options leave it to that.
    void setHarmlessCalls(std::function<bool(const Call &)> isHarmless);
    // Lists all tools anew, for a call that the server refused because of their definitions, and tells when that is
    // over.
    void setToolLister(std::function<void(std::function<void()> whenListed)> listTools);
    // After the loss of a session (Error::Reason::SessionLost) calls that are repeatable stay open. repeatKept() sends
    // them once more on the transport that is open again, failKept() gives them up.
    // Tasks that are followed Always wait for repeatKept() alone.
    void repeatKept();
    void failKept(const Error &error);
    // The transport is about to be closed: what the server has asked for ends now.
    void closeServerRequests();

Q_SIGNALS:
    // What the transport said, after its calls have heard of it.
    void transportOpened();
    void transportClosed(const sonde::Error &error);
    // The way of one message, there or back, failed; the transport goes on.
    void transportFailed(const sonde::RequestId &id, const sonde::Error &error);
    // Before Call::finished(), for those who are interested in all calls. Slots do not delete the call or the client.
    void callEnded(const sonde::Call &call, const sonde::Outcome &outcome);
    // Every notification but progress, which belongs to its call.
    // carrier: as Transport::received() says.
    void notified(const sonde::Message &notification, const sonde::RequestId &carrier);
    // A request of the server; see InputRequest for the contract.
    void inputRequested(sonde::InputRequest *request);
    // A request of the server that we could not answer (-32601 was sent), or answered (ping).
    void serverRequested(const sonde::Message &request);
    // Something is wrong with the conversation: late, duplicate or unmatched responses, batches where none
    // are allowed. The recorder records it as a Note. Slots only take note of it: they end no call and do not delete
    // the client.
    void findingAdded(const QString &finding, const sonde::Message &message);

protected:
    // The clock of all deadlines, and what looks at it: a test brings its own time and says when it has moved.
    virtual qint64 now() const;
    virtual qint64 timeOf(const WireEvent &event) const;  // on that clock
    void checkDeadlines();

private:
    friend class Call;
    class Batches;
    class ServerRequests;
    class Tasks;
    void cancel(Call *call, const QString &reason);
    void forget(Call *call);
    class Private;
    std::unique_ptr<Private> d;
    QPointer<Transport> m_transport;
    std::unique_ptr<Dialect> m_dialect;
    QHash<RequestId, Call *> m_calls;
};

}  // namespace sonde
