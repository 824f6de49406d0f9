// The responses to the requests of one batch of the server, which go back as one batch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

#include <QByteArrayList>

namespace sonde {

// Spec (2025-03-26): basic, "Batching"; JSON-RPC 2.0, section 6. They go once all of them are there, however long a
// person takes. A request that is withdrawn or lost has none, and is waited for no longer.
class BatchReply {
public:
    // What neither is a message nor means to be a response: the server is told so.
    static bool isInvalidRequest(const Message &item);
    static Message invalidRequest(const RequestId &id = {});  // null where it cannot be known

    bool isFull() const { return m_responses.size() >= Message::MaxBatchResponses; }
    void add(const Message &response) { m_responses.append(response.raw()); }

    // One more thing to wait for. The reader of the batch is the first of them.
    void wait() { ++m_awaited; }
    // One less. The responses as one batch when it was the last; an Invalid message before, and when there are none.
    Message release();

private:
    QByteArrayList m_responses;
    int m_awaited = 1;
};

}  // namespace sonde
