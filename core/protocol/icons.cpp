// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/icons.h"

#include <QCryptographicHash>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxIconsOfEntry = 16;

std::optional<Icon> iconFrom(const json::Value &src, const IsHostAllowed &isAllowed)
{
    if (!src.isString() || src.slice().size() > MaxIconUri)
        return {};
    const QString address = src.string();
    Icon icon;
    icon.key = QCryptographicHash::hash(address.toUtf8(), QCryptographicHash::Sha1);
    if (address.startsWith("data:"_L1, Qt::CaseInsensitive)) {
        const qsizetype comma = address.indexOf(u',');
        if (comma < 0 || !QStringView(address).first(comma).endsWith(u";base64", Qt::CaseInsensitive))
            return {};
        const auto decoded = QByteArray::fromBase64Encoding(QStringView(address).sliced(comma + 1).toUtf8(),
                                                            QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded || (*decoded).isEmpty())
            return {};
        icon.bytes = *decoded;
        return icon;
    }
    const QUrl url(address, QUrl::StrictMode);
    if (!url.isValid() || url.scheme() != "https"_L1 || url.host().isEmpty() || !url.userInfo().isEmpty() ||
        !isAllowed(url.host()))
        return {};
    icon.url = url.adjusted(QUrl::RemoveFragment);
    return icon;
}

}  // namespace

std::optional<Icon> chooseIcon(const json::Value &icons, bool isDark, const IsHostAllowed &isAllowed)
{
    std::optional<Icon> best;
    int bestRank = 0;
    int looked = 0;
    for (const json::Value &each : icons) {
        if (!icons.isArray() || ++looked > MaxIconsOfEntry)
            break;
        const QString theme = each[u"theme"].string();
        const bool isForOther = theme == (isDark ? "light"_L1 : "dark"_L1);
        const int rank = isForOther ? 1 : theme.isEmpty() ? 2 : 3;
        if (rank <= bestRank)
            continue;
        if (std::optional<Icon> icon = iconFrom(each[u"src"], isAllowed)) {
            best = std::move(icon);
            bestRank = rank;
        }
    }
    return best;
}

}  // namespace sonde
