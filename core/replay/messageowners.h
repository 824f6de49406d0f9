// Which of our requests the server was busy with when it said something by itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/operations.h"

namespace sonde {

// Tells it as far as the operations link what it said, so that all who play a recording again agree.
class MessageOwners {
public:
    // The session must outlive this and stay unchanged.
    explicit MessageOwners(const Session *recording);

    // Finds it out, for about that long (negative: to the end); true when it is known.
    bool advance(qint64 budgetNs = -1);

    // Of a message of the server's: the row of the latest request of its operation that was waiting for its response
    // then. Of a task, the call that asks for its result counts, not the one that started it. -1: unknown.
    qsizetype ownerOf(qsizetype row) const;

private:
    void takeOperation(qsizetype operation);

    static constexpr quint32 Nobody = 0xFFFFFFFF;
    const Session *m_recording;
    Operations m_operations;
    qsizetype m_taken = 0;  // operations
    std::vector<quint32> m_owners;
};

}  // namespace sonde
