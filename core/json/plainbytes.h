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

constexpr int BlockSize = 16;  // bytes that are looked at together, since strings are most of what is read

// How many bytes of the block at `at` are of that kind, up to the first that is not.
template <Bytes kind>
int plainLength(const char *at)
{
    // As signed numbers, bytes beyond ASCII are less than a space.
    using Byte = std::conditional_t<kind == Bytes::Text, unsigned char, signed char>;
    using Block [[gnu::vector_size(BlockSize)]] = Byte;
    Block block;
    std::memcpy(&block, at, BlockSize);
    const auto hits = (block < Byte(0x20)) | (block == Byte('"')) | (block == Byte('\\'));
    for (int half = 0; half < BlockSize; half += int(sizeof(quint64))) {
        const auto bits = qFromLittleEndian<quint64>(reinterpret_cast<const char *>(&hits) + half);
        if (bits != 0)
            return half + std::countr_zero(bits) / 8;
    }
    return BlockSize;
}

// The first byte that is not of that kind.
template <Bytes kind>
const char *skip(const char *at, const char *end)
{
    while (end - at >= BlockSize) {
        const int length = plainLength<kind>(at);
        at += length;
        if (length < BlockSize)
            return at;
    }
    while (at != end && isOfKind<kind>(*at))
        ++at;
    return at;
}

}  // namespace sonde::json
