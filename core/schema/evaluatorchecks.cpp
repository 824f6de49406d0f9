// The keywords that assert something about the value itself.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/compare.h"
#include "core/json/valueindex.h"
#include "core/schema/evaluator.h"
#include "core/schema/formats.h"
#include "core/schema/messages.h"

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
    MemberNames(const json::Value &object, qsizetype serverRequests) : m_object(object)
    {
        constexpr qsizetype few = 12;
        if (serverRequests <= few || object.size() <= few)
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

void Evaluator::check(Frame &frame, Keyword keyword, const json::Value &value)
{
    if (!spend(1, value))
        return;
    switch (keyword) {
        case Keyword::Type:
            checkType(frame, value);
            return;
        case Keyword::Const:
            if (!isEqual(frame.instance, value))
                fail(frame, value, text::mustBe(value));
            return;
        case Keyword::Enum:
            checkEnum(frame, value);
            return;
        case Keyword::MultipleOf:
            checkMultiple(frame, value);
            return;
        case Keyword::Maximum:
        case Keyword::ExclusiveMaximum:
        case Keyword::Minimum:
        case Keyword::ExclusiveMinimum:
            checkNumber(frame, keyword, value);
            return;
        case Keyword::MaxLength:
        case Keyword::MinLength:
        case Keyword::Pattern:
            checkString(frame, keyword, value);
            return;
        case Keyword::MaxItems:
        case Keyword::MinItems:
        case Keyword::MaxProperties:
        case Keyword::MinProperties:
            checkSize(frame, keyword, value);
            return;
        case Keyword::UniqueItems:
            checkUnique(frame, value);
            return;
        case Keyword::Required:
            checkRequired(frame, value, {});
            return;
        case Keyword::DependentRequired:
            applyDependent(frame, value);
            return;
        case Keyword::Format:
            checkFormat(frame, value);
            return;
        default:
            return;
    }
}

void Evaluator::checkEnum(Frame &frame, const json::Value &values)
{
    if (!values.isArray())
        return;
    bool isFound = false;
    if (const json::ValueIndex *index = m_registry.valuesOf(values)) {
        qint64 comparisons = 0;
        isFound = index->indexOf(frame.instance, &comparisons) >= 0;
        spend(comparisons + frame.instance.slice().size() / 32, values);
    } else {
        for (const json::Value &allowed : values)
            isFound = isFound || isEqual(frame.instance, allowed);
    }
    if (!isFound)
        fail(frame, values, text::mustBeOneOf(values));
}

void Evaluator::checkType(Frame &frame, const json::Value &value)
{
    QStringList types;
    if (value.isString())
        types.append(value.string());
    for (const json::Value &type : value)
        types.append(type.string());
    if (std::any_of(types.cbegin(), types.cend(), [&](const QString &type) { return isOfType(frame.instance, type); }))
        return;
    const auto strange = std::find_if_not(types.cbegin(), types.cend(), isType);
    if (strange != types.cend())
        frame.take(notChecked(value, text::unknownType(*strange)));
    else if (!types.isEmpty())
        fail(frame, value, text::mustBeOfType(types));
}

void Evaluator::checkNumber(Frame &frame, Keyword keyword, const json::Value &value)
{
    if (!frame.instance.isNumber() || !value.isNumber())
        return;
    const int order = json::compareNumbers(frame.instance.slice(), value.slice());
    // Draft-04, still met in the wild: "exclusiveMaximum": true makes "maximum" exclusive.
    const auto exclusive = [&](Keyword flag) { return frame[flag].toBool(); };
    const QByteArray limit = value.numberText();
    if (keyword == Keyword::Maximum && (order > 0 || (order == 0 && exclusive(Keyword::ExclusiveMaximum))))
        fail(frame, value, exclusive(Keyword::ExclusiveMaximum) ? text::below(limit) : text::atMost(limit));
    else if (keyword == Keyword::Minimum && (order < 0 || (order == 0 && exclusive(Keyword::ExclusiveMinimum))))
        fail(frame, value, exclusive(Keyword::ExclusiveMinimum) ? text::above(limit) : text::atLeast(limit));
    else if (keyword == Keyword::ExclusiveMaximum && order >= 0)
        fail(frame, value, text::below(limit));
    else if (keyword == Keyword::ExclusiveMinimum && order <= 0)
        fail(frame, value, text::above(limit));
}

void Evaluator::checkMultiple(Frame &frame, const json::Value &value)
{
    if (!frame.instance.isNumber() || !value.isNumber())
        return;
    const std::optional<bool> is = json::isMultipleOf(frame.instance.slice(), value.slice());
    if (!is)
        frame.take(notChecked(value, text::multipleNotChecked(value.numberText())));
    else if (!*is)
        fail(frame, value, text::multipleOf(value.numberText()));
}

void Evaluator::checkString(Frame &frame, Keyword keyword, const json::Value &value)
{
    if (!frame.instance.isString())
        return;
    spend(frame.instance.slice().size() / 64, value);
    const QString text = frame.instance.string();
    if (keyword == Keyword::Pattern) {
        if (!value.isString())
            return;
        const std::optional<bool> hit = matches(value, value.string(), text);
        if (!hit)
            frame.take(Verdict::Unknown);
        else if (!*hit)
            fail(frame, value, text::mustMatch(value.string()));
        return;
    }
    if (!value.isNumber())
        return;
    // Characters are code points, so surrogate pairs count once.
    qsizetype length = text.size();
    for (qsizetype i = 1; i < text.size(); ++i)
        length -= text.at(i).isLowSurrogate() && text.at(i - 1).isHighSurrogate();
    const int order = json::compareNumbers(QByteArray::number(length), value.slice());
    if (keyword == Keyword::MaxLength && order > 0)
        fail(frame, value, text::longerThan(value.numberText(), length));
    else if (keyword == Keyword::MinLength && order < 0)
        fail(frame, value, text::shorterThan(value.numberText(), length));
}

void Evaluator::checkSize(Frame &frame, Keyword keyword, const json::Value &value)
{
    const bool ofItems = keyword == Keyword::MaxItems || keyword == Keyword::MinItems;
    if (!value.isNumber() || !(ofItems ? frame.instance.isArray() : frame.instance.isObject()))
        return;
    const qsizetype size = frame.instance.size();
    const int order = json::compareNumbers(QByteArray::number(size), value.slice());
    const QByteArray limit = value.numberText();
    if (keyword == Keyword::MaxItems && order > 0)
        fail(frame, value, text::tooManyItems(limit, size));
    else if (keyword == Keyword::MinItems && order < 0)
        fail(frame, value, text::tooFewItems(limit, size));
    else if (keyword == Keyword::MaxProperties && order > 0)
        fail(frame, value, text::tooManyMembers(limit, size));
    else if (keyword == Keyword::MinProperties && order < 0)
        fail(frame, value, text::tooFewMembers(limit, size));
}

void Evaluator::checkUnique(Frame &frame, const json::Value &value)
{
    if (!frame.instance.isArray() || !value.toBool())
        return;
    json::ValueIndex seen;
    qsizetype index = -1;
    for (const json::Value &element : frame.instance) {
        ++index;
        if (!spend(10 + element.slice().size() / 32, value))
            return;
        qint64 comparisons = 0;
        const qsizetype first = seen.indexOf(element, &comparisons);
        if (first >= 0) {
            fail(frame, value, text::notUnique(first, index));
            return;
        }
        spend(comparisons * (1 + element.slice().size() / 32), value);
        seen.append(element);
    }
}

// because: the member whose presence makes the others necessary, if that is why.
void Evaluator::checkRequired(Frame &frame, const json::Value &names, const QString &because)
{
    if (!frame.instance.isObject())
        return;
    const MemberNames members(frame.instance, names.size());
    spend(members.cost(), names);
    for (const json::Value &name : names) {
        if (!spend(members.costOfLookup(), names))
            return;
        if (!name.isString() || members.contains(name.string()))
            continue;
        frame.take(Verdict::Invalid);
        if (!isFull())
            report(names, here().child(name.string()), text::required(because));
    }
}

void Evaluator::checkFormat(Frame &frame, const json::Value &value)
{
    if (!m_registry.resource(frame.resource).assertsFormats || !frame.instance.isString())
        return;
    const std::optional<bool> holds = isOfFormat(value.string(), frame.instance.string());
    if (holds && !*holds)
        fail(frame, value, text::format(value.string()));
}

std::optional<bool> Evaluator::matches(const json::Value &pattern, const QString &patternText, const QString &text)
{
    spend(CostOfMatch + text.size() / 64, pattern);
    const Patterns::Attempt attempt = m_patterns.match(patternText, text, m_longAttempts < MaxLongAttempts);
    if (attempt.wasLong) {
        ++m_longAttempts;
        spend(CostOfLongAttempt, pattern);
    }
    if (!attempt.error.isEmpty())
        notChecked(pattern, text::badPattern(patternText, attempt.error));
    else if (!attempt.hit)
        notChecked(pattern, text::patternTooCostly(patternText));
    return attempt.hit;
}

bool Evaluator::isEqual(const json::Value &instance, const json::Value &allowed)
{
    spend(1 + std::min(instance.slice().size(), allowed.slice().size()) / 32, allowed);
    return json::equal(instance, allowed);
}

}  // namespace sonde::schema
