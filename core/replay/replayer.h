// Makes the calls of a session again, against a live server, and says what comes out otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/replay/recordedresponder.h"
#include "core/replay/replayjudge.h"

#include <QHash>
#include <QPointer>
#include <QTimer>

namespace sonde {

// One run. Calls are made one after the other in recorded order, whatever overlapped when they were recorded, each
// when the one before has ended. The handshake is compared, not made again: the connection has made it. Cursors of
// lists and identifiers of tasks are those of the live server. Pings say nothing and are left out.
// Every request of the server on this connection is given the recorded response, from the moment this is made on and as
// long as it lives; see RecordedResponder. One that was left unanswered then is left so now.
class Replayer : public QObject {
    Q_OBJECT
public:
    // What to do about tools that change something: those that are not annotated as harmless. The protocol's defaults
    // hold: a tool that says nothing may be destructive.
    enum class Destructive { Ask, Allow, Skip };

    // The session is a recording; it must stay unchanged meanwhile. Neither is owned. Where the connection is not
    // connected when start() is called, every step fails for the connection's reason. What a server asks as soon as it
    // can be answered only where this was made before, or in the turn in which that happened.
    // material: of this recording, perhaps with fewer steps.
    Replayer(const Session *recording, ReplayMaterial material, Connection *connection, const ReplayRules &rules,
             QObject *parent = nullptr);
    ~Replayer() override;

    void setDestructive(Destructive policy) { m_policy = policy; }

    void start();
    // Answers asked(): run this one, or leave it out.
    void decide(bool run);
    void cancel();
    // Judges every step that has run anew: `first` at once, the others in slices until judged(). That may be before
    // this returns.
    void setRules(const ReplayRules &rules, qsizetype first = -1);
    bool isJudging() const { return m_nextJudged >= 0; }  // some steps still stand as the rules of before had them

    const QList<ReplayStep> &steps() const { return m_steps; }
    // Of the step's record, for people.
    quint32 numberOf(const ReplayStep &step) const { return m_recording->numberOf(step.call.row); }
    // What the server had asked outside of any call and did not ask this time, once finished. No step is to blame: it
    // may not have had the time.
    QStringList serverRequestsLeft() const { return m_responder.missingMethods(); }
    const ReplayRules &rules() const { return m_judge.rules(); }
    bool isFinished() const { return m_phase == Phase::Finished; }
    int count(ReplayStep::Status status) const;
    bool isUnanswered() const;  // a call got no response at all, or could not be made for want of a connection
    // Whether the session recorded meanwhile can replace the recording: nothing was left out or went without response
    // that had a response before, and all of it was stored.
    bool isAcceptable() const;

Q_SIGNALS:
    void asked(qsizetype step);  // Destructive::Ask: may it run? See decide()
    void stepChanged(qsizetype step);
    void finished();
    void judged();

private:
    enum class Phase { Ready, Listing, Running, Asking, Finished };

    void startCalls();
    void listTools();
    void next();
    void nextLater();
    bool begin(ReplayStep &step);
    void make(ReplayStep &step, const Message &request);
    void end(ReplayStep &step, const Outcome &outcome);
    void skip(ReplayStep &step, const QString &reason);
    void endRest();  // of what has not begun, in slices
    void finish();
    void judgeAgain(qsizetype step);
    void judgeRest();
    void handleServerRequest(const Message &serverRequest, InputRequest *request);
    void addLooseServerRequest(const ReplayServerRequest &serverRequest);
    void judgeHandshake(ReplayStep &step);
    void learn(const ReplayStep &step, const Message &live);
    Message masked(const Message &live) const;
    QString maskedText(const QString &text) const;
    bool mayDestroy(const ReplayStep &step) const;
    bool mayRepeat(const ReplayStep &step) const;
    ToolAnnotations annotationsOf(const QString &name) const;
    Result<QByteArray> paramsFor(const ReplayStep &step, const Message &request) const;

    const Session *m_recording;
    QPointer<Connection> m_connection;
    ReplayJudge m_judge;
    Destructive m_policy = Destructive::Ask;
    Phase m_phase = Phase::Ready;
    QList<ReplayStep> m_steps;
    qsizetype m_current = -1;
    qsizetype m_nextJudged = -1;  // anew, by other rules; -1: none is
    QString m_endReason;          // why nothing more is begun; empty: it goes on
    bool m_isUnsent = false;      // because there never was a connection
    bool m_isLost = false;
    bool m_isRenewing = false;  // the connection is beginning a new session
    QPointer<Call> m_call;
    RecordedResponder m_responder;
    QTimer m_settling;                                                        // until the next step may begin
    QList<std::pair<Message, QPointer<InputRequest>>> m_earlyServerRequests;  // null: it was refused already
    // What the live server told during this run.
    QHash<QString, ToolAnnotations> m_annotations;
    QHash<std::pair<QString, QString>, QString> m_cursors;  // by method and recorded cursor; empty: no such page
};

// For the connection that a replay is to be made over: it declares what the recording's client had declared, so that
// the server offers and asks the same, and leaves the lists to the recorded calls.
ConnectionOptions replayOptions(const ReplayMaterial &material);
// Declares to the server of such a connection that it may ask for what it could ask for when it was recorded. For a
// connection that is opened before there is a Replayer, which takes over; until then requests are refused.
void listenForServerRequests(Connection *connection);

}  // namespace sonde
