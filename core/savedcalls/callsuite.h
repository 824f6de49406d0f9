// Saved calls made one after the other on a connection, and what came of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/replay/replaystep.h"
#include "core/savedcalls/placeholders.h"
#include "core/savedcalls/savedcall.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>

namespace sonde {

// All texts are as a recording has them: secrets are masked, since reports are made of them.
struct CallStep {
    enum class Status : quint8 {
        Waiting,
        Running,
        Passed,
        Failed,  // an expectation was not met
        Error,   // a JSON-RPC error that was not expected, no response, or not sent
        Skipped  // not made, because the suite was stopped
    };

    SavedCall call;
    Status status = Status::Waiting;
    std::optional<Outcome::Kind> outcome;  // none: not made
    QStringList reasons;                   // why it is Failed or Error, in sentences
    Error error;                           // of a JSON-RPC error, or why there is no response
    qint64 durationNs = -1;
    QList<json::Difference> differences;  // expected on the left; those that count
    qsizetype ignored = 0;                // the others
    bool isCut = false;                   // there are more differences
    Outcome response;                     // its findings; where it did not pass, the message as it was recorded

    bool hasEnded() const { return status != Status::Waiting && status != Status::Running; }
};
QString toString(CallStep::Status status);  // "passed", for machines

// The call of a step that did not pass, with what came back as what is expected: the outcome, and the result or error
// where one was expected. Nothing where no response came, or where nothing of this was wrong.
std::optional<SavedCall> accepted(const CallStep &step);

// In the order given; only stop(), or setStopsOnFailure(), ends it before the last. What placeholders stand for is read
// when a call is made, and the recording learns it first. A connection that is lost fails the calls that are left.
class CallSuite final : public QObject {
    Q_OBJECT
public:
    // Not owned: the connection is connected and outlives this.
    CallSuite(const QList<SavedCall> &calls, Connection *connection, QObject *parent = nullptr);

    void setStopsOnFailure(bool stops) { m_stopsOnFailure = stops; }
    void start();  // once
    void stop();   // the call under way is cancelled, the others are skipped

    const QList<CallStep> &steps() const { return m_steps; }
    qsizetype count(CallStep::Status status) const;
    bool isRunning() const { return m_isRunning; }

Q_SIGNALS:
    void stepChanged(qsizetype index);
    void progressed(const sonde::Progress &progress);
    void finished();

private:
    using Secrets = QHash<QString, QString>;

    void next();
    void readKeychain();
    void send(const Secrets &secrets);
    Result<json::Value> valueOf(const Placeholder &placeholder, const Secrets &secrets) const;
    Result<json::Value> resultOf(const Placeholder &placeholder) const;
    void learn(const Secrets &secrets);
    bool isSecret(const Placeholder &placeholder, const QString &value) const;
    bool isMasked(const Placeholder &placeholder) const;
    CallOptions options(const SavedCall &call) const;
    void end(const Outcome &outcome);
    void compare(CallStep &step, const Message &live) const;
    void notSent(const Error &why, CallStep::Status status);
    void finishStep();
    QString masked(const QString &text) const;

    Connection *m_connection;
    QList<CallStep> m_steps;
    qsizetype m_current = -1;
    QList<PlaceholderUse> m_uses;         // of the current call
    QSet<QString> m_needed;               // calls whose results others use
    QHash<QString, Message> m_responses;  // as they came, by the names of their calls
    QPointer<Call> m_call;
    bool m_stopsOnFailure = false;
    bool m_isStopped = false;
    bool m_isRunning = false;
};

}  // namespace sonde
