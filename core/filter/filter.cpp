// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filter.h"

#include "core/filter/filterparser.h"

#include <QCoreApplication>
#include <algorithm>

namespace sonde {

namespace {

constexpr qsizetype MaxTextLength = 16'384;

bool asksForResponses(const FilterNode &node)
{
    if (node.kind == FilterNode::Kind::Compare)
        return node.field == FilterField::Outcome || node.field == FilterField::Ms ||
               node.field == FilterField::Finding;
    return std::any_of(node.children.begin(), node.children.end(), asksForResponses);
}

bool isNegative(const FilterNode &node)
{
    if (node.kind != FilterNode::Kind::Compare)
        return node.kind == FilterNode::Kind::Not ||
               std::any_of(node.children.begin(), node.children.end(), isNegative);
    constexpr quint32 noOutcome = 1U << quint32(RowOutcome::None);
    return node.comparison == FilterOperator::NotEqual || node.literal.kind == FilterLiteral::Kind::None ||
           (node.field == FilterField::Outcome && (node.literal.choices & noOutcome) != 0);
}

bool isEverything(const FilterNode &node)
{
    return node.kind == FilterNode::Kind::All && node.children.empty();
}

}  // namespace

Filter::Filter() = default;

Filter::Parsed Filter::parse(const QString &text)
{
    if (text.size() > MaxTextLength)
        return {{},
                FilterProblem{MaxTextLength, text.size() - MaxTextLength,
                              QCoreApplication::translate("sonde::Filter", "This filter is too long.")}};
    FilterParser parser(text);
    FilterNode root = parser.parse();
    if (parser.problem())
        return {{}, parser.problem()};
    Filter filter;
    filter.m_text = text;
    if (!isEverything(root))
        filter.m_root = std::make_shared<const FilterNode>(std::move(root));
    return {filter, std::nullopt};
}

bool Filter::matchesAll() const
{
    return !m_root;
}

bool Filter::dependsOnResponses() const
{
    return m_root && asksForResponses(*m_root);
}

bool Filter::isNegative() const
{
    return m_root && sonde::isNegative(*m_root);
}

}  // namespace sonde
