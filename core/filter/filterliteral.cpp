// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filterliteral.h"

#include "core/filter/filterfields.h"
#include "core/filter/texts.h"
#include "core/json/compare.h"

#include <limits>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Literal = FilterLiteral::Kind;

bool isNumber(const QByteArray &text)
{
    const json::Document document = json::Document::parse(text);
    return document.isValid() && document.root().isNumber() && document.root().slice().size() == text.size();
}

// unit: what one of the integers is in powers of ten of the literal's unit.
void findFloor(FilterLiteral *literal, int unit)
{
    const QByteArray suffix = 'e' + QByteArray::number(unit);
    const auto order = [&](qint64 value) {
        return json::compareNumbers(QByteArray::number(value) + suffix, literal->number);
    };
    qint64 low = order(0) <= 0 ? 0 : -1;  // rows have nothing below zero
    qint64 high = low < 0 ? low : std::numeric_limits<qint64>::max();
    while (low < high) {
        const qint64 middle = high - (high - low) / 2;
        if (order(middle) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    literal->floor = low;
    literal->isFloor = order(low) == 0;
}

int powerOf(FilterField field)
{
    switch (field) {
        case FilterField::Ms:
            return -6;
        case FilterField::Time:
            return -9;
        default:
            return 0;
    }
}

QString readChoice(const FilterToken &token, FilterNode *node)
{
    FilterLiteral &literal = node->literal;
    quint32 found = 0;
    quint32 all = 0;
    for (const FilterChoice &choice : filterChoices(node->field)) {
        const quint32 bit = 1U << choice.number;
        const QString word = QString::fromLatin1(choice.word);
        const bool matches = node->comparison == FilterOperator::Matches ? literal.expression.match(word).hasMatch()
                                                                         : word == token.text;
        all |= bit;
        found |= matches ? bit : 0;
    }
    if (found == 0 && node->comparison != FilterOperator::Matches)
        return FilterText::tr("“%1” must be one of %2.")
            .arg(QString::fromLatin1(filterFieldInfo(node->field).name), filterWords(node->field).join(u", "_s));
    literal.choices = node->comparison == FilterOperator::NotEqual ? all & ~found : found;
    return {};
}

QString readTime(const FilterToken &token, FilterNode *node)
{
    FilterLiteral &literal = node->literal;
    if (literal.kind == Literal::Number || literal.kind == Literal::None)
        return {};
    literal.kind = Literal::Text;
    for (const auto &form : {u"H:mm"_s, u"H:mm:ss"_s, u"H:mm:ss.z"_s}) {
        literal.clock = QTime::fromString(token.text, form);
        if (literal.clock.isValid())
            return {};
    }
    literal.instant = QDateTime::fromString(token.text, Qt::ISODateWithMs);
    if (literal.instant.isValid())
        return {};
    return FilterText::tr("Not a valid time. Write 12.5 (seconds since the start), 14:05:30 or 2026-01-31T14:05:30Z.");
}

QString readExpression(const FilterToken &token, FilterLiteral *literal)
{
    // Whatever the expression and the text are: bounded in work and memory. Only the author of a pattern could raise
    // the limits, and PCRE takes the lower of two.
    static const QString limits = u"(*LIMIT_MATCH=200000)(*LIMIT_DEPTH=5000)"_s;
    literal->expression = QRegularExpression(limits + token.text);
    if (literal->expression.isValid())
        return {};
    const qsizetype offset =
        qBound(qsizetype(0), literal->expression.patternErrorOffset() - limits.size(), token.text.size());
    return FilterText::tr("Not a valid regular expression: %1, at character %2.")
        .arg(literal->expression.errorString())
        .arg(offset + 1);
}

}  // namespace

QString readFilterLiteral(const FilterToken &token, FilterNode *node)
{
    FilterLiteral &literal = node->literal;
    const FilterFieldInfo &info = filterFieldInfo(node->field);
    literal.text = token.text;
    if (node->comparison == FilterOperator::Matches) {
        const QString reason = readExpression(token, &literal);
        return reason.isEmpty() && info.type == FilterType::Choice ? readChoice(token, node) : reason;
    }
    if (info.type == FilterType::Choice)
        return readChoice(token, node);

    const bool isOrder = node->comparison != FilterOperator::Equal && node->comparison != FilterOperator::NotEqual;
    if (token.kind == FilterToken::Kind::Word) {
        const QByteArray text = token.text.toUtf8();
        if (isNumber(text)) {
            literal.kind = Literal::Number;
            literal.number = text;
        } else if (text == "true" || text == "false") {
            literal.kind = Literal::Bool;
            literal.flag = text == "true";
        } else if (text == "null") {
            literal.kind = Literal::Null;
        } else if (text == "none") {
            literal.kind = Literal::None;
        }
    }
    const bool hasNoOrder = literal.kind == Literal::None ||
                            (info.type == FilterType::Json && literal.kind == Literal::Bool) ||
                            (info.type == FilterType::Json && literal.kind == Literal::Null);
    if (isOrder && hasNoOrder)
        return FilterText::tr("“%1” has no order: use == or !=.").arg(token.text);
    if (info.type == FilterType::Time) {
        if (const QString reason = readTime(token, node); !reason.isEmpty())
            return reason;
    }
    if (info.type == FilterType::Number && literal.kind != Literal::Number && literal.kind != Literal::None)
        return FilterText::tr("“%1” must be compared with a number.").arg(QString::fromLatin1(info.name));
    const bool isOfRows =
        info.type == FilterType::Number || info.type == FilterType::Time || info.field == FilterField::Id;
    if (isOfRows && literal.kind == Literal::Number)
        findFloor(&literal, powerOf(node->field));
    return {};
}

}  // namespace sonde
