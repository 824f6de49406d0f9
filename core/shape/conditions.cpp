// SPDX-License-Identifier: Apache-2.0
#include "core/shape/conditions.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxNesting = 8;  // of conditions within what a condition adds
constexpr qint64 CostOfCondition = 50;

bool isListed(const QList<json::Value> &nodes, const json::Value &node)
{
    return std::any_of(nodes.cbegin(), nodes.cend(), [&node](const json::Value &at) { return at.isSameNode(node); });
}

void add(QList<json::Value> *nodes, const json::Value &node)
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
        for (const json::Value &dependency : dependencies) {
            if (dependencies.isObject())
                visit(dependency.key(), dependency);
        }
    }
}

// What a layer adds for this value.
void addApplicable(const ShapeReader &reader, const json::Value &layer, const json::Value &value,
                   QList<json::Value> *nodes, QSet<QString> *required)
{
    if (const json::Value condition = layer[u"if"]; condition.exists() && reader.spend(CostOfCondition)) {
        const QList<schema::Issue> issues = reader.schema().validateAt(condition, value);
        const bool isMet =
            std::all_of(issues.cbegin(), issues.cend(), [](const auto &issue) { return issue.isRemark; });
        add(nodes, layer[isMet ? u"then" : u"else"]);
    }
    visitDependencies(layer, [&](const QString &name, const json::Value &dependency) {
        if (!value.contains(name))
            return;
        if (dependency.isObject())
            add(nodes, dependency);
        for (const json::Value &other : dependency) {
            if (dependency.isArray() && other.isString())
                required->insert(other.string());
        }
    });
}

}  // namespace

Shape withConditions(const ShapeReader &reader, const Shape &object, const json::Value &value)
{
    const json::Value judged = value.exists() ? value : json::parse("{}");
    Shape shape = object;
    QSet<QString> required;
    QList<json::Value> seen;
    for (int round = 0; round < MaxNesting; ++round) {
        QList<json::Value> found;
        for (const json::Value &layer : std::as_const(shape.layers)) {
            if (!isListed(seen, layer))
                addApplicable(reader, layer, judged, &found, &required);
        }
        seen = shape.layers;
        found.removeIf([&shape](const json::Value &node) { return isListed(shape.layers, node); });
        if (found.isEmpty())
            break;
        const Shape::Kind kind = shape.kind;
        shape = reader.read(shape.layers + found);
        shape.kind = kind;
    }
    if (required.isEmpty())
        return shape;
    auto members =
        shape.members ? std::make_shared<Shape::Members>(*shape.members) : std::make_shared<Shape::Members>();
    members->required += required;
    shape.members = std::move(members);
    return shape;
}

bool mayDeclare(const ShapeReader &reader, const Shape &object, const QString &name)
{
    QList<json::Value> nodes = object.layers;
    for (qsizetype i = 0; i < nodes.size() && reader.spend(CostOfCondition); ++i) {
        const json::Value layer = nodes.at(i);
        if (reader.read(layer).property(name).exists())
            return true;
        add(&nodes, layer[u"then"]);
        add(&nodes, layer[u"else"]);
        visitDependencies(layer, [&nodes](const QString &, const json::Value &dependency) { add(&nodes, dependency); });
    }
    return false;
}

}  // namespace sonde
