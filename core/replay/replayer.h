// Makes the calls of a session again, against a live server, and says what comes out otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/replay/recording.h"
#include "core/replay/rules.h"

#include <QHash>
#include <QPointer>

namespace sonde {

struct ReplayStep {
    enum class Status : quint8 {
        Waiting,
        Running,
        Same,     // the same answer by value, but for what the rules ignore
        Changed,  // another answer
        Failed,   // no answer, or a JSON-RPC error that was none before or another one
        Skipped   // not made: reason says why
    };

    RecordedCall call;
    QString method;
    QString target;  // tool, prompt or URI
    Status status = Status::Waiting;
    QString reason;              // why it was skipped or failed
    bool isDestructive = false;  // known once it is its turn
    bool wasForbidden = false;   // skipped because nobody allowed it
    Message recorded;            // both answers, once it has run; Invalid where there was none
    Message live;
    qint64 durationNs = -1;               // of the live call
    QList<json::Difference> differences;  // in the result or error; what the rules ignore is left out
    bool isCut = false;                   // there are more differences
    int ignored = 0;                      // differences that the rules ignore

    bool hasRun() const { return status == Status::Same || status == Status::Changed || status == Status::Failed; }
};

// One run. Calls are made one after the other in recorded order, whatever overlapped when they were recorded, each
// when the one before has ended. The handshake is compared, not made again: the connection has made it. Cursors of
// lists are those of the live server. Pings say nothing and are left out.
class Replayer : public QObject {
    Q_OBJECT
public:
    // What to do about tools that change something: those that are not annotated as harmless. The protocol's defaults
    // hold: a tool that says nothing may be destructive.
    enum class Destructive { Ask, Allow, Skip };

    // The session is a recording; it must stay unchanged meanwhile. Neither is owned. The connection is connected.
    Replayer(const Session *recording, Connection *connection, const ReplayRules &rules, QObject *parent = nullptr);
    ~Replayer() override;

    void setDestructive(Destructive policy) { m_policy = policy; }
    // Only these rows of requests; without it, all of them.
    void select(const QList<qsizetype> &rows);

    void start();
    // Answers asked(): run this one, or leave it out.
    void decide(bool run);
    void cancel();
    // Judges every step that has run anew.
    void setRules(const ReplayRules &rules);

    const QList<ReplayStep> &steps() const { return m_steps; }
    const ReplayRules &rules() const { return m_rules; }
    bool isFinished() const { return m_phase == Phase::Finished; }
    int count(ReplayStep::Status status) const;
    bool isUnanswered() const;  // a call got no answer at all, or could not be made for want of a connection
    // Whether what was recorded meanwhile can stand in for the recording: nothing was left out or went unanswered
    // that had an answer before.
    bool isAcceptable() const;

Q_SIGNALS:
    void asked(qsizetype step);  // Destructive::Ask: may it run? See decide()
    void stepChanged(qsizetype step);
    void finished();

private:
    enum class Phase { Ready, Listing, Running, Asking, Finished };

    void listTools();
    void next();
    void nextLater();
    bool begin(ReplayStep &step);
    void make(ReplayStep &step, const Message &request);
    void end(ReplayStep &step, const Outcome &outcome);
    void skip(ReplayStep &step, const QString &reason);
    bool skipRest(const QString &reason);  // whether there was any
    void finish();
    void judge(ReplayStep &step) const;
    void judgeHandshake(ReplayStep &step);
    void learn(const ReplayStep &step);
    bool mayDestroy(const ReplayStep &step) const;
    Result<QByteArray> paramsFor(const ReplayStep &step, const Message &request) const;

    const Session *m_recording;
    QPointer<Connection> m_connection;
    ReplayRules m_rules;
    Destructive m_policy = Destructive::Ask;
    Phase m_phase = Phase::Ready;
    QList<ReplayStep> m_steps;
    qsizetype m_current = -1;
    bool m_isLost = false;
    QPointer<Call> m_call;
    // What the live server told during this run.
    QHash<QString, ToolAnnotations> m_annotations;
    QHash<std::pair<QString, QString>, QString> m_cursors;  // by method and recorded cursor; empty: no such page
};

// "same", "changed" … for machines.
QString toString(ReplayStep::Status status);

}  // namespace sonde
