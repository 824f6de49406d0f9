// SPDX-License-Identifier: Apache-2.0
#include "core/shape/example.h"

#include "core/json/builder.h"
#include "core/schema/formats.h"
#include "core/schema/patternexample.h"
#include "core/schema/textencoding.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxExampleDepth = 12;
constexpr int MaxExampleRounds = 16;
constexpr qsizetype MaxExampleItems = 1'000;
constexpr qsizetype MaxExamplesTried = 20;
constexpr qsizetype MaxTextLength = 10'000;
constexpr qsizetype MaxLayersChecked = 8;
constexpr qint64 CostOfCheck = 400;

QByteArray integerText(qint64 number)
{
    return QByteArray::number(number);
}

// Of every layer that has it: allOf may say a keyword several times.
QList<json::Value> valuesOf(const Shape &shape, QStringView keyword)
{
    QList<json::Value> values;
    for (const json::Value &layer : shape.layers) {
        if (const json::Value value = layer[keyword]; value.exists())
            values.append(value);
    }
    return values;
}

int largestOf(const Shape &shape, QStringView keyword, qsizetype limit)
{
    double largest = 0;
    for (const json::Value &value : valuesOf(shape, keyword))
        largest = std::max(largest, value.toDouble());
    return int(std::min(largest, double(limit)));
}

// Makes an example in rounds. What a round makes is checked; what the check says of a place is learned, and heeded
// there in the next round. That is how an example comes to satisfy keywords such as "if" and "dependentRequired",
// which depend on the value.
class ExampleFinder {
public:
    explicit ExampleFinder(const ShapeReader &reader) : m_reader(reader) {}

    QByteArray find(const Shape &shape)
    {
        for (int round = 0; round < MaxExampleRounds; ++round) {
            m_rejected.clear();
            m_path.clear();
            if (const QByteArray json = make(shape, 0); !json.isEmpty())
                return json;
            if (!m_reader.spend() || !learn(round))
                break;
        }
        return {};
    }

private:
    // What is known of a place besides the schema that says so by itself.
    struct Lesson {
        QList<std::pair<QString, json::Value>> schemas;  // and where in the whole schema the reason for it is
        QStringList members;                             // that have to be there
        QSet<QString> refused;                           // members
    };
    struct Rejected {
        QStringList place;
        QList<json::Value> layers;
        schema::Schema::Scope scope;
        QByteArray json;
    };
    // On the way to a part of the example.
    class Step {
    public:
        Step(QStringList *path, const QString &token) : m_path(path) { m_path->append(token); }
        ~Step() { m_path->removeLast(); }
        Q_DISABLE_COPY_MOVE(Step)

    private:
        QStringList *m_path;
    };

    Lesson lesson() const { return m_lessons.value(m_path); }

