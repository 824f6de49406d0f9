// SPDX-License-Identifier: Apache-2.0
#include "ui/form/fieldsearch.h"

#include "core/shape/alternatives.h"
#include "core/shape/conditions.h"

#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

// Of places that are not sent: a schema may contain itself.
constexpr int MaxOmittedLevels = 3;
constexpr int MaxNeededLevels = 12;  // where each of them is required
constexpr int MaxLevels = 40;

class FieldWalk {
public:
    FieldWalk(const ShapeValues &values, const FieldQuery &query)
        : m_values(values), m_query(query), m_words(query.words.simplified().split(u' ', Qt::SkipEmptyParts))
    {}

    FoundFields run(const Shape &root, const json::Value &value)
    {
        const auto shown = std::make_shared<FieldFilter>();
        visitWithin({root, value, {}, true, false, 0}, shown.get());
        m_found.shown = shown;
        return std::move(m_found);
    }

private:
    struct Place {
        Shape shape;
        json::Value value;
        QStringList path;
        bool isNeeded;   // required, and so is all around it that is not sent
        bool isInMatch;  // something around it has the words
        int omitted;     // levels
    };
    struct Within {
        bool isShown = false;   // something there
        bool isFields = false;  // there are fields, rather than one editor for all
    };

    bool isSet(const Place &place) const
    {
        return place.value.exists() ||
               (!m_query.atFault.isEmpty() && m_query.atFault.contains(json::Pointer(place.path).toString()));
    }

    bool hasWords(const QString &name, const Shape &shape) const
    {
        const QString title = m_query.inTitles ? shape.text(u"title") : QString();
        const QString description = shape.text(u"description");
        return std::all_of(m_words.cbegin(), m_words.cend(), [&](const QString &word) {
            return name.contains(word, Qt::CaseInsensitive) || title.contains(word, Qt::CaseInsensitive) ||
                   description.contains(word, Qt::CaseInsensitive);
        });
    }

    bool isFull()
    {
        m_found.isCut = m_found.isCut || m_found.fields >= FoundFields::MaxFields;
        return m_found.isCut;
    }

    // A member, or an item that has a title.
    bool visit(const Place &place, const QString &name, FieldFilter *around)
    {
        if (isFull())
            return false;
        ++m_found.fields;
        const bool isNamed = hasWords(name, place.shape);
        const bool isWanted = (!m_query.onlyRequired || place.isNeeded) && (!m_query.onlySet || isSet(place));
        if (isNamed && isWanted)
            m_found.places.append(json::Pointer(place.path));
        const auto node = std::make_shared<FieldFilter>();
        Place inner = place;
        inner.isInMatch = place.isInMatch || (isNamed && !m_words.isEmpty());
        const Within within = visitWithin(inner, node.get());
        const bool isShown = isWanted && (isNamed || place.isInMatch);
        if (!within.isShown && !isShown)
            return false;
        node->isWhole = isShown && (!within.isFields || (!m_query.onlyRequired && !m_query.onlySet));
        around->inner.insert(place.path.constLast(), node);
        return true;
    }

    Within visitWithin(const Place &place, FieldFilter *node)
    {
        if (place.omitted > (place.isNeeded ? MaxNeededLevels : MaxOmittedLevels) || place.path.size() > MaxLevels)
            return {false, true};
        Shape shape = place.shape;
        QString hidden;
        for (int level = 0; shape.kind == Shape::Kind::Union && level < MaxUnionDepth; ++level) {
            const int branch = std::max(0, m_values.branchFor(shape, place.value));
            hidden = m_values.impliedMember(shape, branch, place.value);
            shape = m_values.reader().branch(shape, branch);
        }
        if (place.value.exists() && !place.value.isContainer())
            return {};
        if (shape.kind == Shape::Kind::Object)
            return {visitMembers(place, shape, hidden, node), true};
        if (shape.kind != Shape::Kind::List || !place.value.isArray())
            return {};
        return {visitItems(place, shape, node),
                m_values.reader().item(shape, 0).isContainer() || !shape.tuple().isEmpty()};
    }

    bool visitMembers(const Place &place, const Shape &declared, const QString &hidden, FieldFilter *node)
    {
        Shape shape = declared;
        if (shape.hasConditions())
            shape = withConditions(m_values.reader(), shape, place.value).value_or(shape);
        if (const Alternatives alternatives = alternativesOf(declared); alternatives.count() > 0)
            shape = withAlternative(shape, alternatives, alternatives.chosenBy(place.value));
        bool isAny = false;
        const bool isSent = place.value.exists();
        const auto visitMember = [&](const QString &name, const Shape &member, const json::Value &value,
                                     bool isRequired) {
            const bool isNeeded = isRequired && (place.isNeeded || isSent);
            const int omitted = value.exists() ? 0 : place.omitted + 1;
            const Place inner{member, value, place.path + QStringList{name}, isNeeded, place.isInMatch, omitted};
            isAny = visit(inner, name, node) || isAny;
        };
        const QStringList names = shape.propertyNames();
        for (const QString &name : names) {
            if (name != hidden)
                visitMember(name, m_values.reader().property(shape, name), place.value[name], shape.isRequired(name));
        }
        if (!place.value.isObject())
            return isAny;
        for (const json::Value &member : place.value) {
            const QString name = member.key();
            if (!shape.property(name).exists())
                visitMember(name, m_values.reader().extraMember(shape, name), member, false);
        }
        return isAny;
    }

    bool visitItems(const Place &place, const Shape &list, FieldFilter *node)
    {
        const qsizetype titled = list.tuple().size();
        const bool showsItems = m_query.onlySet && !m_query.onlyRequired && (m_words.isEmpty() || place.isInMatch);
        bool isAny = false;
        qsizetype index = 0;
        for (const json::Value &item : place.value) {
            const Shape shape = m_values.reader().item(list, index);
            if (isFull() || (index >= titled && !shape.isContainer()))
                break;
            const QString token = QString::number(index);
            const Place inner{shape, item, place.path + QStringList{token}, true, place.isInMatch, 0};
            if (index++ < titled) {
                isAny = visit(inner, shape.text(u"title"), node) || isAny;
                continue;
            }
            const auto within = std::make_shared<FieldFilter>();
            const Within all = visitWithin(inner, within.get());
            if (!all.isShown && all.isFields && !showsItems)
                continue;
            within->isWhole = !all.isFields;
            node->inner.insert(token, within);
            isAny = isAny || all.isShown;
        }
        return isAny;
    }

    const ShapeValues &m_values;
    const FieldQuery &m_query;
    const QStringList m_words;
    FoundFields m_found;
};

}  // namespace

const FieldFilter *FieldFilter::within(const QString &token) const
{
    const auto found = isWhole ? inner.cend() : inner.constFind(token);
    return found == inner.cend() || (*found)->isWhole ? nullptr : found->get();
}

bool FieldFilter::add(const FieldFilter &other)
{
    bool isMore = other.isWhole && !std::exchange(isWhole, isWhole || other.isWhole);
    for (auto it = other.inner.cbegin(); it != other.inner.cend(); ++it) {
        std::shared_ptr<FieldFilter> &here = inner[it.key()];
        const auto both = here ? std::make_shared<FieldFilter>(*here) : nullptr;
        const bool isNew = !both || both->add(**it);
        isMore = isMore || (isNew && !isWhole);
        here = both ? both : *it;
    }
    return isMore;
}

FoundFields findFields(const ShapeValues &values, const Shape &root, const json::Value &value, const FieldQuery &query)
{
    return FieldWalk(values, query).run(root, value);
}

}  // namespace sonde::ui
