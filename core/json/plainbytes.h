// How far a JSON string goes without anything that needs a look.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde::json {

// Plain: printable ASCII or DEL, and neither a quote nor a backslash. Text: the same, and bytes beyond ASCII.
enum class Bytes { Plain, Text };

template <Bytes kind>
constexpr bool isOfKind(char c)
{
    return c != '"' && c != '\\' && uchar(c) >= 0x20 && (kind == Bytes::Text || uchar(c) < 0x80);
}

// The first byte that is not of that kind.
template <Bytes kind>
const char *skip(const char *at, const char *end)
{
    while (at != end && isOfKind<kind>(*at))
        ++at;
    return at;
}

}  // namespace sonde::json
