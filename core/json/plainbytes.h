// How far a JSON string goes without anything that needs a look.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtEndian>
#include <bit>
#include <cstring>
#include <type_traits>

namespace sonde::json {

// Plain: printable ASCII or DEL, and neither a quote nor a backslash. Text: the same, and bytes beyond ASCII.
enum class Bytes { Plain, Text };

template <Bytes kind>
constexpr bool isOfKind(char c)
{
    return c != '"' && c != '\\' && uchar(c) >= 0x20 && (kind == Bytes::Text || uchar(c) < 0x80);
}

// The first byte that is not of that kind. Looks at sixteen bytes at a time, since strings are most of what is read.
template <Bytes kind>
const char *skip(const char *at, const char *end)
{
    // As signed numbers, bytes beyond ASCII are less than a space.
    using Byte = std::conditional_t<kind == Bytes::Text, unsigned char, signed char>;
    using Block [[gnu::vector_size(16)]] = Byte;
    for (; end - at >= qptrdiff(sizeof(Block)); at += sizeof(Block)) {
        Block block;
        std::memcpy(&block, at, sizeof block);
        const auto hits = (block < Byte(0x20)) | (block == Byte('"')) | (block == Byte('\\'));
        for (size_t half = 0; half < sizeof hits; half += sizeof(quint64)) {
            const auto bits = qFromLittleEndian<quint64>(reinterpret_cast<const char *>(&hits) + half);
            if (bits != 0)
                return at + half + std::countr_zero(bits) / 8;
        }
    }
    while (at != end && isOfKind<kind>(*at))
        ++at;
    return at;
}

}  // namespace sonde::json
