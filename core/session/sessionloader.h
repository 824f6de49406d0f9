// Reads a session's file on a thread of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/sessionreader.h"

#include <QEvent>
#include <QMutex>
#include <deque>

namespace sonde {

// Tells its receiver by an event that there is something to take. Shared by both threads.
class SessionLoader {
public:
    static QEvent::Type eventType();
    static std::shared_ptr<SessionLoader> start(SessionReader reader, QObject *receiver);

    struct Arrived {
        std::deque<ReadBatch> batches;
        bool isLast = false;
        bool isOutOfMemory = false;  // so that the rest was not read
    };
    Arrived take();
    void stop();  // no event comes after it

private:
    explicit SessionLoader(QObject *receiver) : m_receiver(receiver) {}
    void run(SessionReader &reader);
    bool deliver(ReadBatch &&batch);
    void tell();  // with the mutex held

    QMutex m_mutex;
    QObject *m_receiver;  // null: stopped
    Arrived m_arrived;
    bool m_isTold = false;
};

}  // namespace sonde
