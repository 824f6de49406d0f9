// What the validators of other languages write when they refuse arguments, read back into places.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/schemaform.h"

#include <optional>

namespace sonde::ui {

// "a.b[0]", "$.a['b']" or "/a/b". Some servers prefix the place of the arguments ("body", "params"), which is taken
// away unless there is an argument of that name. sent: the arguments.
std::optional<json::Pointer> placeFromPath(const QString &path, const json::Value &sent);
std::optional<json::Pointer> placeFromTokens(QStringList tokens, const json::Value &sent);

// The places that a text names in the way of a known library, with what it says of each: pydantic and FastMCP, zod,
// Ajv, jsonschema of Python and of Go, serde, System.Text.Json, Jackson. None when in doubt, since a wrong mark
// misleads: sent also tells where a member that is only named can be missing.
QList<FormIssue> issuesInText(const QString &text, const json::Value &sent);

}  // namespace sonde::ui
