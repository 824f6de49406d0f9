// Ends the writing of a file that is replaced whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QSaveFile;

namespace sonde {

// Empty: the file is in its place. Otherwise why not, as the system says it; then what was there is as it was. What is
// no ordinary file is never replaced.
// QSaveFile::commit() alone forgets why its last bytes could not be written and says "Unknown error".
QString commitFile(QSaveFile &file);

}  // namespace sonde
