// CRC-32 as in IEEE 802.3 and PNG, of views.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

#include <libdeflate.h>

namespace sonde {

// seed: the CRC of what came before, to go on with it.
inline quint32 crc32(QByteArrayView bytes, quint32 seed = 0)
{
    return bytes.isEmpty() ? seed : libdeflate_crc32(seed, bytes.data(), size_t(bytes.size()));
}

}  // namespace sonde
