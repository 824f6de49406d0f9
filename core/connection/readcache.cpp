// SPDX-License-Identifier: Apache-2.0
#include "core/connection/readcache.h"

#include "core/connection/listenstream.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <numeric>

namespace sonde {

namespace {

// Of a request that asks for nothing else. Empty for any other.
QString uriReadBy(const Call &call)
{
    if (call.method() != methods::ReadResource)
        return {};
    const json::Document params = json::Document::parse(call.params());
    const json::Value uri = params.root()[u"uri"];
    return params.root().size() == 1 && uri.isString() ? uri.string() : QString();
}

}  // namespace

void ReadCache::keep(const Call &call, const Outcome &outcome)
{
    const QString uri = uriReadBy(call);
    if (uri.isEmpty())
        return;
    forget(uri);
    if (outcome.kind != Outcome::Kind::Ok || call.round() > 1 || outcome.bytes > MaxBytes)
        return;
    const QDateTime received = outcome.startedAt.addMSecs(outcome.durationNs / 1'000'000);
    const std::optional<CacheHint> hint = CacheHint::of(outcome.result(), received);
    if (!hint || !hint->isFreshAt(received))
        return;
    m_kept.push_back({uri, *hint, outcome});
    const auto bytes = [this] {
        return std::accumulate(m_kept.cbegin(), m_kept.cend(), qint64(0),
                               [](qint64 sum, const Kept &kept) { return sum + kept.outcome.bytes; });
    };
    while (m_kept.size() > MaxResults || bytes() > MaxBytes)
        m_kept.pop_front();
}

const Outcome *ReadCache::find(const QString &uri, const QDateTime &now) const
{
    const auto found = std::find_if(m_kept.cbegin(), m_kept.cend(), [&](const Kept &kept) { return kept.uri == uri; });
    return found != m_kept.cend() && found->hint.isFreshAt(now) ? &found->outcome : nullptr;
}

void ReadCache::invalidate(const QString &changedUri)
{
    std::erase_if(m_kept, [&](const Kept &kept) { return isWithin(changedUri, kept.uri); });
}

void ReadCache::forget(const QString &uri)
{
    std::erase_if(m_kept, [&](const Kept &kept) { return kept.uri == uri; });
}

}  // namespace sonde