    QByteArray make(const Shape &plain, int depth)
    {
        if (depth > MaxExampleDepth || !m_reader.spend())
            return {};
        Shape shape = plain;
        if (const QList<std::pair<QString, json::Value>> schemas = lesson().schemas; !schemas.isEmpty()) {
            QList<json::Value> layers = plain.layers;
            for (const auto &[reason, schema] : schemas)
                layers.append(schema);
            shape = m_reader.read(layers, plain.scope);
        }
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
            case Shape::Kind::Union: {
                QByteArray odd;
                for (qsizetype i = 0; i < std::min(shape.branches.size(), MaxExamplesTried); ++i) {
                    const QByteArray example = make(m_reader.branch(shape, i), depth + 1);
                    const Verdict verdict = example.isEmpty() ? Verdict::Refused : judge(shape, example);
                    if (verdict == Verdict::Good)
                        return example;
                    if (verdict == Verdict::Odd && odd.isEmpty())
                        odd = example;
                }
                if (!odd.isEmpty())
                    return odd;
                break;
            }
            case Shape::Kind::AnyJson:
                if (shape.type == "object"_L1)
                    return object(shape, depth);
                if (shape.type == "array"_L1)
                    return list(shape, depth);
                break;
            case Shape::Kind::Undrawn:
                break;
        }
        return firstOf(shape, {"\"text\"", "{}", "[]", "1", "true", "null", "12", "false"});
    }

    // What the schema itself names.
    static QByteArrayList given(const Shape &shape)
    {
        QByteArrayList candidates;
        if (const json::Value value = shape.keyword(u"default"); value.exists() && !value.isNull())
            candidates.append(json::compact(value));
        const json::Value examples = shape.keyword(u"examples");
        if (examples.isArray() && !examples.isEmpty())
            candidates.append(json::compact(examples.at(0)));
        if (const json::Value example = shape.keyword(u"example"); example.exists())  // OpenAPI
            candidates.append(json::compact(example));
        return candidates;
    }

    enum class Verdict : quint8 { Refused, Odd, Good };  // Odd: with remarks

    Verdict judge(const Shape &shape, const QByteArray &json) const
    {
        const json::Value value = json::parse(json);
        Verdict verdict = Verdict::Good;
        for (const json::Value &layer : shape.layers.first(std::min(shape.layers.size(), MaxLayersChecked))) {
            if (!m_reader.spend(CostOfCheck + json.size()))
                return Verdict::Refused;
            for (const schema::Issue &issue : m_reader.schema().validateAt(layer, value, shape.scope)) {
                if (!issue.isRemark)
                    return Verdict::Refused;
                verdict = Verdict::Odd;
            }
        }
        return verdict;
    }

    bool isAdmitted(const Shape &shape, const QByteArray &json) const { return judge(shape, json) == Verdict::Good; }

    // The first without remarks, or else the first that is admitted.
    QByteArray firstOf(const Shape &shape, const QByteArrayList &candidates)
    {
        QByteArray odd;
        for (const QByteArray &candidate : candidates) {
            const Verdict verdict = judge(shape, candidate);
            if (verdict == Verdict::Good)
                return candidate;
            if (verdict == Verdict::Odd && odd.isEmpty())
                odd = candidate;
        }
        if (odd.isEmpty() && !candidates.isEmpty())
            m_rejected.append({m_path, shape.layers, shape.scope, candidates.constFirst()});
        return odd;
    }

    QByteArray text(const Shape &shape)
    {
        QByteArrayList candidates;
        const int least = largestOf(shape, u"minLength", MaxTextLength);
        qsizetype most = MaxTextLength;
        for (const json::Value &limit : valuesOf(shape, u"maxLength"))
            most = std::min(most, qsizetype(std::clamp(limit.toDouble(), 0.0, double(MaxTextLength))));
        const auto add = [&](const QString &example) {
            if (!example.isEmpty() && example.size() < least)
                candidates.append(json::quoted(example + QString(least - example.size(), u'a')));
            if (example.size() > most)
                candidates.append(json::quoted(example.left(most)));
            candidates.append(json::quoted(example));
        };
        if (const QString format = schema::exampleOfFormat(shape.text(u"format")); !format.isEmpty())
            add(format);
        for (const json::Value &pattern : valuesOf(shape, u"pattern")) {
            for (const int repeats : {0, 1, 3, least})
                add(schema::patternExample(pattern.string(), repeats));
        }
        const QByteArray content = shape.text(u"contentMediaType").contains("json"_L1) ? "{}"_ba : "text"_ba;
        if (const auto encoding = schema::TextEncoding::named(shape.text(u"contentEncoding")))
            add(QString::fromLatin1(encoding->encoded(content)));
        else if (content == "{}")
            add(u"{}"_s);
        for (const auto &word : {u"text"_s, u"a"_s, u""_s, u"1"_s, u"https://example.com/"_s})
            add(word);
        candidates.append(json::quoted(QString(qMax(1, least), u'a')));
        return firstOf(shape, candidates);
    }

    QByteArray number(const Shape &shape)
    {
        QByteArrayList candidates{"1", "0"};
        std::optional<double> low;
        std::optional<double> high;
        const auto addBound = [&](QStringView keyword, bool isLow, bool isExclusive) {
            for (const json::Value &bound : valuesOf(shape, keyword)) {
                if (!bound.isNumber())
                    continue;
                const double value = bound.toDouble();
                std::optional<double> &limit = isLow ? low : high;
                limit = !limit ? value : isLow ? std::max(*limit, value) : std::min(*limit, value);
                if (!isExclusive)
                    candidates.append(bound.numberText());
                if (const std::optional<qint64> whole = bound.toInteger())
                    candidates.append(integerText(*whole + (isLow ? 1 : -1)));
                else if (std::abs(value) < 1e15)
                    candidates.append(integerText(qint64(isLow ? std::floor(value) + 1 : std::ceil(value) - 1)));
            }
        };
        addBound(u"minimum", true, false);
        addBound(u"exclusiveMinimum", true, true);
        addBound(u"maximum", false, false);
        addBound(u"exclusiveMaximum", false, true);
        if (low && high)
            candidates.append(QByteArray::number((*low + *high) / 2));
        // The first multiples above the minimum, or below the maximum.
        double step = 1;
        for (const json::Value &divisor : valuesOf(shape, u"multipleOf")) {
            candidates.append(divisor.numberText());
            step *= divisor.toDouble() > 0 ? divisor.toDouble() : 1;
            for (const double factor : {divisor.toDouble(), step}) {
                if (low && factor > 0)
                    candidates.append(QByteArray::number((std::floor(*low / factor) + 1) * factor, 'g', 15));
                if (high && factor > 0)
                    candidates.append(QByteArray::number((std::ceil(*high / factor) - 1) * factor, 'g', 15));
                candidates.append(QByteArray::number(factor, 'g', 15));
            }
        }
        return firstOf(shape, candidates);
    }

    QByteArray choice(const Shape &shape)
    {
        QByteArrayList candidates;
        for (qsizetype i = 0; i < std::min(shape.choices.size(), MaxExamplesTried); ++i)
            candidates.append(shape.choices.json(i));
        if (shape.nullable)
            candidates.append("null");
        return firstOf(shape, candidates);
    }

    QByteArray member(const Shape &shape, const QString &name, int depth)
    {
        const Step step(&m_path, name);
        const bool isDeclared = shape.property(name).exists();
        return make(isDeclared ? m_reader.property(shape, name) : m_reader.extraMember(shape, name), depth + 1);
    }

    // Names for an object that must have more members than it declares, a different one for each number from 1.
    QString newName(const Shape &shape, qsizetype number, int depth)
    {
        const json::Value patterns = shape.keyword(u"patternProperties");
        const json::Value names = shape.keyword(u"propertyNames");
        const bool hasPatterns = patterns.isObject() && !patterns.isEmpty();
        if (names.isObject() && !(hasPatterns && shape.isClosed())) {
            const Shape name = m_reader.read(names, shape.scope);
            if (number <= name.choices.size())
                return name.choices.value(number - 1).string();
            if (const QString pattern = name.text(u"pattern"); !pattern.isEmpty())
                return nameLike(pattern, number);
            const Step step(&m_path, u"‹name›"_s);
            if (const QString first = json::parse(make(name, depth + 1)).string(); number == 1 || !first.isEmpty())
                return number == 1 ? first : first + QString::number(number);
        }
        return hasPatterns ? nameLike((*patterns.begin()).key(), number) : u"name%1"_s.arg(number);
    }

    QString nameLike(const QString &pattern, qsizetype number) const
    {
        const QString first = schema::patternExample(pattern);
        if (number == 1)
            return first;
        const QString longer = schema::patternExample(pattern, int(number));
        return longer != first ? longer : first + QString(number - 1, u'a');
    }

    // With the required members; where these are not enough, with more and more of the others.
    QByteArray object(const Shape &shape, int depth)
    {
        const Lesson lesson = this->lesson();
        QStringList names = lesson.members;
        QStringList others;
        for (const QString &name : shape.propertyNames()) {
            if (shape.isRequired(name) && !names.contains(name))
                names.append(name);
            else if (!lesson.refused.contains(name))
                others.append(name);
        }
        // Those that only "required" names have no schema of their own.
        for (const json::Value &required : valuesOf(shape, u"required")) {
            for (const json::Value &name : required) {
                if (!names.contains(name.string()))
                    names.append(name.string());
            }
        }
        QList<std::pair<QString, QByteArray>> members;
        const auto addMember = [&](const QString &name) {
            const bool isThere =
                std::any_of(members.cbegin(), members.cend(), [&name](const auto &each) { return each.first == name; });
            const QByteArray json = isThere || name.isEmpty() ? QByteArray() : member(shape, name, depth);
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
        const QByteArray smallest = built();
        const int least = largestOf(shape, u"minProperties", MaxExampleItems);
        qsizetype more = 1;
        for (QByteArray json = smallest; m_reader.spend(); json = built()) {
            if (judge(shape, json) != Verdict::Refused)
                return json;
            if (!others.isEmpty())
                addMember(others.takeFirst());
            else if (members.size() < least && more <= least + 2)
                addMember(newName(shape, more++, depth));
            else
                break;
        }
        m_rejected.append({m_path, shape.layers, shape.scope, smallest});
        return {};
    }

    // The schema of an item, and beside it what "contains" wants of some.
    Shape itemOf(const Shape &shape, qsizetype index, qsizetype wanted) const
    {
        const Shape item = m_reader.item(shape, index);
        const json::Value contained = shape.keyword(u"contains");
        const qsizetype first = shape.tuple().size();
        if (!contained.exists() || index < first || index >= first + wanted)
            return item;
        return m_reader.read(QList<json::Value>{item.node(), contained}, shape.scope);
    }

    QByteArray list(const Shape &shape, int depth)
    {
        const json::Value contained = shape.keyword(u"contains");
        const qsizetype wanted = !contained.exists() ? 0
                                                     : largestOf(shape, u"minContains", MaxExampleItems) +
                                                           (shape.keyword(u"minContains").exists() ? 0 : 1);
        const qsizetype least = std::max<qsizetype>(largestOf(shape, u"minItems", MaxExampleItems), 1);
        const qsizetype count = wanted > 0 ? std::max(least, shape.tuple().size() + wanted) : least;
        QByteArrayList items;
        for (qsizetype i = 0; i < count && m_reader.spend(); ++i) {
            const Step step(&m_path, QString::number(i));
            const Shape item = itemOf(shape, i, wanted);
            QByteArray json = make(item, depth + 1);
            if (json.isEmpty())
                break;
            // One that differs from those before, where they have to.
            if (items.contains(json))
                json = another(item, i, json);
            items.append(json);
        }
        QByteArrayList candidates;
        if (!items.isEmpty())
            candidates.append('[' + items.join(',') + ']');
        candidates.append("[]");
        return firstOf(shape, candidates);
    }

    QByteArray another(const Shape &item, qsizetype index, const QByteArray &json) const
    {
        const QByteArrayList candidates{index < item.choices.size() ? item.choices.json(index) : json,
                                        integerText(index + 1),
                                        json::quoted(u"text %1"_s.arg(index + 1)),
                                        json == "true" ? "false" : "true",
                                        '[' + integerText(index) + ']',
                                        "{\"name\":" + integerText(index) + '}'};
        for (const QByteArray &candidate : candidates) {
            if (candidate != json && isAdmitted(item, candidate))
                return candidate;
        }
        return json;
    }

    // From what was rejected in this round, the innermost first. False: nothing new.
    bool learn(int round)
    {
        for (const Rejected &rejected : std::as_const(m_rejected)) {
            const json::Value value = json::parse(rejected.json);
            bool isNew = false;
            for (const json::Value &layer : rejected.layers.first(std::min(rejected.layers.size(), MaxLayersChecked))) {
                for (const schema::Issue &issue : m_reader.schema().validateAt(layer, value, rejected.scope)) {
                    if (!issue.notChecked && !issue.isRemark && m_reader.spend(CostOfCheck))
                        isNew = learnFrom(issue, rejected.place, value, round) || isNew;
                }
            }
            if (isNew)
                return true;
        }
        return false;
    }

    bool learnFrom(const schema::Issue &issue, const QStringList &base, const json::Value &value, int round)
    {
        QStringList place = base + issue.instance.tokens();
        const QStringList &path = issue.schema.tokens();
        const json::Value root = m_reader.schema().root();
        const json::Value keyword = issue.schema.resolve(root);
        if (!issue.instance.isRoot() && !issue.instance.resolve(value).exists()) {
            const QString name = place.takeLast();
            QStringList &members = m_lessons[place].members;
            if (members.contains(name))
                return false;
            members.append(name);
            // What requires it may say what it has to be.
            if (const json::Value by = json::Pointer(path.mid(0, path.size() - 1)).resolve(root);
                by[u"properties"].exists())
                m_lessons[place].schemas.append({issue.schema.toString(), by});
            return true;
        }
        if (keyword.isBool() && !keyword.toBool() && !issue.instance.isRoot()) {
            const QString name = place.takeLast();
            const bool isNew = !m_lessons[place].refused.contains(name);
            m_lessons[place].refused.insert(name);
            return isNew;
        }
        json::Value schema = json::Pointer(path.mid(0, path.size() - 1)).resolve(root);
        if (issue.keyword == "anyOf"_L1 || issue.keyword == "oneOf"_L1)
            schema = keyword.at(round % qMax(qsizetype(1), keyword.size()));
        if (!schema.isObject())
            return false;
        Lesson &lesson = m_lessons[place];
        const QString reason = issue.schema.toString();
        const auto known = std::find_if(lesson.schemas.begin(), lesson.schemas.end(),
                                        [&reason](const auto &each) { return each.first == reason; });
        if (known == lesson.schemas.end()) {
            lesson.schemas.append({reason, schema});
            return true;
        }
        return !std::exchange(known->second, schema).isSameNode(schema);
    }

    const ShapeReader &m_reader;
    QHash<QStringList, Lesson> m_lessons;  // by place
    QList<Rejected> m_rejected;            // in this round
    QStringList m_path;                    // to what is being made
};

}  // namespace

QByteArray exampleOf(const ShapeReader &reader, const Shape &shape)
{
    return ExampleFinder(reader).find(shape);
}

}  // namespace sonde
