// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schemaproperties.h"

#include "core/schema/schema.h"
#include "core/shape/alternatives.h"
#include "core/shape/example.h"
#include "core/shape/typehint.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::test {

namespace {

class SchemaFaults {
public:
    explicit SchemaFaults(const QByteArray &schema)
        : m_reader(json::parse(schema)), m_values(m_reader), m_root(m_reader.read(m_reader.schema().root()))
    {}

    QStringList of(const QByteArray &valid, const QByteArrayList &others)
    {
        if (!m_reader.schema().isValid(json::parse(valid)))
            add(u"refused: %1"_s.arg(QString::fromUtf8(valid)));
        checkHints(m_root, 0);
        checkExample();
        checkMessages(valid);
        for (const QByteArray &other : others)
            checkMessages(other);
        return std::move(m_faults);
    }

private:
    void add(const QString &fault) { m_faults.append(fault); }

    void checkHints(const Shape &shape, int depth)
    {
        constexpr int maxDepth = 5;
        const QString hint = typeHint(m_values, shape);
        if (hint.isEmpty() || namesAKeyword(hint))
            add(u"hint not in words: \"%1\" of %2"_s.arg(hint, QString::fromUtf8(shape.node().bytes())));
        if (depth > maxDepth)
            return;
        checkBranches(shape);
        for (const QString &name : shape.propertyNames())
            checkHints(m_reader.property(shape, name), depth + 1);
        for (qsizetype i = 0; i < shape.branches.size(); ++i) {
            if (m_values.branchLabel(shape, i).isEmpty())
                add(u"branch without a name: %1"_s.arg(QString::fromUtf8(shape.node().bytes())));
            checkHints(m_reader.branch(shape, i), depth + 1);
        }
        if (shape.kind == Shape::Kind::List)
            checkHints(m_reader.item(shape, 0), depth + 1);
    }

    // Whoever fills in one of the ways that are offered, as told, has filled in the whole.
    void checkBranches(const Shape &shape)
    {
        if (shape.kind == Shape::Kind::Union && shape.branchTypes.isEmpty()) {
            for (qsizetype i = 0; i < shape.branches.size(); ++i)
                checkFilled(shape, m_reader.branch(shape, i), m_values.branchLabel(shape, i));
        }
        if (shape.kind != Shape::Kind::Object)
            return;
        const Alternatives alternatives = alternativesOf(shape);
        for (int i = 0; i < alternatives.count(); ++i)
            checkFilled(shape, withAlternative(shape, alternatives, i), alternatives.labels.at(i));
    }

    void checkFilled(const Shape &whole, const Shape &part, const QString &label)
    {
        const QByteArray filled = exampleOf(m_reader, part);
        const json::Value value = json::parse(filled);
        bool isValid = !filled.isEmpty();
        for (const json::Value &layer : whole.layers) {
            const QList<schema::Issue> issues = m_reader.schema().validateAt(layer, value, whole.scope);
            isValid =
                isValid && std::all_of(issues.cbegin(), issues.cend(), [](const auto &each) { return each.isRemark; });
        }
        if (!isValid)
            add(u"filled in as told by \"%1\", not valid: %2"_s.arg(label, QString::fromUtf8(filled)));
    }

    void checkExample()
    {
        const QByteArray example = exampleOf(m_reader, m_root);
        if (example.isEmpty())
            add(u"no example"_s);
        else if (!m_reader.schema().isValid(json::parse(example)))
            add(u"the example is not valid: %1"_s.arg(QString::fromUtf8(example)));
    }

    void checkMessages(const QByteArray &json)
    {
        const QList<schema::Issue> issues = m_reader.schema().validate(json::parse(json));
        for (const schema::Issue &issue : issues) {
            if (issue.message.trimmed().isEmpty() || namesAKeyword(issue.message))
                add(u"not in words: \"%1\" at '%2'"_s.arg(issue.message, issue.instance.toString()));
            if (issue.notChecked)
                add(u"not checked: %1"_s.arg(issue.message));
        }
    }

    const ShapeReader m_reader;
    const ShapeValues m_values;
    const Shape m_root;
    QStringList m_faults;
};

}  // namespace

bool namesAKeyword(const QString &text)
{
    static const QRegularExpression keywords(
        u"\\b(anyOf|oneOf|allOf|(min|max)(Length|Items|Properties|Contains)|multipleOf|exclusive(Min|Max)imum|"
        "(additional|pattern|unevaluated)Properties|propertyNames|(prefix|unique|additional|unevaluated)Items|"
        "dependent(Schemas|Required)|content(Encoding|MediaType))\\b|\\$(ref|defs|dynamicRef)|"
        "\u201c(contains|not|if|then|else|const|enum|format|pattern)\u201d"_s);
    return keywords.match(text).hasMatch();
}

QStringList faultsOfSchema(const QByteArray &schema, const QByteArray &valid, const QByteArrayList &others)
{
    return SchemaFaults(schema).of(valid, others);
}

}  // namespace sonde::test
