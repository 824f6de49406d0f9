// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formissues.h"

#include "core/shape/shapewalk.h"
#include "ui/form/callplaceholders.h"
#include "ui/form/issuetext.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxUnionDepth = 8;

json::Pointer joined(const json::Pointer &base, const json::Pointer &rest)
{
    return json::Pointer(base.tokens() + rest.tokens());
}

bool isWithin(const json::Pointer &place, const json::Pointer &base)
{
    return place.tokens().size() >= base.tokens().size() &&
           std::equal(base.tokens().begin(), base.tokens().end(), place.tokens().begin());
}

// The shape at a place of this value. AnyJson if the schema says nothing.
Shape shapeAt(const ShapeValues &values, const Shape &root, const json::Value &value, const json::Pointer &place)
{
    Shape shape = root;
    json::Value at = value;
    const QStringList &tokens = place.tokens();
    for (const QString &token : tokens) {
        for (int i = 0; shape.kind == Shape::Kind::Union && i < MaxUnionDepth; ++i)
            shape = values.reader().branch(shape, qMax(0, values.branchFor(shape, at)));
        if (at.isArray()) {
            const qsizetype index = token.toLongLong();
            shape = values.reader().item(shape, index);
            at = at.at(index);
        } else {
            shape = shape.property(token).exists() ? values.reader().property(shape, token)
                                                   : values.reader().extraMember(shape, token);
            at = at[token];
        }
    }
    return shape;
}

// The member whose key begins there; Missing where something else does.
json::Value memberAt(const json::Value &root, qsizetype offset)
{
    const char *const text = root.document().text().constData();
    for (json::Value at = root;;) {
        json::Value next;
        for (const json::Value &child : at) {
            if ((at.isObject() ? child.keySlice().data() - text : child.offset()) > offset)
                break;
            next = child;
        }
        if (!next.exists() || (at.isObject() && next.keySlice().data() - text == offset))
            return next;
        at = next;
    }
}

class Collector {
public:
    Collector(const schema::Schema &schema, const ShapeValues &values, const Shape &root, const json::Value &value,
              bool takesPlaceholders)
        : m_schema(schema),
          m_values(values),
          m_root(root),
          m_value(value),
          m_takesPlaceholders(takesPlaceholders),
          m_mayHaveTwice(!value.document().findings().isEmpty())
    {}

    // offset: of what is at the base
    void add(const QList<schema::Issue> &issues, const json::Pointer &base, qsizetype offset, int depth)
    {
        // Unions first: other issues within them are about branches that were not meant.
        QList<json::Pointer> unions = m_unknown;
        QList<json::Pointer> chosen;
        for (const schema::Issue &issue : issues) {
            if (issue.keyword == "oneOf"_L1 && isChosenAndValid(joined(base, issue.instance)))
                chosen.append(joined(base, issue.instance));
            else if ((issue.keyword == "anyOf"_L1 || issue.keyword == "oneOf"_L1) && depth < MaxUnionDepth) {
                const json::Pointer place = joined(base, issue.instance);
                if (!unions.contains(place) && addUnion(place, depth))
                    unions.append(place);
            }
        }
        for (const schema::Issue &issue : issues) {
            const json::Pointer place = joined(base, issue.instance);
            const bool isJudged = std::any_of(unions.begin(), unions.end(),
                                              [&place](const json::Pointer &at) { return isWithin(place, at); });
            const bool isChosen = issue.keyword == "oneOf"_L1 && chosen.contains(place);
            if (!isJudged && !isChosen && !isAboutPlaceholder(place, issue.keyword))
                append(place, issue.offset < 0 ? offset : issue.offset, issue.message,
                       issue.isRemark || issue.notChecked);
        }
    }

