// What a schema requires at one place, reduced to what decides how it is shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/shape/choicelist.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>
#include <memory>

namespace sonde {

// Limit for a union directly within a union within …; a schema can refer to itself this way.
constexpr int MaxUnionDepth = 4;

struct Shape {
    enum class Kind {
        Text,
        Number,
        Boolean,
        Choice,    // one of a fixed set
        Constant,  // a set of one: shown, not edited
        Object,
        List,
        Union,
        AnyJson,  // the schema takes any value (or any object, any list): JSON is its proper editor
        Undrawn,  // a shape without an editor of its own
    };
    Kind kind = Kind::AnyJson;
    // The schemas that apply here, nearest first: the node, its $ref target, its allOf members, the chosen branch of a
    // union. Keywords are looked up only in these, never by searching a tree.
    QList<json::Value> layers;
    QString type;  // "string", "integer" …; for AnyJson "" or the container that is free; the reason for Undrawn
    bool nullable = false;
    bool isTooLarge = false;             // Undrawn, because the schema's budget is spent
    ChoiceList choices;                  // Choice, Constant
    QList<QList<json::Value>> branches;  // Union: the layers of each
    QStringList branchTypes;    // Union: the one type a branch is restricted to, where the union is a type list
    json::Value discriminator;  // Union: of OpenAPI
    QList<int> scope;           // see schema::Schema::Scope; of what is within this place

    json::Value keyword(QStringView name) const;
    QString text(QStringView name) const { return keyword(name).string(); }
    json::Value node() const { return layers.value(0); }
    bool isInteger() const { return type == QLatin1String("integer"); }
    bool isContainer() const { return kind == Kind::Object || kind == Kind::List || kind == Kind::Union; }

    QStringList propertyNames() const;  // in the server's order
    json::Value property(QStringView name) const;
    bool isRequired(QStringView name) const;
    json::Value tuple() const;   // the schemas of the first items of a list, each its own; Missing: all have the same
    bool isMap() const;          // takes members of any name and says of which shape
    bool isClosed() const;       // takes no members but those declared
    bool takesMore() const;      // an object that declares nothing and is not closed takes anything
    bool hasConditions() const;  // some members are declared for some values only, see conditions.h

    // Members declared by the layers, collected once.
    struct Members {
        QStringList names;
        QHash<QString, QList<json::Value>> nodes;
        QSet<QString> required;
    };
    std::shared_ptr<const Members> members;  // null: none
};

// Key of a place in a schema, for caches.
struct ShapeKey {
    QList<json::Value> layers;
    QString onlyType;
    int number = 0;
    QList<int> scope = {};

    bool operator==(const ShapeKey &other) const;
};
size_t qHash(const ShapeKey &key, size_t seed = 0);

// The types a schema admits by its "type" keyword; empty when it has none.
QStringList declaredTypes(const Shape &shape);

}  // namespace sonde
