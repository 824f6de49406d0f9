// SPDX-License-Identifier: Apache-2.0
#include "ui/form/fallbacks.h"

namespace sonde::ui {

namespace {

// How far places that are not sent are followed; recursive schemas have no end.
constexpr int MaxUnsentDepth = 5;

class Walker {
public:
    explicit Walker(const ShapeReader &reader) : m_reader(reader) {}

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
            if (!m_reader.canShow(shape, value)) {
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
                const int branch = value.exists() ? m_reader.branchFor(shape, value) : 0;
                visit(m_reader.branch(shape, qMax(0, branch)), value, place, value.exists() ? unsent : unsent + 1);
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
            visit(m_reader.property(shape, name), member, place.child(name), member.exists() ? 0 : unsent + 1);
        }
        for (const json::Value &member : value) {
            if (!names.contains(member.key()))
                visit(m_reader.extraMember(shape, member.key()), member, place.child(member.key()), 0);
        }
    }

    void visitList(const Shape &shape, const json::Value &value, const json::Pointer &place)
    {
        qsizetype index = 0;
        for (const json::Value &item : value) {
            visit(m_reader.item(shape, index), item, place.child(index), 0);
            ++index;
        }
    }

    const ShapeReader &m_reader;
    schema::Budget m_budget;
    QList<json::Pointer> m_found;
};

}  // namespace

QList<json::Pointer> fallbacksOf(const ShapeReader &reader, const Shape &shape, const json::Value &value)
{
    Walker walker(reader);
    walker.visit(shape, value, {}, 0);
    return walker.found();
}

}  // namespace sonde::ui
