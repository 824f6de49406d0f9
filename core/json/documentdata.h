// What a Document holds: the text and its nodes. Private to core/json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <cstdlib>
#include <limits>

namespace sonde::json {

// A value of the text. Nodes lie in the order of the text, so a container's first child is the node after it and its
// descendants are the nodes up to its next sibling.
struct Node {
    static constexpr quint16 LongKey = std::numeric_limits<quint16>::max();
    enum Flag : quint8 {
        Indirect = 1,    // the string holds escapes or faults: decoding it is more than reading UTF-8
        IndirectKey = 2  // the same for its key
    };

    quint32 offset = 0;
    quint32 end = 0;        // while the parser has the container open: its last child
    quint32 next = 0;       // the next sibling, 0 for none; while open: the parent
    quint32 size = 0;       // number of children
    quint32 keyOffset = 0;  // of the key's opening quote; 0 for values without a key
    quint16 keyLength = 0;  // with quotes; LongKey: longer, to be measured again
    Kind kind = Kind::Missing;
    quint8 flags = 0;
};
static_assert(sizeof(Node) == 24);

// A vector of nodes that grows and shrinks by realloc(): for large texts the kernel then moves pages instead of bytes.
class Nodes {
public:
    Nodes() = default;
    Nodes(const Nodes &) = delete;
    Nodes &operator=(const Nodes &) = delete;
    ~Nodes() { std::free(m_nodes); }

    quint32 size() const { return m_size; }
    Node &operator[](quint32 index) { return m_nodes[index]; }
    const Node &operator[](quint32 index) const { return m_nodes[index]; }

    quint32 append(const Node &node)
    {
        if (m_size == m_capacity)
            reallocate(m_capacity == 0 ? FirstCapacity : m_capacity + m_capacity / 2 + 1);
        m_nodes[m_size] = node;
        return m_size++;
    }
    // Gives back what is worth the call: small texts are many.
    void squeeze()
    {
        if (m_capacity - m_size > FirstCapacity)
            reallocate(m_size);
    }

private:
    static constexpr quint32 FirstCapacity = 16;

    void reallocate(quint32 capacity);

    Node *m_nodes = nullptr;
    quint32 m_size = 0;
    quint32 m_capacity = 0;
};

struct DocumentData : std::enable_shared_from_this<DocumentData> {
    QByteArray text;
    Nodes nodes;
    QList<Finding> findings;
    bool valid = false;

    QByteArrayView keySlice(const Node &node) const;
    QByteArrayView slice(const Node &node) const;
    QString key(const Node &node) const;
};

}  // namespace sonde::json
