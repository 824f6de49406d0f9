// SPDX-License-Identifier: Apache-2.0
#include "core/shape/shapevalues.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/shape/texts.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxInitialDepth = 8;
constexpr qsizetype MaxValuesOfBranch = 100;
constexpr qsizetype MaxValuesInLabel = 3;
constexpr qsizetype MaxTagsNamed = 20;
constexpr qsizetype MaxInitialBytes = 64 * 1024;  // more is nothing that a schema says of a new value

QString shownTag(const json::Value &tag)
{
    return visibleLine(tag.isString() ? tag.string() : QString::fromUtf8(tag.bytes()), 60);
}

}  // namespace

// The member whose values tell the branches of a union apart.
struct ShapeValues::Discriminator {
    QString name;  // empty: there is none
    json::ValueIndex values;
    QList<int> branches;  // of each value
};

struct ShapeValues::State {
    QHash<ShapeKey, QByteArray> initials;
    QHash<ShapeKey, Discriminator> discriminators;
    // Telling which branch a value means is asked at every key: each time out of a small budget, which gets smaller
    // when it was spent.
    schema::Budget guesses;
    qint64 guessLimit = 40'000;
    int passes = 0;
};

// What is guessed while it exists comes out of one budget.
class ShapeValues::Pass {
public:
    explicit Pass(State *state) : m_state(state)
    {
        if (m_state->passes++ == 0)
            m_state->guesses = schema::Budget(m_state->guessLimit);
    }
    ~Pass()
    {
        constexpr qint64 least = 2'000;
        if (--m_state->passes == 0 && m_state->guesses.isSpent())
            m_state->guessLimit = qMax(least, m_state->guessLimit / 2);
    }
    Q_DISABLE_COPY_MOVE(Pass)

private:
    State *m_state;
};

ShapeValues::ShapeValues(const ShapeReader &reader) : m_reader(reader), m_state(std::make_shared<State>()) {}

bool ShapeValues::canShow(const Shape &shape, const json::Value &value, int depth) const
{
    switch (shape.kind) {
        case Shape::Kind::Text:
            return value.isString();
        case Shape::Kind::Number:
            return value.isNumber();
        case Shape::Kind::Boolean:
            return value.isBool();
        case Shape::Kind::Object:
            return value.isObject();
        case Shape::Kind::List:
            return value.isArray();
        case Shape::Kind::Choice:
            if (value.isString())
                return true;  // a text that is no choice is shown as it is, and marked
            [[fallthrough]];
        case Shape::Kind::Constant:
            return shape.choices.indexOf(value) >= 0;
        case Shape::Kind::Union:
            return depth < MaxUnionDepth && branchFor(shape, value, depth + 1) >= 0;
        case Shape::Kind::AnyJson:
            return true;
        case Shape::Kind::Undrawn:
            return false;
    }
    return false;
}

int ShapeValues::branchFor(const Shape &choice, const json::Value &value) const
{
    const Pass pass(m_state.get());
    return branchFor(choice, value, 0);
}

int ShapeValues::branchFor(const Shape &choice, const json::Value &value, int depth) const
{
    // Its constant is what a branch is meant by, whatever else is wrong.
    if (value.isObject()) {
        const Discriminator &discriminator = discriminatorOf(choice);
        const json::Value constant = discriminator.name.isEmpty() ? json::Value() : value[discriminator.name];
        if (const qsizetype meant = constant.exists() ? discriminator.values.indexOf(constant) : -1; meant >= 0)
            return discriminator.branches.at(meant);
    }
    int best = -1;
    int bestScore = 0;
    for (int i = 0; i < choice.branches.size() && m_state->guesses.spend(4); ++i) {
        const Shape candidate = m_reader.branch(choice, i);
        if (!canShow(candidate, value, depth) && !(candidate.nullable && value.isNull()))
            continue;
        const bool isFreeObject = candidate.kind == Shape::Kind::AnyJson && candidate.type == "object"_L1;
        const bool isFreeList = candidate.kind == Shape::Kind::AnyJson && candidate.type == "array"_L1;
        if ((isFreeObject && !value.isObject()) || (isFreeList && !value.isArray()))
            continue;
        const QString only = choice.branchTypes.value(i);
        if (only.isEmpty() &&
            m_reader.schema().admits(choice.branches.at(i).constFirst(), value, &m_state->guesses, choice.scope))
            return i;
        // Not valid under any branch: the one it was probably meant for.
        if (const int points = score(candidate, value, 0); best < 0 || points > bestScore) {
            best = i;
            bestScore = points;
        }
    }
    return best;
}

