// The names by which records find their operation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/operationdata.h"

#include <QHash>
#include <deque>

namespace sonde {

// Names that stand for operations while these are open, and for a while after. A name that two open operations have at
// once stands for neither until all of them have ended.
template <typename Name>
class OperationNames {
public:
    struct Found {
        quint32 operation = OperationData::nothing;
        bool isAmbiguous = false;
        bool isKnown() const { return operation != OperationData::nothing; }
    };

    Found find(const Name &name) const
    {
        const auto found = m_entries.constFind(name);
        if (found == m_entries.constEnd())
            return {};
        return found->isAmbiguous ? Found{OperationData::nothing, true} : Found{found->operation};
    }

    void add(const Name &name, quint32 operation)
    {
        Entry &entry = m_entries[name];
        if (entry.open > 0 && entry.operation == operation)
            return;
        entry.isAmbiguous = entry.open > 0;
        entry.operation = operation;
        ++entry.open;
    }

    void end(const Name &name)
    {
        const auto found = m_entries.find(name);
        if (found == m_entries.end() || found->open == 0 || --found->open > 0)
            return;
        found->serial = ++m_serial;
        m_ended.emplace_back(found->serial, name);
        if (m_ended.size() <= Remembered)
            return;
        const auto [serial, oldest] = m_ended.front();
        m_ended.pop_front();
        const auto forgotten = m_entries.constFind(oldest);
        if (forgotten != m_entries.constEnd() && forgotten->serial == serial && forgotten->open == 0)
            m_entries.erase(forgotten);
    }

private:
    static constexpr size_t Remembered = 4096;  // as responses are, see SessionLinker

    struct Entry {
        quint32 operation = 0;
        quint32 open = 0;
        quint32 serial = 0;
        bool isAmbiguous = false;
    };

    QHash<Name, Entry> m_entries;
    std::deque<std::pair<quint32, Name>> m_ended;
    quint32 m_serial = 0;
};

}  // namespace sonde
