// Buffers that grow to hundreds of megabytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace sonde {

// QByteArray doubles what it holds and copies all of it when it grows, which takes long and needs three times the
// memory. What reserve() grows keeps its pages instead. Throws std::bad_alloc; the buffer is then as it was.
inline void appendLarge(QByteArray &buffer, QByteArrayView bytes)
{
    constexpr qsizetype largeSize = 1024 * 1024;
    const qsizetype size = buffer.size() + bytes.size();
    if (size > buffer.capacity() && size > largeSize)
        buffer.reserve(size + size / 4);
    buffer.append(bytes.data(), bytes.size());
}

}  // namespace sonde
