// SPDX-License-Identifier: Apache-2.0
#include "core/session/crc32.h"

#include <QtEndian>
#include <array>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace sonde {

namespace {

using Tables = std::array<std::array<quint32, 256>, 8>;

// Table k advances a byte past k further bytes, so that eight bytes cost eight independent look-ups.
constexpr Tables makeTables()
{
    Tables tables{};
    for (quint32 byte = 0; byte < 256; ++byte) {
        quint32 crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) ? 0xEDB88320U : 0U);
        tables[0][byte] = crc;
    }
    for (size_t k = 1; k < 8; ++k) {
        for (size_t byte = 0; byte < 256; ++byte) {
            const quint32 previous = tables[k - 1][byte];
            tables[k][byte] = (previous >> 8) ^ tables[0][previous & 0xFF];
        }
    }
    return tables;
}

constexpr Tables tables = makeTables();

// Without the inversions at either end.
quint32 update(quint32 crc, const char *at, qsizetype left)
{
    for (; left >= 8; left -= 8, at += 8) {
        const quint32 low = qFromLittleEndian<quint32>(at) ^ crc;
        const quint32 high = qFromLittleEndian<quint32>(at + 4);
        crc = tables[7][low & 0xFF] ^ tables[6][(low >> 8) & 0xFF] ^ tables[5][(low >> 16) & 0xFF] ^
              tables[4][low >> 24] ^ tables[3][high & 0xFF] ^ tables[2][(high >> 8) & 0xFF] ^
              tables[1][(high >> 16) & 0xFF] ^ tables[0][high >> 24];
    }
    for (; left > 0; --left, ++at)
        crc = (crc >> 8) ^ tables[0][(crc ^ quint8(*at)) & 0xFF];
    return crc;
}

#ifdef __x86_64__

constexpr qsizetype foldedAtOnce = 64;

// x to that power modulo the polynomial, bits reflected, in the place where a carry-less product wants it.
constexpr qint64 powerOfX(int power)
{
    quint32 value = 0x80000000U;
    for (int i = 0; i < power; ++i)
        value = (value >> 1) ^ ((value & 1) ? 0xEDB88320U : 0U);
    return qint64(value) << 1;
}

// A checksum is a remainder: sixteen bytes may be replaced by their product with a power of x, that many bits later.
__attribute__((target("pclmul"))) inline __m128i folded(__m128i block, __m128i powers, __m128i later)
{
    const __m128i low = _mm_clmulepi64_si128(block, powers, 0x00);
    const __m128i high = _mm_clmulepi64_si128(block, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), later);
}

// Of at least foldedAtOnce bytes. Takes all but the last few of them.
__attribute__((target("pclmul"))) quint32 updateFolding(quint32 crc, const char *&at, qsizetype &left)
{
    constexpr qint64 far[2] = {powerOfX(512 + 32), powerOfX(512 - 32)};
    constexpr qint64 near[2] = {powerOfX(128 + 32), powerOfX(128 - 32)};
    const auto load = [](const void *from) { return _mm_loadu_si128(static_cast<const __m128i *>(from)); };
    const __m128i farPowers = load(far);
    const __m128i nearPowers = load(near);
    __m128i blocks[4] = {load(at), load(at + 16), load(at + 32), load(at + 48)};
    blocks[0] = _mm_xor_si128(blocks[0], _mm_cvtsi32_si128(int(crc)));
    for (at += foldedAtOnce, left -= foldedAtOnce; left >= foldedAtOnce; at += foldedAtOnce, left -= foldedAtOnce) {
        for (int i = 0; i < 4; ++i)
            blocks[i] = folded(blocks[i], farPowers, load(at + 16 * i));
    }
    __m128i last = blocks[0];
    for (int i = 1; i < 4; ++i)
        last = folded(last, nearPowers, blocks[i]);
    for (; left >= 16; at += 16, left -= 16)
        last = folded(last, nearPowers, load(at));
    char rest[16];
    _mm_storeu_si128(reinterpret_cast<__m128i *>(rest), last);
    return update(0, rest, sizeof rest);
}

#endif

}  // namespace

quint32 crc32(QByteArrayView bytes, quint32 seed)
{
    quint32 crc = ~seed;
    const char *at = bytes.data();
    qsizetype left = bytes.size();
#ifdef __x86_64__
    static const bool canFold = __builtin_cpu_supports("pclmul");
    if (canFold && left >= foldedAtOnce)
        crc = updateFolding(crc, at, left);
#endif
    return ~update(crc, at, left);
}

}  // namespace sonde
