// Bounds what is written down about things that a server can make happen any number of times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace sonde {

// The first hundred of a kind are listed one by one. Of the others every thousandth, ten-thousandth and so on is, with
// its number: so the count stays known and the memory bounded.
class RepeatLimit {
public:
    static constexpr qint64 MaxListed = 100;

    // One more has happened. True when it is to be listed.
    bool admit()
    {
        ++m_count;
        if (m_count <= MaxListed)
            return true;
        if (m_count < m_next)
            return false;
        m_next *= 10;
        return true;
    }
    // Whether its number has to be said with the one admitted last, since those after it, or before it, are not listed.
    bool isNumbered() const { return m_count >= MaxListed; }
    qint64 count() const { return m_count; }

private:
    qint64 m_count = 0;
    qint64 m_next = 10 * MaxListed;
};

}  // namespace sonde
