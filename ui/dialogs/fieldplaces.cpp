// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/fieldplaces.h"

#include "core/json/builder.h"
#include "core/shape/issuetext.h"
#include "core/shape/typehint.h"

#include <QCoreApplication>
#include <QSet>
#include <QStringList>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxPlaces = 1000;
constexpr qsizetype MaxItems = 50;  // of a list that are offered; the user can put it into others by hand
constexpr qsizetype MaxDepth = 10;

struct FieldPlaceText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::FieldPlace)
};

using Step = FieldPlace::Step;

class PlaceFinder {
public:
    PlaceFinder(const ShapeReader &reader, const json::Value &value) : m_values(reader), m_value(value) {}

    void visitRoot(const json::Value &arguments)
    {
        const Shape root = m_values.reader().read(m_values.reader().schema().root());
        within(root, arguments, m_values.starting(root));
    }
    QList<FieldPlace> places() const { return m_places; }

private:
    // One step deeper, and what is there.
    void add(const Step &step, const QString &word, const Shape &shape, const json::Value &current)
    {
        if (m_places.size() >= MaxPlaces)
            return;
        m_steps.append(step);
        m_words.append(word);
        // The branches of a union can declare the same.
        const QString words = m_words.join(u", "_s);
        if (!m_seen.contains(words)) {
            m_seen.insert(words);
            m_places.append({m_steps, words, typeHint(m_values, shape), current, m_values.canShow(shape, m_value)});
        }
        // What is there ends; what is not may be declared without an end.
        const json::Value target = shape.layers.value(shape.layers.size() - 1);
        const bool isWithinItself =
            !current.exists() &&
            std::ranges::any_of(m_open, [&target](const json::Value &open) { return open.isSameNode(target); });
        if (m_steps.size() < MaxDepth && !isWithinItself)
            within(shape, current, m_values.starting(shape));
        m_words.removeLast();
        m_steps.removeLast();
    }

    // initial: JSON of what would be made there.
    void within(const Shape &shape, const json::Value &current, const QByteArray &initial)
    {
        const qsizetype before = m_open.size();
        m_open.append(shape.layers);
        if (shape.kind == Shape::Kind::Union)
            withinUnion(shape, current);
        else if (shape.kind == Shape::Kind::List || current.isArray())
            withinList(shape, current, initial);
        else if (shape.kind == Shape::Kind::Object || current.isObject())
            withinObject(shape, current, initial);
        m_open.resize(before);
    }

    void withinUnion(const Shape &shape, const json::Value &current)
    {
        const int chosen = current.exists() ? m_values.branchFor(shape, current) : -1;
        if (chosen >= 0)
            return within(m_values.reader().branch(shape, chosen), current, m_values.starting(shape, chosen));
        for (qsizetype i = 0; i < shape.branches.size() && m_places.size() < MaxPlaces; ++i) {
            const Shape branch = m_values.reader().branch(shape, i);
            if (branch.kind != Shape::Kind::Union)
                within(branch, {}, m_values.starting(shape, i));
        }
    }

    void withinList(const Shape &shape, const json::Value &current, const QByteArray &initial)
    {
        const qsizetype size = current.isArray() ? current.size() : 0;
        for (qsizetype i = 0; i < std::min(size, MaxItems); ++i)
            add({Step::Kind::Item, {}, i, initial}, itemWord(i), m_values.reader().item(shape, i), current.at(i));
        add({Step::Kind::NewItem, {}, 0, initial}, FieldPlaceText::tr("new item"), m_values.reader().item(shape, size),
            {});
    }

    void withinObject(const Shape &shape, const json::Value &current, const QByteArray &initial)
    {
        const QStringList declared = shape.propertyNames();
        for (const QString &name : declared)
            add({Step::Kind::Member, name, 0, initial}, name, m_values.reader().property(shape, name), current[name]);
        for (const json::Value &member : current) {
            if (!declared.contains(member.key()))
                add({Step::Kind::Member, member.key(), 0, initial}, member.key(),
                    m_values.reader().extraMember(shape, member.key()), member);
        }
    }

    const ShapeValues m_values;
    const json::Value m_value;
    QList<Step> m_steps;
    QStringList m_words;
    QList<json::Value> m_open;  // layers of what the current place is within
    QSet<QString> m_seen;
    QList<FieldPlace> m_places;
};

QByteArray withValueAt(const json::Value &container, const QList<Step> &steps, qsizetype at, const QByteArray &value)
{
    if (at == steps.size())
        return value;
    const Step &step = steps[at];
    const bool isList = step.kind != Step::Kind::Member;
    const bool isUsable = isList ? container.isArray() : container.isObject();
    const json::Document made = json::Document::parse(step.initial);
    const bool canStart = made.isValid() && (isList ? made.root().isArray() : made.root().isObject());
    const json::Value old = isUsable ? container : canStart ? made.root() : json::Value();
    json::Builder builder;
    bool isWritten = false;
    if (isList) {
        builder.beginArray();
        for (qsizetype i = 0; i < old.size(); ++i) {
            const bool isThis = step.kind == Step::Kind::Item && i == step.index;
            isWritten = isWritten || isThis;
            if (isThis)
                builder.raw(withValueAt(old.at(i), steps, at + 1, value));
            else
                builder.value(old.at(i));
        }
        if (!isWritten)
            builder.raw(withValueAt({}, steps, at + 1, value));
        return builder.endArray().take();
    }
    builder.beginObject();
    for (const json::Value &member : old) {
        builder.rawKey(member.keySlice());
        if (member.key() == step.name && !std::exchange(isWritten, true))
            builder.raw(withValueAt(member, steps, at + 1, value));
        else
            builder.value(member);
    }
    if (!isWritten)
        builder.rawMember(step.name, withValueAt({}, steps, at + 1, value));
    return builder.endObject().take();
}

}  // namespace

QList<FieldPlace> fieldPlaces(const json::Value &schema, const json::Value &arguments, const json::Value &value)
{
    PlaceFinder finder(ShapeReader(schema), value);
    finder.visitRoot(arguments);
    QList<FieldPlace> places = finder.places();
    std::stable_partition(places.begin(), places.end(), [](const FieldPlace &place) { return place.fits; });
    return places;
}

QByteArray withValueAt(const QByteArray &arguments, const FieldPlace &place, const QByteArray &value)
{
    const json::Document document = json::Document::parse(arguments);
    return withValueAt(document.root(), place.steps, 0, value);
}

}  // namespace sonde::ui
