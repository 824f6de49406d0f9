// One start of a server: from its description to a connection that can be used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/connector.h"
#include "core/connection/connection.h"
#include "core/connection/serverrun.h"
#include "core/server/approval.h"

#include <QDateTime>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace sonde {

// Goes through the steps in their order: approval, secrets, target, transport, handshake. Ends once, in finished();
// to destroy it before cancels it, whatever it waits for, but leaves the transport as it is. Receivers of its signals
// may destroy it. GUI thread.
class ServerStart : public QObject {
    Q_OBJECT
public:
    // What a start works with. Not owned, and outlives it.
    struct Parts {
        const ServerSpec &spec;
        const ConnectionOptions &options;
        Session *session;
        Client *client;
        StartSteps *steps;
        ServerRun *run;  // gets what is found out
        bool usesHttpSse = false;
        QDateTime rememberedSince;          // what earlier starts know of the server; see EraStore
        std::function<bool()> hasApprover;  // somebody follows approvalNeeded()
        // Who the person is to this server, over HTTP; null: nobody is asked. Called once the secrets are known.
        std::function<std::shared_ptr<CredentialSource>(const ServerSpec &resolved)> credentialsFor;
        // Takes a transport that is not open yet, and gives it to the client.
        std::function<void(std::unique_ptr<Transport>)> useTransport;
        std::function<QByteArray()> capabilities;  // to declare
    };

    explicit ServerStart(Parts parts) : m_parts(std::move(parts)) {}
    ~ServerStart() override;

    void begin();
    // Goes on from there with what an earlier start has resolved. why: that transport, a sentence.
    void beginWithTransport(const std::shared_ptr<CredentialSource> &credentials, const QString &why);

    // Nothing was started or contacted yet.
    bool isPreparing() const { return !m_hasTransport; }
    // That the start waits for; null: it does not.
    const Approval *approval() const { return m_approval ? &*m_approval : nullptr; }
    Error approve();  // why it will be asked again next time; the start goes on all the same
    Connector::Step connectorStep() const { return m_connector ? m_connector->step() : Connector::Step::Idle; }
    const std::shared_ptr<CredentialSource> &credentials() const { return m_credentials; }
    // It was known that the server wants a handshake, and it was not asked.
    bool usesMemory() const { return m_parts.rememberedSince.isValid(); }

    void onTransportClosed(const Error &reason);

Q_SIGNALS:
    void changed();  // a step, or what it waits for
    void approvalNeeded();
    void finished(const sonde::Error &error);

private:
    void askForApproval();
    void compareWithApproved();
    void resolveSecrets();
    void useSecrets(const QHash<QString, QString> &values);
    void findTarget();
    void askLoginShell(const std::function<void()> &then);
    void findProgram();
    void chooseTransport(const QString &why);
    QString transportReason() const;
    std::unique_ptr<Transport> makeTransport();
    void open(std::unique_ptr<Transport> transport);
    Connector::Options connecting() const;
    void enterHandshake();
    void awaitCredentials(CredentialWait *wait);
    void goOnWithCredentials();
    void onConnectorFinished(const Error &reason);
    void dropConnector();
    void finishLater(const Error &error);

    const Parts m_parts;
    std::optional<Approval> m_approval;
    QString m_approvedProgram;  // empty: any
    std::shared_ptr<CredentialSource> m_credentials;
    bool m_hasTransport = false;
    std::unique_ptr<Connector> m_connector;
    Error m_refusal;  // why the connector gave up on a transport that is still closing
};

}  // namespace sonde
