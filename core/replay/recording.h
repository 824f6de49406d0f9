// What replay and mock need to know of a recording besides its calls: handshakes, and params without what changes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/recordedcalls.h"

namespace sonde {

// Whether this is how a connection came to be: an answered initialize, or server/discover that lists revisions.
bool isHandshake(const Session &session, const RecordedCall &call);

// What the client declared in its last handshake that was answered: a JSON object, "{}" when nothing is known.
// calls: what recordedCalls() found.
QByteArray recordedCapabilities(const Session &session, const QList<RecordedCall> &calls);

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
