// SPDX-License-Identifier: Apache-2.0
#include "core/operations/operationtables.h"

namespace sonde {

namespace {

// Either way, the near ones in small numbers.
quint32 distance(quint32 from, quint32 to)
{
    return to >= from ? (to - from) * 2 : (from - to) * 2 - 1;
}

quint32 atDistance(quint32 from, quint32 distance)
{
    return distance % 2 == 0 ? from + distance / 2 : from - (distance / 2 + 1);
}

constexpr quint32 ReasonShift = 4;
constexpr quint32 RoleMask = (1U << ReasonShift) - 1;
static_assert(quint32(RecordRole::Finding) <= RoleMask);

quint32 packed(RecordRole role, LinkReason reason)
{
    return (quint32(reason) << ReasonShift) | quint32(role);
}

}  // namespace

quint32 RecordLinks::next(quint32 row) const
{
    const quint32 found = m_next[row];
    return found == nothing ? nothing : atDistance(row, found);
}

RecordRole RecordLinks::role(quint32 row) const
{
    return RecordRole(m_kinds[row] & RoleMask);
}

LinkReason RecordLinks::reason(quint32 row) const
{
    return LinkReason(m_kinds[row] >> ReasonShift);
}

void RecordLinks::append()
{
    m_operations.append(nothing);
    m_next.append(nothing);
    m_kinds.append(packed(RecordRole::None, LinkReason::None));
}

void RecordLinks::set(quint32 row, quint32 operation, RecordRole role, LinkReason reason)
{
    m_operations.set(row, operation);
    m_next.set(row, nothing);
    m_kinds.set(row, packed(role, reason));
}

void RecordLinks::setNext(quint32 row, quint32 next)
{
    m_next.set(row, distance(row, next));
}

void RecordLinks::setRole(quint32 row, RecordRole role)
{
    m_kinds.set(row, packed(role, reason(row)));
}

Operation OperationTable::at(quint32 operation) const
{
    const quint32 state = m_states[operation];
    const quint32 current = rowOf(m_currents, operation);
    Operation made;
    made.requestRow = m_requests[operation];
    made.currentRow = current == nothing ? made.requestRow : current;
    made.outcome = RowOutcome(state & OutcomeMask);
    made.isOpen = m_ends[operation] == nothing;
    made.isTask = (state & IsTask) != 0;
    made.isLocal = (state & IsLocal) != 0;
    made.hasSteps = (state & HasSteps) != 0;
    return made;
}

quint32 OperationTable::add(quint32 requestRow, bool isLocal)
{
    m_requests.append(requestRow);
    m_lasts.append(0);
    m_ends.append(nothing);
    m_firstBytes.append(nothing);
    m_currents.append(nothing);
    m_states.append(quint32(RowOutcome::Pending) | IsChanged | (isLocal ? quint32(IsLocal) : 0));
    return size() - 1;
}

void OperationTable::end(quint32 operation, quint32 row, RowOutcome outcome)
{
    setRow(m_ends, operation, row);
    m_states.set(operation, (m_states[operation] & ~OutcomeMask) | quint32(outcome));
}

void OperationTable::reopen(quint32 operation)
{
    m_ends.set(operation, nothing);
    m_states.set(operation, (m_states[operation] & ~OutcomeMask) | quint32(RowOutcome::Pending));
}

bool OperationTable::setChanged(quint32 operation, bool changed)
{
    return setFlag(operation, IsChanged, changed);
}

quint32 OperationTable::rowOf(const PackedNumbers &distances, quint32 operation) const
{
    const quint32 found = distances[operation];
    return found == nothing ? nothing : atDistance(m_requests[operation], found);
}

void OperationTable::setRow(PackedNumbers &distances, quint32 operation, quint32 row)
{
    distances.set(operation, distance(m_requests[operation], row));
}

bool OperationTable::setFlag(quint32 operation, Flag flag, bool on)
{
    const quint32 state = m_states[operation];
    if (((state & flag) != 0) == on)
        return false;
    m_states.set(operation, state ^ flag);
    return true;
}

bool isStepRole(RecordRole role, bool isLate)
{
    switch (role) {
        case RecordRole::None:
        case RecordRole::Request:
        case RecordRole::Transport:
            return false;
        case RecordRole::Response:
        case RecordRole::ServerRequestResponse:
        case RecordRole::PollResponse:
            return isLate;
        default:
            return true;
    }
}

}  // namespace sonde
