// What stands behind an operator in a filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filterlexer.h"
#include "core/filter/filternode.h"

namespace sonde {

// Reads what was written behind an operator, for the field and the operator of `node`, into its literal. Returns why
// that makes no sense, or nothing.
QString readFilterLiteral(const FilterToken &token, FilterNode *node);

}  // namespace sonde
