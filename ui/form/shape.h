// What a schema asks for at one place, reduced to what decides how the place is drawn.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/schema/schema.h"
#include "ui/form/choicelist.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>
#include <memory>

namespace sonde::ui {

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
    // The schemas that hold here together, the nearest first: the node itself, what its $ref means, its allOf
    // members, the chosen branch of a union. Keywords are looked up only in these, never by searching a tree.
    QList<json::Value> layers;
    QString type;  // "string", "integer" …; for AnyJson "" or the container that is free; the reason for Undrawn
    bool nullable = false;
    bool isTooLarge = false;             // Undrawn, because the schema's budget is spent
    ChoiceList choices;                  // Choice, Constant
    QList<QList<json::Value>> branches;  // Union: the layers of each
    QStringList branchTypes;  // Union: the one type a branch is restricted to, where the union is a type list

    json::Value keyword(QStringView name) const;
    QString text(QStringView name) const { return keyword(name).string(); }
    json::Value node() const { return layers.value(0); }
    bool isInteger() const { return type == QLatin1String("integer"); }
    bool isContainer() const { return kind == Kind::Object || kind == Kind::List || kind == Kind::Union; }

    QStringList propertyNames() const;  // in the server's order
    json::Value property(QStringView name) const;
    bool isRequired(QStringView name) const;
    bool isMap() const;      // takes members of any name and says of which shape
    bool isClosed() const;   // takes no members but those declared
    bool takesMore() const;  // an object that declares nothing and is not closed takes anything

private:
    friend class ShapeReader;
    // What the layers declare, collected once.
    struct Members {
        QStringList names;
        QHash<QString, QList<json::Value>> nodes;
        QSet<QString> required;
    };
    std::shared_ptr<const Members> m_members;  // null: none
};

// Reads shapes out of one schema. References are resolved against the whole of it. Copies share what they have read:
// each place is read once, out of one budget for the whole schema, and what is read after that is spent is Undrawn.
class ShapeReader {
public:
    ShapeReader();
    explicit ShapeReader(const json::Value &schema) : ShapeReader(schema::Schema(schema)) {}
    explicit ShapeReader(const schema::Schema &schema);

    Shape read(const json::Value &node) const;
    Shape read(const QList<json::Value> &layers, const QString &onlyType = {}) const
    {
        return read(layers, onlyType, 0);
    }
    Shape property(const Shape &object, const QString &name) const;
    Shape extraMember(const Shape &object, const QString &name) const;  // one that is not declared
    Shape item(const Shape &list, qsizetype index) const;
    Shape branch(const Shape &choice, qsizetype index) const;
    QString branchLabel(const Shape &choice, qsizetype index) const;

    // Whether the editor of this shape can show the value at all (not whether the value is valid).
    bool canShow(const Shape &shape, const json::Value &value) const { return canShow(shape, value, 0); }
    // The branch that fits the value; -1 when none can show it. A guess, where telling would take too long.
    int branchFor(const Shape &choice, const json::Value &value) const;
    // What a place holds when it is created: constants that must be sent; an empty text, list or object.
    // Empty when the schema leaves nothing to be assumed.
    QByteArray initial(const Shape &shape) const { return initial(shape, 0); }
    // The same for a place that cannot be absent: a list item, a new member of a map.
    QByteArray starting(const Shape &shape) const;
    // The member whose constant tells the branches of a union apart; empty when there is none.
    QString discriminator(const Shape &choice) const;

private:
    // A union directly within a union within …: a schema that names itself this way never ends.
    static constexpr int MaxUnionDepth = 4;

    struct State;
    struct Discriminator;
    class Pass;

    void collect(const json::Value &node, QList<json::Value> *layers, int depth) const;
    bool readUnion(Shape *shape, int depth) const;
    void readChoices(Shape *shape) const;
    int score(const Shape &shape, const json::Value &value, int depth) const;
    QByteArray initial(const Shape &shape, int depth) const;
    QByteArray initialObject(const Shape &shape, int depth) const;

    Shape read(const QList<json::Value> &layers, const QString &onlyType, int depth) const;
    Shape readAnew(const QList<json::Value> &layers, const QString &onlyType, int depth) const;
    static Shape tooLarge(const QList<json::Value> &layers);
    void readMembers(Shape *shape) const;
    const Discriminator &discriminatorOf(const Shape &choice) const;
    Discriminator findDiscriminator(const Shape &choice) const;
    bool canShow(const Shape &shape, const json::Value &value, int depth) const;
    int branchFor(const Shape &choice, const json::Value &value, int depth) const;
    bool isNullOnly(const json::Value &node) const;

    std::shared_ptr<State> m_state;
};

// The types a schema admits by its "type" keyword; empty when it has none.
QStringList declaredTypes(const Shape &shape);

}  // namespace sonde::ui
