// What is wrong with a request of the server, before a person gets to see it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/inputrequest.h"
#include "core/protocol/revision.h"

namespace sonde {

// Why a client with these capabilities must refuse this request, or an empty string. Until 2025-11-25 it is refused
// with the error -32602; from 2026-07-28 on the call that asks for it fails. Spec: client/elicitation, "Capabilities"
// and "Requested Schema"; client/sampling, "Tools" and "Tool Result Messages".
QString problemOfRequest(InputRequest::Kind kind, const json::Value &params, const json::Value &capabilities,
                         Revision revision);

}  // namespace sonde
