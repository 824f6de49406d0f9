// Credentials in the facts of an event: headers, variables, arguments of a command line, the URL of a server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/redact/secretscanner.h"

#include <vector>

namespace sonde {

// What a name says to be secret, in the order of the text and apart from each other, within the strings. What a text
// says in itself is left to the scanner.
std::vector<SecretMatch> secretsInFacts(const json::Document &facts, const JudgedNames &names);
// The same of a list of arguments, where a name may precede its value. Numbers count as well.
std::vector<SecretMatch> secretsInArguments(const json::Value &arguments);

}  // namespace sonde
