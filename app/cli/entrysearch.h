// Whether an entry of a server's lists holds a text that somebody looks for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/types.h"

namespace sonde::cli {

// In its name, title, description or URI, in capitals or not. An empty text is in each.
inline bool mentions(const Entry &entry, const QString &text)
{
    const auto holds = [&text](const QString &where) { return where.contains(text, Qt::CaseInsensitive); };
    return holds(entry.name) || holds(entry.title) || holds(entry.description) || holds(entry.value[u"uri"].string()) ||
           holds(entry.value[u"uriTemplate"].string());
}

}  // namespace sonde::cli
