// The inside of a Connection: one start after the other over the same client, catalog and session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauth.h"
#include "core/check/sessioncheck.h"
#include "core/client/connector.h"
#include "core/connection/approval.h"
#include "core/connection/connection.h"
#include "core/connection/disconnectreason.h"
#include "core/connection/loglevelchoice.h"
#include "core/connection/readcache.h"
#include "core/connection/secretcollector.h"
#include "core/connection/stdoutjunk.h"
#include "core/connection/subscriptions.h"
#include "core/connection/toolmemory.h"
#include "core/session/recorder.h"

#include <functional>
#include <map>
#include <optional>

namespace sonde {

class Connection::Private {
public:
    Private(Connection *connection, ServerSpec spec, ConnectionOptions options);

    void start();
    void stop();
    void tearDown();
    void passOn(InputRequest *request);
    bool isHarmless(const Call &call) const;
    QString progressText() const;
    bool isStateless() const;
    bool usesHttpSse() const { return spec.httpKind == ServerSpec::HttpKind::Sse || m_foundHttpSse; }
    void setSpec(const ServerSpec &spec);
    void forgetVerdict();
    QByteArray declaredCapabilities() const;
    bool mayUseTasks() const { return !spec.undeclaredCapabilities.contains(QStringLiteral("tasks")); }
    QStringList stderrTail() const { return transport ? transport->stderrTail() : QStringList(); }

    Connection *const q;
    ServerSpec spec;
    ServerSpec resolved;  // of the current start: with what is kept in the keychain
    std::shared_ptr<OAuth> oauth;
    std::optional<Approval> approval;  // that the start waits for
    Error approve();
    ConnectionOptions options;
    struct Responder {
        QPointer<QObject> context;
        std::function<void(InputRequest *)> respond;
    };
    std::map<InputRequest::Kind, Responder> responders;

    State state = State::Disconnected;
    bool reopen = false;
    int number = 0;  // of the current start, in the session
    Error error;
    Error trouble;
    QString troubleText;  // in few words
    DisconnectReason disconnectReason;
    ServerInfo serverInfo;
    QStringList handshakeFindings;
    QString revisionReason;
    StdoutJunk junk;
    QString target;
    qint64 latencyNs = -1;
    StartSteps steps;

    // In the order in which each needs the ones before it; destroyed the other way round.
    std::unique_ptr<Session> session;
    std::unique_ptr<SessionCheck> messageCheck;  // where it is wanted
    std::unique_ptr<Recorder> recorder;          // of the current start
    std::unique_ptr<Transport> transport;        // of the current start, or the last
    std::unique_ptr<Client> client;
    std::unique_ptr<Catalog> catalog;
    std::unique_ptr<ToolMemory> toolMemory;
    std::unique_ptr<Subscriptions> subscriptions;
    std::unique_ptr<TaskList> tasks;
    ReadCache reads;
    std::unique_ptr<LogLevelChoice> logLevel;
    SecretCollector secrets;
    std::unique_ptr<Connector> connector;

private:
    void begin();
    void forgetStart();
    // The steps of a start. Each ends with the next one, or in disconnected().
    void askForApproval();
    void compareWithApproved();
    void resolveSecrets();
    void useSecrets(const QHash<QString, QString> &values);
    void prepareSignIn();
    CredentialSource::Observer signInObserver();
    void findTarget();
    void askLoginShell(const std::function<void()> &then);
    void findProgram();
    void failLater(const Error &reason);
    void chooseTransport(const QString &why);
    void openTransport();
    Connector::Options connecting() const;
    // It is known since then that this server wants a handshake, and it was not asked.
    bool usesMemory() const { return m_rememberedSince.isValid(); }
    bool startsAgain(const Error &reason);
    bool mayTryNextTransport(const Error &reason) const;
    void tryNextTransport(const Error &reason);
    void enterHandshake();
    void awaitCredentials(CredentialWait *wait);
    void goOnWithCredentials();
    void list();
    void listenToTasks();
    void renew(const Error &reason);
    QString transportReason() const;
    std::unique_ptr<Transport> makeTransport();
    void dropTransport();
    bool isTransportClosed() const { return !transport || transport->state() == Transport::State::Closed; }
    void onTapped(const WireEvent &event);
    void watchReach(const WireEvent &event);
    void watchJunk(const WireEvent &event);
    void onFailed(const Error &reason);
    void onConnectionLost(const Error &reason, bool wasSent);
    void setTrouble(const Error &reason, const QString &text);
    void onConnectorFinished(const Error &error);
    void onClosed(const Error &error);
    void disconnected(const Error &error);
    void dropConnector();
    void giveUpPending();
    void setState(State state);

    qint64 m_handshakeNs = 0;
    QDateTime m_rememberedSince;  // what this start knows from an earlier one; see EraStore
    bool m_foundHttpSse = false;  // by a start of this server, so that the next begins with HTTP+SSE
    bool m_hasTriedNext = false;  // transport, since the user started or the server could be used
    bool m_isAskedAgain = false;  // the next start follows one that what was remembered had failed
    bool m_hasHeard = true;       // from the server, since a request went out
    bool m_isRenewed = false;     // this session replaces a lost one, and has answered nothing yet
    QString m_approvedProgram;    // empty: any
    bool m_isPreparing = false;   // nothing was started or contacted yet
    Error m_refusal;              // why the connector gave up on a transport that is still closing
    quint64 m_generation = 0;     // counts starts and stops, so that what was queued before one can be dropped
};

}  // namespace sonde
