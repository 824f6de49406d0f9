// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/opener.h"

#include "core/protocol/consenturl.h"

#include <QDesktopServices>

namespace sonde::ui {

bool openAddress(const QString &address)
{
    const ConsentUrl target = ConsentUrl::fromText(address);
    return target.refusal.isEmpty() && QDesktopServices::openUrl(target.url);
}

bool openFolder(const QString &path)
{
    return QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

bool openFile(const QString &path)
{
    return QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

}  // namespace sonde::ui
