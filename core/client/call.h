// One request that is waiting for what comes of it, in as many rounds as that takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/outputcheck.h"
#include "core/protocol/error.h"
#include "core/protocol/message.h"
#include "core/protocol/types.h"

#include <QDateTime>
#include <QObject>
#include <QPointer>
#include <chrono>
#include <memory>
#include <optional>

namespace sonde {

// How a request ended. The first four exclude each other; findings can accompany any of them.
struct Outcome {
    enum class Kind {
        Ok,             // a result; isError absent or false
        ToolError,      // a result with isError: true
        ProtocolError,  // the server answered with a JSON-RPC error
        NoResponse      // ours: timeout, cancelled, connection lost, a response that is no response
    };
    Kind kind = Kind::NoResponse;
    Message message;                          // the response; Invalid for NoResponse
    Error error;                              // for ProtocolError and NoResponse
    QStringList findings;                     // about something that worked
    QList<StructuredIssue> structuredIssues;  // of tools/call; findings has them as sentences
    QDateTime startedAt;                      // UTC
    qint64 durationNs = 0;
    qint64 bytes = 0;  // of the response on the wire

    json::Value result() const { return message.result(); }
};

// What becomes of a call that the server makes a task of. Only calls of tools.
struct TaskOptions {
    enum class Follow : quint8 {
        No,         // the task is the outcome
        Connected,  // until it is over, or the connection
        Always      // also when it is connected again
    };
    Follow follow = Follow::No;
    bool ask = false;                              // for a task, where calls have to say so
    std::optional<std::chrono::milliseconds> ttl;  // how long the server should keep it; none: as it likes
};

struct CallOptions {
    std::chrono::milliseconds timeout{60'000};    // without response or progress; 0: none
    std::chrono::milliseconds maxTotal{600'000};  // whatever the progress; 0: none
    bool askForProgress = true;                   // send a progressToken
    bool cancellable = true;                      // false: the server is not told that we gave up (initialize)
    RequestId id;                                 // of the first round; None: the client takes one
    QString logLevel;                             // of messages about this call; only where each request says it
    // Sent once more, with the same id, when the server has forgotten the session and a new one was begun. Only for
    // what may run twice. IfHarmless: Client::setHarmlessCalls() knows.
    enum class Repeat : quint8 { No, IfHarmless, Yes };
    Repeat repeat = Repeat::No;
    TaskOptions task = {};
};

class CallTask;
class Client;
class InputRound;
struct TaskState;

// A round is one request on the wire. Most calls have one. Where the server wants to know something first, or works on
// a task, the client sends further ones under ids of their own, and only the last response is the outcome.
//
// Contract:
//  1. finished() comes exactly once, and never before Client::request() has returned.
//  2. The client owns the call, and deletes it some time after finished() was emitted, as deleteLater() would.
//  3. When many calls end at once, each ends once even if slots end or delete others.
//  4. Loss of the transport, a timeout and Client's end finish every open call with an Error; so does deleting
//     the client, without emitting anything. A call whose response has arrived and is only being parsed is not lost
//     with the transport: it ends with its response.
//     Nor is one that has become a task and is followed Always: it is asked for again when the client is connected.
//  5. cancel() of a call that has ended is a no-op.
//  6. A late response is never delivered: it is noted in the recording.
class Call : public QObject {
    Q_OBJECT
public:
    ~Call() override;

    const RequestId &id() const { return m_id; }        // of the present round: each has one of its own
    const QString &method() const { return m_method; }  // of the first round, as are the params
    const QByteArray &params() const { return m_params; }
    int round() const { return m_round; }  // 1 for the first
    const QDateTime &startedAt() const { return m_startedAt; }
    qint64 elapsedNs() const;
    bool isFinished() const { return m_finished; }
    bool isAwaitingCredentials() const { return bool(m_credentials); }  // before this round is sent, or sent again

    // Tells the server the reason, in English, and ends the call with Kind::Cancelled, asynchronously. The server is
    // not told when its response has arrived already and is being parsed, nor of what the dialect has no cancellation
    // for. A task is cancelled with a request; what the server does then is not awaited.
    void cancel(const QString &reason = {});

    // What is known of its task; null where it has none. No deadline counts the time of a task but that of single
    // requests about it.
    const TaskState *task() const;
    bool isTaskUnreachable() const;  // the connection is gone
    qint64 nextLookMs() const;  // until the server is asked about the task again; -1: it is being asked, or cannot be

Q_SIGNALS:
    void taskChanged();
    void progressed(const sonde::Progress &progress);
    void finished(const sonde::Outcome &outcome);

private:
    friend class Client;
    Call(Client *client, RequestId id, QString method, QByteArray params, CallOptions options);

    Client *m_client;
    RequestId m_id;  // of the present round
    QString m_method;
    QByteArray m_params;
    CallOptions m_options;
    QDateTime m_startedAt;
    qint64 m_startedNs = 0;
    qint64 m_lastActivityNs = 0;
    std::optional<qint64> m_answeredNs;  // when the response of this round came, which may still be parsed
    qint64 m_waitedNs = 0;               // for a person, or for the pace of a task: no deadline counts it
    // While somebody holds it no deadline counts: the server is not the one that is waited for.
    std::weak_ptr<void> m_pause;
    QPointer<QObject> m_credentials;  // of this round: holds it as long as it waits for them
    QString m_roundMethod;
    QByteArray m_roundParams;
    int m_round = 1;
    int m_inputRounds = 0;
    bool m_wasMadeAgain = false;
    bool m_isBetweenRounds = false;
    bool m_isRaw = false;  // written by hand
    std::shared_ptr<InputRound> m_inputs;
    std::unique_ptr<CallTask> m_task;
    std::optional<qint64> m_endedNs;
    RequestId m_token;  // of its progress; None when none was asked for
    std::optional<double> m_lastProgress;
    QString m_tool;             // of tools/call
    bool m_isNextPage = false;  // of a list
    bool m_finished = false;
};

}  // namespace sonde

Q_DECLARE_METATYPE(sonde::Outcome)
