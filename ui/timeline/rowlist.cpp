// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/rowlist.h"

#include <numeric>

namespace sonde::ui {

void RowList::clear()
{
    m_all = 0;
    m_listed = {};
}

void RowList::insert(size_t at, const std::vector<quint32> &rows)
{
    auto first = rows.begin();
    if (at == m_all && m_listed.empty()) {
        for (; first != rows.end() && *first == m_all; ++first)
            ++m_all;
        at = m_all;
    }
    listFrom(at);
    m_listed.insert(m_listed.begin() + qptrdiff(at - m_all), first, rows.end());
}

void RowList::erase(size_t at, size_t count)
{
    listFrom(at);
    const auto first = m_listed.begin() + qptrdiff(at - m_all);
    m_listed.erase(first, first + qptrdiff(count));
}

void RowList::listFrom(size_t at)
{
    if (at >= m_all)
        return;
    std::vector<quint32> listed(m_all - at);
    std::iota(listed.begin(), listed.end(), quint32(at));
    m_listed.insert(m_listed.begin(), listed.begin(), listed.end());
    m_all = at;
}

}  // namespace sonde::ui
