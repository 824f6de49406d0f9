// What differs between two JSON values, place by place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

namespace sonde::json {

struct Difference {
    enum class Kind : quint8 {
        Added,    // only on the right
        Removed,  // only on the left
        Changed,
        TextOnly  // the same value, written otherwise: 1 and 1.0, or JSON within a string that is laid out otherwise
    };
    Kind kind = Kind::Changed;
    // A JSON Pointer. Of a string that holds JSON, what lies within follows a '#': "/content/0/text#/rows/3".
    // Elements of arrays carry their index on the left, added ones theirs on the right.
    QString pointer;
    Value left;   // Missing for Added
    Value right;  // Missing for Removed
};

struct DiffOptions {
    qsizetype maxDifferences = 10'000;  // further differences are not looked for
    bool insideText = true;             // strings that hold a JSON object or array on both sides are compared as such
};

struct Diff {
    QList<Difference> differences;  // in the order of the left text; members added to an object after its others
    bool isCut = false;             // there may be more

    bool isEmpty() const { return differences.isEmpty(); }
};

// Objects regardless of order (the last of duplicate keys counts), arrays by index, numbers by value, strings by code
// points. Of arrays of different length what is the same at both ends is left out first, so that one element put in
// or taken out is one difference. Does not recurse.
Diff diff(const Value &left, const Value &right, const DiffOptions &options = {});

}  // namespace sonde::json
