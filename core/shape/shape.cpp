// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shape.h"

#include <algorithm>

namespace sonde {

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
    return members ? members->names : QStringList();
}

json::Value Shape::property(QStringView name) const
{
    return members ? members->nodes.value(name.toString()).value(0) : json::Value();
}

bool Shape::isRequired(QStringView name) const
{
    return members && members->required.contains(name.toString());
}

json::Value Shape::tuple() const
{
    if (const json::Value prefix = keyword(u"prefixItems"); prefix.isArray())
        return prefix;
    const json::Value items = keyword(u"items");  // draft-07
    return items.isArray() ? items : json::Value();
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

bool Shape::hasConditions() const
{
    return std::any_of(layers.cbegin(), layers.cend(), [](const json::Value &layer) {
        return layer.contains(u"if") || layer.contains(u"dependentSchemas") || layer.contains(u"dependentRequired") ||
               layer.contains(u"dependencies");
    });
}

bool Shape::takesMore() const
{
    return isMap() || (propertyNames().isEmpty() && !isClosed());
}

bool ShapeKey::operator==(const ShapeKey &other) const
{
    const auto isSame = [](const json::Value &left, const json::Value &right) { return left.isSameNode(right); };
    return number == other.number && onlyType == other.onlyType && scope == other.scope &&
           layers.size() == other.layers.size() &&
           std::equal(layers.begin(), layers.end(), other.layers.begin(), isSame);
}

size_t qHash(const ShapeKey &key, size_t seed)
{
    for (const json::Value &layer : key.layers)
        seed = qHashMulti(seed, quintptr(layer.slice().data()));
    return qHashMulti(seed, key.onlyType, key.number, key.scope);
}

}  // namespace sonde
