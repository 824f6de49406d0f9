// CRC-32 as in IEEE 802.3 and PNG, of views.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

#include <zlib.h>

namespace sonde {

// seed: the CRC of what came before, to go on with it.
inline quint32 crc32(QByteArrayView bytes, quint32 seed = 0)
{
    if (bytes.isEmpty())
        return seed;  // zlib takes a null pointer for the start of a new one
    return quint32(::crc32_z(seed, reinterpret_cast<const Bytef *>(bytes.data()), size_t(bytes.size())));
}

}  // namespace sonde