int ShapeValues::score(const Shape &shape, const json::Value &value, int depth) const
{
    if (depth > 2 || shape.kind == Shape::Kind::AnyJson)
        return 0;
    if (!canShow(shape, value, depth))
        return -4;
    if (shape.kind == Shape::Kind::Constant)
        return 16;
    int points = 1;
    if (shape.isInteger() && !json::isInteger(value.numberText()))
        points -= 2;
    if (shape.kind != Shape::Kind::Object)
        return points;
    const QStringList names = shape.propertyNames();
    for (const QString &name : names) {
        if (!m_state->guesses.spend(2 + value.size() / 16))
            break;
        const json::Value member = value[name];
        if (member.exists())
            points += 1 + score(m_reader.property(shape, name), member, depth + 1);
        else if (shape.isRequired(name))
            points -= 2;
    }
    return points;
}

QByteArray ShapeValues::initial(const Shape &choice, qsizetype index) const
{
    return initialBranch(choice, index, 0);
}

QByteArray ShapeValues::starting(const Shape &choice, qsizetype index) const
{
    return m_reader.branch(choice, index).kind == Shape::Kind::Text ? QByteArray() : initial(choice, index);
}

QByteArray ShapeValues::initialBranch(const Shape &choice, qsizetype index, int depth) const
{
    const Shape branch = m_reader.branch(choice, index);
    return branch.kind == Shape::Kind::Object ? initialObject(branch, 0, discriminator(choice))
                                              : initialOf(branch, depth + 1);
}

// chosenBy: the member that tells it from the other branches of a union
QByteArray ShapeValues::initialObject(const Shape &shape, int depth, const QString &chosenBy) const
{
    if (depth > MaxInitialDepth)
        return "{}";
    const ShapeKey key{shape.layers, chosenBy, depth, shape.scope};
    if (const auto known = m_state->initials.constFind(key); known != m_state->initials.cend())
        return *known;
    json::Builder builder;
    builder.beginObject();
    qsizetype size = 0;
    const QStringList names = shape.propertyNames();
    for (const QString &name : names) {
        if (!m_reader.spend(4))
            return "{}";
        const bool isChosenBy = !chosenBy.isEmpty() && name == chosenBy;
        if (!shape.isRequired(name) && !isChosenBy)
            continue;
        const Shape member = m_reader.property(shape, name);
        QByteArray json;
        if (member.kind == Shape::Kind::Constant || isChosenBy)
            json = member.choices.constFirst().json;
        else if (member.kind == Shape::Kind::Object && !member.nullable)
            json = initialObject(member, depth + 1);
        if (json.isEmpty() || json == "{}")
            continue;
        size += json.size();
        if (size > MaxInitialBytes)
            break;
        builder.rawMember(name, json);
    }
    builder.endObject();
    const QByteArray json = size > MaxInitialBytes ? QByteArray("{}") : builder.take();
    m_state->initials.insert(key, json);
    return json;
}

QByteArray ShapeValues::initialOf(const Shape &shape, int depth) const
{
    switch (shape.kind) {
        case Shape::Kind::Text:
            return "\"\"";
        case Shape::Kind::Constant:
            return shape.choices.constFirst().json;
        case Shape::Kind::Object:
            return initialObject(shape, 0);
        case Shape::Kind::List:
            return "[]";
        case Shape::Kind::Union:
            return depth < MaxUnionDepth ? initialBranch(shape, 0, depth) : QByteArray();
        case Shape::Kind::AnyJson:
            if (shape.type == "object"_L1)
                return "{}";
            return shape.type == "array"_L1 ? QByteArray("[]") : QByteArray();
        case Shape::Kind::Number:
        case Shape::Kind::Boolean:
        case Shape::Kind::Choice:
        case Shape::Kind::Undrawn:
            break;
    }
    return {};
}

QByteArray ShapeValues::starting(const Shape &shape) const
{
    if (shape.kind == Shape::Kind::Union)
        return starting(shape, 0);
    return shape.kind == Shape::Kind::Text ? QByteArray() : initial(shape);
}

QString ShapeValues::discriminator(const Shape &choice) const
{
    return discriminatorOf(choice).name;
}

QString ShapeValues::impliedMember(const Shape &choice, qsizetype index, const json::Value &object) const
{
    const QString name = discriminator(choice);
    const Shape member = name.isEmpty() ? Shape() : m_reader.property(m_reader.branch(choice, index), name);
    const json::Value value = object[name];
    const bool isImplied = member.choices.size() == 1 && (!value.exists() || member.choices.indexOf(value) == 0);
    return isImplied ? name : QString();
}

json::Value ShapeValues::unknownTag(const Shape &choice, const json::Value &object) const
{
    if (!object.isObject())
        return {};
    const Discriminator &discriminator = discriminatorOf(choice);
    const json::Value tag = discriminator.name.isEmpty() ? json::Value() : object[discriminator.name];
    return tag.exists() && discriminator.values.indexOf(tag) < 0 ? tag : json::Value();
}

