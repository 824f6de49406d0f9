// SPDX-License-Identifier: Apache-2.0
#include "core/schema/assertions.h"

#include "core/json/compare.h"
#include "core/json/valueindex.h"
#include "core/schema/formats.h"
#include "core/schema/messages.h"
#include "core/schema/patternexample.h"
#include "core/schema/textencoding.h"

#include <QSet>
#include <algorithm>

namespace sonde::schema {

using namespace Qt::StringLiterals;

namespace {

constexpr int MaxLongAttempts = 2;  // at patterns, in one run: some milliseconds each
constexpr qint64 CostOfMatch = 8;
constexpr qint64 CostOfLongAttempt = 4'000;

bool isOfType(const json::Value &value, const QString &type)
{
    switch (value.kind()) {
        case json::Kind::Null:
            return type == "null"_L1;
        case json::Kind::Bool:
            return type == "boolean"_L1;
        case json::Kind::String:
            return type == "string"_L1;
        case json::Kind::Array:
            return type == "array"_L1;
        case json::Kind::Object:
            return type == "object"_L1;
        case json::Kind::Number:
            return type == "number"_L1 || (type == "integer"_L1 && json::isInteger(value.slice()));
        case json::Kind::Missing:
            break;
    }
    return false;
}

bool isType(const QString &name)
{
    static const QStringList names{u"null"_s,    u"boolean"_s, u"string"_s, u"number"_s,
                                   u"integer"_s, u"array"_s,   u"object"_s};
    return names.contains(name);
}

// Whether an object has a member: by hand while few are asked for, with a table once that would be slow.
class MemberNames {
public:
    MemberNames(const json::Value &object, qsizetype asked) : m_object(object)
    {
        constexpr qsizetype few = 12;
        if (asked <= few || object.size() <= few)
            return;
        m_names.reserve(object.size());
        for (const json::Value &member : object)
            m_names.insert(member.key());
    }
    bool contains(const QString &name) const
    {
        return m_names.isEmpty() ? m_object.contains(name) : m_names.contains(name);
    }
    qint64 cost() const { return m_names.size(); }
    qint64 costOfLookup() const { return m_names.isEmpty() ? 1 + m_object.size() / 16 : 1; }

private:
    const json::Value m_object;
    QSet<QString> m_names;
};

}  // namespace

Verdict Assertions::check(Keyword keyword, const json::Value &value, const json::Value &instance,
                          const Keywords &keywords)
{
    if (!m_report.spend(1, value))
        return Verdict::Valid;
    switch (keyword) {
        case Keyword::Type:
            return checkType(value, instance, keywords);
        case Keyword::Const:
            return isEqual(instance, value) ? Verdict::Valid
                                            : m_report.fail(value, [&] { return text::mustBe(value); });
        case Keyword::Enum:
            return checkEnum(value, instance);
        case Keyword::MultipleOf:
            return checkMultiple(value, instance);
        case Keyword::Maximum:
        case Keyword::ExclusiveMaximum:
        case Keyword::Minimum:
        case Keyword::ExclusiveMinimum:
            return checkNumber(keyword, value, instance, keywords);
        case Keyword::MaxLength:
        case Keyword::MinLength:
            return checkLength(keyword, value, instance);
        case Keyword::Pattern:
            return checkPattern(value, instance);
        case Keyword::MaxItems:
        case Keyword::MinItems:
        case Keyword::MaxProperties:
        case Keyword::MinProperties:
            return checkSize(keyword, value, instance);
        case Keyword::UniqueItems:
            return checkUnique(value, instance);
        case Keyword::Required:
            return checkRequired(value, instance);
        default:
            return Verdict::Valid;
    }
}

Verdict Assertions::checkEnum(const json::Value &values, const json::Value &instance)
{
    if (!values.isArray())
        return Verdict::Valid;
    bool isFound = false;
    if (const json::ValueIndex *index = m_registry.valuesOf(values)) {
        qint64 comparisons = 0;
        isFound = index->indexOf(instance, &comparisons) >= 0;
        m_report.spend(comparisons + instance.slice().size() / 32, values);
    } else {
        for (const json::Value &allowed : values)
            isFound = isFound || isEqual(instance, allowed);
    }
    if (isFound)
        return Verdict::Valid;
    return m_report.fail(values, [&] {
        if (instance.isString() && values.size() <= text::MaxCompared)
            m_report.spend(4 * values.size(), values);  // they are compared for the one that was meant
        return text::mustBeOneOf(values, instance);
    });
}

Verdict Assertions::checkType(const json::Value &value, const json::Value &instance, const Keywords &keywords)
{
    const bool isNullable = m_admitsNullable && keywords[Keyword::Nullable].toBool();
    if (isNullable && instance.isNull())
        return Verdict::Valid;
    QStringList types;
    if (value.isString())
        types.append(value.string());
    for (const json::Value &type : value)
        types.append(type.string());
    if (std::any_of(types.cbegin(), types.cend(), [&](const QString &type) { return isOfType(instance, type); }))
        return Verdict::Valid;
    const auto strange = std::find_if_not(types.cbegin(), types.cend(), isType);
    if (strange != types.cend())
        return m_report.notChecked(value, text::unknownType(*strange));
    if (types.isEmpty())
        return Verdict::Valid;
    if (isNullable)
        types.append(u"null"_s);
    return m_report.fail(value, text::mustBeOfType(types));
}

Verdict Assertions::checkNumber(Keyword keyword, const json::Value &value, const json::Value &instance,
                                const Keywords &keywords)
{
    if (!instance.isNumber() || !value.isNumber())
        return Verdict::Valid;
    const int order = json::compareNumbers(instance.slice(), value.slice());
    // Draft-04, still met in the wild: "exclusiveMaximum": true makes "maximum" exclusive.
    const bool isBelow = keyword == Keyword::ExclusiveMaximum ||
                         (keyword == Keyword::Maximum && keywords[Keyword::ExclusiveMaximum].toBool());
    const bool isAbove = keyword == Keyword::ExclusiveMinimum ||
                         (keyword == Keyword::Minimum && keywords[Keyword::ExclusiveMinimum].toBool());
    const auto failed = [&](Keyword broken) { return m_report.fail(value, text::limit(broken, value.numberText())); };
    if (isBelow && order >= 0)
        return failed(Keyword::ExclusiveMaximum);
    if (isAbove && order <= 0)
        return failed(Keyword::ExclusiveMinimum);
    const bool holds = keyword == Keyword::Maximum ? order <= 0 : keyword == Keyword::Minimum ? order >= 0 : true;
    return holds ? Verdict::Valid : failed(keyword);
}

Verdict Assertions::checkMultiple(const json::Value &value, const json::Value &instance)
{
    if (!instance.isNumber() || !value.isNumber())
        return Verdict::Valid;
    const std::optional<bool> is = json::isMultipleOf(instance.slice(), value.slice());
    if (!is)
        return m_report.notChecked(value, text::multipleNotChecked(value.numberText()));
    return *is ? Verdict::Valid : m_report.fail(value, text::limit(Keyword::MultipleOf, value.numberText()));
}

Verdict Assertions::checkPattern(const json::Value &value, const json::Value &instance)
{
    if (!instance.isString() || !value.isString())
        return Verdict::Valid;
    m_report.spend(instance.slice().size() / 64, value);
    const std::optional<bool> hit = matches(value, value.string(), instance.string());
    if (!hit)
        return Verdict::Unknown;
    return *hit ? Verdict::Valid : m_report.fail(value, [&] {
        // One that was found without knowing all of the pattern's grammar.
        const QString example = patternExample(value.string());
        const bool isExample =
            !example.isEmpty() && m_patterns.match(value.string(), example, false).hit.value_or(false);
        return text::mustMatch(value.string(), isExample ? example : QString());
    });
}

Verdict Assertions::checkLength(Keyword keyword, const json::Value &value, const json::Value &instance)
{
    if (!instance.isString() || !value.isNumber())
        return Verdict::Valid;
    m_report.spend(instance.slice().size() / 64, value);
    const QString text = instance.string();
    // Characters are code points, so surrogate pairs count once.
    qsizetype length = text.size();
    for (qsizetype i = 1; i < text.size(); ++i)
        length -= text.at(i).isLowSurrogate() && text.at(i - 1).isHighSurrogate();
    const int order = json::compareNumbers(QByteArray::number(length), value.slice());
    const bool holds = keyword == Keyword::MaxLength ? order <= 0 : order >= 0;
    return holds ? Verdict::Valid : m_report.fail(value, text::limit(keyword, value.numberText(), length));
}

Verdict Assertions::checkSize(Keyword keyword, const json::Value &value, const json::Value &instance)
{
    const bool ofItems = keyword == Keyword::MaxItems || keyword == Keyword::MinItems;
    if (!value.isNumber() || !(ofItems ? instance.isArray() : instance.isObject()))
        return Verdict::Valid;
    const qsizetype size = instance.size();
    const int order = json::compareNumbers(QByteArray::number(size), value.slice());
    const bool isMaximum = keyword == Keyword::MaxItems || keyword == Keyword::MaxProperties;
    const bool holds = isMaximum ? order <= 0 : order >= 0;
    return holds ? Verdict::Valid : m_report.fail(value, text::limit(keyword, value.numberText(), size));
}

Verdict Assertions::checkUnique(const json::Value &value, const json::Value &instance)
{
    if (!instance.isArray() || !value.toBool())
        return Verdict::Valid;
    json::ValueIndex seen;
    for (const json::Value &element : instance) {
        if (!m_report.spend(10 + element.slice().size() / 32, value))
            break;
        qint64 comparisons = 0;
        const qsizetype first = seen.indexOf(element, &comparisons);
        if (first >= 0)
            return m_report.fail(value, text::notUnique(first, seen.size()));
        m_report.spend(comparisons * (1 + element.slice().size() / 32), value);
        seen.append(element);
    }
    return Verdict::Valid;
}

Verdict Assertions::checkRequired(const json::Value &names, const json::Value &instance)
{
    if (!instance.isObject())
        return Verdict::Valid;
    Verdict verdict = Verdict::Valid;
    const MemberNames members(instance, names.size());
    m_report.spend(members.cost(), names);
    for (const json::Value &name : names) {
        if (!m_report.spend(members.costOfLookup(), names))
            break;
        if (!name.isString() || members.contains(name.string()))
            continue;
        verdict = Verdict::Invalid;
        if (!m_report.isFull())
            m_report.addFailure(names, m_report.here().child(name.string()), text::required());
    }
    return verdict;
}

Verdict Assertions::checkAnnotation(Keyword keyword, const json::Value &value, const json::Value &instance,
                                    const Keywords &keywords, bool isAsserted)
{
    if (!instance.isString() || !value.isString() || !m_report.spend(1 + instance.slice().size() / 16, value))
        return Verdict::Valid;
    const QString name = value.string();
    bool holds = true;
    QString message;
    if (keyword == Keyword::Format) {
        holds = isOfFormat(name, instance.string()).value_or(true);
        message = holds ? QString() : text::format(name, isAsserted);
    } else {
        const bool isEncoding = keyword == Keyword::ContentEncoding;
        const QString encoding = isEncoding ? name : keywords[Keyword::ContentEncoding].string();
        const std::optional<TextEncoding> known = TextEncoding::named(encoding);
        const TextEncoding::Decoded content =
            known ? known->decoded(instance.string()) : TextEncoding::Decoded{instance.string().toUtf8()};
        // The media type is of no concern where nothing could be decoded.
        holds = isEncoding ? content.isValid() : !content.isValid() || isOfMediaType(name, content.bytes);
        message = holds        ? QString()
                  : isEncoding ? text::contentEncoding(name, content.problem, isAsserted)
                               : text::contentMediaType(name, isAsserted);
    }
    if (holds)
        return Verdict::Valid;
    return isAsserted ? m_report.fail(value, message) : m_report.remark(value, message);
}

std::optional<bool> Assertions::matches(const json::Value &pattern, const QString &patternText, const QString &text)
{
    m_report.spend(CostOfMatch + text.size() / 64, pattern);
    const Patterns::Attempt attempt = m_patterns.match(patternText, text, m_longAttempts < MaxLongAttempts);
    if (attempt.wasLong) {
        ++m_longAttempts;
        m_report.spend(CostOfLongAttempt, pattern);
    }
    if (!attempt.error.isEmpty())
        m_report.notChecked(pattern, text::badPattern(patternText, attempt.error));
    else if (!attempt.hit)
        m_report.notChecked(pattern, text::patternTooCostly(patternText));
    return attempt.hit;
}

bool Assertions::isEqual(const json::Value &instance, const json::Value &allowed)
{
    m_report.spend(1 + std::min(instance.slice().size(), allowed.slice().size()) / 32, allowed);
    return json::equal(instance, allowed);
}

}  // namespace sonde::schema
