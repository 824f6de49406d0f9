// SPDX-License-Identifier: Apache-2.0
#include "core/shape/example.h"

#include "core/json/builder.h"
#include "core/shape/patternexample.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxExampleDepth = 12;
constexpr qsizetype MaxExampleItems = 100;
constexpr qsizetype MaxExamplesTried = 20;

QByteArray integerText(qint64 number)
{
    return QByteArray::number(number);
}

// A well-formed text for the formats of JSON Schema; empty for another.
QString formatExample(const QString &format)
{
    static const std::array<std::pair<QStringView, QStringView>, 16> table{{
        {u"date-time", u"2026-01-31T12:00:00Z"},
        {u"date", u"2026-01-31"},
        {u"time", u"12:00:00Z"},
        {u"duration", u"PT1H"},
        {u"email", u"name@example.com"},
        {u"idn-email", u"name@example.com"},
        {u"hostname", u"example.com"},
        {u"idn-hostname", u"example.com"},
        {u"ipv4", u"192.0.2.1"},
        {u"ipv6", u"2001:db8::1"},
        {u"uri", u"https://example.com/"},
        {u"iri", u"https://example.com/"},
        {u"uri-reference", u"/path"},
        {u"uuid", u"12345678-1234-4123-8123-123456789abc"},
        {u"json-pointer", u"/member"},
        {u"regex", u"a"},
    }};
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto &row) { return row.first == format; });
    return found == table.end() ? QString() : found->second.toString();
}

class ExampleFinder {
public:
    explicit ExampleFinder(const ShapeReader &reader) : m_reader(reader) {}

    QByteArray find(const Shape &shape, int depth)
    {
        if (depth > MaxExampleDepth || !m_reader.spend())
            return {};
        for (const QByteArray &candidate : given(shape)) {
            if (isAdmitted(shape, candidate))
                return candidate;
        }
        switch (shape.kind) {
            case Shape::Kind::Text:
                return text(shape);
            case Shape::Kind::Number:
                return number(shape);
            case Shape::Kind::Boolean:
                return firstOf(shape, {"true", "false"});
            case Shape::Kind::Choice:
            case Shape::Kind::Constant:
                return choice(shape);
            case Shape::Kind::Object:
                return object(shape, depth);
            case Shape::Kind::List:
                return list(shape, depth);
            case Shape::Kind::Union:
                for (qsizetype i = 0; i < std::min(shape.branches.size(), MaxExamplesTried); ++i) {
                    const QByteArray example = find(m_reader.branch(shape, i), depth + 1);
                    if (!example.isEmpty() && isAdmitted(shape, example))
                        return example;
                }
                break;
            case Shape::Kind::AnyJson:
                if (shape.type == "object"_L1)
                    return object(shape, depth);
                break;
            case Shape::Kind::Undrawn:
                break;
        }
        return firstOf(shape, {"\"text\"", "{}", "[]", "1", "true", "null"});
    }

private:
    // What the schema itself names.
    static QByteArrayList given(const Shape &shape)
    {
        QByteArrayList candidates;
        if (const json::Value value = shape.keyword(u"default"); value.exists() && !value.isNull())
            candidates.append(json::compact(value));
        const json::Value examples = shape.keyword(u"examples");
        if (examples.isArray() && !examples.isEmpty())
            candidates.append(json::compact(examples.at(0)));
        return candidates;
    }

    bool isAdmitted(const Shape &shape, const QByteArray &json) const
    {
        return m_reader.schema().validateAt(shape.node(), json::parse(json)).isEmpty();
    }

    QByteArray firstOf(const Shape &shape, const QByteArrayList &candidates) const
    {
        const auto found = std::find_if(candidates.begin(), candidates.end(),
                                        [&](const QByteArray &each) { return isAdmitted(shape, each); });
        return found == candidates.end() ? QByteArray() : *found;
    }

    QByteArray text(const Shape &shape) const
    {
        QByteArrayList candidates;
        const auto add = [&candidates](const QString &example) { candidates.append(json::quoted(example)); };
        if (const QString format = formatExample(shape.text(u"format")); !format.isEmpty())
            add(format);
        const int least = int(std::clamp(shape.keyword(u"minLength").toDouble(), 0.0, 1000.0));
        if (const QString pattern = shape.text(u"pattern"); !pattern.isEmpty()) {
            for (const int repeats : {0, 1, 3, least})
                add(patternExample(pattern, repeats));
        }
        for (const auto &word : {u"text"_s, u"a"_s, u""_s, u"1"_s, u"https://example.com/"_s})
            add(word);
        add(QString(qMax(1, least), u'a'));
        return firstOf(shape, candidates);
    }

