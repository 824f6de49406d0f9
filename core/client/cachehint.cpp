// SPDX-License-Identifier: Apache-2.0
#include "core/client/cachehint.h"

#include <algorithm>

namespace sonde {

namespace {
constexpr qint64 MaxTtlMs = qint64(366) * 24 * 3600 * 1000;
}

std::optional<CacheHint> CacheHint::of(const json::Value &result, const QDateTime &received)
{
    const std::optional<qint64> ttlMs = result[u"ttlMs"].toInteger();
    if (!ttlMs)
        return std::nullopt;
    const json::Value scope = result[u"cacheScope"];
    return CacheHint{received.addMSecs(std::clamp<qint64>(*ttlMs, 0, MaxTtlMs)),
                     scope.isString() && scope.string() == u"public"};
}

std::optional<CacheHint> CacheHint::shorter(const std::optional<CacheHint> &left, const std::optional<CacheHint> &right)
{
    if (!left || !right)
        return std::nullopt;
    return CacheHint{std::min(left->freshUntil, right->freshUntil), left->isPublic && right->isPublic};
}

}  // namespace sonde
