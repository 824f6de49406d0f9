// JSON text as every parser takes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

namespace sonde::json {

// A text that was made strict, and what that cost.
struct StrictText {
    struct Place {
        Pointer pointer;  // of the string, or of the member in whose name it was
        qint64 count = 0;
    };
    static constexpr qsizetype MaxPlaces = 100;

    QByteArray text;
    qint64 replaced = 0;  // in all
    QList<Place> places;  // in the order of the text, the first MaxPlaces
};

// Within strings, halves of surrogate pairs that stand alone, escaped or not, and bytes that are not UTF-8 become
// U+FFFD each, and control characters that should be escaped are. All else, such as numbers, stays digit for digit.
// The text is valid JSON otherwise.
StrictText toStrict(const QByteArray &text);

}  // namespace sonde::json
