// SPDX-License-Identifier: Apache-2.0
#include "core/client/requesthistory.h"

#include "core/client/texts.h"
#include "core/protocol/methods.h"

#include <algorithm>

namespace sonde {

namespace {

constexpr size_t Capacity = 2000;

QString written(const RequestId &id)
{
    return QString::fromUtf8(id.toJson());
}

}  // namespace

std::optional<RequestId> idOfOtherType(const RequestId &id)
{
    if (id.kind() == RequestId::Kind::Integer)
        return RequestId(written(id));
    if (id.kind() != RequestId::Kind::String)
        return std::nullopt;
    const QString text = json::parse(id.toJson()).string();
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    if (!isNumber)
        return std::nullopt;
    return RequestId(number);
}

void RequestHistory::add(const RequestId &id, const QString &method, Ending ending, qint64 nowNs)
{
    m_entries.push_back({id, method, ending, nowNs});
    if (m_entries.size() > Capacity)
        m_entries.pop_front();
}

const RequestHistory::Entry *RequestHistory::find(const RequestId &id) const
{
    const auto found =
        std::find_if(m_entries.rbegin(), m_entries.rend(), [&id](const Entry &entry) { return entry.id == id; });
    return found != m_entries.rend() ? &*found : nullptr;
}

bool RequestHistory::isEndedSubscription(const RequestId &id) const
{
    const Entry *entry = find(id);
    return entry && entry->ending == Ending::Cancelled && entry->method == methods::Listen;
}

bool RequestHistory::isCancelled(const RequestId &id) const
{
    const Entry *entry = find(id);
    return entry && entry->ending == Ending::Cancelled;
}

QString RequestHistory::explain(const RequestId &id, const IsOpen &isOpen, qint64 nowNs) const
{
    if (const Entry *entry = find(id))
        return explainEnded(*entry, nowNs);

    const std::optional<RequestId> other = idOfOtherType(id);
    if (other && (isOpen(*other) || contains(*other))) {
        const QString text =
            id.kind() == RequestId::Kind::String
                ? ClientText::tr(
                      "Unmatched response: its ID is the string %1, but the request's was the number %2. The type of "
                      "an ID must not change.")
                : ClientText::tr(
                      "Unmatched response: its id is the number %1, but the request's was the string %2. "
                      "An id must come back with its own type.");
        return text.arg(written(id), written(*other));
    }
    return ClientText::tr("Unmatched response: no request with the ID %1 was sent.").arg(written(id));
}

QString RequestHistory::explainEnded(const Entry &entry, qint64 nowNs) const
{
    const QString seconds = QString::number(double(nowNs - entry.endedNs) / 1e9, 'f', 1);
    switch (entry.ending) {
        case Ending::Answered:
            return ClientText::tr("Duplicate response to request %1 (%2); the first one counts.")
                .arg(written(entry.id), entry.method);
        case Ending::Cancelled:
            return ClientText::tr("Response to a cancelled request: %1 (%2), cancelled %3 s earlier.")
                .arg(written(entry.id), entry.method, seconds);
        case Ending::TimedOut:
            return ClientText::tr("Late response to request %1 (%2), which timed out %3 s earlier.")
                .arg(written(entry.id), entry.method, seconds);
        case Ending::Failed:
            return ClientText::tr("Late response to request %1 (%2), which failed %3 s earlier.")
                .arg(written(entry.id), entry.method, seconds);
    }
    return {};
}

}  // namespace sonde
