// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shapereader.h"

#include "core/shape/texts.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxLayerDepth = 32;
constexpr qint64 CostOfReading = 60;
constexpr qsizetype MaxLayers = 256;
constexpr qsizetype MaxBranches = 1'000;  // of one union, those of its inner unions included

// A branch such as {"required": ["a"]} constrains the object next to it and is not a shape of its own.
bool isConstraintOnly(const json::Value &branch)
{
    for (const auto name : {u"type", u"properties", u"items", u"enum", u"const", u"$ref", u"anyOf", u"oneOf", u"allOf",
                            u"additionalProperties"}) {
        if (branch.contains(name))
            return false;
    }
    return branch.isObject() && !branch.isEmpty();
}

// The type implied by other keywords if "type" is absent.
QString impliedType(const Shape &shape)
{
    static const std::pair<QStringView, QStringView> table[] = {{u"properties", u"object"},
                                                                {u"additionalProperties", u"object"},
                                                                {u"patternProperties", u"object"},
                                                                {u"propertyNames", u"object"},
                                                                {u"required", u"object"},
                                                                {u"items", u"array"},
                                                                {u"prefixItems", u"array"},
                                                                {u"pattern", u"string"},
                                                                {u"minLength", u"string"},
                                                                {u"maxLength", u"string"},
                                                                {u"format", u"string"},
                                                                {u"minimum", u"number"},
                                                                {u"maximum", u"number"},
                                                                {u"exclusiveMinimum", u"number"},
                                                                {u"exclusiveMaximum", u"number"},
                                                                {u"multipleOf", u"number"}};
    for (const auto &[keyword, type] : table) {
        if (shape.keyword(keyword).exists())
            return type.toString();
    }
    return {};
}

// "nullable": true beside each "type", as OpenAPI 3.0 has it.
bool isNullableByOpenApi(const Shape &shape)
{
    bool hasType = false;
    for (const json::Value &layer : shape.layers) {
        if (!layer[u"type"].exists())
            continue;
        if (!layer[u"nullable"].toBool())
            return false;
        hasType = true;
    }
    return hasType;
}

Shape::Kind kindForType(const Shape &shape, const QString &type)
{
    if (type == "string"_L1)
        return Shape::Kind::Text;
    if (type == "number"_L1 || type == "integer"_L1)
        return Shape::Kind::Number;
    if (type == "boolean"_L1)
        return Shape::Kind::Boolean;
    if (type == "array"_L1)
        return shape.keyword(u"items").isObject() || shape.tuple().exists() ? Shape::Kind::List : Shape::Kind::AnyJson;
    if (type == "object"_L1) {
        const bool saysSomething =
            !shape.propertyNames().isEmpty() || shape.isMap() || shape.isClosed() || shape.hasConditions();
        return saysSomething ? Shape::Kind::Object : Shape::Kind::AnyJson;
    }
    return type.isEmpty() ? Shape::Kind::AnyJson : Shape::Kind::Undrawn;
}

}  // namespace

struct ShapeReader::State {
    schema::Schema schema;
    schema::Budget budget;
    bool isTooLarge = false;  // the place that is being read, whatever is left of the budget
    QHash<ShapeKey, Shape> shapes;
};

ShapeReader::ShapeReader() : ShapeReader(schema::Schema()) {}

ShapeReader::ShapeReader(const schema::Schema &schema) : m_state(std::make_shared<State>())
{
    m_state->schema = schema;
}

const schema::Schema &ShapeReader::schema() const
{
    return m_state->schema;
}

bool ShapeReader::spend(qint64 steps) const
{
    return m_state->budget.spend(steps);
}

void ShapeReader::collect(const json::Value &node, QList<json::Value> *layers, int depth) const
{
    if (!node.isObject() || depth > MaxLayerDepth || !m_state->budget.spend(10 + node.size() * 4 + layers->size() / 2))
        return;
    if (layers->size() >= MaxLayers) {
        m_state->isTooLarge = true;
        return;
    }
    for (const json::Value &layer : std::as_const(*layers)) {
        if (layer.isSameNode(node))
            return;
    }
    layers->append(node);
    if (node.contains(u"$ref"))
        collect(m_state->schema.resolved(node), layers, depth + 1);
    const json::Value all = node[u"allOf"];
    if (all.isArray()) {
        for (const json::Value &member : all)
            collect(member, layers, depth + 1);
    }
}

Shape ShapeReader::read(const json::Value &node) const
{
    if (node.isBool()) {
        Shape shape;
        shape.layers = {node};
        return shape;
    }
    return read(QList<json::Value>{node});
}

