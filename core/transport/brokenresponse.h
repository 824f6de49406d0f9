// Which broken messages end a request instead of leaving it to its timeout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"

namespace sonde {

// Log lines may be JSON with an "id" as well, so that alone does not make a response.
inline bool isBrokenResponse(const Message &message)
{
    if (message.kind() != Message::Kind::Invalid || !message.id().isMatchable() || !message.method().isEmpty())
        return false;
    return message.isJsonRpc() || message.result().exists() || message.error().exists();
}

}  // namespace sonde
