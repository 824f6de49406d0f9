// The requests of a session with what they were answered: what replay and mock work through.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

namespace sonde {

// Rows of the session; what they say is read when it is needed.
struct RecordedCall {
    qsizetype row = -1;
    qsizetype answerRow = -1;  // -1: none
};

// What the client asked, in order. Batches are no calls of their own.
QList<RecordedCall> recordedCalls(const Session &session);

// What the client declared in its last handshake that was answered: a JSON object, "{}" when nothing is known.
QByteArray recordedCapabilities(const Session &session);

// A request's params without the progress token, which belongs to one request only.
// Empty when there were none, or nothing else in them.
QByteArray paramsWithoutToken(const json::Value &params);

// By value, but for the progress tokens. No params, and none that say anything, ask the same.
bool haveSameParams(const json::Value &left, const json::Value &right);
// The params without their progress token; an empty object when there are none.
json::Value comparableParams(const json::Value &params);

// The text with one of its values, a node of the same document, replaced. Everything else keeps its bytes.
QByteArray withReplaced(const json::Value &value, QByteArrayView replacement);

}  // namespace sonde
