// SPDX-License-Identifier: Apache-2.0
#include "core/session/crc32.h"

#include <QtEndian>
#include <array>

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

}  // namespace

quint32 crc32(QByteArrayView bytes, quint32 seed)
{
    quint32 crc = ~seed;
    const char *at = bytes.data();
    qsizetype left = bytes.size();
    for (; left >= 8; left -= 8, at += 8) {
        const quint32 low = qFromLittleEndian<quint32>(at) ^ crc;
        const quint32 high = qFromLittleEndian<quint32>(at + 4);
        crc = tables[7][low & 0xFF] ^ tables[6][(low >> 8) & 0xFF] ^ tables[5][(low >> 16) & 0xFF] ^
              tables[4][low >> 24] ^ tables[3][high & 0xFF] ^ tables[2][(high >> 8) & 0xFF] ^
              tables[1][(high >> 16) & 0xFF] ^ tables[0][high >> 24];
    }
    for (; left > 0; --left, ++at)
        crc = (crc >> 8) ^ tables[0][(crc ^ quint8(*at)) & 0xFF];
    return ~crc;
}

}  // namespace sonde
