// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filterlexer.h"

#include <array>

namespace sonde {

namespace {

struct Sign {
    QStringView text;
    FilterOperator comparison;
};

// The longer ones first.
constexpr std::array Signs = {
    Sign{u"==", FilterOperator::Equal},       Sign{u"!=", FilterOperator::NotEqual},
    Sign{u"<=", FilterOperator::LessOrEqual}, Sign{u">=", FilterOperator::GreaterOrEqual},
    Sign{u"<", FilterOperator::Less},         Sign{u">", FilterOperator::Greater},
    Sign{u"~", FilterOperator::Matches},
};

bool isQuote(QChar c)
{
    return c == u'"' || c == u'\'';
}

bool isOneOf(const QString &word, QStringView lower, QStringView upper)
{
    return word == lower || word == upper;
}

}  // namespace

bool holds(FilterOperator comparison, int order)
{
    switch (comparison) {
        case FilterOperator::Equal:
            return order == 0;
        case FilterOperator::NotEqual:
            return order != 0;
        case FilterOperator::Less:
            return order < 0;
        case FilterOperator::LessOrEqual:
            return order <= 0;
        case FilterOperator::Greater:
            return order > 0;
        case FilterOperator::GreaterOrEqual:
            return order >= 0;
        case FilterOperator::Matches:
            break;
    }
    return false;
}

FilterToken FilterLexer::next()
{
    skipSpace();
    if (m_at == m_text.size())
        return sign(FilterToken::Kind::End, 0);
    const QChar c = m_text.at(m_at);
    if (c == u'(')
        return sign(FilterToken::Kind::Open, 1);
    if (c == u')')
        return sign(FilterToken::Kind::Close, 1);
    if (isQuote(c))
        return quoted();
    for (const Sign &candidate : Signs) {
        if (startsWith(candidate.text))
            return comparison(candidate.comparison, candidate.text.size());
    }
    if (c == u'=')
        return sign(FilterToken::Kind::SingleEquals, 1);
    if (c == u'!')
        return sign(FilterToken::Kind::Not, 1);
    if (startsWith(u"&&"))
        return sign(FilterToken::Kind::And, 2);
    if (startsWith(u"||"))
        return sign(FilterToken::Kind::Or, 2);
    return word();
}

FilterToken FilterLexer::nextValue()
{
    skipSpace();
    if (m_at < m_text.size() && isQuote(m_text.at(m_at)))
        return quoted();
    FilterToken token;
    token.offset = m_at;
    int depth = 0;
    for (; m_at < m_text.size() && !m_text.at(m_at).isSpace(); ++m_at) {
        const QChar c = m_text.at(m_at);
        if (c == u'(')
            ++depth;
        else if (c == u')' && depth-- == 0)
            break;
    }
    token.length = m_at - token.offset;
    token.text = m_text.sliced(token.offset, token.length).toString();
    token.kind = token.length > 0 ? FilterToken::Kind::Word : FilterToken::Kind::End;
    return token;
}

void FilterLexer::skipSpace()
{
    while (m_at < m_text.size() && m_text.at(m_at).isSpace())
        ++m_at;
}

// Within quotes a backslash stands before a quote or a backslash; before anything else it is itself, so that regular
// expressions need no second layer of them.
FilterToken FilterLexer::quoted()
{
    FilterToken token;
    token.offset = m_at;
    token.kind = FilterToken::Kind::Unclosed;
    const QChar quote = m_text.at(m_at++);
    while (m_at < m_text.size()) {
        QChar c = m_text.at(m_at++);
        if (c == quote) {
            token.kind = FilterToken::Kind::Quoted;
            break;
        }
        const QChar following = m_at < m_text.size() ? m_text.at(m_at) : QChar();
        if (c == u'\\' && (following == quote || following == u'\\')) {
            c = following;
            ++m_at;
        }
        token.text.append(c);
    }
    token.length = m_at - token.offset;
    return token;
}

FilterToken FilterLexer::word()
{
    FilterToken token;
    token.offset = m_at;
    const bool isPointer = m_text.at(m_at) == u'/';
    while (m_at < m_text.size()) {
        const QChar c = m_text.at(m_at);
        if (c.isSpace() || c == u'(' || c == u')' || c == u'"')
            break;
        if (isPointer && (startsWith(u"~0") || startsWith(u"~1")))
            m_at += 2;  // how a pointer writes ~ and /
        else if (operatorLength() > 0)
            break;
        else
            ++m_at;
    }
    token.kind = FilterToken::Kind::Word;
    token.length = m_at - token.offset;
    token.text = m_text.sliced(token.offset, token.length).toString();
    if (isOneOf(token.text, u"and", u"AND"))
        token.kind = FilterToken::Kind::And;
    else if (isOneOf(token.text, u"or", u"OR"))
        token.kind = FilterToken::Kind::Or;
    else if (isOneOf(token.text, u"not", u"NOT"))
        token.kind = FilterToken::Kind::Not;
    return token;
}

FilterToken FilterLexer::sign(FilterToken::Kind kind, qsizetype length)
{
    FilterToken token;
    token.kind = kind;
    token.offset = m_at;
    token.length = length;
    m_at += length;
    return token;
}

FilterToken FilterLexer::comparison(FilterOperator comparison, qsizetype length)
{
    FilterToken token = sign(FilterToken::Kind::Operator, length);
    token.comparison = comparison;
    return token;
}

qsizetype FilterLexer::operatorLength() const
{
    for (const Sign &candidate : Signs) {
        if (startsWith(candidate.text))
            return candidate.text.size();
    }
    return startsWith(u"=") ? 1 : 0;
}

}  // namespace sonde
