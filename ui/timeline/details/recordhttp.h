// The heads of an HTTP exchange in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/operations/exchange.h"

namespace sonde::ui {

// Both heads as they were recorded, credentials masked as they are in the file: address or status, then the headers.
QByteArray headersText(const Session &session, const HttpExchangeRows &exchange);

}  // namespace sonde::ui
