// The requests of a session with what they were answered, also in batches: what replay and mock work through.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

// Rows of the session; what they say is read when it is needed.
struct RecordedCall {
    qsizetype row = -1;
    qsizetype responseRow = -1;  // -1: none
    // Where the row is a batch: the element of it.
    Message request{};
    Message response{};
    bool isDiscovery = false;  // server/discover, before anything else was asked in its connection
};

// What the client asked, or the server, in order; the requests of a batch one by one.
QList<RecordedCall> recordedCalls(const Session &session, Direction asked = Direction::ToServer);

Message requestOf(const Session &session, const RecordedCall &call);
Message responseOf(const Session &session, const RecordedCall &call);  // Invalid: none
// As RecordInfo::method and target.
QString methodOf(const Session &session, const RecordedCall &call);
QString targetOf(const Session &session, const RecordedCall &call);

// Whether this is how a connection came to be: an answered initialize, or server/discover that lists revisions.
bool isHandshake(const Session &session, const RecordedCall &call);

// What the client declared in its last handshake that was answered: a JSON object, "{}" when nothing is known.
QByteArray recordedCapabilities(const Session &session);

// A request's params without what each request says anew: the progress token, and from 2026-07-28 on the revision and
// the client. Empty when there were none, or nothing else in them.
QByteArray repeatableParams(const json::Value &params);

// By value, but for what repeatableParams() leaves out. No params, and none that say anything, ask the same.
bool haveSameParams(const json::Value &left, const json::Value &right);
// The repeatable params; an empty object when there are none.
json::Value comparableParams(const json::Value &params);

// The text with one of its values, a node of the same document, replaced. Everything else keeps its bytes.
QByteArray withReplaced(const json::Value &value, QByteArrayView replacement);

}  // namespace sonde
