// SPDX-License-Identifier: Apache-2.0
#include "core/shape/conditions.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxNesting = 8;  // of conditions within what a condition adds
constexpr qint64 CostOfCondition = 50;
constexpr qint64 MaxSteps = 20'000;     // of one judgement: 400 conditions, or that many dependencies
constexpr qsizetype MaxSearched = 200;  // schemas in which a member is looked for

bool isListed(const QList<json::Value> &nodes, const json::Value &node)
{
    return std::any_of(nodes.cbegin(), nodes.cend(), [&node](const json::Value &at) { return at.isSameNode(node); });
}

void append(QList<json::Value> *nodes, const json::Value &node)
{
    if (node.isObject() && !isListed(*nodes, node))
        nodes->append(node);
}

// Of both kinds of "dependencies" too: a schema, or a list of names.
template <typename Visit>
void visitDependencies(const json::Value &layer, const Visit &visit)
{
    for (const QStringView keyword : {u"dependentSchemas", u"dependentRequired", u"dependencies"}) {
        const json::Value dependencies = layer[keyword];
        if (!dependencies.isObject())
            continue;
        for (const json::Value &dependency : dependencies) {
            if (!visit(dependency.key(), dependency))
                return;
        }
    }
}

// One judgement of all conditions. What it spends is its own: a form asks at each key press.
class Judgement {
public:
    Judgement(const schema::Schema &schema, const json::Value &value, const schema::Schema::Scope &scope)
        : m_schema(schema), m_value(value), m_scope(scope)
    {
        for (const json::Value &member : value) {
            if (value.isObject())
                m_given.insert(member.key());
        }
    }

    // What a layer adds for this value.
    void add(const json::Value &layer)
    {
        if (const json::Value condition = layer[u"if"]; condition.exists() && m_budget.spend(CostOfCondition)) {
            const QList<schema::Issue> issues = m_schema.validateAt(condition, m_value, m_scope);
            const bool isMet =
                std::all_of(issues.cbegin(), issues.cend(), [](const auto &issue) { return issue.isRemark; });
            append(&found, layer[isMet ? u"then" : u"else"]);
        }
        visitDependencies(layer, [this](const QString &name, const json::Value &dependency) {
            if (!m_budget.spend())
                return false;
            if (!m_given.contains(name))
                return true;
            append(&found, dependency);
            for (const json::Value &other : dependency) {
                if (dependency.isArray() && other.isString())
                    required.insert(other.string());
            }
            return true;
        });
    }

    bool isWhole() const { return !m_budget.isSpent(); }

    QList<json::Value> found;
    QSet<QString> required;

private:
    const schema::Schema &m_schema;
    const json::Value &m_value;
    const schema::Schema::Scope m_scope;
    QSet<QString> m_given;
    schema::Budget m_budget{MaxSteps};
};

}  // namespace

std::optional<Shape> withConditions(const ShapeReader &reader, const Shape &object, const json::Value &value)
{
    const json::Value judged = value.exists() ? value : json::parse("{}");
    Judgement judgement(reader.schema(), judged, object.scope);
    Shape shape = object;
    QList<json::Value> seen;
    for (int round = 0; round < MaxNesting; ++round) {
        judgement.found.clear();
        for (const json::Value &layer : std::as_const(shape.layers)) {
            if (!isListed(seen, layer))
                judgement.add(layer);
        }
        seen = shape.layers;
        judgement.found.removeIf([&shape](const json::Value &node) { return isListed(shape.layers, node); });
        if (judgement.found.isEmpty())
            break;
        const Shape::Kind kind = shape.kind;
        shape = reader.read(shape.layers + judgement.found, object.scope);
        if (shape.isTooLarge)
            return std::nullopt;
        shape.kind = kind;
    }
    if (!judgement.isWhole())
        return std::nullopt;
    if (judgement.required.isEmpty())
        return shape;
    auto members =
        shape.members ? std::make_shared<Shape::Members>(*shape.members) : std::make_shared<Shape::Members>();
    members->required += judgement.required;
    shape.members = std::move(members);
    return shape;
}

bool mayDeclare(const ShapeReader &reader, const Shape &object, const QString &name)
{
    QList<json::Value> nodes = object.layers;
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        if (nodes.size() > MaxSearched)
            return true;
        const json::Value layer = nodes.at(i);
        if (layer[u"properties"].contains(name))
            return true;
        append(&nodes, layer[u"then"]);
        append(&nodes, layer[u"else"]);
        for (const json::Value &target : reader.schema().targets(layer, object.scope))
            append(&nodes, target);
        for (const json::Value &part : layer[u"allOf"])
            append(&nodes, part);
        visitDependencies(layer, [&nodes](const QString &, const json::Value &dependency) {
            append(&nodes, dependency);
            return nodes.size() <= MaxSearched;
        });
    }
    return false;
}

}  // namespace sonde
