// What values mean under the shapes of a schema: whether they can be shown, and what a new place holds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/shape/shapereader.h"

namespace sonde {

// Copies share a cache.
class ShapeValues {
public:
    explicit ShapeValues(const ShapeReader &reader);
    const ShapeReader &reader() const { return m_reader; }

    // Whether the editor of this shape can show the value at all (not whether the value is valid).
    bool canShow(const Shape &shape, const json::Value &value) const { return canShow(shape, value, 0); }
    // The branch that matches the value; -1 if none can show it. A guess if checking would take too long.
    int branchFor(const Shape &choice, const json::Value &value) const;
    // The value of a new place: constants that must be sent; an empty string, list or object. Empty if the schema
    // implies nothing.
    QByteArray initial(const Shape &shape) const { return initialOf(shape, 0); }
    // The same for a new list item or member of a map, where an empty string is a value that nobody has chosen.
    QByteArray starting(const Shape &shape) const;
    // Both of a branch of a union, which also holds what tells it from the other branches.
    QByteArray initial(const Shape &choice, qsizetype index) const;
    QByteArray starting(const Shape &choice, qsizetype index) const;
    // The member whose values distinguish the branches of a union; empty if there is none.
    QString discriminator(const Shape &choice) const;
    // The same where the branch allows one value, and this object has that or none: nobody needs to see it.
    QString impliedMember(const Shape &choice, qsizetype index, const json::Value &object) const;
    QString branchLabel(const Shape &choice, qsizetype index) const;
    // That member of an object where its value means none of the branches; Missing otherwise.
    json::Value unknownTag(const Shape &choice, const json::Value &object) const;
    QString tagProblem(const Shape &choice, const json::Value &tag) const;  // "“bank” is not one of: card, cash"

private:
    struct State;
    struct Discriminator;
    class Pass;

    int score(const Shape &shape, const json::Value &value, int depth) const;
    QByteArray initialOf(const Shape &shape, int depth) const;
    QByteArray initialBranch(const Shape &choice, qsizetype index, int depth) const;
    QByteArray initialObject(const Shape &shape, int depth, const QString &chosenBy = {}) const;
    const Discriminator &discriminatorOf(const Shape &choice) const;
    Discriminator findDiscriminator(const Shape &choice) const;
    Discriminator discriminatorNamed(const QString &name, const Shape &choice) const;
    bool canShow(const Shape &shape, const json::Value &value, int depth) const;
    int branchFor(const Shape &choice, const json::Value &value, int depth) const;

    ShapeReader m_reader;
    std::shared_ptr<State> m_state;
};

}  // namespace sonde
