// Requests that are no longer open, kept so that a response nobody waits for can be explained.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/requestid.h"

#include <QString>
#include <deque>
#include <functional>
#include <optional>

namespace sonde {

class RequestHistory {
public:
    enum class Ending : quint8 { Answered, Cancelled, TimedOut, Failed };

    // The oldest are forgotten beyond a number that a person will not reach by hand.
    void add(const RequestId &id, const QString &method, Ending ending, qint64 nowNs);
    bool contains(const RequestId &id) const { return find(id) != nullptr; }

    // Whether it was a subscription that we ended. A server may answer that with its result, which is no fault.
    bool isEndedSubscription(const RequestId &id) const;

    bool isCancelled(const RequestId &id) const;

    using IsOpen = std::function<bool(const RequestId &)>;
    // A sentence about a response with this id that no open request waits for.
    QString explain(const RequestId &id, const IsOpen &isOpen, qint64 nowNs) const;

private:
    struct Entry {
        RequestId id;
        QString method;
        Ending ending = Ending::Answered;
        qint64 endedNs = 0;
    };
    const Entry *find(const RequestId &id) const;  // the latest with this id
    QString explainEnded(const Entry &entry, qint64 nowNs) const;

    // Oldest first. Every request is added, and hardly one is ever looked for: no table by id.
    std::deque<Entry> m_entries;
};

// 1 for "1" and "1" for 1: what a server that mixes up the types of ids answers to.
std::optional<RequestId> idOfOtherType(const RequestId &id);

}  // namespace sonde
