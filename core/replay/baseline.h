// Puts a new recording in the place of an old one, which is kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QDateTime>

namespace sonde {

// Where the old recording goes: NAME.before-20261121-140231.mcpsession in the same folder.
QString keptRecordingPath(const QString &path, const QDateTime &when);

// The file at path is the old one or the new one at any moment, never none and never half of one. newPath is gone
// afterwards. On an Error everything is as it was. Copies where the folders lie on different disks: may take long, so
// it belongs on a worker.
Error replaceRecording(const QString &path, const QString &newPath, const QString &previousPath);

}  // namespace sonde
