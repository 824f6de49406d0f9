// SPDX-License-Identifier: Apache-2.0
#include "core/json/valueindex.h"

#include "core/json/compare.h"

namespace sonde::json {

ValueIndex::ValueIndex(const Value &list)
{
    m_values.reserve(list.size());
    m_byHash.reserve(list.size());
    for (const Value &value : list)
        append(value);
}

void ValueIndex::append(const Value &value)
{
    m_byHash.insert(hash(value), m_values.size());
    m_values.append(value);
}

qsizetype ValueIndex::indexOf(const Value &value, qint64 *comparisons) const
{
    qsizetype first = -1;
    const auto [begin, end] = m_byHash.equal_range(hash(value));
    for (auto it = begin; it != end; ++it) {
        if (comparisons)
            ++*comparisons;
        if ((first < 0 || *it < first) && equal(m_values.at(*it), value))
            first = *it;
    }
    return first;
}

}  // namespace sonde::json
