// From a transport to a client that is ready to be used, in named steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/client.h"
#include "core/client/era.h"
#include "core/protocol/revision.h"
#include "core/protocol/types.h"

#include <memory>
#include <optional>

namespace sonde {

class StatelessDialect;

// Opens the transport, finds out which era of the protocol the server speaks, shakes hands where that era wants it
// (spec: basic/lifecycle), tells the transport the revision. One use each. A server of stdio that exits on the question
// about its era is started again. Neither the transport nor the client is owned. When it does not come to Ready the
// transport is closed, so that no process and no connection is left behind.
class Connector : public QObject {
    Q_OBJECT
public:
    enum class Step { Idle, Opening, Probing, Handshake, Ready, Failed };
    Q_ENUM(Step)

    // Of opening the transport, and of each request of the handshake. Servers have been seen to need 16 s.
    static constexpr std::chrono::milliseconds DefaultTimeout{60'000};

    struct Options {
        QByteArray capabilities = QByteArrayLiteral("{}");  // what we can do, a JSON object
        std::chrono::milliseconds handshakeTimeout = DefaultTimeout;
        Revision proposed = statefulRevisions().first();
        // Automatic asks with server/discover, and shakes hands where the table of eras says so.
        enum class Era : quint8 { Automatic, Stateful, Stateless };
        Era era = Era::Stateful;
        std::chrono::milliseconds probeTimeout{5'000};  // of stdio, where silence is a verdict
        bool overHttp = false;
        bool tellsClientInfo = true;  // without a handshake, which always does
    };

    Connector(Client *client, Options options, QObject *parent = nullptr);

    void start();

    Step step() const { return m_step; }
    const ServerInfo &serverInfo() const { return m_serverInfo; }
    // What is wrong with a response to initialize that we could use all the same.
    const QStringList &findings() const { return m_findings; }
    // From the last request of the handshake to its response, as Outcome has it.
    qint64 latencyNs() const { return m_latencyNs; }
    // What server/discover has shown, as far as it was asked; a reason in words with either of the first two kinds.
    const std::optional<EraVerdict> &verdict() const { return m_verdict; }
    // It has closed the transport, and opens it again.
    bool isReopening() const { return m_isReopening; }

Q_SIGNALS:
    void stepChanged(sonde::Connector::Step step);
    // Exactly once. Kind::None: ready. Otherwise why not, in words: the transport's own error with its evidence, an
    // initialize error, no common revision (both sides' named), no response.
    void finished(const sonde::Error &error);

private:
    void enter(Step step);
    void fail(const Error &error);
    void failLater(const Error &error);
    void failAfterExit(const Error &error);
    void startDeadline();
    void begin();
    void probe();
    void onProbed(const Outcome &outcome);
    std::unique_ptr<StatelessDialect> makeStateless(Revision revision) const;
    void onNamelessError(const Message &message);
    void onClosed(const Error &error);
    void reopen();
    void becomeReady();
    void shakeHands();
    void onResponse(const Outcome &outcome);
    void sayInitialized();
    Error readResponse(const Outcome &outcome);
    Error withEvidence(Error error) const;

    QPointer<Client> m_client;
    Options m_options;
    Step m_step = Step::Idle;
    ServerInfo m_serverInfo;
    QStringList m_findings;
    qint64 m_latencyNs = 0;
    QPointer<Call> m_call;
    QTimer *m_deadline;   // of the opening, or of the wait for an exit
    Error m_provisional;  // set while that wait lasts
    std::optional<EraVerdict> m_verdict;
    bool m_isReopening = false;
    bool m_endsSoon = false;
};

}  // namespace sonde
