// Where in a form a problem is, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/issuetext.h"

namespace sonde::ui {

class Draft;

using sonde::placeWords;
// The same of the value that the draft becomes.
QStringList placeWords(const Draft &draft);

}  // namespace sonde::ui
