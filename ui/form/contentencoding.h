// Bytes within a string, as "contentEncoding" or "format" of a schema name it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/textencoding.h"
#include "core/shape/shape.h"

#include <optional>

namespace sonde::ui {

// OpenAPI's "byte" and "binary" count as base64: JSON has no other way to carry a file. Nothing: ordinary text.
std::optional<schema::TextEncoding> encodingOf(const Shape &shape);

}  // namespace sonde::ui
