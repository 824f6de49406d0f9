// The parts of an object's schema that apply to some values only: if/then/else, dependentSchemas and dependentRequired
// of 2020-12, and dependencies of draft-07.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapereader.h"

#include <optional>

namespace sonde {

// The shape of this value, Missing being an empty object: what applies to it is among the layers, and required members
// are marked. The same shape if nothing does; nothing if that takes too long to find out.
std::optional<Shape> withConditions(const ShapeReader &reader, const Shape &object, const json::Value &value);
// Whether the member is declared for some value; true too where that takes too long to find out.
bool mayDeclare(const ShapeReader &reader, const Shape &object, const QString &name);

}  // namespace sonde
