// SPDX-License-Identifier: Apache-2.0
#include "core/json/duplicates.h"

#include <QHashFunctions>
#include <QSet>
#include <bit>
#include <cstring>
#include <limits>

namespace sonde::json {

namespace {

// Up to here comparing each with each is cheaper than hashing.
constexpr quint32 Few = 8;
constexpr quint32 EmptySlot = std::numeric_limits<quint32>::max();

}  // namespace

void DuplicateKeys::find(quint32 object, const Found &found)
{
    const quint32 size = m_nodes[object].size;
    bool plain = true;
    m_members.clear();
    for (quint32 child = object + 1; child != 0; child = m_nodes[child].next) {
        const Node &member = m_nodes[child];
        plain = plain && (member.flags & Node::IndirectKey) == 0 && member.keyLength != Node::LongKey;
        if (size <= Few)
            m_members.push_back(&member);
    }
    if (!plain)
        findByText(object, found);
    else if (size <= Few)
        findAmongFew(found);
    else
        findByHash(object, found);
}

bool DuplicateKeys::isSameText(const Node &left, const Node &right) const
{
    const char *const text = m_data.text.constData();
    return left.keyLength == right.keyLength &&
           std::memcmp(text + left.keyOffset, text + right.keyOffset, left.keyLength) == 0;
}

void DuplicateKeys::findAmongFew(const Found &found)
{
    for (qsizetype later = 1; later < m_members.size(); ++later) {
        for (qsizetype earlier = 0; earlier < later; ++earlier) {
            if (isSameText(*m_members[earlier], *m_members[later])) {
                found(*m_members[later]);
                break;
            }
        }
    }
}

// Open addressing; the hash is seeded, so that no text can be made to collide.
void DuplicateKeys::findByHash(quint32 object, const Found &found)
{
    const quint32 capacity = std::bit_ceil(m_nodes[object].size) * 2;
    const size_t seed = size_t(QHashSeed::globalSeed());
    m_slots.assign(capacity, EmptySlot);
    for (quint32 child = object + 1; child != 0; child = m_nodes[child].next) {
        const Node &member = m_nodes[child];
        size_t slot = qHashBits(m_data.text.constData() + member.keyOffset, member.keyLength, seed) & (capacity - 1);
        while (m_slots[slot] != EmptySlot && !isSameText(m_nodes[m_slots[slot]], member))
            slot = (slot + 1) & (capacity - 1);
        if (m_slots[slot] != EmptySlot)
            found(member);
        m_slots[slot] = child;
    }
}

void DuplicateKeys::findByText(quint32 object, const Found &found)
{
    QSet<QString> seen;
    for (quint32 child = object + 1; child != 0; child = m_nodes[child].next) {
        const qsizetype before = seen.size();
        seen.insert(m_data.key(m_nodes[child]));
        if (seen.size() == before)
            found(m_nodes[child]);
    }
}

}  // namespace sonde::json
