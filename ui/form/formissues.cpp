// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formissues.h"

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
    Collector(const schema::Schema &schema, const ShapeValues &values, const Shape &root, const json::Value &value)
        : m_schema(schema), m_values(values), m_root(root), m_value(value)
    {}

    void add(const QList<schema::Issue> &issues, const json::Pointer &base, int depth)
    {
        // Unions first: other issues within them are about branches that were not meant.
        QList<json::Pointer> unions;
        for (const schema::Issue &issue : issues) {
            if ((issue.keyword == "anyOf"_L1 || issue.keyword == "oneOf"_L1) && depth < MaxUnionDepth) {
                const json::Pointer place = joined(base, issue.instance);
                if (!unions.contains(place) && addUnion(place, depth))
                    unions.append(place);
            }
        }
        for (const schema::Issue &issue : issues) {
            const json::Pointer place = joined(base, issue.instance);
            const bool isJudged = std::any_of(unions.begin(), unions.end(),
                                              [&place](const json::Pointer &at) { return isWithin(place, at); });
            if (!isJudged)
                append(place, issue.message, issue.isRemark);
        }
    }

    void addDuplicateKeys()
    {
        for (const json::Finding &finding : m_value.document().findings()) {
            if (const json::Value member = memberAt(m_value, finding.offset); member.exists())
                append(json::Pointer::to(member), finding.reason, true);
        }
    }

    QList<FormIssue> take() { return std::move(m_found); }

private:
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
        add(issues, place, depth + 1);
        return true;
    }

    void append(const json::Pointer &place, const QString &message, bool isRemark)
    {
        const QString key = place.toString() + u'\n' + message;
        if (m_seen.contains(key))
            return;
        m_seen.insert(key);
        m_found.append({place, message, placeWords(m_value, place), isRemark});
    }

    const schema::Schema &m_schema;
    const ShapeValues &m_values;
    const Shape &m_root;
    const json::Value &m_value;
    QList<FormIssue> m_found;
    QSet<QString> m_seen;
};

}  // namespace

QList<FormIssue> formIssues(const schema::Schema &schema, const ShapeValues &values, const Shape &root,
                            const json::Value &value)
{
    Collector collector(schema, values, root, value);
    collector.add(schema.validate(value), {}, 0);
    collector.addDuplicateKeys();
    return collector.take();
}

}  // namespace sonde::ui
