// The demo server's tools.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/session.h"

namespace sonde::demo {

void callTool(Session &session, const Request &request);

// One tool's way of answering. arguments: an object, compact, numbers as written.
using ToolFunction = void (*)(Session &session, const Request &request, const QByteArray &arguments);
ToolFunction toolFunction(const QString &name);

}  // namespace sonde::demo
