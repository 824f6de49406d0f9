// Two JSON values laid out so that what belongs together stands on the same line.
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

// One side: a value, or a text that is no JSON and is shown as it is.
struct SideBySideSource {
    json::Value value;
    QByteArray text;
};

// differences: of the two values. Those within JSON inside a string are placed within that string. Costs time and
// memory in proportion to both texts: for more than some kilobytes, call it on a worker.
SideBySideText layOutSideBySide(const SideBySideSource &left, const SideBySideSource &right,
                                const QList<json::Difference> &differences);

}  // namespace sonde::ui
