// Runs slow work outside of the GUI thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/worker.h"

#include <QThreadPool>
#include <functional>
#include <utility>

namespace sonde::ui {

// Larger texts are parsed or decoded on a worker.
constexpr qsizetype BackgroundBytes = 64 * 1024;

// Runs `work` on a thread of the pool, then `done` on the context's thread; `done` is not called after the context was
// deleted, or if memory ran out. A caller that may start again before the result is there compares a generation number
// in `done`.
template <typename T>
void runInBackground(QObject *context, std::function<T()> work, std::function<void(const T &)> done)
{
    runOnWorker(context, std::move(work), [done = std::move(done)](const std::optional<T> &value) {
        if (value)
            done(*value);
    });
}

// Frees what takes long to free, such as the tree of a long text.
template <typename T>
void freeInBackground(T value)
{
    QThreadPool::globalInstance()->start([value = std::move(value)] {});
}

}  // namespace sonde::ui
