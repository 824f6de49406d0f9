// From the text of a filter to its tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filter.h"
#include "core/filter/filterlexer.h"

namespace sonde {

// Stops at the first problem.
class FilterParser {
public:
    explicit FilterParser(QStringView text) : m_lexer(text), m_token(m_lexer.next()) {}

    FilterNode parse();
    const std::optional<FilterProblem> &problem() const { return m_problem; }

private:
    FilterNode parseAny();
    FilterNode parseAll();
    FilterNode parseOne();
    FilterNode parseParentheses();
    FilterNode parseOperand();
    FilterNode parseComparison(const FilterToken &name);
    bool nameField(const FilterToken &name, FilterNode *node);
    bool checkOperator(const FilterToken &sign, const FilterNode &node);

    void advance() { m_token = m_lexer.next(); }
    bool is(FilterToken::Kind kind) const { return m_token.kind == kind; }
    bool beginsOperand() const;
    void fail(const FilterToken &token, const QString &reason);

    FilterLexer m_lexer;
    FilterToken m_token;
    int m_depth = 0;
    int m_places = 0;
    std::optional<FilterProblem> m_problem;
};

}  // namespace sonde
