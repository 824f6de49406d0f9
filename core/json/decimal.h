// A JSON number taken apart, exactly. Private to core/json.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace sonde::json {

// digits times ten to the power of exponent. Digits carry no zeros at either end, so equal numbers have equal parts.
struct Decimal {
    // Tiny and Huge: the exponent is beyond counting. Ordered by magnitude.
    enum class Size { Zero, Tiny, Finite, Huge };

    Size size = Size::Zero;
    bool negative = false;
    QByteArray digits;
    qint64 exponent = 0;

    // Tolerates text that is no JSON number: characters out of place are skipped.
    static Decimal fromText(QByteArrayView number);

    bool isInteger() const;
    std::optional<qint64> toInteger() const;
};

}  // namespace sonde::json
