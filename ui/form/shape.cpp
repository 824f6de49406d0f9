// SPDX-License-Identifier: Apache-2.0
#include "ui/form/shape.h"

#include "core/json/builder.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxLayerDepth = 32;

// A branch such as {"required": ["a"]} says something about the object beside it and is no shape of its own.
bool isConstraintOnly(const json::Value &branch)
{
    for (const auto name : {u"type", u"properties", u"items", u"enum", u"const", u"$ref", u"anyOf", u"oneOf", u"allOf",
                            u"additionalProperties"}) {
        if (branch.contains(name))
            return false;
    }
    return branch.isObject() && !branch.isEmpty();
}

// The type that keywords imply where "type" is absent.
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

bool isTuple(const Shape &shape)
{
    return shape.keyword(u"prefixItems").isArray() || shape.keyword(u"items").isArray();
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
        return shape.keyword(u"items").isObject() || isTuple(shape) ? Shape::Kind::List : Shape::Kind::AnyJson;
    if (type == "object"_L1) {
        const bool saysSomething = !shape.propertyNames().isEmpty() || shape.isMap() || shape.isClosed();
        return saysSomething ? Shape::Kind::Object : Shape::Kind::AnyJson;
    }
    return type.isEmpty() ? Shape::Kind::AnyJson : Shape::Kind::Undrawn;
}

}  // namespace

QStringList declaredTypes(const Shape &shape)
{
    const json::Value type = shape.keyword(u"type");
    if (type.isString())
        return {type.string()};
    QStringList types;
    for (const json::Value &one : type) {
        if (one.isString())
            types.append(one.string());
    }
    return types;
}

json::Value Shape::keyword(QStringView name) const
{
    for (const json::Value &layer : layers) {
        if (const json::Value found = layer[name]; found.exists())
            return found;
    }
    return {};
}

QStringList Shape::propertyNames() const
{
    QStringList names;
    QSet<QString> seen;
    for (const json::Value &layer : layers) {
        const json::Value properties = layer[u"properties"];
        if (!properties.isObject())
            continue;
        for (const json::Value &property : properties) {
            const QString name = property.key();
            if (!seen.contains(name)) {
                seen.insert(name);
                names.append(name);
            }
        }
    }
    return names;
}

json::Value Shape::property(QStringView name) const
{
    for (const json::Value &layer : layers) {
        const json::Value properties = layer[u"properties"];
        if (const json::Value found = properties.isObject() ? properties[name] : json::Value(); found.exists())
            return found;
    }
    return {};
}

bool Shape::isRequired(QStringView name) const
{
    for (const json::Value &layer : layers) {
        const json::Value required = layer[u"required"];
        for (const json::Value &one : required) {
            if (one.isString() && one.string() == name)
                return true;
        }
    }
    return false;
}

bool Shape::isMap() const
{
    const json::Value extra = keyword(u"additionalProperties");
    const json::Value patterns = keyword(u"patternProperties");
    return (extra.isObject() && !extra.isEmpty()) || (patterns.isObject() && !patterns.isEmpty());
}

bool Shape::isClosed() const
{
    const json::Value extra = keyword(u"additionalProperties");
    return extra.isBool() && !extra.toBool();
}

ShapeReader::ShapeReader(const json::Value &schema)
{
    schema::Schema::Options options;
    options.limits.maxSteps = 20'000;
    options.limits.maxIssues = 1;
    m_schema = schema::Schema(schema, options);
}

void ShapeReader::collect(const json::Value &node, QList<json::Value> *layers, int depth) const
{
    if (!node.isObject() || depth > MaxLayerDepth)
        return;
    for (const json::Value &layer : std::as_const(*layers)) {
        if (layer.isSameNode(node))
            return;
    }
    layers->append(node);
    if (node.contains(u"$ref"))
        collect(m_schema.resolved(node), layers, depth + 1);
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
    Shape shape;
    if (depth > MaxUnionDepth) {
        shape.kind = Shape::Kind::Undrawn;
        return shape;
    }
    for (const json::Value &layer : layers)
        collect(layer, &shape.layers, 0);
    if (shape.layers.isEmpty())
        return shape;

    QStringList types = onlyType.isEmpty() ? declaredTypes(shape) : QStringList{onlyType};
    shape.nullable = types.size() > 1 && types.contains("null"_L1);
    if (shape.nullable)
        types.removeAll(u"null"_s);

    readChoices(&shape);
    if (!shape.choices.isEmpty() || shape.keyword(u"enum").isArray()) {
        shape.type = types.value(0);
        return shape;
    }
    if (onlyType.isEmpty() && readUnion(&shape, depth))
        return shape;
    if (types.size() > 1) {
        shape.kind = Shape::Kind::Union;
        for (const QString &type : std::as_const(types)) {
            shape.branches.append(shape.layers);
            shape.branchTypes.append(type);
        }
        return shape;
    }
    if (types.value(0) == "null"_L1) {
        shape.kind = Shape::Kind::Constant;
        shape.type = u"null"_s;
        shape.choices = {{"null", u"null"_s}};
        return shape;
    }
    shape.type = types.isEmpty() ? impliedType(shape) : types.constFirst();
    shape.kind = kindForType(shape, shape.type);
    return shape;
}

