// A condition on the rows of a session, written as one line of text: see docs/filter-language.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <memory>
#include <optional>

namespace sonde {

struct FilterNode;

// What keeps a text from being a filter, and which part of it.
struct FilterProblem {
    qsizetype offset = 0;
    qsizetype length = 0;
    QString reason;  // a sentence
    bool operator==(const FilterProblem &) const = default;
};

// Cheap to copy, immutable. Says nothing about a session by itself: see FilterMatcher.
class Filter {
public:
    struct Parsed;

    Filter();  // every row
    static Parsed parse(const QString &text);

    bool matchesAll() const;
    const QString &text() const { return m_text; }
    // What it says of a request may change when the response comes, and only then.
    bool dependsOnResponses() const;
    // May let a row through for what it is not: "not", "!=", "none".
    bool isNegative() const;
    const FilterNode *root() const { return m_root.get(); }  // null: every row

private:
    QString m_text;
    std::shared_ptr<const FilterNode> m_root;
};

struct Filter::Parsed {
    Filter filter;  // every row when there is a problem
    std::optional<FilterProblem> problem;
};

}  // namespace sonde
