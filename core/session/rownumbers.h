// From the numbers of records to the rows that show them, and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>
#include <algorithm>
#include <vector>

namespace sonde {

// Row = number - 1, but for damage and for kinds that are not known: from there on the distance is another one.
class RowNumbers {
public:
    struct Run {
        quint32 row = 0;
        quint32 number = 0;
    };

    // In the order of the rows.
    void add(quint32 row, quint32 number)
    {
        const Run last = m_runs.empty() ? Run{0, 1} : m_runs.back();
        if (number - last.number != row - last.row)
            m_runs.push_back({row, number});
    }

    // -1: none of the first `size` rows.
    qsizetype rowOf(quint32 number, qsizetype size) const
    {
        const auto run =
            std::upper_bound(m_runs.begin(), m_runs.end(), number,
                             [](quint32 wanted, const Run &candidate) { return wanted < candidate.number; });
        const Run start = run == m_runs.begin() ? Run{0, 1} : *(run - 1);
        const quint32 end = run == m_runs.end() ? quint32(size) : run->row;
        if (number < start.number || number - start.number >= end - start.row)
            return -1;
        return qsizetype(start.row + (number - start.number));
    }

    quint32 numberOf(quint32 row) const
    {
        const auto run = std::upper_bound(m_runs.begin(), m_runs.end(), row,
                                          [](quint32 wanted, const Run &candidate) { return wanted < candidate.row; });
        const Run start = run == m_runs.begin() ? Run{0, 1} : *(run - 1);
        return start.number + (row - start.row);
    }

    const std::vector<Run> &runs() const { return m_runs; }
    void setRuns(std::vector<Run> runs) { m_runs = std::move(runs); }

private:
    std::vector<Run> m_runs;
};

}  // namespace sonde
