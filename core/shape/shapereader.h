// Reads shapes out of a schema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/schema.h"
#include "core/shape/shape.h"

namespace sonde {

// References are resolved against the whole schema. Copies share a cache: each place is read once, within one budget
// for the whole schema; once it is spent, further places are Undrawn.
class ShapeReader {
public:
    ShapeReader();
    explicit ShapeReader(const json::Value &schema)
        : ShapeReader(schema::Schema(schema, schema::Schema::forArguments()))
    {}
    explicit ShapeReader(const schema::Schema &schema);

    const schema::Schema &schema() const;
    bool spend(qint64 steps = 1) const;  // of that budget; false: it is spent

    using Scope = schema::Schema::Scope;

    // scope: that of the shape that the node is within
    Shape read(const json::Value &node, const Scope &scope = {}) const;
    Shape read(const QList<json::Value> &layers, const Scope &scope, const QString &onlyType = {}) const
    {
        return read(layers, scope, onlyType, 0);
    }
    Shape property(const Shape &object, const QString &name) const;
    // One that is not declared. While it has no name, and only patterns say what an object takes, it is what the first
    // of these asks for.
    Shape extraMember(const Shape &object, const QString &name) const;
    Shape item(const Shape &list, qsizetype index) const;
    Shape branch(const Shape &choice, qsizetype index) const;

private:
    struct State;

    void collect(const json::Value &node, Shape *shape, int depth) const;
    json::Value unionIn(const Shape &shape) const;
    bool readUnion(Shape *shape, int depth) const;
    json::Value discriminated(const json::Value &discriminator, const json::Value &option, const Shape &branch) const;
    void readChoices(Shape *shape) const;
    bool readOption(Shape *shape, const json::Value &option) const;
    Shape read(const QList<json::Value> &layers, const Scope &scope, const QString &onlyType, int depth) const;
    Shape readAnew(const QList<json::Value> &layers, const Scope &scope, const QString &onlyType, int depth) const;
    static Shape tooLarge(const QList<json::Value> &layers);
    void readMembers(Shape *shape) const;
    bool isNullOnly(const json::Value &node, const Scope &scope) const;
    bool isNullableByOpenApi(const QList<json::Value> &layers, const Shape &shape) const;

    std::shared_ptr<State> m_state;
};

}  // namespace sonde
