// Writes files that are replaced whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <QString>

class QSaveFile;

namespace sonde {

enum class ReadableBy {
    Owner,  // mode 0600
    Usual   // as the person's umask has it, or as the file was before
};

// Whole or not at all: after an Error what was there is as it was. What is no ordinary file is never replaced.
Error saveFile(const QString &path, const QByteArray &bytes, ReadableBy readableBy);

// The end of it, for what is written in pieces. Empty: the file is in its place. Otherwise why not, as the system says
// it. QSaveFile::commit() alone forgets why its last bytes could not be written and says "Unknown error".
QString commitFile(QSaveFile &file);

}  // namespace sonde
