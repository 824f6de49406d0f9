// Work that would hold up the event loop, done on a thread of the global pool.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace sonde {

// What work returned; empty when there was not enough memory for it.
template <typename Work>
auto startOnWorker(Work work)
{
    using Value = std::optional<std::invoke_result_t<Work>>;
    const auto promise = std::make_shared<QPromise<Value>>();
    QFuture<Value> future = promise->future();
    QThreadPool::globalInstance()->start([promise, work = std::move(work)]() mutable {
        promise->start();
        Value value;
        try {
            value = work();
        } catch (const std::bad_alloc &) {
            value.reset();
        }
        promise->addResult(std::move(value));
        promise->finish();
    });
    return future;
}

// Calls take on the thread of the context with what work returned, unless the context is gone by then. take gets an
// optional, which is empty when there was not enough memory for the work; it may delete the context. Deleting what this
// returns has take not called.
template <typename Work, typename Take>
QObject *runOnWorker(QObject *context, Work work, Take take)
{
    using Value = std::optional<std::invoke_result_t<Work>>;
    auto *watcher = new QFutureWatcher<Value>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, take = std::move(take)]() mutable {
        watcher->setParent(nullptr);  // or it would go with the context, within its own signal
        watcher->deleteLater();
        take(watcher->result());
    });
    watcher->setFuture(startOnWorker(std::move(work)));
    return watcher;
}

}  // namespace sonde
