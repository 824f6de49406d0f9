// What a filter is once it was read: a tree of conditions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filterfields.h"
#include "core/json/bytesearch.h"
#include "core/json/pointer.h"
#include "core/json/scan.h"

#include <QDateTime>
#include <QRegularExpression>
#include <vector>

namespace sonde {

enum class FilterOperator : quint8 { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, Matches };

// Whether "left OPERATOR right" holds when left compares with right like this: below zero, zero, above.
bool holds(FilterOperator comparison, int order);

// The value that a comparison names.
struct FilterLiteral {
    enum class Kind : quint8 { Text, Number, Bool, Null, None };

    Kind kind = Kind::Text;
    QString text;       // as written, without quotes
    QByteArray number;  // JSON
    bool flag = false;
    QRegularExpression expression;  // of Matches
    quint32 choices = 0;            // of a Choice: the numbers for which the comparison holds, as bits

    // Of numbers of rows, which are integers in a unit of their own: the largest integer that is not above the literal,
    // and whether it is the literal.
    qint64 floor = 0;
    bool isFloor = false;
    int compare(qint64 value) const { return value != floor ? (value < floor ? -1 : 1) : isFloor ? 0 : -1; }

    // Of times.
    QDateTime instant;
    QTime clock;
};

struct FilterNode {
    enum class Kind : quint8 {
        All,   // of the children
        Any,   // of the children
        Not,   // the child
        Word,  // occurs in the row
        Compare
    };

    Kind kind = Kind::All;
    int cost = 0;   // what it takes to decide, roughly; children stand with the cheapest first
    int place = 0;  // number of the word or comparison within the filter, as of everything it searches for
    std::vector<FilterNode> children;

    // Word.
    CaseInsensitiveMatcher word;
    CaseInsensitiveMatcher escapedWord;  // as it appears in a line
    bool needsEscape = false;

    // Compare.
    FilterField field = FilterField::Pointer;
    FilterOperator comparison = FilterOperator::Equal;
    json::Pointer pointer;
    json::PlaceFinder finder;    // of the pointer
    CaseInsensitiveMatcher key;  // without these bytes the pointer leads nowhere, unless a key was written with escapes
    CaseInsensitiveMatcher text;  // nor to the text that is asked for without these, likewise
    int textPlace = 0;
    FilterLiteral literal;
};

}  // namespace sonde
