// What is wrong with a response to a request of the server, before it is sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/inputrequest.h"

namespace sonde {

// Whether a result can be the response to a request of this kind at all: an empty string, or a sentence. For responses
// that are prepared before anybody asks.
QString problemOfResponse(InputRequest::Kind kind, const json::Value &result);
// The same for this very request: its revision, its mode, its tools and its requestedSchema.
QString problemOfResponse(const InputRequest &request, const json::Value &result);

// Of that only what the revision does not have, or what was not offered.
QString problemInRevision(const InputRequest &request, const json::Value &result);

}  // namespace sonde