Shape ShapeReader::read(const QList<json::Value> &layers, const QString &onlyType, int depth) const
{
    const ShapeKey key{layers, onlyType, depth};
    if (const auto known = m_state->shapes.constFind(key); known != m_state->shapes.cend())
        return *known;
    if (m_state->schema.isTooLarge() || !m_state->budget.spend(CostOfReading))
        return tooLarge(layers);
    const bool isOuterTooLarge = std::exchange(m_state->isTooLarge, false);
    Shape shape = readAnew(layers, onlyType, depth);
    if (std::exchange(m_state->isTooLarge, isOuterTooLarge) || m_state->budget.isSpent())
        shape = tooLarge(layers);
    m_state->shapes.insert(key, shape);
    return shape;
}

Shape ShapeReader::tooLarge(const QList<json::Value> &layers)
{
    Shape shape;
    shape.kind = Shape::Kind::Undrawn;
    shape.isTooLarge = true;
    shape.layers = layers.mid(0, 1);
    shape.type = ShapeText::tr("schema too large");
    return shape;
}

// allOf members may each say something about the same property.
void ShapeReader::readMembers(Shape *shape) const
{
    auto members = std::make_shared<Shape::Members>();
    for (const json::Value &layer : std::as_const(shape->layers)) {
        const json::Value properties = layer[u"properties"];
        const json::Value required = layer[u"required"];
        if (!m_state->budget.spend((properties.size() + required.size()) * 4))
            return;
        QHash<QString, json::Value> own;  // the last of duplicate keys counts
        for (const json::Value &property : properties) {
            const QString name = property.key();
            if (properties.isObject() && !own.contains(name) && !members->nodes.contains(name))
                members->names.append(name);
            if (properties.isObject())
                own.insert(name, property);
        }
        for (auto it = own.cbegin(); it != own.cend(); ++it)
            members->nodes[it.key()].append(it.value());
        for (const json::Value &name : required) {
            if (name.isString())
                members->required.insert(name.string());
        }
    }
    shape->members = members->names.isEmpty() && members->required.isEmpty() ? nullptr : std::move(members);
}

Shape ShapeReader::readAnew(const QList<json::Value> &layers, const QString &onlyType, int depth) const
{
    Shape shape;
    if (depth > MaxUnionDepth) {
        shape.kind = Shape::Kind::Undrawn;
        return shape;
    }
    for (const json::Value &layer : layers)
        collect(layer, &shape.layers, 0);
    if (shape.layers.isEmpty())
        return shape;
    readMembers(&shape);

    QStringList types = onlyType.isEmpty() ? declaredTypes(shape) : QStringList{onlyType};
    shape.nullable = types.size() > 1 && types.contains("null"_L1);
    if (shape.nullable)
        types.removeAll(u"null"_s);

    readChoices(&shape);
    if (shape.choices.isEmpty())
        shape.nullable = shape.nullable || isNullableByOpenApi(shape);
    if (!shape.choices.isEmpty() || shape.keyword(u"enum").isArray()) {
        shape.type = types.value(0);
        return shape;
    }
    if (onlyType.isEmpty() && readUnion(&shape, depth))
        return shape;
    if (types.size() > 1) {
        shape.kind = Shape::Kind::Union;
        if (types.size() > MaxBranches)
            m_state->isTooLarge = true;
        for (const QString &type : std::as_const(types)) {
            shape.branches.append(shape.layers);
            shape.branchTypes.append(type);
        }
        return shape;
    }
    if (types.value(0) == "null"_L1) {
        shape.kind = Shape::Kind::Constant;
        shape.type = u"null"_s;
        shape.choices.append(json::parse("null"));
        return shape;
    }
    shape.type = types.isEmpty() ? impliedType(shape) : types.constFirst();
    shape.kind = kindForType(shape, shape.type);
    return shape;
}

// const, enum, and a union of constants, which is an enum with a title for each value.
void ShapeReader::readChoices(Shape *shape) const
{
    const json::Value constant = shape->keyword(u"const");
    const json::Value values = shape->keyword(u"enum");
    if (constant.exists()) {
        shape->choices.append(constant);
    } else if (values.isArray()) {
        const json::Value names = shape->keyword(u"enumNames");
        if (!m_state->budget.spend(values.size() * 2))
            return;
        auto name = names.begin();
        for (const json::Value &value : values) {
            const bool isNamed = names.isArray() && !(name == names.end());
            if (value.isNull() && values.size() > 1)
                shape->nullable = true;
            else
                shape->choices.append(value, isNamed ? (*name).string() : QString());
            if (isNamed)
                ++name;
        }
    } else {
        json::Value options = shape->keyword(u"oneOf");
        if (!options.isArray())
            options = shape->keyword(u"anyOf");
        if (!options.isArray() || options.isEmpty())
            return;
        for (const json::Value &option : options) {
            if (!readOption(shape, option)) {
                shape->choices.clear();
                return;
            }
        }
        if (shape->choices.isEmpty())
            return;
    }
    shape->kind = shape->choices.size() == 1 ? Shape::Kind::Constant : Shape::Kind::Choice;
}

