// How the server of a recording was reached.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

namespace sonde {

struct RecordedServer {
    ServerSpec spec;           // without a command and a URL where nothing is told
    bool isUrlMasked = false;  // it is left out: what remains of it leads elsewhere
};

// As the beginning of the file tells, at the first start: command, arguments and folder, or the URL. Secrets are marks
// in the arguments. Environment and headers are left out. Reads the beginning of the file only.
RecordedServer recordedServer(const QString &sessionPath);

}  // namespace sonde
