// How a server was started and what the client told it, as far as a session says: what differs between two machines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"
#include "core/session/session.h"

namespace sonde {

// An object, with what is known: transport, program, arguments, workingDirectory, variables (by name), inherited
// (names), url, headers (by name), client, capabilities and protocolVersion as they were sent. Secrets are in it as
// ‹kind›, since the marks of two recordings cannot be compared. What the recording does not tell is not there.
// handshakeRow: of the request initialize.
json::Value environmentOf(const Session &session, qsizetype handshakeRow);

// By JSON Pointer into such an object: what tells within this process, and nowhere else, whether two secrets are the
// same. Only of a server whose description is at hand.
QHash<QString, QByteArray> secretPrintsOf(const ServerSpec &spec);

// "‹token:1a2b3c4d›" is told from "‹token›".
QString withoutMarkDigits(const QString &text);
bool holdsMark(const QString &text);

}  // namespace sonde
