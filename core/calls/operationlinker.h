// What each kind of record means for the operations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/openoperations.h"
#include "core/calls/operationbatches.h"

namespace sonde {

class OperationLinker {
public:
    OperationLinker(const Session *session, OperationData *data)
        : m_session(session), m_data(*data), m_open(session, data), m_batches(session, data, &m_open)
    {}

    void add(qsizetype row);  // the next one
    // The last one is a batch that was not read to its end.
    bool isWithinBatch() const { return m_batches.isReading(); }
    void readBatch(const std::function<bool()> &isSpent) { m_batches.readOn(isSpent); }
    const OpenOperations &open() const { return m_open; }

private:
    static constexpr quint32 nothing = OpenOperations::nothing;
    void addMessage(quint32 row);
    void addRequest(quint32 row);
    void addServerRequest(quint32 row);
    void addResponse(quint32 row);
    void addNotification(quint32 row);
    void addCancel(quint32 row, const CallFields &fields);
    void addProgress(quint32 row, const CallFields &fields);
    bool addTaskStatus(quint32 row, const CallFields &fields);
    void addElicitationEnd(quint32 row, const CallFields &fields);
    void addTransport(quint32 row);
    void addFinding(quint32 row);
    void addOpening(quint32 row);

    void applyResult(quint32 row, quint32 operation);
    void applyPollResult(quint32 row, quint32 request, quint32 operation);
    void applyTaskState(quint32 operation, const ResultFields &fields, quint32 row);

    const QPointer<const Session> m_session;
    OperationData &m_data;
    OpenOperations m_open;
    OperationBatches m_batches;
};

}  // namespace sonde
