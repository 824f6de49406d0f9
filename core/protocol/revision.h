// The protocol's revisions: which there are, and what exists since when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace sonde {

enum class Revision : quint8 { R20241105, R20250326, R20250618, R20251125, R20260728 };

// What dialects and transports ask about, instead of comparing revisions.
enum class Feature : quint8 {
    Batches,                // JSON arrays of messages may be received
    SessionHeader,          // of Streamable HTTP, whatever its server calls its revision: Mcp-Session-Id, GET stream,
                            // DELETE, Last-Event-ID
    ProtocolVersionHeader,  // MCP-Protocol-Version on everything after initialize
    StructuredContent,
    ListsInForms,     // elicitation: fields that are lists of strings
    ElicitationIds,   // elicitation of a URL names itself
    ToolsInSampling,  // and messages with several blocks
    TaskCapability,   // calls that run as tasks where the client asks for it
    TaskExtension,    // the same where the server wants it, as an extension
    StreamEndCancels  // over HTTP the end of a response's stream cancels its request, and nothing else does
};

QString toString(Revision revision);  // "2025-11-25"
std::optional<Revision> revisionFromString(QStringView text);
bool supports(Revision revision, Feature feature);
// Revisions that Sonde speaks with the handshake, newest first. The first one is proposed.
const QList<Revision> &statefulRevisions();
// Those without it: each request says what it needs.
const QList<Revision> &statelessRevisions();

}  // namespace sonde
