// How the server of a recording was reached.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

namespace sonde {

// As the beginning of the file tells, at the first start: command, arguments and folder, or the address. Secrets are
// marks in it. Environment and headers are left out. Without a command and an address where nothing is told. Reads the
// beginning of the file only.
ServerSpec recordedServer(const QString &sessionPath);

}  // namespace sonde
