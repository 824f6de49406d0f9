// How much work one schema may cause before it is given up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde::schema {

// Counted in steps instead of time, so that a schema ends at the same place on every machine. Code that walks over a
// schema spends from one budget for the whole walk: recursion, references and repetition then cannot add up.
class Budget {
public:
    static constexpr qint64 Bound = 1'500'000;  // 50 to 90 ms in a release build on a slow core

    explicit Budget(qint64 steps = Bound) : m_left(steps) {}

    // False once it is spent. The caller then stops, and says that something was left out.
    bool spend(qint64 steps = 1)
    {
        if (m_left >= 0)
            m_left -= steps;
        return m_left >= 0;
    }
    bool isSpent() const { return m_left < 0; }
    qint64 left() const { return qMax(qint64(0), m_left); }

private:
    qint64 m_left;
};

}  // namespace sonde::schema
