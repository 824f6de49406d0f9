// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/extensionresources.h"

using namespace Qt::StringLiterals;

namespace sonde {

ResourceKind resourceKindOf(QStringView uri)
{
    // Schemes are the same in capitals (RFC 3986 section 3.1).
    if (uri.startsWith("ui://"_L1, Qt::CaseInsensitive))
        return ResourceKind::App;
    return uri.startsWith("skill://"_L1, Qt::CaseInsensitive) ? ResourceKind::Skill : ResourceKind::Plain;
}

QString appUriOf(const Tool &tool)
{
    const json::Value meta = tool.value[u"_meta"];
    const QString uri = meta[u"ui"][u"resourceUri"].string();
    return uri.isEmpty() ? meta[u"ui/resourceUri"].string() : uri;  // the flat name is of drafts of the extension
}

}  // namespace sonde
