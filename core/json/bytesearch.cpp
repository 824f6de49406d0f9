// SPDX-License-Identifier: Apache-2.0
#include "core/json/bytesearch.h"

#include <cstring>
#include <utility>

namespace sonde {

namespace {

constexpr qsizetype BlockSize = 16;
using Block = quint8 __attribute__((vector_size(BlockSize)));
using Mask = signed char __attribute__((vector_size(BlockSize)));  // all bits of a place set, or none

char foldedByte(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + 0x20) : c;
}

// A letter in either case, with the bit that tells the cases apart set.
quint8 caseBit(char folded)
{
    return folded >= 'a' && folded <= 'z' ? 0x20 : 0;
}

// How common a byte is in session files: the higher, the commoner. Anything not listed is rare.
qsizetype commonness(char folded)
{
    static constexpr char commonestFirst[] = "\"\\:e,tonrasi0lcdpm12{}u.h_-f3g4y5v67b98x/ wk[]qjz";
    const void *place = std::memchr(commonestFirst, folded, sizeof commonestFirst - 1);
    return place ? qsizetype(sizeof commonestFirst) - (static_cast<const char *>(place) - commonestFirst) : 0;
}

class PairSearch {
public:
    PairSearch(char first, char second) : m_first(first), m_second(second) {}

    // Where both bytes are in their places, of sixteen places.
    Mask at(const char *first, const char *second) const
    {
        Block left;
        Block right;
        std::memcpy(&left, first, BlockSize);
        std::memcpy(&right, second, BlockSize);
        return ((left | m_first.fold) == m_first.wanted) & ((right | m_second.fold) == m_second.wanted);
    }
    bool isAt(const char *first, const char *second) const
    {
        return (quint8(*first) | m_first.fold[0]) == m_first.wanted[0] &&
               (quint8(*second) | m_second.fold[0]) == m_second.wanted[0];
    }

private:
    struct Byte {
        explicit Byte(char folded) : fold(Block{} + caseBit(folded)), wanted(Block{} + quint8(folded)) {}
        Block fold;
        Block wanted;
    };
    Byte m_first;
    Byte m_second;
};

bool isAny(Mask mask)
{
    quint64 halves[2];
    std::memcpy(halves, &mask, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

}  // namespace

CaseInsensitiveMatcher::CaseInsensitiveMatcher(QByteArrayView word) : m_folded(word.toByteArray())
{
    for (char &c : m_folded)
        c = foldedByte(c);
    const auto isRarer = [this](qsizetype place, qsizetype than) {
        return commonness(m_folded.at(place)) < commonness(m_folded.at(than));
    };
    for (qsizetype place = 1; place < m_folded.size(); ++place) {
        if (isRarer(place, m_rare))
            m_nextRare = std::exchange(m_rare, place);
        else if (m_nextRare == m_rare || isRarer(place, m_nextRare))
            m_nextRare = place;
    }
}

bool CaseInsensitiveMatcher::isAt(const char *place) const
{
    for (const char wanted : m_folded) {
        if (foldedByte(*place++) != wanted)
            return false;
    }
    return true;
}

qsizetype CaseInsensitiveMatcher::indexIn(QByteArrayView text, qsizetype from) const
{
    if (m_folded.isEmpty())
        return from <= text.size() ? from : -1;
    const qsizetype places = text.size() - m_folded.size() + 1;
    // No pointer may be made into a text that is too short for it, or that is null.
    if (from >= places)
        return -1;
    const PairSearch pair(m_folded.at(m_rare), m_folded.at(m_nextRare));
    const char *const base = text.data();
    const char *const rare = base + m_rare;
    const char *const nextRare = base + m_nextRare;
    qsizetype at = from;
    while (places - at >= BlockSize) {
        const Mask mask = pair.at(rare + at, nextRare + at);
        if (isAny(mask)) {
            for (qsizetype i = 0; i < BlockSize; ++i) {
                if (mask[i] != 0 && isAt(base + at + i))
                    return at + i;
            }
        }
        // The last block overlaps the one before, in which nothing was found.
        at += BlockSize;
        if (at < places && places - at < BlockSize)
            at = places - BlockSize;
    }
    for (; at < places; ++at) {
        if (pair.isAt(rare + at, nextRare + at) && isAt(base + at))
            return at;
    }
    return -1;
}

}  // namespace sonde
