// The arguments that the window was started with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QStringList>

namespace sonde::app {

struct StartArguments {
    bool demo = false;
    QStringList servers;   // by name
    QStringList sessions;  // files
    QStringList lines;     // addresses, and one command line
    QString folder;        // that the command runs in: the shell's
    bool exitAfterPaint = false;
    QString text;  // help or version: to be printed instead of anything else

    // arguments: including the program's name. Unknown words are an Error, so that a typo is not stored as a server.
    static Result<StartArguments> read(const QStringList &arguments);
};

}  // namespace sonde::app
