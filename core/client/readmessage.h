// Reads a large message on a worker thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/protocol/worker.h"

#include <utility>

namespace sonde {

enum class MessageDepth : quint8 { Envelope, Tree };

// Calls take on the thread of the context, unless that is gone by then. A message that there is not enough memory for
// comes out without its text.
template <typename Take>
void readMessage(QObject *context, const QByteArray &bytes, MessageDepth depth, Take take)
{
    const auto read = [bytes, depth] {
        const Message message = Message::parse(bytes);
        if (depth == MessageDepth::Tree)
            (void)message.document();
        return message;
    };
    runOnWorker(context, read,
                [take = std::move(take)](const std::optional<Message> &message) { take(message.value_or(Message())); });
}

}  // namespace sonde
