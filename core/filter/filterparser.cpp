// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filterparser.h"

#include "core/filter/filterliteral.h"
#include "core/filter/texts.h"
#include "core/session/linewriter.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Token = FilterToken::Kind;

constexpr int MaxDepth = 64;
constexpr int WordCost = 4;

QString allFieldNames()
{
    QStringList names;
    for (const FilterFieldInfo &info : filterFields())
        names.append(QString::fromLatin1(info.name));
    return names.join(u", "_s);
}

// What has to be read to decide: only the row's entry in memory, the line, parts of it, the whole message.
int costOf(const FilterNode &node)
{
    switch (node.field) {
        case FilterField::Dir:
        case FilterField::Kind:
        case FilterField::Outcome:
        case FilterField::Size:
            return 1;
        case FilterField::Method:
        case FilterField::Tool:
        case FilterField::Prompt:
        case FilterField::Uri:
        case FilterField::Server:
            return 2;
        case FilterField::Ms:
        case FilterField::Status:
        case FilterField::Finding:
            return 3;
        case FilterField::Time:
            return node.literal.kind == FilterLiteral::Kind::Number ? 1 : 5;
        case FilterField::Id:
            return 6;
        case FilterField::Revision:
            return 7;
        case FilterField::Pointer:
            break;
    }
    return 8;
}

FilterNode wordNode(const QString &text, int place)
{
    FilterNode node;
    const QByteArray word = text.toUtf8();
    if (word.isEmpty())
        return node;  // it is everywhere
    QByteArray escaped;
    LineWriter(escaped).escaped(word);
    node.kind = FilterNode::Kind::Word;
    node.cost = WordCost;
    node.place = place;
    node.word = CaseInsensitiveMatcher(word);
    node.escapedWord = CaseInsensitiveMatcher(escaped);
    node.needsEscape = escaped != word;
    return node;
}

// Children of the same kind move up, a single child takes the place of its parent, and the cheapest come first.
FilterNode joined(FilterNode::Kind kind, std::vector<FilterNode> children)
{
    if (children.size() == 1)
        return std::move(children.front());
    FilterNode node;
    node.kind = kind;
    for (FilterNode &child : children) {
        if (child.kind == kind)
            std::move(child.children.begin(), child.children.end(), std::back_inserter(node.children));
        else
            node.children.push_back(std::move(child));
    }
    std::stable_sort(node.children.begin(), node.children.end(),
                     [](const FilterNode &left, const FilterNode &right) { return left.cost < right.cost; });
    node.cost = node.children.empty() ? 0 : node.children.back().cost;
    return node;
}

// Whether JSON has only one way to write this in a string, but for \uXXXX.
bool isPlain(const QString &text)
{
    return std::all_of(text.cbegin(), text.cend(), [](QChar c) {
        return c.unicode() >= 0x20 && c.unicode() < 0x7F && c != u'"' && c != u'\\' && c != u'/';
    });
}

// A string of a message as it appears in a line.
CaseInsensitiveMatcher stringNeedle(const QString &text)
{
    return CaseInsensitiveMatcher("\\\"" + text.toLatin1() + "\\\"");
}

// What every message with this place has to hold: the longest of the names on the way.
CaseInsensitiveMatcher neededFor(const json::Pointer &pointer)
{
    QString longest;
    for (const QString &token : pointer.tokens()) {
        const bool isIndex = std::all_of(token.cbegin(), token.cend(), [](QChar c) { return c.isDigit(); });
        if (isPlain(token) && !isIndex && token.size() > longest.size())
            longest = token;
    }
    return longest.isEmpty() ? CaseInsensitiveMatcher() : stringNeedle(longest);
}

// What every message has to hold for which this comparison holds, besides its place.
CaseInsensitiveMatcher neededFor(const FilterNode &node)
{
    const bool isText = node.literal.kind == FilterLiteral::Kind::Text && node.comparison == FilterOperator::Equal;
    return isText && isPlain(node.literal.text) ? stringNeedle(node.literal.text) : CaseInsensitiveMatcher();
}

}  // namespace

FilterNode FilterParser::parse()
{
    FilterNode root;
    if (!is(Token::End))
        root = parseAny();
    if (!m_problem && is(Token::Close))
        fail(m_token, FilterText::tr("Unmatched closing parenthesis."));
    return root;
}

FilterNode FilterParser::parseAny()
{
    std::vector<FilterNode> children;
    children.push_back(parseAll());
    while (!m_problem && is(Token::Or)) {
        advance();
        children.push_back(parseAll());
    }
    return joined(FilterNode::Kind::Any, std::move(children));
}

FilterNode FilterParser::parseAll()
{
    std::vector<FilterNode> children;
    children.push_back(parseOne());
    while (!m_problem) {
        if (is(Token::And))
            advance();
        else if (!beginsOperand())
            break;
        children.push_back(parseOne());
    }
    return joined(FilterNode::Kind::All, std::move(children));
}

