// A verb that reads and writes files and talks to no server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/protocol/error.h"

namespace sonde::cli {

// Done when start() returns. Ctrl-C ends the program meanwhile.
class FileVerb : public Verb {
public:
    void declareShared(app::OptionTable &table) override;
    void start(const Profile &profile) final;

protected:
    virtual ExitCode run(const Profile &profile) = 0;
    // Each says what is wrong. What cannot be read is a usage error, what cannot be written is not.
    ExitCode wrongUse(const Error &error) const;
    ExitCode cannotWrite(const Error &error) const;
    static QString exitCodes();  // for the help
};

}  // namespace sonde::cli
