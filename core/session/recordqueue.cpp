// SPDX-License-Identifier: Apache-2.0
#include "core/session/recordqueue.h"

#include "core/transport/turnbudget.h"

#include <QPromise>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace sonde {

void RecordQueue::step(std::function<void()> work, std::function<void()> next)
{
    const auto promise = std::make_shared<QPromise<void>>();
    m_work = promise->future();
    m_next = std::move(next);
    promise->start();
    // finish() waits for the end of the work, so all of this is there for as long as it takes.
    QThreadPool::globalInstance()->start([this, promise, work = std::move(work), step = ++m_step] {
        work();
        QMetaObject::invokeMethod(
            m_context,
            [this, step] {
                if (m_step == step && m_next)
                    addNext();
            },
            Qt::QueuedConnection);
        promise->finish();
    });
}

void RecordQueue::addNext()
{
    m_work.waitForFinished();
    std::exchange(m_next, nullptr)();
}

void RecordQueue::end()
{
    m_isBusy = false;
    goOn(false);
}

// It has been looked at already, but may be a lot.
void RecordQueue::goOn(bool isAtOnce)
{
    const TurnBudget budget;
    m_isGoingOn = true;
    while (!m_isBusy && !m_behind.empty() && (isAtOnce || !budget.isSpent())) {
        const std::function<void()> action = std::move(m_behind.front());
        m_behind.pop_front();
        action();
    }
    m_isGoingOn = false;
    if (!m_isBusy && !m_behind.empty())
        QMetaObject::invokeMethod(
            m_context, [this] { goOn(false); }, Qt::QueuedConnection);
}

void RecordQueue::finish()
{
    while (m_isBusy || !m_behind.empty()) {
        if (!m_isBusy)
            goOn(true);
        else if (m_next)
            addNext();
    }
}

}  // namespace sonde
