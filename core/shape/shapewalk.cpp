// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shapewalk.h"

#include "core/shape/conditions.h"

#include <utility>

namespace sonde {

void visitShapes(const ShapeValues &values, const Shape &root, const json::Value &value, const ShapeVisit &visit)
{
    constexpr int maxVisited = 5000;  // members and items
    const ShapeReader &reader = values.reader();
    QList<std::pair<json::Value, Shape>> open{{value, root}};
    visit(value, root, {});
    int visited = 0;
    while (!open.isEmpty() && visited < maxVisited) {
        auto [at, shape] = open.takeFirst();
        if (shape.kind == Shape::Kind::Union)
            shape = reader.branch(shape, qMax(0, values.branchFor(shape, at)));
        if (shape.hasConditions())
            shape = withConditions(reader, shape, at).value_or(shape);
        qsizetype index = 0;
        for (const json::Value &inner : at) {
            if (++visited > maxVisited)
                break;
            const QString name = at.isObject() ? inner.key() : QString();
            if (!inner.isString() && !inner.isContainer()) {
                ++index;
                continue;
            }
            const Shape within = at.isArray()                    ? reader.item(shape, index++)
                                 : shape.property(name).exists() ? reader.property(shape, name)
                                                                 : reader.extraMember(shape, name);
            visit(inner, within, name);
            if (inner.isContainer())
                open.append({inner, within});
        }
    }
}

}  // namespace sonde
