// The start lines and headers of an HTTP exchange as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/exchange.h"

namespace sonde::ui {

// As recorded, with credentials masked as in the file: URL or status, then the headers.
QByteArray headersText(const Session &session, const HttpExchangeRows &exchange);

}  // namespace sonde::ui
