// Work too long for the window's thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <functional>
#include <memory>

namespace sonde::ui {

// What is larger is parsed or decoded on a worker.
constexpr qsizetype BackgroundBytes = 64 * 1024;

// Runs work on a thread of the pool, then done on the context's thread; done is not called once the context is gone.
// Whoever may ask again before the answer has come compares a generation number of its own in done.
template <typename T>
void runInBackground(QObject *context, std::function<T()> work, std::function<void(const T &)> done)
{
    auto promise = std::make_shared<QPromise<T>>();
    auto *watcher = new QFutureWatcher<T>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        if (watcher->future().resultCount() > 0)
            done(watcher->result());
    });
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
        promise->start();
        promise->addResult(work());
        promise->finish();
    });
}

}  // namespace sonde::ui
