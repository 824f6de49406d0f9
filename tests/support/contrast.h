// The contrast of two colours, as the WCAG 2 define it: 1 to 21.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <cmath>

namespace sonde::test {

constexpr double TextContrast = 4.5;   // at least, of texts
constexpr double ShapeContrast = 3.0;  // of large texts, borders of controls, icons, the focus

inline double relativeLuminance(const QColor &color)
{
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

inline double contrastOf(const QColor &one, const QColor &other)
{
    const double a = relativeLuminance(one) + 0.05;
    const double b = relativeLuminance(other) + 0.05;
    return qMax(a, b) / qMin(a, b);
}

}  // namespace sonde::test
