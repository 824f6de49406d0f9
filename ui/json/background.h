// Work too long for the window's thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/worker.h"

#include <functional>

namespace sonde::ui {

// What is larger is parsed or decoded on a worker.
constexpr qsizetype BackgroundBytes = 64 * 1024;

// Runs work on a thread of the pool, then done on the context's thread; done is not called once the context is gone,
// nor when there was not enough memory. Whoever may ask again before the response has come compares a generation number
// of its own in done.
template <typename T>
void runInBackground(QObject *context, std::function<T()> work, std::function<void(const T &)> done)
{
    runOnWorker(context, std::move(work), [done = std::move(done)](const std::optional<T> &value) {
        if (value)
            done(*value);
    });
}

}  // namespace sonde::ui
