// Numbers that mostly lie near their neighbours, in little memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>
#include <memory>
#include <span>
#include <vector>

namespace sonde {

// Up to 256 of them, each in as many bits as the span of all of them needs.
class PackedBlock {
public:
    static constexpr size_t Capacity = 256;
    static constexpr quint32 Nothing = 0xFFFFFFFF;  // what each is at first; a block of nothing takes no memory

    PackedBlock() = default;
    explicit PackedBlock(std::span<const quint32> numbers) { pack(numbers); }

    quint32 operator[](size_t at) const;
    void set(size_t at, quint32 number);

private:
    quint32 codeAt(size_t at) const;
    void setCode(size_t at, quint32 code);
    void pack(std::span<const quint32> numbers);

    // A code of 0 is nothing, others are the number - base + 1.
    std::unique_ptr<uchar[]> m_codes;
    quint32 m_base = 0;
    quint8 m_bits = 0;  // for each code
};

// Any number of them: a column of a table that has a line for each row of a session. One more, or another one, moves
// at most the others of its block.
class PackedNumbers {
public:
    static constexpr quint32 Nothing = PackedBlock::Nothing;

    size_t size() const { return m_size; }
    quint32 operator[](size_t at) const { return m_blocks[at / PackedBlock::Capacity][at % PackedBlock::Capacity]; }
    void set(size_t at, quint32 number)
    {
        m_blocks[at / PackedBlock::Capacity].set(at % PackedBlock::Capacity, number);
    }
    void append(quint32 number)
    {
        if (m_size % PackedBlock::Capacity == 0)
            m_blocks.emplace_back();
        set(m_size++, number);
    }

private:
    std::vector<PackedBlock> m_blocks;
    size_t m_size = 0;
};

}  // namespace sonde
