// The PATH of the person's login shell, which version managers extend for terminals only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QObject>
#include <functional>

namespace sonde {

// Runs $SHELL once as a login shell that is interactive as well, as a terminal does, since that is where its start
// files set PATH. It gets the base list of the environment, no input, and MaxMs; what it has started by then is killed.
// What it said is kept as long as the program runs, also that it failed. Everything on the thread of the program.
class LoginShell {
public:
    struct Path {
        QString path;   // empty: not asked yet, or it failed
        QString shell;  // the program that was asked
        Error error;    // why there is no path
        qint64 ms = 0;  // that it took
    };
    static constexpr int MaxMs = 10'000;

    static Path known();
    static bool wasAsked();  // and has answered or failed
    // then is called with what it said, from the event loop; not when the context is gone by then.
    static void ask(QObject *context, const std::function<void(const Path &)> &then);
    static void forget();  // the next one to ask has it run again
};

}  // namespace sonde
