// SPDX-License-Identifier: Apache-2.0
#include "core/shape/alternatives.h"

#include "core/shape/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxAlternatives = 20;

// "a", "a and b", "a, b and c".
QString listed(const QStringList &names)
{
    if (names.size() < 2)
        return names.value(0);
    return ShapeText::tr("%1 and %2").arg(names.mid(0, names.size() - 1).join(u", "_s), names.constLast());
}

// The names that a branch requires; none where it says anything else about the object.
QStringList requiredBy(const Shape &object, const json::Value &branch)
{
    QStringList names;
    for (const json::Value &member : branch) {
        const QString keyword = member.key();
        if (keyword != "required"_L1 && keyword != "title"_L1 && keyword != "description"_L1)
            return {};
    }
    for (const json::Value &name : branch[u"required"]) {
        if (!object.property(name.string()).exists())
            return {};
        names.append(name.string());
    }
    return names;
}

Alternatives alternativesIn(const Shape &object, const json::Value &branches, bool isExclusive)
{
    Alternatives found;
    found.isExclusive = isExclusive;
    if (!branches.isArray() || branches.size() < 2 || branches.size() > MaxAlternatives)
        return {};
    for (const json::Value &branch : branches) {
        const QStringList names = requiredBy(object, branch);
        if (names.isEmpty())
            return {};
        const QString title = branch[u"title"].string();
        found.names.append(names);
        found.labels.append(title.isEmpty() ? listed(names) : title);
    }
    return found;
}

}  // namespace

int Alternatives::chosenBy(const json::Value &value) const
{
    int begun = -1;
    int countOfBegun = 0;
    for (int i = 0; i < count(); ++i) {
        const auto isGiven = [&value](const QString &name) { return value.contains(name); };
        // What all of them require tells nothing.
        const auto isOwn = [this, i](const QString &name) {
            for (int other = 0; other < count(); ++other) {
                if (other != i && names.at(other).contains(name))
                    return false;
            }
            return true;
        };
        const QStringList &mine = names.at(i);
        if (!std::any_of(mine.cbegin(), mine.cend(), [&](const QString &name) { return isOwn(name) && isGiven(name); }))
            continue;
        ++countOfBegun;
        begun = i;
    }
    return countOfBegun > 1 ? -1 : qMax(begun, 0);
}

Alternatives alternativesOf(const Shape &object)
{
    for (const json::Value &layer : object.layers) {
        for (const bool isExclusive : {true, false}) {
            const Alternatives found =
                alternativesIn(object, layer[isExclusive ? QStringView(u"oneOf") : QStringView(u"anyOf")], isExclusive);
            if (found.count() > 0)
                return found;
        }
    }
    return {};
}

Shape withAlternative(const Shape &object, const Alternatives &alternatives, int chosen)
{
    if (chosen < 0 || chosen >= alternatives.count() || !object.members)
        return object;
    const QStringList &mine = alternatives.names.at(chosen);
    auto members = std::make_shared<Shape::Members>(*object.members);
    for (const QStringList &names : alternatives.names) {
        for (const QString &name : names) {
            if (mine.contains(name) || object.isRequired(name))
                continue;
            members->names.removeAll(name);
            members->nodes.remove(name);
        }
    }
    for (const QString &name : mine)
        members->required.insert(name);
    Shape shape = object;
    shape.members = std::move(members);
    return shape;
}

}  // namespace sonde
