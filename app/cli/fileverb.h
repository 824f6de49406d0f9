// A verb that reads and writes files and talks to no server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/protocol/error.h"

namespace sonde::cli {

// Done when start() returns. Ctrl-C ends the program meanwhile.
class FileVerb : public Verb {
public:
    void start(const Profile &profile) final;

    static void say(const QString &text);  // on standard error
    // Says what could not be read or written.
    static ExitCode failed(const Error &error);

protected:
    virtual ExitCode run(const Profile &profile) = 0;
    static QString exitCodes();  // for the help
};

}  // namespace sonde::cli
