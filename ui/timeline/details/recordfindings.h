// Findings about a record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/session/session.h"

namespace sonde::ui {

// Violations of JSON or JSON-RPC, with the place if known. message: its bytes; empty if the record is not a message.
// May be called on a worker.
QStringList findingsIn(const json::Document &document, const QByteArray &message);
// Notes that were recorded about the row, such as a late response.
QStringList notesOn(const Session &session, qsizetype row);

}  // namespace sonde::ui
