// How far a JSON string goes without anything that needs a look: a block of bytes at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtEndian>
#include <bit>
#include <cstddef>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sonde::json {

// Plain: printable ASCII or DEL, and neither a quote nor a backslash. Text: the same, and bytes beyond ASCII.
enum class Bytes { Plain, Text };

#ifdef __SSE2__

constexpr int BlockSize = 16;
constexpr int BitsPerByte = 1;

// A mask of the bytes of the block at `at` that are not of that kind, the first byte in the lowest bits.
template <Bytes kind>
quint64 hitsInBlock(const char *at)
{
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i space = _mm_set1_epi8(0x20);
    // As signed numbers, bytes beyond ASCII are less than a space.
    const __m128i control = kind == Bytes::Plain ? _mm_cmplt_epi8(block, space)
                                                 : _mm_cmplt_epi8(_mm_xor_si128(block, _mm_set1_epi8(char(0x80))),
                                                                  _mm_set1_epi8(char(0x20 ^ 0x80)));
    const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    return quint32(_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash))));
}

#else

constexpr int BlockSize = 8;
constexpr int BitsPerByte = 8;

template <Bytes kind>
quint64 hitsInBlock(const char *at)
{
    constexpr quint64 ones = 0x0101010101010101;
    constexpr quint64 high = ones << 7;
    const quint64 word = qFromLittleEndian<quint64>(at);
    // No sum below carries into the next byte, so that every bit is exact and not only the first.
    const auto isZero = [](quint64 bytes) { return ~(((bytes & ~high) + ~high) | bytes) & high; };
    const quint64 isLow = ~((word & ~high) + ones * 0x60) & high;
    const quint64 control = kind == Bytes::Plain ? isLow | (word & high) : isLow & ~word;
    return control | isZero(word ^ (ones * '"')) | isZero(word ^ (ones * '\\'));
}

#endif

// The place of the first hit; there is one.
inline int firstHit(quint64 hits)
{
    return std::countr_zero(hits) / BitsPerByte;
}

// The hits at that place of the block or behind it.
inline quint64 hitsFrom(quint64 hits, std::ptrdiff_t place)
{
    return place < BlockSize ? hits >> (place * BitsPerByte) << (place * BitsPerByte) : 0;
}

// The first byte that is not of that kind.
template <Bytes kind>
const char *skip(const char *at, const char *end)
{
    while (end - at >= BlockSize) {
        if (const quint64 hits = hitsInBlock<kind>(at))
            return at + firstHit(hits);
        at += BlockSize;
    }
    const auto isOfKind = [](char c) {
        return c != '"' && c != '\\' && uchar(c) >= 0x20 && (kind == Bytes::Text || uchar(c) < 0x80);
    };
    while (at != end && isOfKind(*at))
        ++at;
    return at;
}

}  // namespace sonde::json
