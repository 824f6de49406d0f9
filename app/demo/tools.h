// The demo server's tools.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/offer.h"

namespace sonde::demo {

ToolFunction toolFunction(const QString &name);

}  // namespace sonde::demo
