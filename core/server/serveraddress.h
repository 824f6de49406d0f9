// Addresses of servers as people type them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/typedurl.h"

#include <optional>

namespace sonde {

// "https://example.com/mcp" as it is; "localhost:3000", "127.0.0.1:8000/mcp" and "[::1]:3000" with http://,
// "example.com/mcp" and "example.com:8443" with https://. Nothing for what is more likely a command ("server.py",
// "dist/run.sh", anything with a blank in it). Looks at the text only, never at files or the network.
std::optional<TypedUrl> addressFromText(const QString &text);

// The same for a text that is certainly meant as a URL: "example.com" alone too gets a scheme. What is no URL even then
// is invalid or has no scheme.
TypedUrl urlFromText(const QString &text);

}  // namespace sonde
