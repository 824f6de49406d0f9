// An example of what a schema admits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapereader.h"

namespace sonde {

// As small as it is found at once: members that are required, defaults and examples that the schema gives. Checked
// against the schema; empty: none was found, for the schema admits nothing, or only what is hard to guess.
QByteArray exampleOf(const ShapeReader &reader, const Shape &shape);

}  // namespace sonde
