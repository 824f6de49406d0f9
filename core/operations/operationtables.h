// The tables of Operations: what is kept of each record and of each operation, a few bytes only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/operations.h"
#include "core/operations/packednumbers.h"

#include <QHash>
#include <vector>

namespace sonde {

// Where each record belongs. The records of an operation are a chain, in the order in which they were linked.
class RecordLinks {
public:
    static constexpr quint32 nothing = PackedNumbers::Nothing;

    quint32 size() const { return quint32(m_operations.size()); }
    quint32 operation(quint32 row) const { return m_operations[row]; }  // nothing: none
    quint32 next(quint32 row) const;                                    // of the chain; nothing: none yet
    RecordRole role(quint32 row) const;
    LinkReason reason(quint32 row) const;

    void append();  // one that belongs to nothing
    void set(quint32 row, quint32 operation, RecordRole role, LinkReason reason);
    void setNext(quint32 row, quint32 next);
    void setRole(quint32 row, RecordRole role);

private:
    PackedNumbers m_operations;
    PackedNumbers m_next;   // as distances
    PackedNumbers m_kinds;  // role and reason
};

// Rows are kept as distances from the request's: mostly the others come soon after it.
class OperationTable {
public:
    static constexpr quint32 nothing = PackedNumbers::Nothing;

    quint32 size() const { return quint32(m_requests.size()); }
    Operation at(quint32 operation) const;
    quint32 requestRow(quint32 operation) const { return m_requests[operation]; }
    quint32 lastRow(quint32 operation) const { return rowOf(m_lasts, operation); }            // of its chain
    quint32 endRow(quint32 operation) const { return rowOf(m_ends, operation); }              // nothing: it is open
    quint32 firstByteRow(quint32 operation) const { return rowOf(m_firstBytes, operation); }  // nothing: none yet

    // Newest of all, and changed: the rows of requests rise.
    quint32 add(quint32 requestRow, bool isLocal);
    void setCurrentRow(quint32 operation, quint32 row) { setRow(m_currents, operation, row); }
    void setLastRow(quint32 operation, quint32 row) { setRow(m_lasts, operation, row); }
    void setFirstByteRow(quint32 operation, quint32 row) { setRow(m_firstBytes, operation, row); }
    void end(quint32 operation, quint32 row, RowOutcome outcome);
    void reopen(quint32 operation);
    void setTask(quint32 operation) { setFlag(operation, IsTask, true); }
    void setSteps(quint32 operation) { setFlag(operation, HasSteps, true); }
    bool setChanged(quint32 operation, bool changed);  // false: it was so already

private:
    enum Flag : quint32 { IsTask = 0x08, IsLocal = 0x10, HasSteps = 0x20, IsChanged = 0x40 };
    static constexpr quint32 OutcomeMask = 0x07;

    quint32 rowOf(const PackedNumbers &distances, quint32 operation) const;
    void setRow(PackedNumbers &distances, quint32 operation, quint32 row);
    bool setFlag(quint32 operation, Flag flag, bool on);

    PackedNumbers m_requests;
    PackedNumbers m_lasts;
    PackedNumbers m_ends;
    PackedNumbers m_firstBytes;
    PackedNumbers m_currents;  // of those that were retried
    PackedNumbers m_states;    // outcome and flags
};

// All that is known of the operations of a session.
struct OperationData {
    RecordLinks links;
    OperationTable operations;
    std::vector<quint32> changed;
    QHash<quint32, std::vector<TimeSpan>> waits;  // for a person, that are over
    QHash<quint32, std::vector<BatchedCall>> batched;
};

// See Operations::isStep().
bool isStepRole(RecordRole role, bool isLate);

}  // namespace sonde
