// Finds the values of a list by what they mean, without comparing with each of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QMultiHash>

namespace sonde::json {

// Equality is that of compare.h. Keeps the documents of its values alive.
class ValueIndex {
public:
    ValueIndex() = default;
    explicit ValueIndex(const Value &list);

    void append(const Value &value);
    qsizetype size() const { return m_values.size(); }
    const Value &at(qsizetype index) const { return m_values.at(index); }
    auto begin() const { return m_values.cbegin(); }
    auto end() const { return m_values.cend(); }
    // The first equal value, or -1. comparisons: how many values had to be compared is added to it.
    qsizetype indexOf(const Value &value, qint64 *comparisons = nullptr) const;
    bool contains(const Value &value) const { return indexOf(value) >= 0; }

private:
    QList<Value> m_values;
    QMultiHash<size_t, qsizetype> m_byHash;
};

}  // namespace sonde::json
