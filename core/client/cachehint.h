// How long a result may be used again, as the server says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QDateTime>
#include <optional>

namespace sonde {

// Of revision 2026-07-28. Spec: server/utilities/caching.
struct CacheHint {
    QDateTime freshUntil;   // UTC
    bool isPublic = false;  // for everybody; otherwise only for who has asked, with this authorization

    bool isFreshAt(const QDateTime &now) const { return now < freshUntil; }
    // Of a result that arrived then. Nothing when it has no `ttlMs`; a negative one is as good as 0.
    static std::optional<CacheHint> of(const json::Value &result, const QDateTime &received);
    // For what consists of both.
    static std::optional<CacheHint> shorter(const std::optional<CacheHint> &left,
                                            const std::optional<CacheHint> &right);
};

}  // namespace sonde
