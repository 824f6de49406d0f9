// Formats two JSON values so that matching parts are on the same line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"

namespace sonde::ui {

// One side: a value, or text that is not JSON and is shown unchanged.
struct SideBySideSource {
    SideBySideSource() = default;
    SideBySideSource(const json::Value &part) : value(part) {}
    SideBySideSource(const json::Document &document) : value(document.root()), text(document.text()) {}

    json::Value value;
    QByteArray text;
};

struct SideBySideText {
    struct Range {
        qsizetype offset = 0;  // bytes in the text; of the line across when there is nothing on this side
        qsizetype length = 0;
    };
    QByteArray left;  // indented; with empty lines where only the other side has something
    QByteArray right;
    QList<Range> leftRanges;  // one for each difference
    QList<Range> rightRanges;
    QList<json::Difference> differences;  // where the given ones are in these texts, in the given order
    bool hasEmbeddedJson = false;         // a string was replaced by the JSON that it holds
};

// differences: of the two values. Strings of JSON with differences in it are replaced by that JSON; where that is
// impossible for one of them, they stay, and the difference is that of the whole string. Time and memory are
// proportional to both texts: above a few kilobytes, call it on a worker.
SideBySideText layOutSideBySide(const SideBySideSource &left, const SideBySideSource &right,
                                const QList<json::Difference> &differences);

}  // namespace sonde::ui
