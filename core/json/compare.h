// Comparison of JSON by value: numbers by what they mean, objects without regard to order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

namespace sonde::json {

// Exact decimal comparison of two JSON numbers of any size: -1, 0 or 1. 1 == 1.0 == 1e0, 0 == -0.
// Exponents beyond the range of qint64 compare as infinitely large or small.
int compareNumbers(QByteArrayView left, QByteArrayView right);
bool isInteger(QByteArrayView number);  // by value: 1.0 and 1e2 are integers
// Exact decimal divisibility (JSON Schema's multipleOf); nothing when the digits involved exceed a sane bound.
std::optional<bool> isMultipleOf(QByteArrayView number, QByteArrayView divisor);

// Equality as JSON Schema has it: numbers by value, strings by code points, objects as sets of members
// (the last of duplicate keys counts), arrays in order. Does not recurse.
bool equal(const Value &left, const Value &right);
// The same number for values that are equal. Others mostly have others, unless the same words stand elsewhere in them.
size_t hash(const Value &value);

}  // namespace sonde::json
