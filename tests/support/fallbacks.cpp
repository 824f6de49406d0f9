// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fallbacks.h"

namespace sonde::test {

namespace {

// How deep omitted places are followed; recursive schemas have no end.
constexpr int MaxUnsentDepth = 5;

class Walker {
public:
    explicit Walker(const ShapeValues &values) : m_values(values) {}

    void visit(const Shape &shape, const json::Value &value, const json::Pointer &place, int unsent)
    {
        if (unsent > MaxUnsentDepth || m_budget.isSpent())
            return;
        if (!m_budget.spend() || shape.kind == Shape::Kind::Undrawn) {
            m_found.append(place);
            return;
        }
        if (value.exists()) {
            if (shape.nullable && value.isNull())
                return;
            if (!m_values.canShow(shape, value)) {
                m_found.append(place);
                return;
            }
        }
        switch (shape.kind) {
            case Shape::Kind::Object:
                visitObject(shape, value, place, unsent);
                break;
            case Shape::Kind::List:
                visitList(shape, value, place);
                break;
            case Shape::Kind::Union: {
                const int branch = value.exists() ? m_values.branchFor(shape, value) : 0;
                visit(m_values.reader().branch(shape, qMax(0, branch)), value, place,
                      value.exists() ? unsent : unsent + 1);
                break;
            }
            default:
                break;
        }
    }

    QList<json::Pointer> found() const { return m_found; }

private:
    void visitObject(const Shape &shape, const json::Value &value, const json::Pointer &place, int unsent)
    {
        const QStringList names = shape.propertyNames();
        for (const QString &name : names) {
            const json::Value member = value[name];
            visit(m_values.reader().property(shape, name), member, place.child(name), member.exists() ? 0 : unsent + 1);
        }
        for (const json::Value &member : value) {
            if (!names.contains(member.key()))
                visit(m_values.reader().extraMember(shape, member.key()), member, place.child(member.key()), 0);
        }
    }

    void visitList(const Shape &shape, const json::Value &value, const json::Pointer &place)
    {
        qsizetype index = 0;
        for (const json::Value &item : value) {
            visit(m_values.reader().item(shape, index), item, place.child(index), 0);
            ++index;
        }
    }

    const ShapeValues &m_values;
    schema::Budget m_budget;
    QList<json::Pointer> m_found;
};

}  // namespace

QList<json::Pointer> fallbacksOf(const ShapeValues &values, const Shape &shape, const json::Value &value)
{
    Walker walker(values);
    walker.visit(shape, value, {}, 0);
    return walker.found();
}

QList<json::Pointer> fallbacksOf(const ui::SchemaForm &form)
{
    return fallbacksOf(form.shapeValues(), form.shape(), json::parse(form.value()));
}

}  // namespace sonde::test
