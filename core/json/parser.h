// Reads the text of a document into nodes and findings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/documentdata.h"

namespace sonde::json {

// Fills data from data.text.
void parseInto(DocumentData &data, const Limits &limits);

}  // namespace sonde::json
