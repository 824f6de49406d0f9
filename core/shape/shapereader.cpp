// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shapereader.h"

#include "core/json/builder.h"
#include "core/json/valueindex.h"
#include "core/shape/texts.h"

#include <QSet>

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

// The name of the schema that a reference or a mapping means: "Card" of "#/components/schemas/Card".
QString schemaName(const QString &reference)
{
    return reference.section(u'/', -1);
}

// The values by which a discriminator of OpenAPI means one option: those mapped to it, or else its own name.
QStringList discriminatorValues(const json::Value &discriminator, const json::Value &option)
{
    QString reference = option[u"$ref"].string();
    if (reference.isEmpty() && option[u"allOf"].size() == 1)
        reference = option[u"allOf"].at(0)[u"$ref"].string();
    const QString name = reference.isEmpty() ? option[u"title"].string() : schemaName(reference);
    if (name.isEmpty())
        return {};
    QStringList values;
    for (const json::Value &mapped : discriminator[u"mapping"]) {
        const QString target = mapped.string();
        if (target == reference || schemaName(target) == name)
            values.append(mapped.key());
    }
    return values.isEmpty() ? QStringList{name} : values;
}

// What is declared beside a union holds for each of its branches.
bool saysMore(const Shape &shape)
{
    for (const auto keyword : {u"properties", u"required", u"patternProperties", u"items", u"prefixItems"}) {
        if (shape.keyword(keyword).exists())
            return true;
    }
    return false;
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

// Adds a schema to the layers, with those that it refers to.
void ShapeReader::collect(const json::Value &node, Shape *shape, int depth) const
{
    const qsizetype size = shape->layers.size();
    if (!node.isObject() || depth > MaxLayerDepth || !m_state->budget.spend(10 + node.size() * 4 + size / 2))
        return;
    if (size >= MaxLayers) {
        m_state->isTooLarge = true;
        return;
    }
    for (const json::Value &layer : std::as_const(shape->layers)) {
        if (layer.isSameNode(node))
            return;
    }
    shape->layers.append(node);
    shape->scope = m_state->schema.entered(node, shape->scope);
    for (const json::Value &target : m_state->schema.targets(node, shape->scope))
        collect(target, shape, depth + 1);
    const json::Value all = node[u"allOf"];
    if (all.isArray()) {
        for (const json::Value &member : all)
            collect(member, shape, depth + 1);
    }
}

Shape ShapeReader::read(const json::Value &node, const Scope &scope) const
{
    if (node.isBool()) {
        Shape shape;
        shape.layers = {node};
        return shape;
    }
    return read(QList<json::Value>{node}, scope);
}

Shape ShapeReader::read(const QList<json::Value> &layers, const Scope &scope, const QString &onlyType, int depth) const
{
    const ShapeKey key{layers, onlyType, depth, scope};
    if (const auto known = m_state->shapes.constFind(key); known != m_state->shapes.cend())
        return *known;
    if (m_state->schema.isTooLarge() || !m_state->budget.spend(CostOfReading))
        return tooLarge(layers);
    const bool isOuterTooLarge = std::exchange(m_state->isTooLarge, false);
    Shape shape = readAnew(layers, scope, onlyType, depth);
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

Shape ShapeReader::readAnew(const QList<json::Value> &layers, const Scope &scope, const QString &onlyType,
                            int depth) const
{
    Shape shape;
    shape.scope = scope;
    if (depth > MaxUnionDepth) {
        shape.kind = Shape::Kind::Undrawn;
        return shape;
    }
    for (const json::Value &layer : layers)
        collect(layer, &shape, 0);
    if (shape.layers.isEmpty())
        return shape;
    readMembers(&shape);

    QStringList types = onlyType.isEmpty() ? declaredTypes(shape) : QStringList{onlyType};
    shape.nullable = types.size() > 1 && types.contains("null"_L1);
    if (shape.nullable)
        types.removeAll(u"null"_s);

    readChoices(&shape);
    shape.nullable = shape.nullable || (onlyType.isEmpty() && isNullableByOpenApi(layers, shape));
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

// "nullable": true beside a type or a reference, and nothing beside it that refuses null.
bool ShapeReader::isNullableByOpenApi(const QList<json::Value> &layers, const Shape &shape) const
{
    const bool isSaid = std::any_of(shape.layers.cbegin(), shape.layers.cend(),
                                    [](const json::Value &layer) { return layer[u"nullable"].toBool(); });
    if (!isSaid)
        return false;
    const json::Value null = json::parse("null");
    return std::all_of(layers.cbegin(), layers.cend(), [&](const json::Value &layer) {
        return m_state->schema.admits(layer, null, &m_state->budget, shape.scope);
    });
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
        QList<json::ValueIndex> others;  // that have to list it too
        for (const json::Value &layer : std::as_const(shape->layers)) {
            const json::Value list = layer[u"enum"];
            if (list.isArray() && !list.isSameNode(values) && m_state->budget.spend(list.size() * 2))
                others.append(json::ValueIndex(list));
        }
        auto name = names.begin();
        for (const json::Value &value : values) {
            const bool isNamed = names.isArray() && !(name == names.end());
            const bool isListed = std::all_of(others.cbegin(), others.cend(),
                                              [&value](const json::ValueIndex &list) { return list.contains(value); });
            if (isListed && value.isNull() && values.size() > 1)
                shape->nullable = true;
            else if (isListed)
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
    inner.scope = shape->scope;
    collect(option, &inner, 0);
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

bool ShapeReader::isNullOnly(const json::Value &node, const Scope &scope) const
{
    Shape shape;
    shape.scope = scope;
    collect(node, &shape, 0);
    return shape.keyword(u"const").isNull() || declaredTypes(shape) == QStringList{u"null"_s};
}

// The options of the first union of which none was chosen: the layers of a branch hold those of the others. One that
// only lists what is required is none, see alternatives.h.
json::Value ShapeReader::unionIn(const Shape &shape) const
{
    QSet<const char *> layers;
    for (const json::Value &layer : shape.layers)
        layers.insert(layer.slice().data());
    for (const QStringView keyword : {u"anyOf", u"oneOf"}) {
        for (const json::Value &layer : shape.layers) {
            const json::Value options = layer[keyword];
            if (!options.isArray() || !m_state->budget.spend(options.size() / 4))
                continue;
            bool isChosen = false;
            bool hasShapes = false;
            for (const json::Value &option : options) {
                isChosen = isChosen || layers.contains(option.slice().data());
                hasShapes = hasShapes || !isConstraintOnly(option);
            }
            if (!isChosen && hasShapes)
                return options;
        }
    }
    return {};
}

// What a discriminator of OpenAPI says of a branch, as a schema: the value of one member. Missing: nothing, or nothing
// that the branch does not say itself.
json::Value ShapeReader::discriminated(const json::Value &discriminator, const json::Value &option,
                                       const Shape &branch) const
{
    const QString name = discriminator[u"propertyName"].string();
    if (name.isEmpty() || branch.kind != Shape::Kind::Object ||
        !m_state->budget.spend(discriminator[u"mapping"].size() * 4))
        return {};
    const Shape member = property(branch, name);
    if (member.kind == Shape::Kind::Constant || (branch.isClosed() && !branch.property(name).exists()))
        return {};
    QStringList values = discriminatorValues(discriminator, option);
    values.removeIf([&member](const QString &value) {
        return !member.choices.isEmpty() && member.choices.indexOf(json::parse(json::quoted(value))) < 0;
    });
    if (values.isEmpty())
        return {};
    json::Builder builder;
    builder.beginObject().key(u"properties").beginObject().key(name).beginObject().key(u"enum").beginArray();
    for (const QString &value : std::as_const(values))
        builder.string(value);
    builder.endArray().endObject().endObject().key(u"required").beginArray().string(name).endArray();
    return json::parse(builder.endObject().take());
}

bool ShapeReader::readUnion(Shape *shape, int depth) const
{
    const json::Value options = unionIn(*shape);
    if (!options.exists())
        return false;
    const bool hasBase = saysMore(*shape);
    for (const json::Value &layer : std::as_const(shape->layers)) {
        if (layer[u"anyOf"].isSameNode(options) || layer[u"oneOf"].isSameNode(options))
            shape->discriminator = layer[u"discriminator"];
    }
    // A branch holds together with what is beside the union.
    QList<QList<json::Value>> branches;
    for (const json::Value &option : options) {
        if (isNullOnly(option, shape->scope)) {
            shape->nullable = true;
            continue;
        }
        if (branches.size() > MaxBranches || m_state->budget.isSpent()) {
            m_state->isTooLarge = true;
            return false;
        }
        // A union within a union offers its branches beside the others; within itself it offers nothing new.
        const Shape inner = read(QList<json::Value>{option}, shape->scope, {}, depth + 1);
        const bool isItself = std::any_of(inner.layers.begin(), inner.layers.end(), [shape](const json::Value &layer) {
            return layer.isSameNode(shape->node());
        });
        if (isItself || (inner.kind == Shape::Kind::Undrawn && inner.layers.isEmpty()))
            continue;
        const QList<json::Value> base = hasBase ? shape->layers : QList<json::Value>();
        if (inner.kind == Shape::Kind::Union && inner.branchTypes.isEmpty()) {
            for (const QList<json::Value> &branch : inner.branches)
                branches.append(hasBase ? branch + QList<json::Value>{option} + base : branch);
            shape->nullable = shape->nullable || inner.nullable;
        } else {
            branches.append(QList<json::Value>{option} + base);
            if (const json::Value told = discriminated(shape->discriminator, option, inner); told.exists())
                branches.last().append(told);
        }
    }
    if (branches.isEmpty())
        return false;
    if (branches.size() == 1) {
        const bool nullable = shape->nullable;
        const QList<json::Value> own = shape->layers;
        *shape = read(branches.constFirst(), shape->scope, {}, depth + 1);
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
    return read(nodes, object.scope);
}

Shape ShapeReader::extraMember(const Shape &object, const QString &name) const
{
    const json::Value patterns = object.keyword(u"patternProperties");
    if (patterns.isObject()) {
        for (const json::Value &pattern : patterns) {
            if (m_state->schema.matches(pattern.key(), name).value_or(false))
                return read(pattern, object.scope);
        }
        if (name.isEmpty() && object.isClosed() && !patterns.isEmpty())
            return read(*patterns.begin(), object.scope);
    }
    return read(object.keyword(u"additionalProperties"), object.scope);
}

Shape ShapeReader::item(const Shape &list, qsizetype index) const
{
    const json::Value tuple = list.tuple();
    if (tuple.exists() && index < tuple.size())
        return read(tuple.at(index), list.scope);
    const json::Value items = list.keyword(u"items");
    return read(items.isArray() ? list.keyword(u"additionalItems") : items, list.scope);
}

Shape ShapeReader::branch(const Shape &choice, qsizetype index) const
{
    return read(choice.branches.value(index), choice.scope, choice.branchTypes.value(index));
}

}  // namespace sonde
