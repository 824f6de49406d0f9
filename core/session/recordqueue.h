// What a session has to record while a worker thread is busy with a large record: it waits behind that, in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFuture>
#include <QObject>
#include <deque>
#include <functional>

namespace sonde {

// Used on the thread of its context only, which outlives it; finish() has to be called before it goes.
class RecordQueue {
public:
    explicit RecordQueue(QObject *context) : m_context(context) {}
    Q_DISABLE_COPY_MOVE(RecordQueue)

    // From now on a large record is under way, in steps, until end(). A step: work on a worker thread, then next here.
    void begin() { m_isBusy = true; }
    void step(std::function<void()> work, std::function<void()> next);
    // It has its place. What waited goes on, in turns of the event loop.
    void end();
    bool isBusy() const { return m_isBusy; }

    // Whether what is to be recorded now has to wait.
    bool mustWait() const { return (m_isBusy || !m_behind.empty()) && !m_isGoingOn; }
    void add(std::function<void()> action) { m_behind.push_back(std::move(action)); }
    // Everything, at once, however long it takes.
    void finish();

private:
    void goOn(bool isAtOnce);
    void addNext();

    QObject *const m_context;
    bool m_isBusy = false;
    bool m_isGoingOn = false;  // with what waited
    quint64 m_step = 0;
    QFuture<void> m_work;
    std::function<void()> m_next;
    std::deque<std::function<void()>> m_behind;
};

}  // namespace sonde
