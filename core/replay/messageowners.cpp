// SPDX-License-Identifier: Apache-2.0
#include "core/replay/messageowners.h"

#include <QElapsedTimer>
#include <QList>

namespace sonde {

MessageOwners::MessageOwners(const Session *recording)
    : m_recording(recording), m_operations(recording), m_owners(size_t(recording->size()), Nobody)
{}

bool MessageOwners::advance(qint64 budgetNs)
{
    QElapsedTimer clock;
    clock.start();
    if (!m_operations.advance(budgetNs))
        return false;
    while (m_taken < m_operations.size()) {
        takeOperation(m_taken++);
        if (budgetNs >= 0 && clock.nsecsElapsed() > budgetNs)
            break;
    }
    return m_taken == m_operations.size();
}

void MessageOwners::takeOperation(qsizetype operation)
{
    QList<qsizetype> asked;  // the latest last; those before it may have been answered meanwhile
    for (const qsizetype row : m_operations.rows(operation)) {
        const RecordInfo &info = m_recording->at(row);
        if (info.kind != WireEvent::Kind::Message)
            continue;
        if (info.direction == Direction::ToServer) {
            if (info.messageKind == Message::Kind::Request)
                asked.append(row);
            continue;
        }
        const auto isAnswered = [this, row](qsizetype request) {
            const qsizetype response = m_recording->partnerOf(request);
            return response >= 0 && response <= row;
        };
        while (!asked.isEmpty() && isAnswered(asked.constLast()))
            asked.removeLast();
        if (!asked.isEmpty())
            m_owners[size_t(row)] = quint32(asked.constLast());
    }
}

qsizetype MessageOwners::ownerOf(qsizetype row) const
{
    const quint32 owner = m_owners[size_t(row)];
    return owner == Nobody ? -1 : qsizetype(owner);
}

}  // namespace sonde
