// What sonde-cli's exit code says: the five outcomes, kept apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

namespace sonde::cli {

enum class ExitCode {
    Ok = 0,             // a result
    ToolError = 1,      // the tool ran and says that it failed
    ProtocolError = 2,  // the server answered with a JSON-RPC error
    NoResponse = 3,     // not connected, timed out, cancelled, connection lost
    WrongUse = 4        // nothing was asked: the command line is wrong
};

inline ExitCode exitCodeFor(Outcome::Kind kind)
{
    switch (kind) {
        case Outcome::Kind::Ok:
            return ExitCode::Ok;
        case Outcome::Kind::ToolError:
            return ExitCode::ToolError;
        case Outcome::Kind::ProtocolError:
            return ExitCode::ProtocolError;
        case Outcome::Kind::NoResponse:
            break;
    }
    return ExitCode::NoResponse;
}

inline ExitCode exitCodeFor(const Error &error)
{
    return error.kind == Error::Kind::None     ? ExitCode::Ok
           : error.kind == Error::Kind::Remote ? ExitCode::ProtocolError
                                               : ExitCode::NoResponse;
}

}  // namespace sonde::cli
