// What a program that is no script was built for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QString>

namespace sonde {

// Why this system cannot run the file, with a hint; none where nothing speaks against it. Reads its headers only.
Error problemOfBinary(const QString &path);

}  // namespace sonde
