// SPDX-License-Identifier: Apache-2.0
#include "core/server/installlink.h"

#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// Web pages may only link to web pages: one of VS Code's leads on to the link in its query, which is sometimes encoded.
QString withoutRedirect(const QString &text)
{
    static const QRegularExpression redirect(u"\\Ahttps://(insiders\\.)?vscode\\.dev/redirect/?\\?url="_s);
    const QRegularExpressionMatch match = redirect.match(text);
    if (!match.hasMatch())
        return text;
    const QString target = text.mid(match.capturedLength());
    return target.contains(u'?') ? target : QUrl::fromPercentEncoding(target.section(u'&', 0, 0).toUtf8());
}

}  // namespace

std::optional<InstallLink> readInstallLink(const QString &text)
{
    if (text.contains(u' '))
        return std::nullopt;
    const QString link = withoutRedirect(text);
    const qsizetype question = link.indexOf(u'?');
    if (question < 0 || !link.left(question).endsWith(u"mcp/install"_s))
        return std::nullopt;
    const QString encoded = link.mid(question + 1).trimmed();
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
