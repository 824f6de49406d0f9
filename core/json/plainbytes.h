// How far a JSON string goes without anything that needs a look: a block of bytes at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtEndian>
#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sonde::json {

// Plain: printable ASCII or DEL, and neither a quote nor a backslash. Text: the same, and bytes beyond ASCII.
enum class Bytes { Plain, Text };

#ifdef __SSE2__

constexpr int blockSize = 16;

// How many of the bytes of the block at `at` are of that kind before the first one that is not.
template <Bytes kind>
int runInBlock(const char *at)
{
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
    const __m128i space = _mm_set1_epi8(0x20);
    // As signed numbers, bytes beyond ASCII are less than a space.
    const __m128i control = kind == Bytes::Plain ? _mm_cmplt_epi8(block, space)
                                                 : _mm_cmplt_epi8(_mm_xor_si128(block, _mm_set1_epi8(char(0x80))),
                                                                  _mm_set1_epi8(char(0x20 ^ 0x80)));
    const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    const int hits = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash)));
    return std::countr_zero(quint32(hits) | 0x10000);
}

#else

constexpr int blockSize = 8;

template <Bytes kind>
int runInBlock(const char *at)
{
    constexpr quint64 ones = 0x0101010101010101;
    const quint64 word = qFromLittleEndian<quint64>(at);
    const auto zeros = [](quint64 bytes) { return (bytes - ones) & ~bytes; };
    const quint64 control = kind == Bytes::Plain ? (word - ones * 0x20) | word : (word - ones * 0x20) & ~word;
    // The lowest bit set is exact; those above it may be carries.
    const quint64 hits = (control | zeros(word ^ (ones * '"')) | zeros(word ^ (ones * '\\'))) & (ones << 7);
    return std::countr_zero(hits) >> 3;
}

#endif

// The first byte that is not plain.
inline const char *skipPlain(const char *at, const char *end)
{
    while (end - at >= blockSize) {
        const int run = runInBlock<Bytes::Plain>(at);
        if (run < blockSize)
            return at + run;
        at += blockSize;
    }
    while (at != end && *at != '"' && *at != '\\' && uchar(*at) >= 0x20 && uchar(*at) < 0x80)
        ++at;
    return at;
}

}  // namespace sonde::json
