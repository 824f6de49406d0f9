// From a server's description to what its transport wants to know.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"
#include "core/transport/http/httprequests.h"
#include "core/transport/process/stdiotransport.h"

namespace sonde {

// "~" in the working directory is replaced. The PATH of the login shell is there when LoginShell has been asked.
StdioOptions stdioOptions(const ServerSpec &spec);
HttpOptions httpOptions(const ServerSpec &spec);

}  // namespace sonde
