// Ends the writing of a file that is replaced whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QSaveFile;

namespace sonde {

// Empty: the file is in its place. Otherwise why not, as the system says it; then the file is as it was.
// QSaveFile::commit() alone forgets why its last bytes could not be written and says "Unknown error".
QString commitFile(QSaveFile &file);

}  // namespace sonde