// One of a union of constants: a constant with its title, a few values, or null. False for any other schema.
bool ShapeReader::readOption(Shape *shape, const json::Value &option) const
{
    if (!m_state->budget.spend(20 + option.size() * 2))
        return false;
    Shape inner;
    collect(option, &inner.layers, 0);
    const json::Value constant = inner.keyword(u"const");
    const json::Value values = inner.keyword(u"enum");
    if (constant.isNull() || declaredTypes(inner) == QStringList{u"null"_s}) {
        shape->nullable = true;
        return true;
    }
    if (constant.exists()) {
        shape->choices.append(constant, inner.text(u"title"));
        return !constant.isContainer();
    }
    if (!values.isArray() || values.isEmpty() || !m_state->budget.spend(values.size() * 2))
        return false;
    for (const json::Value &value : values) {
        if (value.isContainer())
            return false;
        if (value.isNull())
            shape->nullable = true;
        else
            shape->choices.append(value, values.size() == 1 ? inner.text(u"title") : QString());
    }
    return true;
}

bool ShapeReader::isNullOnly(const json::Value &node) const
{
    Shape shape;
    collect(node, &shape.layers, 0);
    return shape.keyword(u"const").isNull() || declaredTypes(shape) == QStringList{u"null"_s};
}

bool ShapeReader::readUnion(Shape *shape, int depth) const
{
    json::Value options = shape->keyword(u"anyOf");
    if (!options.isArray() || options.isEmpty())
        options = shape->keyword(u"oneOf");
    if (!options.isArray() || options.isEmpty())
        return false;
    // A branch holds together with what is beside the union.
    QList<QList<json::Value>> branches;
    bool onlyConstraints = true;
    for (const json::Value &option : options) {
        if (isNullOnly(option)) {
            shape->nullable = true;
            onlyConstraints = false;
            continue;
        }
        if (branches.size() > MaxBranches || m_state->budget.isSpent()) {
            m_state->isTooLarge = true;
            return false;
        }
        onlyConstraints = onlyConstraints && isConstraintOnly(option);
        // A union within a union offers its branches beside the others; within itself it offers nothing new.
        const Shape inner = read(QList<json::Value>{option}, {}, depth + 1);
        const bool isItself = std::any_of(inner.layers.begin(), inner.layers.end(), [shape](const json::Value &layer) {
            return layer.isSameNode(shape->node());
        });
        if (isItself || (inner.kind == Shape::Kind::Undrawn && inner.layers.isEmpty()))
            continue;
        if (inner.kind == Shape::Kind::Union && inner.branchTypes.isEmpty()) {
            branches += inner.branches;
            shape->nullable = shape->nullable || inner.nullable;
        } else {
            branches.append({option});
        }
    }
    if (onlyConstraints || branches.isEmpty())
        return false;
    const bool hasBase = shape->keyword(u"properties").isObject();
    for (QList<json::Value> &branch : branches) {
        if (hasBase)
            branch += shape->layers;
    }
    if (branches.size() == 1) {
        const bool nullable = shape->nullable;
        const QList<json::Value> own = shape->layers;
        *shape = read(branches.constFirst(), {}, depth + 1);
        shape->nullable = shape->nullable || nullable;
        // Description and default are beside the anyOf; they are nearer than those of the branch.
        for (auto layer = own.crbegin(); layer != own.crend(); ++layer) {
            if (!hasBase)
                shape->layers.prepend(*layer);
        }
        readMembers(shape);
        return true;
    }
    shape->kind = Shape::Kind::Union;
    shape->branches = branches;
    return true;
}

Shape ShapeReader::property(const Shape &object, const QString &name) const
{
    const QList<json::Value> nodes = object.members ? object.members->nodes.value(name) : QList<json::Value>();
    for (const json::Value &node : nodes) {
        if (node.isBool())
            return read(node);
    }
    return read(nodes);
}

Shape ShapeReader::extraMember(const Shape &object, const QString &name) const
{
    const json::Value patterns = object.keyword(u"patternProperties");
    if (patterns.isObject()) {
        for (const json::Value &pattern : patterns) {
            if (m_state->schema.matches(pattern.key(), name).value_or(false))
                return read(pattern);
        }
    }
    return read(object.keyword(u"additionalProperties"));
}

Shape ShapeReader::item(const Shape &list, qsizetype index) const
{
    const json::Value tuple = list.tuple();
    if (tuple.exists() && index < tuple.size())
        return read(tuple.at(index));
    const json::Value items = list.keyword(u"items");
    if (items.isArray())
        return read(list.keyword(u"additionalItems"));
    return read(items);
}

Shape ShapeReader::branch(const Shape &choice, qsizetype index) const
{
    return read(choice.branches.value(index), choice.branchTypes.value(index));
}

}  // namespace sonde
