// CRC-32 as in IEEE 802.3, zlib and PNG.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde {

// seed: the CRC of what came before, to go on with it.
quint32 crc32(QByteArrayView bytes, quint32 seed = 0);

}  // namespace sonde
