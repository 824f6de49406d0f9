// Rows of a long session that came long ago, in a file without a name: memory holds only those that are looked at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/record.h"

#include <QTemporaryFile>
#include <memory>
#include <vector>

namespace sonde {

// Grows by blocks. What is written goes through write(), so that a full disk is an error and not a signal; what is
// read comes from pages that the system takes back whenever it likes. The file goes with the object, and with the
// process however that ends.
class RowFile {
public:
    static constexpr qsizetype BlockRows = 1024;

    // Null: no such file can be made in that folder.
    static std::shared_ptr<RowFile> create(const QString &folder);
    Q_DISABLE_COPY_MOVE(RowFile)

    // Copies a whole block; where its rows can be read from now on, or null when there is no room.
    const RecordInfo *append(const RecordInfo *rows);
    // Of a block that append() returned. False: it stays as it was.
    bool change(const RecordInfo *block, qsizetype row, const RecordInfo &record);

private:
    explicit RowFile(const QString &name) : m_file(name) {}
    bool writeAt(qint64 offset, const RecordInfo *rows, qsizetype count);
    const RecordInfo *placeOf(qsizetype block);

    QTemporaryFile m_file;
    qsizetype m_blocks = 0;
    std::vector<uchar *> m_windows;  // views of the file, each of many blocks
};

}  // namespace sonde
