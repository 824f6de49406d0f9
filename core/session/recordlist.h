// Rows in blocks of a fixed size: one more never moves the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/record.h"
#include "core/session/rowfile.h"

#include <QString>
#include <memory>
#include <vector>

namespace sonde {

// A million rows in one piece would be copied in the middle of a flood each time that the piece becomes too small.
// A copy shares the blocks with the original and may be read on another thread while that one grows and changes: a
// shared block is changed in a copy of its own. A reference to a row counts until the list next grows or changes.
class RecordList {
public:
    static constexpr qsizetype RowsInMemory = 128 * RowFile::BlockRows;  // the newest, where there is a folder

    // Older rows go to a file without a name in this folder; where none can be made they stay in memory.
    void setFolder(const QString &folder) { m_folder = folder; }

    qsizetype size() const { return m_size; }
    const RecordInfo &operator[](qsizetype row) const
    {
        return m_blocks[size_t(row / RowFile::BlockRows)]->rows[row % RowFile::BlockRows];
    }

    void append(const RecordInfo &record);
    void set(qsizetype row, const RecordInfo &record);
    void clear();
    qsizetype inFile() const { return m_inFile; }  // rows that are there

private:
    struct Block {
        const RecordInfo *rows = nullptr;
        std::unique_ptr<RecordInfo[]> memory;  // null: in the file
        std::shared_ptr<RowFile> file;
    };
    static std::shared_ptr<Block> newBlock();
    Block &own(size_t block);
    void moveToFile(size_t block);

    std::vector<std::shared_ptr<Block>> m_blocks;
    qsizetype m_size = 0;
    qsizetype m_inFile = 0;
    QString m_folder;
    std::shared_ptr<RowFile> m_file;
};

}  // namespace sonde