QString ShapeValues::tagProblem(const Shape &choice, const json::Value &tag) const
{
    QStringList known;
    for (const json::Value &value : discriminatorOf(choice).values) {
        if (known.size() == MaxTagsNamed) {
            known.append(u"…"_s);
            break;
        }
        known.append(shownTag(value));
    }
    return ShapeText::tr("“%1” is not one of: %2").arg(shownTag(tag), known.join(", "_L1));
}

const ShapeValues::Discriminator &ShapeValues::discriminatorOf(const Shape &choice) const
{
    const ShapeKey key{choice.layers, choice.branchTypes.value(0), int(choice.branches.size()), choice.scope};
    auto known = m_state->discriminators.constFind(key);
    if (known == m_state->discriminators.cend())
        known = m_state->discriminators.insert(key, findDiscriminator(choice));
    return *known;
}

ShapeValues::Discriminator ShapeValues::findDiscriminator(const Shape &choice) const
{
    const Shape first = m_reader.branch(choice, 0);
    if (first.kind != Shape::Kind::Object || choice.branches.size() < 2)
        return {};
    QStringList names = first.propertyNames();
    if (const QString named = choice.discriminator[u"propertyName"].string(); names.removeAll(named) > 0)
        names.prepend(named);
    // One that is required is meant for this; others may have their values by chance.
    for (const bool isRequired : {true, false}) {
        for (const QString &name : std::as_const(names)) {
            if (first.isRequired(name) != isRequired)
                continue;
            if (const Discriminator found = discriminatorNamed(name, choice); !found.name.isEmpty())
                return found;
        }
    }
    return {};
}

// Every branch has to allow few values of that member, and none that another branch allows.
ShapeValues::Discriminator ShapeValues::discriminatorNamed(const QString &name, const Shape &choice) const
{
    Discriminator found;
    for (int i = 0; i < choice.branches.size(); ++i) {
        const Shape branch = m_reader.branch(choice, i);
        const Shape member = m_reader.property(branch, name);
        if (!m_reader.spend() || branch.kind != Shape::Kind::Object || member.nullable || member.choices.isEmpty() ||
            member.choices.size() > MaxValuesOfBranch)
            return {};
        for (qsizetype value = 0; value < member.choices.size() && m_reader.spend(); ++value) {
            if (found.values.contains(member.choices.value(value)))
                return {};
            found.values.append(member.choices.value(value));
            found.branches.append(i);
        }
    }
    found.name = name;
    return found;
}

QString ShapeValues::branchLabel(const Shape &choice, qsizetype index) const
{
    const Shape shape = m_reader.branch(choice, index);
    const QString chosenBy = discriminator(choice);
    // A mapping names the branches; a title is often the name of a class.
    const bool isMapped = !chosenBy.isEmpty() && choice.discriminator[u"mapping"].isObject();
    if (choice.branchTypes.isEmpty() && !isMapped) {
        const QString title = m_reader.read(choice.branches.at(index).first(1), choice.scope).text(u"title");
        if (!title.isEmpty())
            return title;
    }
    if (!chosenBy.isEmpty()) {
        const ChoiceList values = m_reader.property(shape, chosenBy).choices;
        QStringList labels;
        for (qsizetype i = 0; i < values.size() && i < MaxValuesInLabel; ++i)
            labels.append(values.label(i));
        if (values.size() > MaxValuesInLabel)
            labels.append(u"…"_s);
        return labels.join(u", "_s);
    }
    switch (shape.kind) {
        case Shape::Kind::Text:
            return ShapeText::tr("string");
        case Shape::Kind::Number:
            return shape.isInteger() ? ShapeText::tr("integer") : ShapeText::tr("number");
        case Shape::Kind::Boolean:
            return ShapeText::tr("boolean");
        case Shape::Kind::Choice:
            return counted(shape.choices.size(), ShapeText::tr("1 choice"), ShapeText::tr("%1 choices"));
        case Shape::Kind::Constant:
            return shape.choices.constFirst().label;
        case Shape::Kind::List:
            return shape.tuple().exists() ? ShapeText::tr("tuple") : ShapeText::tr("list");
        case Shape::Kind::Object: {
            const QStringList names = shape.propertyNames();
            for (const QString &name : names) {
                if (const Shape member = m_reader.property(shape, name); member.kind == Shape::Kind::Constant)
                    return member.choices.constFirst().label;
            }
            return names.isEmpty() ? ShapeText::tr("object") : names.mid(0, 2).join(", "_L1);
        }
        case Shape::Kind::AnyJson:
            return shape.type == "object"_L1  ? ShapeText::tr("object")
                   : shape.type == "array"_L1 ? ShapeText::tr("list")
                                              : ShapeText::tr("any JSON");
        case Shape::Kind::Union:
        case Shape::Kind::Undrawn:
            break;
    }
    return ShapeText::tr("option %1").arg(index + 1);
}

}  // namespace sonde