    // To be called first. A mapping is no keyword of JSON Schema, so it may be that nothing else says it; and what is
    // said of the rest of such a value is about branches that were not meant.
    void addUnknownTags()
    {
        visitShapes(m_values, m_root, m_value, [this](const json::Value &at, const Shape &shape, const QString &) {
            const json::Value tag = shape.kind == Shape::Kind::Union ? m_values.unknownTag(shape, at) : json::Value();
            if (!tag.exists())
                return;
            const json::Pointer place = json::Pointer::to(tag);
            m_unknown.append(json::Pointer::to(at));
            if (!isAboutPlaceholder(place, {}))
                append(place, tag.offset(), m_values.tagProblem(shape, tag), false);
        });
    }

    void addDuplicateKeys()
    {
        for (const json::Finding &finding : m_value.document().findings()) {
            if (const json::Value member = memberAt(m_value, finding.offset); member.exists())
                append(json::Pointer::to(member), member.offset(), finding.reason, true);
        }
    }

    QList<FormIssue> take() { return std::move(m_found); }

private:
    // To OpenAPI only the branch that the discriminator names counts, whatever others the value matches as well.
    bool isChosenAndValid(const json::Pointer &place) const
    {
        const Shape shape = shapeAt(m_values, m_root, m_value, place);
        const QString name = shape.discriminator[u"propertyName"].string();
        const json::Value value = place.resolve(m_value);
        if (shape.kind != Shape::Kind::Union || name.isEmpty() || m_values.discriminator(shape) != name ||
            !value[name].exists() || m_values.unknownTag(shape, value).exists())
            return false;
        const json::Value branch = shape.branches.at(m_values.branchFor(shape, value)).constFirst();
        return m_schema.validateAt(branch, value, shape.scope).isEmpty();
    }

    // Checks only the branch that the value is meant for. False if it is unknown.
    bool addUnion(const json::Pointer &place, int depth)
    {
        const Shape shape = shapeAt(m_values, m_root, m_value, place);
        const json::Value value = place.resolve(m_value);
        if (shape.kind != Shape::Kind::Union || !shape.branchTypes.isEmpty())
            return false;
        const int branch = m_values.branchFor(shape, value);
        if (branch < 0)
            return false;
        const QList<schema::Issue> issues =
            m_schema.validateAt(shape.branches.at(branch).constFirst(), value, shape.scope);
        if (issues.isEmpty())
            return false;
        add(issues, place, value.offset(), depth + 1);
        return true;
    }

    // What the value will be is not known, but what contains placeholders will be a string.
    bool isAboutPlaceholder(const json::Pointer &place, const QString &keyword) const
    {
        const CallString string = m_takesPlaceholders ? callStringOf(place.resolve(m_value)) : CallString::Plain;
        return string == CallString::Placeholder || (string == CallString::WithPlaceholders && keyword != "type"_L1);
    }

    void append(const json::Pointer &place, qsizetype offset, const QString &message, bool isRemark)
    {
        const QList<qsizetype> path = m_mayHaveTwice ? placePath(m_value, offset) : QList<qsizetype>();
        const QString key = place.toString() + u'\n' + (path.isEmpty() ? QString() : QString::number(offset)) + message;
        if (m_seen.contains(key))
            return;
        m_seen.insert(key);
        m_found.append({place, message, placeWords(m_value, place), isRemark, path});
    }

    const schema::Schema &m_schema;
    const ShapeValues &m_values;
    const Shape &m_root;
    const json::Value &m_value;
    const bool m_takesPlaceholders;
    const bool m_mayHaveTwice;       // a key
    QList<json::Pointer> m_unknown;  // unions whose tag is
    QList<FormIssue> m_found;
    QSet<QString> m_seen;
};

}  // namespace

QList<FormIssue> formIssues(const schema::Schema &schema, const ShapeValues &values, const Shape &root,
                            const json::Value &value, bool takesPlaceholders)
{
    Collector collector(schema, values, root, value, takesPlaceholders);
    collector.addUnknownTags();
    collector.add(schema.validate(value), {}, value.offset(), 0);
    collector.addDuplicateKeys();
    return collector.take();
}

}  // namespace sonde::ui
