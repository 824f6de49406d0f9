// Addition of decimal numbers without losing a digit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <optional>

namespace sonde::demo {

// Both as JSON writes numbers. Nothing when an exponent is so large that the sum would have thousands of digits.
std::optional<QByteArray> exactSum(const QByteArray &left, const QByteArray &right);

}  // namespace sonde::demo
