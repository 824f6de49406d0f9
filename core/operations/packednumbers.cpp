// SPDX-License-Identifier: Apache-2.0
#include "core/operations/packednumbers.h"

#include <QtEndian>
#include <algorithm>
#include <array>
#include <bit>

namespace sonde {

namespace {

// A code begins somewhere in a byte and has at most 32 bits: the eight bytes from there on hold all of it.
using Word = quint64;

}  // namespace

quint32 PackedBlock::codeAt(size_t at) const
{
    const size_t bit = at * m_bits;
    const Word mask = (Word(1) << m_bits) - 1;
    return m_bits == 0 ? 0 : quint32((qFromLittleEndian<Word>(&m_codes[bit / 8]) >> (bit % 8)) & mask);
}

void PackedBlock::setCode(size_t at, quint32 code)
{
    const size_t bit = at * m_bits;
    const Word mask = (Word(1) << m_bits) - 1;
    uchar *const place = &m_codes[bit / 8];
    const Word others = qFromLittleEndian<Word>(place) & ~(mask << (bit % 8));
    qToLittleEndian<Word>(others | (Word(code) << (bit % 8)), place);
}

quint32 PackedBlock::operator[](size_t at) const
{
    const quint32 code = codeAt(at);
    return code == 0 ? Nothing : m_base + (code - 1);
}

void PackedBlock::set(size_t at, quint32 number)
{
    const bool fits = number >= m_base && Word(number - m_base) + 1 < (Word(1) << m_bits);
    if (number == Nothing || fits) {
        if (m_bits > 0)
            setCode(at, number == Nothing ? 0 : number - m_base + 1);
        return;
    }
    std::array<quint32, Capacity> numbers;
    for (size_t i = 0; i < Capacity; ++i)
        numbers[i] = (*this)[i];
    numbers[at] = number;
    pack(numbers);
}

void PackedBlock::pack(std::span<const quint32> numbers)
{
    quint32 least = Nothing;
    quint32 largest = 0;
    for (const quint32 number : numbers) {
        least = std::min(least, number);
        largest = std::max(largest, number == Nothing ? 0 : number);
    }
    if (least == Nothing)
        return;
    m_base = least;
    m_bits = quint8(std::bit_width(largest - least + 1));
    m_codes = std::make_unique<uchar[]>(Capacity / 8 * m_bits + sizeof(Word));
    for (size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != Nothing)
            setCode(i, numbers[i] - least + 1);
    }
}

}  // namespace sonde
