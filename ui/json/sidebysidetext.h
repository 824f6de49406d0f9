// Formats two JSON values so that matching parts are on the same line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

namespace sonde::ui {

struct SideBySideText {
    struct Range {
        qsizetype offset = 0;  // bytes in the text; of the line across when there is nothing on this side
        qsizetype length = 0;
    };
    QByteArray left;  // indented; with empty lines where only the other side has something
    QByteArray right;
    QList<Range> leftRanges;  // one for each difference
    QList<Range> rightRanges;
};

// One side: a value, or text that is not JSON and is shown unchanged.
struct SideBySideSource {
    json::Value value;
    QByteArray text;
};

// differences: of the two values. Differences within JSON inside a string are placed within that string. Time and
// memory are proportional to both texts: above a few kilobytes, call it on a worker.
SideBySideText layOutSideBySide(const SideBySideSource &left, const SideBySideSource &right,
                                const QList<json::Difference> &differences);

}  // namespace sonde::ui
