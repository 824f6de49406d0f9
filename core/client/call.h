// One request that is waiting for its response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/outputcheck.h"
#include "core/protocol/error.h"
#include "core/protocol/message.h"
#include "core/protocol/types.h"

#include <QDateTime>
#include <QObject>
#include <chrono>
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
    Message message;                          // the response; Invalid for NoAnswer
    Error error;                              // for ProtocolError and NoAnswer
    QStringList findings;                     // remarks on something that worked
    QList<StructuredIssue> structuredIssues;  // of tools/call; findings has them as sentences
    QDateTime startedAt;                      // UTC
    qint64 durationNs = 0;
    qint64 bytes = 0;  // of the response on the wire

    json::Value result() const { return message.result(); }
};

struct CallOptions {
    std::chrono::milliseconds timeout{60'000};    // without response or progress; 0: none
    std::chrono::milliseconds maxTotal{600'000};  // whatever the progress; 0: none
    bool askForProgress = true;                   // send a progressToken
    bool cancellable = true;                      // false: the server is not told that we gave up (initialize)
    // Sent once more, with the same id, when the server has forgotten the session and a new one was begun. Only for
    // what may run twice.
    bool isRepeatable = false;
};

class Client;

// Contract:
//  1. finished() comes exactly once, and never before Client::request() has returned.
//  2. The client owns the call; it deletes itself. deleteLater() is called before finished() is emitted, because a
//     slot may delete the client.
//  3. When many calls end at once, each ends once even if slots end or delete others.
//  4. Loss of the transport, a timeout and Client's end finish every open call with an Error; so does deleting
//     the client, without emitting anything. A call whose response has arrived and is only being parsed is not lost
//     with the transport: it ends with its response.
//  5. cancel() of a call that has ended is a no-op.
//  6. A late response is never delivered: it is noted in the recording.
class Call : public QObject {
    Q_OBJECT
public:
    ~Call() override;

    const RequestId &id() const { return m_id; }
    const QString &method() const { return m_method; }
    const QByteArray &params() const { return m_params; }
    const QDateTime &startedAt() const { return m_startedAt; }
    qint64 elapsedNs() const;
    bool isFinished() const { return m_finished; }

    // Tells the server (notifications/cancelled) and ends the call with Kind::Cancelled, asynchronously. The server is
    // not told when its response has arrived already and is being parsed, nor about initialize.
    void cancel(const QString &reason = {});

Q_SIGNALS:
    void progressed(const sonde::Progress &progress);
    void finished(const sonde::Outcome &outcome);

private:
    friend class Client;
    Call(Client *client, RequestId id, QString method, QByteArray params, CallOptions options);

    Client *m_client;
    RequestId m_id;
    QString m_method;
    QByteArray m_params;
    CallOptions m_options;
    QDateTime m_startedAt;
    qint64 m_startedNs = 0;
    qint64 m_lastActivityNs = 0;
    std::optional<qint64> m_answeredNs;  // when the response came, which may still be parsed
    std::optional<qint64> m_endedNs;
    RequestId m_token;  // of its progress; None when none was asked for
    std::optional<double> m_lastProgress;
    QString m_tool;             // of tools/call
    bool m_isNextPage = false;  // of a list
    bool m_finished = false;
};

}  // namespace sonde

Q_DECLARE_METATYPE(sonde::Outcome)