// const, enum, and a union of constants, which is an enum with a title for each value.
void ShapeReader::readChoices(Shape *shape) const
{
    const auto labelOf = [](const json::Value &value) {
        return value.isString() ? value.string() : QString::fromUtf8(value.bytes());
    };
    const json::Value constant = shape->keyword(u"const");
    const json::Value values = shape->keyword(u"enum");
    if (constant.exists()) {
        shape->choices = {{json::compact(constant), labelOf(constant)}};
    } else if (values.isArray()) {
        const json::Value names = shape->keyword(u"enumNames");
        qsizetype index = 0;
        for (const json::Value &value : values) {
            const QString name = names.isArray() ? names.at(index).string() : QString();
            ++index;
            if (value.isNull() && values.size() > 1)
                shape->nullable = true;
            else
                shape->choices.append({json::compact(value), name.isEmpty() ? labelOf(value) : name});
        }
    } else {
        json::Value options = shape->keyword(u"oneOf");
        if (!options.isArray())
            options = shape->keyword(u"anyOf");
        if (!options.isArray() || options.isEmpty())
            return;
        bool hasNull = false;
        for (const json::Value &option : options) {
            const json::Value value = option[u"const"];
            const bool isNull = value.isNull() || option[u"type"].string() == "null"_L1;
            hasNull = hasNull || isNull;
            if (isNull)
                continue;
            if (!value.exists() || value.isContainer()) {
                shape->choices.clear();
                return;
            }
            const QString title = option[u"title"].string();
            shape->choices.append({json::compact(value), title.isEmpty() ? labelOf(value) : title});
        }
        shape->nullable = shape->nullable || (hasNull && !shape->choices.isEmpty());
        if (shape->choices.isEmpty())
            return;
    }
    shape->kind = shape->choices.size() == 1 ? Shape::Kind::Constant : Shape::Kind::Choice;
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
    // A branch holds together with what stands beside the union.
    QList<QList<json::Value>> branches;
    bool onlyConstraints = true;
    for (const json::Value &option : options) {
        if (isNullOnly(option)) {
            shape->nullable = true;
            onlyConstraints = false;
            continue;
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
        // Description and default stand beside the anyOf; they are nearer than those of the branch.
        for (auto layer = own.crbegin(); layer != own.crend(); ++layer) {
            if (!hasBase)
                shape->layers.prepend(*layer);
        }
        return true;
    }
    shape->kind = Shape::Kind::Union;
    shape->branches = branches;
    return true;
}

Shape ShapeReader::property(const Shape &object, const QString &name) const
{
    // allOf members may each say something about the same property.
    QList<json::Value> nodes;
    for (const json::Value &layer : object.layers) {
        const json::Value properties = layer[u"properties"];
        const json::Value node = properties.isObject() ? properties[name] : json::Value();
        if (node.isBool())
            return read(node);
        if (node.exists())
            nodes.append(node);
    }
    return read(nodes);
}

Shape ShapeReader::extraMember(const Shape &object, const QString &name) const
{
    const json::Value patterns = object.keyword(u"patternProperties");
    if (patterns.isObject()) {
        for (const json::Value &pattern : patterns) {
            if (QRegularExpression(pattern.key()).match(name).hasMatch())
                return read(pattern);
        }
    }
    return read(object.keyword(u"additionalProperties"));
}

Shape ShapeReader::item(const Shape &list, qsizetype index) const
{
    const json::Value items = list.keyword(u"items");
    json::Value tuple = list.keyword(u"prefixItems");
    if (!tuple.isArray())
        tuple = items.isArray() ? items : json::Value();
    if (tuple.isArray() && index < tuple.size())
        return read(tuple.at(index));
    if (items.isArray())
        return read(list.keyword(u"additionalItems"));
    return read(items);
}

Shape ShapeReader::branch(const Shape &choice, qsizetype index) const
{
    return read(choice.branches.value(index), choice.branchTypes.value(index));
}

}  // namespace sonde::ui
