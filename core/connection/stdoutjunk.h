// What a server wrote to standard output that is no JSON-RPC message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/transport/wireevent.h"

#include <QStringList>
#include <functional>

namespace sonde {

// Of one start of a program. Counts all lines and keeps the first few as evidence.
class StdoutJunk {
public:
    // False when the event is no such line; empty lines are ignored. mask: what a line passes before any of it is kept,
    // since reports quote it.
    bool add(const WireEvent &event, const std::function<QByteArray(const QByteArray &)> &mask);
    qint64 count() const { return m_count; }
    // Sentences with their number and the first of them: of messages that break JSON-RPC, and of other lines.
    QStringList findings() const;
    // The same error, of a start that failed, with these lines as evidence and what is wrong with them.
    Error explained(Error error) const;

private:
    QString explanation() const;

    qint64 m_count = 0;
    QStringList m_first;
    qint64 m_brokenMessages = 0;  // of those
    QString m_firstBroken;
    QString m_problems;       // of the first
    QString m_firstOfOthers;  // which are no messages at all
};

}  // namespace sonde
