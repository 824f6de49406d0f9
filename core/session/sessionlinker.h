// Pairs requests with responses over the records of a session, in the order in which they happened.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/record.h"

#include <QHash>
#include <QList>
#include <deque>
#include <vector>

namespace sonde {

// What a record teaches about an earlier one. Zero and None leave things as they are.
struct LinkChange {
    quint32 number = 0;
    quint32 partner = 0;
    RowOutcome outcome = RowOutcome::None;
    bool hasFinding = false;
    bool isLost = false;

    void applyTo(RecordInfo &record) const
    {
        if (partner != 0)
            record.partner = partner;
        if (outcome != RowOutcome::None)
            record.outcome = outcome;
        if (hasFinding)
            record.hasProblems = true;
        if (isLost)
            record.isLost = true;
    }
};

// By connection, direction and id. What cannot be told for certain stays unlinked. Live recording and reading use the
// same linker, so that both come to the same links.
class SessionLinker {
public:
    // The record of a request; number is the record's own.
    void request(const RequestId &id, quint32 number, RecordInfo &record);
    // The record of a response. `record.outcome` says what kind of response it is.
    void response(const RequestId &id, quint32 number, RecordInfo &record, std::vector<LinkChange> &changes);
    // An element of a batch. number and `batch` are those of the whole, whose outcome is the worst of its requests',
    // once all of them have one. A response links others, but not the batch itself.
    void requestInBatch(const RequestId &id, quint32 number, quint32 method, quint32 target, RecordInfo &batch);
    void responseInBatch(const RequestId &id, quint32 number, Direction direction, int connection, RowOutcome outcome,
                         std::vector<LinkChange> &changes);
    // Nobody waits for the response to a request of ours any more. Its record, or 0 when it is not pending.
    quint32 giveUp(const RequestId &id, int connection, RowOutcome outcome, bool isLost,
                   std::vector<LinkChange> &changes);
    bool isPending(const RequestId &id, int connection) const;
    bool hasAskedForInput(const RequestId &id, int connection) const;  // the response, which is given with a retry
    QList<RequestId> pending(int connection) const;                    // requests of ours, oldest first
    // Whether a response to it, which comes the other way, has something to be linked to.
    bool awaits(const RequestId &id, int connection, Direction requester) const;
    // The method of the request that a response from that side would be linked to; 0: none is open.
    quint32 methodAwaiting(const RequestId &id, int connection, Direction direction) const;
    // Nothing comes over this connection any more.
    void endConnection(int connection, bool isLost, std::vector<LinkChange> &changes);
    void endAll(std::vector<LinkChange> &changes);
    // The record of that side's latest request with this id; 0: none that is remembered.
    quint32 requestOf(const RequestId &id, int connection, Direction requester) const;
    // The latest record that carries this id, in either direction; 0: none that is remembered.
    quint32 latest(const RequestId &id, int connection) const;

private:
    enum class State : quint8 { Pending, Ambiguous, Answered, AskedForInput, GivenUp, Unknown };

    struct Exchange {
        State state = State::Unknown;
        quint32 request = 0;  // number of its record
        quint32 latest = 0;
        quint32 method = 0;
        quint32 target = 0;
        quint32 serial = 0;  // of its last entry in `ended`
    };

    // The requests that one side of one connection made.
    struct Side {
        QHash<RequestId, Exchange> exchanges;
        // Exchanges that are over are remembered for late and repeated responses, up to a number.
        std::deque<std::pair<quint32, RequestId>> ended;
        quint32 serial = 0;
    };

    State stateOf(const RequestId &id, int connection) const;  // of a request of ours
    static quint32 keyOf(int connection, Direction requester)
    {
        return quint32(connection) << 1 | (requester == Direction::FromServer ? 1U : 0U);
    }
    // Requests of a batch that have no outcome yet, and the worst of the others'.
    struct Batch {
        int open = 0;
        RowOutcome worst = RowOutcome::None;
    };

    static void end(Side &side, const RequestId &id, Exchange &exchange, State state);
    void endSide(Side &side, bool isLost, std::vector<LinkChange> &changes);
    RowOutcome recordOutcome(quint32 request, RowOutcome outcome);

    QHash<quint32, Side> m_sides;
    QHash<quint32, Batch> m_batches;  // by number
};

}  // namespace sonde
