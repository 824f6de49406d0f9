// Batches (revision 2025-03-26): one record that can speak of several operations, and belongs to one only where it
// speaks of no other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/openoperations.h"

#include <optional>

namespace sonde {

class OperationBatches {
public:
    OperationBatches(const Session *session, OperationData *data, OpenOperations *open)
        : m_session(session), m_data(*data), m_open(*open)
    {}

    void add(quint32 row);
    // A response to a request within a batch of ours, or that it was given up.
    void endElement(quint32 row, quint32 operation, const RequestId &id, RowOutcome outcome);

private:
    static constexpr quint32 nothing = OpenOperations::nothing;
    // What an element of a batch belongs to.
    struct Part {
        quint32 operation = nothing;
        RecordRole role = RecordRole::None;
        LinkReason reason = LinkReason::None;
    };

    void openBatch(quint32 row, const QList<Message> &elements);
    Part takeElement(quint32 row, const Message &element, std::optional<Part> &placed);
    Part takeResponse(quint32 row, const Message &response);

    const QPointer<const Session> m_session;
    OperationData &m_data;
    OpenOperations &m_open;
};

}  // namespace sonde