    QByteArray number(const Shape &shape) const
    {
        QByteArrayList candidates;
        const auto add = [&](QStringView keyword, qint64 step) {
            const json::Value bound = shape.keyword(keyword);
            if (!bound.isNumber())
                return;
            if (step == 0)
                candidates.append(bound.numberText());
            else if (const std::optional<qint64> whole = bound.toInteger())
                candidates.append(integerText(*whole + step));
        };
        candidates += {"1", "0"};
        add(u"minimum", 0);
        add(u"exclusiveMinimum", 1);
        add(u"multipleOf", 0);
        add(u"maximum", 0);
        add(u"exclusiveMaximum", -1);
        const json::Value low = shape.keyword(shape.keyword(u"minimum").exists() ? u"minimum" : u"exclusiveMinimum");
        const json::Value high = shape.keyword(shape.keyword(u"maximum").exists() ? u"maximum" : u"exclusiveMaximum");
        if (low.isNumber() && high.isNumber())
            candidates.append(QByteArray::number((low.toDouble() + high.toDouble()) / 2));
        // The first multiple above the minimum.
        const double step = shape.keyword(u"multipleOf").toDouble();
        if (low.isNumber() && step > 0)
            candidates.append(QByteArray::number((std::floor(low.toDouble() / step) + 1) * step));
        return firstOf(shape, candidates);
    }

    QByteArray choice(const Shape &shape) const
    {
        for (qsizetype i = 0; i < std::min(shape.choices.size(), MaxExamplesTried); ++i) {
            if (const QByteArray json = shape.choices.json(i); isAdmitted(shape, json))
                return json;
        }
        return {};
    }

    // With the required members; where these are not enough, with more and more of the others.
    QByteArray object(const Shape &shape, int depth)
    {
        QStringList names;
        QStringList others;
        for (const QString &name : shape.propertyNames())
            (shape.isRequired(name) ? names : others).append(name);
        // Those that only "required" names have no schema of their own.
        for (const json::Value &layer : shape.layers) {
            for (const json::Value &name : layer[u"required"]) {
                if (!names.contains(name.string()))
                    names.append(name.string());
            }
        }
        QList<std::pair<QString, QByteArray>> members;
        const auto addMember = [&](const QString &name) {
            const bool isDeclared = shape.property(name).exists();
            const QByteArray json =
                isDeclared ? find(m_reader.property(shape, name), depth + 1) : QByteArray("\"text\"");
            if (!json.isEmpty())
                members.append({name, json});
        };
        const auto built = [&members] {
            json::Builder builder;
            builder.beginObject();
            for (const auto &[name, json] : std::as_const(members))
                builder.rawMember(name, json);
            return builder.endObject().take();
        };
        for (const QString &name : std::as_const(names))
            addMember(name);
        for (QByteArray json = built();; json = built()) {
            if (isAdmitted(shape, json))
                return json;
            if (others.isEmpty() || !m_reader.spend())
                return {};
            addMember(others.takeFirst());
        }
    }

    QByteArray list(const Shape &shape, int depth)
    {
        const qsizetype least =
            qsizetype(std::clamp(shape.keyword(u"minItems").toDouble(), 0.0, double(MaxExampleItems)));
        QByteArrayList items;
        for (qsizetype i = 0; i < std::max(least, qsizetype(1)); ++i) {
            const Shape item = m_reader.item(shape, i);
            QByteArray json = find(item, depth + 1);
            // One that differs from those before, where they have to.
            if (items.contains(json) && item.kind == Shape::Kind::Number)
                json = integerText(i + 1);
            else if (items.contains(json) && item.kind == Shape::Kind::Text)
                json = json::quoted(u"text %1"_s.arg(i + 1));
            else if (items.contains(json) && i < item.choices.size())
                json = item.choices.json(i);
            items.append(json);
        }
        return firstOf(shape, {'[' + items.join(',') + ']', "[]"});
    }

    const ShapeReader &m_reader;
};

}  // namespace

QByteArray exampleOf(const ShapeReader &reader, const Shape &shape)
{
    return ExampleFinder(reader).find(shape, 0);
}

}  // namespace sonde
