// Lines of a session that has no file, or has lost it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace sonde {

// Append-only, in large blocks, so that a line costs its bytes and nothing else.
class LineStore {
public:
    qint64 append(QByteArrayView line);  // its position
    qint64 adopt(QByteArray &&line);     // a large one, without a copy
    QByteArrayView read(qint64 position, qsizetype length) const;
    qint64 size() const { return m_size; }  // bytes

private:
    struct Block {
        qint64 position = 0;
        QByteArray bytes;
    };
    QList<Block> m_blocks;
    qint64 m_size = 0;
};

}  // namespace sonde
