// What is to be remarked about a record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/session/session.h"

namespace sonde::ui {

// What breaks JSON or, of a message, JSON-RPC: with the place where there is one. message: its bytes; empty for what
// is none. May be called on a worker.
QStringList findingsIn(const json::Document &document, const QByteArray &message);
// Notes that were recorded about the row while the session ran, such as a late response.
QStringList remarksOn(const Session &session, qsizetype row);

}  // namespace sonde::ui
