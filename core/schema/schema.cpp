// SPDX-License-Identifier: Apache-2.0
#include "core/schema/schema.h"

#include "core/schema/evaluator.h"
#include "core/schema/messages.h"
#include "core/schema/patterns.h"
#include "core/schema/registry.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace sonde::schema {

struct Schema::Data {
    Data(const json::Value &schema, const Options &options)
        : root(schema), rules(options), registry(schema, options.documents, options.formats == Formats::Asserted)
    {}

    json::Value root;
    Options rules;
    Registry registry;
    mutable Patterns patterns;
    // Values from this size on are not checked, as one twice as large took too many steps.
    mutable std::atomic<qsizetype> tooLargeFrom = std::numeric_limits<qsizetype>::max();
};

// Nothing to violate, like the schema true.
Schema::Schema() : Schema(json::parse(QByteArrayLiteral("true"))) {}

Schema::Schema(const json::Value &schema, const Options &options)
    : m_data(std::make_shared<const Data>(schema, options))
{}

json::Value Schema::root() const
{
    return m_data->root;
}

bool Schema::isTooLarge() const
{
    return m_data->registry.isCut();
}

QList<Issue> Schema::validate(const json::Value &instance) const
{
    return validateAt(m_data->root, instance);
}

QList<Issue> Schema::validateAt(const json::Value &subschema, const json::Value &instance, const Scope &scope) const
{
    const qsizetype size = instance.slice().size();
    if (isTooLarge() || size >= m_data->tooLargeFrom)
        return {Issue{{}, {}, {}, text::tooCostly(), true}};
    Budget budget(m_data->rules.limits.maxSteps);
    Evaluator evaluator(m_data->registry, m_data->rules, m_data->patterns, budget);
    const QList<Issue> issues = evaluator.run(subschema, m_data->root, instance, scope);
    if (budget.isSpent())
        m_data->tooLargeFrom = qMax(qsizetype(1), size / 2);
    return issues;
}

bool Schema::isValid(const json::Value &instance) const
{
    const QList<Issue> issues = validate(instance);
    return std::all_of(issues.begin(), issues.end(), [](const Issue &issue) { return issue.isRemark; });
}

bool Schema::admits(const json::Value &subschema, const json::Value &instance, Budget *budget, const Scope &scope) const
{
    if (isTooLarge() || budget->isSpent())
        return false;
    Options rules = m_data->rules;
    rules.limits.maxIssues = 1;
    if (rules.formats == Formats::Noted)
        rules.formats = Formats::Ignored;
    Evaluator evaluator(m_data->registry, rules, m_data->patterns, *budget);
    return evaluator.run(subschema, m_data->root, instance, scope).isEmpty();
}

std::optional<bool> Schema::matches(const QString &pattern, const QString &text) const
{
    return m_data->patterns.match(pattern, text, true).hit;
}

Schema::Scope Schema::entered(const json::Value &subschema, const Scope &scope) const
{
    if (!m_data->registry.usesDynamicReferences())
        return {};
    const int resource = m_data->registry.resourceOf(subschema);
    return scope.contains(resource) ? scope : scope + Scope{resource};
}

QList<json::Value> Schema::targets(const json::Value &subschema, const Scope &scope) const
{
    const json::Value reference = subschema[u"$ref"];
    const json::Value dynamic = subschema[u"$dynamicRef"];
    if (!reference.isString() && !dynamic.isString())
        return {};
    QList<json::Value> targets;
    const int resource = m_data->registry.resourceOf(subschema);
    if (reference.isString())
        targets.append(m_data->registry.target(reference, resource).schema);
    if (dynamic.isString())
        targets.append(m_data->registry.dynamicTarget(dynamic, resource, scope).schema);
    targets.removeIf([](const json::Value &target) { return !target.exists(); });
    return targets;
}

json::Value Schema::resolved(const json::Value &subschema) const
{
    constexpr int maxHops = 64;
    Place place{subschema, m_data->registry.resourceOf(subschema)};
    for (int hop = 0; hop < maxHops; ++hop) {
        json::Value reference = place.schema[u"$ref"];
        if (!reference.isString())
            reference = place.schema[u"$dynamicRef"];
        if (!reference.isString())
            return place.schema;
        place = m_data->registry.target(reference, place.resource);
        if (!place.schema.exists())
            return {};
    }
    return {};
}

}  // namespace sonde::schema
