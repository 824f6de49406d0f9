// Finds the keys that an object has more than once. Private to core/json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/documentdata.h"

#include <QVarLengthArray>
#include <functional>
#include <vector>

namespace sonde::json {

// Keys are the same when they mean the same: "a" and "\u0061" are. Keeps its memory from one object to the next.
class DuplicateKeys {
public:
    explicit DuplicateKeys(const DocumentData &data) : m_data(data), m_nodes(data.nodes) {}

    // Calls found with every member whose key an earlier member has already, in the order of the text.
    using Found = std::function<void(const Node &member)>;
    void find(quint32 object, const Found &found);

private:
    void findAmongFew(const Found &found);
    void findByHash(quint32 object, const Found &found);
    void findByText(quint32 object, const Found &found);
    bool isSameText(const Node &left, const Node &right) const;

    const DocumentData &m_data;
    const Nodes &m_nodes;
    QVarLengthArray<const Node *, 8> m_members;
    std::vector<quint32> m_slots;
};

}  // namespace sonde::json
