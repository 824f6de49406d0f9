// The definitions of the demo server's tools: the response to tools/list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/conversation.h"

namespace sonde::demo {

// As raw JSON, so that every key stays where it was put.
QList<QByteArray> toolDefinitions(const Conversation &conversation);

}  // namespace sonde::demo
