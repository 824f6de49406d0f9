// The inside of a Connection: one start after the other over the same client, catalog and session.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauth.h"
#include "core/check/sessioncheck.h"
#include "core/connection/connection.h"
#include "core/connection/loglevelchoice.h"
#include "core/connection/readcache.h"
#include "core/connection/secretcollector.h"
#include "core/connection/serverstart.h"
#include "core/connection/subscriptions.h"
#include "core/connection/toolmemory.h"
#include "core/session/recorder.h"

#include <QTimer>
#include <functional>
#include <map>

namespace sonde {

class Connection::Private {
public:
    Private(Connection *connection, ServerSpec spec, ConnectionOptions options);

    void startAnew();
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
    ConnectionOptions options;
    std::shared_ptr<OAuth> oauth;
    struct Responder {
        QPointer<QObject> context;
        std::function<void(InputRequest *)> respond;
    };
    std::map<InputRequest::Kind, Responder> responders;

    State state = State::Disconnected;
    bool reopen = false;  // once it is closed
    ServerRun run;
    StartSteps steps;

    // In the order in which each needs the ones before it; destroyed the other way round.
    std::unique_ptr<Session> session;
    std::unique_ptr<SessionCheck> messageCheck;  // where it is wanted
    std::unique_ptr<Recorder> recorder;          // of the current run
    std::unique_ptr<Transport> transport;        // of the current run, or the last
    std::unique_ptr<Client> client;
    std::unique_ptr<Catalog> catalog;
    std::unique_ptr<ToolMemory> toolMemory;
    std::unique_ptr<Subscriptions> subscriptions;
    std::unique_ptr<TaskList> tasks;
    ReadCache reads;
    std::unique_ptr<LogLevelChoice> logLevel;
    SecretCollector secrets;
    std::unique_ptr<ServerStart> start;  // while it is being started

private:
    void begin();
    void beginRun();
    std::unique_ptr<ServerStart> makeStart();
    void onStarted();
    void useTransport(std::unique_ptr<Transport> made);
    std::shared_ptr<CredentialSource> credentialsFor(const ServerSpec &resolved);
    CredentialSource::Observer signInObserver();
    bool startsAgain(const Error &reason, bool usedMemory);
    bool mayTryNextTransport(const Error &reason) const;
    void tryNextTransport(const Error &reason, const std::shared_ptr<CredentialSource> &credentials);
    void list();
    void listenToTasks();
    void renew(const Error &reason);
    void dropTransport();
    void onTapped(const WireEvent &event);
    void watchReach(const WireEvent &event);
    void watchJunk(const WireEvent &event);
    void onFailed(const Error &reason);
    void onConnectionLost(const Error &reason, bool wasSent);
    void setTrouble(const Error &reason, const QString &text);
    void onClosed(const Error &reason);
    void disconnected(const Error &reason);
    void giveUpPending();
    void setState(State state);

    QTimer m_beginLater;
    QTimer m_endLater;
    bool m_foundHttpSse = false;  // by a start of this server, so that the next begins with HTTP+SSE
    bool m_hasTriedNext = false;  // transport, since the user started or the server could be used
    bool m_isAskedAgain = false;  // the next start follows one that what was remembered had failed
    bool m_isRenewed = false;     // this session replaces a lost one, and has answered nothing yet
};

}  // namespace sonde
