// The operations that are open: how they begin, go on and end, and how a record finds its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operationdata.h"
#include "core/calls/operationnames.h"
#include "core/protocol/messagefields.h"

#include <QPointer>
#include <QSet>

namespace sonde {

// Writes what it finds out into the tables, which outlive it.
class OpenOperations {
public:
    static constexpr quint32 nothing = OperationData::nothing;

    // What is needed of an operation only as long as it is open.
    struct Live {
        quint16 connection = 0;
        QSet<RequestId> tokens;
        QSet<qint64> streams;
        QSet<QString> elicitations;
        QByteArray awaitedRetry;  // key in Peer::awaitingRetry
        QString task;
        QHash<RequestId, int> unanswered;  // of a batch: place in `batched`
        bool isInputWaiting = false;
        int waiting = 0;  // questions to a person that are open
        qint64 waitingSince = 0;
    };

    // Of the server, also within a batch.
    struct ServerRequest {
        quint32 row = nothing;
        quint32 operation = nothing;
        bool asksPerson = false;
    };

    // One connection.
    struct Peer {
        // Over a channel, the server sends everything on one stream, whatever call it belongs to.
        enum class Transport { Http, Pipe, Channel } transport = Transport::Http;
        QSet<quint32> open;
        QSet<quint32> mayAsk;  // the ones among them that a server request or a log may belong to
        OperationNames<RequestId> ids;
        OperationNames<RequestId> tokens;
        OperationNames<qint64> streams;
        OperationNames<QString> elicitations;
        QHash<qint64, quint32> streamRows;  // HTTP requests whose message is still to come
        QHash<QByteArray, QList<quint32>> awaitingRetry;
        QHash<QByteArray, QList<quint32>> failedForInput;  // over unless the same is sent again
        QHash<RequestId, ServerRequest> serverRequests;    // that are open
    };

    OpenOperations(const Session *session, OperationData *data) : m_session(session), m_data(*data) {}

    quint32 open(quint32 row, LinkReason reason);
    bool awaits(quint32 operation, quint32 request) const;  // its response; a task awaits nobody's
    void close(quint32 operation, quint32 row, RowOutcome outcome);
    void reopen(quint32 row, quint32 operation);
    void endConnection(quint16 connection, quint32 row);
    void endAll(quint32 row);

    void link(quint32 row, quint32 operation, RecordRole role, LinkReason reason);
    void touch(quint32 row, quint32 operation);  // it changed, and something came back for it
    void doubt(quint32 row, RecordRole role, LinkReason reason);

    LinkReason place(quint32 row, const CallFields &fields, quint32 *operation) const;
    LinkReason findTask(const QString &task, quint32 *operation) const;
    // The call whose response asked for the input that this request gives. It is found by the state, which the server
    // may make as it likes and gets back unchanged; without one, or where several calls got the same, by the arguments.
    LinkReason findRetried(quint32 row, const CallFields &fields, quint32 *operation);
    // The call that the server refused until a person has done something elsewhere, and that is made once more.
    LinkReason findRepeated(quint32 row, quint32 *operation);

    void openServerRequest(const RequestId &id, const ServerRequest &serverRequest);
    ServerRequest endServerRequest(const RequestId &id, quint32 row);  // without a row: none was open
    void addElicitation(quint32 row, quint32 operation, const QString &id);
    void addStream(quint32 row, quint32 operation);
    // For input that was asked for with a response or with the status of a task.
    void beginInputWait(quint32 operation, quint32 row);
    void endInputWait(quint32 operation, quint32 row);
    // A response asked for more, to be given with a retry; and the retry.
    void awaitRetry(quint32 row, quint32 operation, const QByteArray &state);
    void addRetry(quint32 row, quint32 operation, LinkReason reason);

    Live *live(quint32 operation);  // null: it has ended
    const Live *live(quint32 operation) const;
    Peer &peer(quint32 row) { return m_peers[m_session->at(row).connection]; }
    OperationNames<QString> &tasks() { return m_tasks; }
    qint64 streamOf(quint32 row) const;  // -1: none
    QString method(quint32 row) const { return m_session->name(m_session->at(row).method); }
    // The same for the same state, however it is escaped.
    QByteArray retryKey(quint32 request, const QByteArray &state) const;

private:
    void beginWait(quint32 operation, quint32 row);
    void endWait(quint32 operation, quint32 row);
    QList<quint32> withSameArguments(quint32 row, const QList<quint32> &candidates) const;
    void forgetRetry(Peer &on, const QByteArray &key, quint32 operation);

    const QPointer<const Session> m_session;
    OperationData &m_data;
    QHash<quint16, Peer> m_peers;
    QHash<quint32, Live> m_live;
    OperationNames<QString> m_tasks;  // of any connection: they outlive it
};

}  // namespace sonde
