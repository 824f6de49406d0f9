// The inside of Operations: the tables, and how they grow record by record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/operationlinks.h"
#include "core/operations/operations.h"
#include "core/operations/operationtables.h"
#include "core/protocol/messagefields.h"

#include <QPointer>
#include <QSet>
#include <optional>

namespace sonde {

class Operations::Private {
public:
    explicit Private(const Session *shown) : session(shown) {}

    static constexpr quint32 nothing = PackedNumbers::Nothing;
    enum class PollKind { None, Get, Result, Cancel, Update };
    static PollKind pollKind(QStringView method);
    static bool isStep(RecordRole role, bool isLate);

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

    // What an element of a batch belongs to.
    struct Part {
        quint32 operation = nothing;
        RecordRole role = RecordRole::None;
        LinkReason reason = LinkReason::None;
    };

    // Of the server, also within a batch.
    struct ServerRequest {
        quint32 row = nothing;
        quint32 operation = nothing;
        bool asksPerson = false;
    };

    // One connection.
    struct Peer {
        enum class Transport { Unknown, Pipe, Http } transport = Transport::Unknown;
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

    void add(qsizetype row);
    void addMessage(quint32 row);
    void addRequest(quint32 row);
    void addServerRequest(quint32 row);
    void addResponse(quint32 row);
    void addNotification(quint32 row);
    void addCancel(quint32 row, const CallFields &fields);
    void addProgress(quint32 row, const CallFields &fields);
    bool addTaskStatus(quint32 row, const CallFields &fields);
    void addBatch(quint32 row);
    void openBatch(quint32 row, const QList<Message> &elements);
    void endElement(quint32 row, quint32 operation, const RequestId &id, RowOutcome outcome);
    Part takeElement(quint32 row, const Message &element, std::optional<Part> &placed);
    Part takeResponse(quint32 row, const Message &response);
    void addElicitationEnd(quint32 row, const CallFields &fields);
    void addTransport(quint32 row);
    void addRemark(quint32 row);
    void addOpening(quint32 row);
    void endConnection(quint16 connection, quint32 row);

    quint32 openOperation(quint32 row, LinkReason reason);
    bool awaits(quint32 operation, quint32 request) const;  // its response; a task awaits nobody's
    void close(quint32 operation, quint32 row, RowOutcome outcome);
    void link(quint32 row, quint32 operation, RecordRole role, LinkReason reason);
    void touch(quint32 row, quint32 operation);  // it changed, and something came back for it
    void doubt(quint32 row, RecordRole role, LinkReason reason);
    LinkReason place(quint32 row, const CallFields &fields, quint32 *operation) const;
    LinkReason findRetried(quint32 row, const CallFields &fields, quint32 *operation) const;
    // The call that the server refused until a person has done something elsewhere, and that is made once more.
    LinkReason findRepeated(quint32 row, quint32 *operation);
    QList<quint32> withSameArguments(quint32 row, const QList<quint32> &candidates) const;
    void reopen(quint32 row, quint32 operation);
    void openServerRequest(const RequestId &id, const ServerRequest &serverRequest);
    ServerRequest endServerRequest(const RequestId &id, quint32 row);  // without a row: none was open
    void takeElicitation(quint32 row, quint32 operation, const QString &id);
    void takeStream(quint32 row, quint32 operation);
    void takeResult(quint32 row, quint32 operation);
    void takePollResult(quint32 row, quint32 request, quint32 operation);
    void takeTaskState(quint32 operation, const ResultFields &fields, quint32 row);
    void beginWait(quint32 operation, quint32 row);
    void endWait(quint32 operation, quint32 row);

    qint64 streamOf(quint32 row) const;  // -1: none
    Peer &peer(quint32 row) { return peers[session->at(row).connection]; }
    QString method(quint32 row) const { return session->name(session->at(row).method); }
    QByteArray retryKey(quint32 request, const QByteArray &state) const;

    const QPointer<const Session> session;
    RecordLinks links;
    OperationTable operations;
    std::vector<quint32> changed;
    QHash<quint16, Peer> peers;
    QHash<quint32, Live> live;
    QHash<quint32, std::vector<TimeSpan>> waits;
    QHash<quint32, std::vector<BatchedCall>> batched;
    OperationNames<QString> tasks;  // of any connection: they outlive it
};

}  // namespace sonde
