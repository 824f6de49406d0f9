// The words and signs of a filter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/filter/filternode.h"

#include <QString>

namespace sonde {

struct FilterToken {
    enum class Kind : quint8 { End, Open, Close, And, Or, Not, Operator, SingleEquals, Word, Quoted, Unclosed };

    Kind kind = Kind::End;
    qsizetype offset = 0;
    qsizetype length = 0;
    QString text;  // of Word, Quoted and Unclosed: without quotes and escapes
    FilterOperator comparison = FilterOperator::Equal;

    qsizetype end() const { return offset + length; }
    bool isOperand() const { return kind == Kind::Word || kind == Kind::Quoted; }
};

class FilterLexer {
public:
    explicit FilterLexer(QStringView text) : m_text(text) {}

    FilterToken next();
    // What stands behind an operator reaches to the next space, whatever it is made of; parentheses within count.
    FilterToken nextValue();

private:
    void skipSpace();
    FilterToken quoted();
    FilterToken word();
    FilterToken sign(FilterToken::Kind kind, qsizetype length);
    FilterToken comparison(FilterOperator comparison, qsizetype length);
    bool startsWith(QStringView text) const { return m_text.sliced(m_at).startsWith(text); }
    qsizetype operatorLength() const;  // 0: none here

    QStringView m_text;
    qsizetype m_at = 0;
};

}  // namespace sonde