FilterNode FilterParser::parseOne()
{
    if (++m_depth > MaxDepth) {
        fail(m_token, FilterText::tr("Nested too deeply."));
        return {};
    }
    FilterNode node;
    if (is(Token::Not)) {
        advance();
        node.kind = FilterNode::Kind::Not;
        node.children.push_back(parseOne());
        node.cost = node.children.front().cost;
    } else if (is(Token::Open)) {
        node = parseParentheses();
    } else {
        node = parseOperand();
    }
    --m_depth;
    return node;
}

FilterNode FilterParser::parseParentheses()
{
    const FilterToken open = m_token;
    advance();
    FilterNode node = parseAny();
    if (m_problem)
        return node;
    if (!is(Token::Close))
        fail(open, FilterText::tr("Unclosed parenthesis."));
    advance();
    return node;
}

FilterNode FilterParser::parseOperand()
{
    const FilterToken operand = m_token;
    switch (operand.kind) {
        case Token::Word:
        case Token::Quoted:
            advance();
            return is(Token::Operator) || is(Token::SingleEquals) ? parseComparison(operand)
                                                                  : wordNode(operand.text, m_places++);
        case Token::Unclosed:
            fail(operand, FilterText::tr("Unclosed quote."));
            break;
        case Token::Operator:
        case Token::SingleEquals:
            fail(operand, FilterText::tr("Expected a field before this operator: %1.").arg(allFieldNames()));
            break;
        case Token::End:
            fail(operand, FilterText::tr("Expected a word, a comparison or a parenthesis."));
            break;
        default:
            fail(operand, FilterText::tr("Expected a word, a comparison or a parenthesis before this."));
            break;
    }
    return {};
}

FilterNode FilterParser::parseComparison(const FilterToken &name)
{
    FilterNode node;
    node.kind = FilterNode::Kind::Compare;
    node.place = m_places++;
    if (!nameField(name, &node))
        return node;
    const FilterToken sign = m_token;
    if (sign.kind == Token::SingleEquals) {
        fail(sign, FilterText::tr("Use == for equality."));
        return node;
    }
    node.comparison = sign.comparison;
    if (!checkOperator(sign, node))
        return node;
    const FilterToken value = m_lexer.nextValue();
    if (value.kind == Token::End) {
        fail(value, FilterText::tr("Expected a value."));
        return node;
    }
    if (value.kind == Token::Unclosed) {
        fail(value, FilterText::tr("Unclosed quote."));
        return node;
    }
    if (const QString reason = readFilterLiteral(value, &node); !reason.isEmpty()) {
        fail(value, reason);
        return node;
    }
    if (node.field == FilterField::Pointer) {
        node.text = neededFor(node);
        node.textPlace = m_places++;
    }
    node.cost = costOf(node);
    advance();
    return node;
}

bool FilterParser::nameField(const FilterToken &name, FilterNode *node)
{
    const bool isWhole = name.text.isEmpty() && name.kind == Token::Quoted;
    if (isWhole || name.text.startsWith(u'/')) {
        const std::optional<json::Pointer> pointer = json::Pointer::fromString(name.text);
        if (!pointer) {
            fail(name, FilterText::tr("Write ~ as ~0 in a JSON pointer."));
            return false;
        }
        node->pointer = *pointer;
        node->finder = json::PlaceFinder(*pointer);
        node->key = neededFor(*pointer);
        return true;
    }
    const FilterFieldInfo *info = filterFieldNamed(name.text);
    if (!info || name.kind == Token::Quoted) {
        fail(name, FilterText::tr("Unknown field “%1”. Fields are %2, and JSON pointers such as /params/name. To "
                                  "search for text that contains =, <, > or ~, put it in quotes.")
                       .arg(name.text.left(60), allFieldNames()));
        return false;
    }
    node->field = info->field;
    return true;
}

bool FilterParser::checkOperator(const FilterToken &sign, const FilterNode &node)
{
    const FilterFieldInfo &info = filterFieldInfo(node.field);
    const QString name = QString::fromLatin1(info.name);
    const bool isOrder = sign.comparison != FilterOperator::Equal && sign.comparison != FilterOperator::NotEqual &&
                         sign.comparison != FilterOperator::Matches;
    if (info.type == FilterType::Choice && isOrder)
        fail(sign, FilterText::tr("The values of “%1” have no order: use ==, != or ~.").arg(name));
    else if ((info.type == FilterType::Number || info.type == FilterType::Time) &&
             sign.comparison == FilterOperator::Matches)
        fail(sign, FilterText::tr("~ matches text, but “%1” is not text: use ==, !=, <, <=, > or >=.").arg(name));
    return !m_problem;
}

bool FilterParser::beginsOperand() const
{
    switch (m_token.kind) {
        case Token::End:
        case Token::Close:
        case Token::And:
        case Token::Or:
            return false;
        default:
            return true;
    }
}

void FilterParser::fail(const FilterToken &token, const QString &reason)
{
    if (!m_problem)
        m_problem = {token.offset, token.length, reason};
}

}  // namespace sonde
