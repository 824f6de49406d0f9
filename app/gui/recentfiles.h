// The desktop's list of recently used files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

namespace sonde::app {

// $XDG_DATA_HOME/recently-used.xbel (Desktop Bookmark Specification), which file managers and other programs show. Qt
// has no function for it.
QString recentFilesPath();

// The list with that file in it, as used now; what other programs wrote stays. An Error: the text is no such list.
Result<QByteArray> withRecentFile(const QByteArray &list, const QString &path, const QString &mimeType,
                                  const QDateTime &when);

// Adds it, under the lock that KDE's programs use too. Any thread. A list that cannot be read is left as it is.
Error addRecentFile(const QString &path, const QString &mimeType);

}  // namespace sonde::app
