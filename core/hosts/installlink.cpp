// SPDX-License-Identifier: Apache-2.0
#include "core/hosts/installlink.h"

#include <QUrl>
#include <QUrlQuery>

namespace sonde {

using namespace Qt::StringLiterals;

std::optional<InstallLink> readInstallLink(const QString &text)
{
    const qsizetype question = text.indexOf(u'?');
    if (question < 0 || text.contains(u' ') || !text.left(question).endsWith(u"mcp/install"_s))
        return std::nullopt;
    const QString encoded = text.mid(question + 1).trimmed();
    const QByteArray whole = QByteArray::fromPercentEncoding(encoded.toUtf8());
    if (whole.startsWith('{'))
        return InstallLink{{}, whole};
    const QUrlQuery query(encoded);
    const QByteArray config = query.queryItemValue(u"config"_s, QUrl::FullyDecoded).toUtf8();
    if (config.isEmpty())
        return std::nullopt;
    return InstallLink{query.queryItemValue(u"name"_s, QUrl::FullyDecoded),
                       config.startsWith('{') ? config : QByteArray::fromBase64(config)};
}

}  // namespace sonde
