// The keywords that assert something about the value itself.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/compare.h"
#include "core/schema/evaluator.h"
#include "core/schema/formats.h"
#include "core/schema/messages.h"

#include <QMultiHash>

#include <algorithm>

namespace sonde::schema {

using namespace Qt::StringLiterals;

namespace {

// A pattern that ran into PCRE's limit took some ten milliseconds: the steps that this is worth.
constexpr qint64 CostOfAbandonedMatch = 50'000;

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

// Equal values have equal hashes; the rest may be found out by comparing.
size_t roughHash(const json::Value &value)
{
    switch (value.kind()) {
        case json::Kind::String:
            return qHash(value.string());
        case json::Kind::Number:
            return qHash(value.toDouble() + 0.0);
        case json::Kind::Bool:
            return value.toBool() ? 1 : 2;
        case json::Kind::Array:
            return qHashMulti(3, value.size());
        case json::Kind::Object: {
            size_t sum = 4;
            for (const json::Value &member : value)
                sum ^= qHash(member.key());
            return sum;
        }
        default:
            return 0;
    }
}

}  // namespace

void Evaluator::check(Frame &frame, Keyword keyword, const json::Value &value)
{
    spend(1, value, frame.instance);
    switch (keyword) {
        case Keyword::Type:
            checkType(frame, value);
            return;
        case Keyword::Const:
            if (!json::equal(frame.instance, value))
                fail(frame, value, text::mustBe(value));
            return;
        case Keyword::Enum: {
            if (!value.isArray())
                return;
            spend(value.size(), value, frame.instance);
            bool found = false;
            for (const json::Value &allowed : value)
                found = found || json::equal(frame.instance, allowed);
            if (!found)
                fail(frame, value, text::mustBeOneOf(value));
            return;
        }
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
        frame.take(notChecked(value, frame.instance, text::unknownType(*strange)));
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
        frame.take(notChecked(value, frame.instance, text::multipleNotChecked(value.numberText())));
    else if (!*is)
        fail(frame, value, text::multipleOf(value.numberText()));
}

void Evaluator::checkString(Frame &frame, Keyword keyword, const json::Value &value)
{
    if (!frame.instance.isString())
        return;
    const QString text = frame.instance.string();
    if (keyword == Keyword::Pattern) {
        if (!value.isString())
            return;
        const std::optional<bool> hit = matches(value, value.string(), frame.instance, text);
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
    QMultiHash<size_t, std::pair<qsizetype, json::Value>> seen;
    qsizetype index = -1;
    for (const json::Value &element : frame.instance) {
        ++index;
        const size_t hash = roughHash(element);
        for (auto it = seen.constFind(hash); it != seen.cend() && it.key() == hash; ++it) {
            if (!spend(1 + element.size(), value, frame.instance))
                return;
            if (json::equal(it->second, element)) {
                fail(frame, value, text::notUnique(it->first, index));
                return;
            }
        }
        seen.insert(hash, {index, element});
    }
}

// because: the member whose presence makes the others necessary, if that is why.
void Evaluator::checkRequired(Frame &frame, const json::Value &names, const QString &because)
{
    if (!frame.instance.isObject())
        return;
    for (const json::Value &name : names) {
        spend(1, names, frame.instance);
        if (!name.isString() || frame.instance.contains(name.string()))
            continue;
        frame.take(Verdict::Invalid);
        if (!isFull())
            report(names, pointerTo(frame.instance).child(name.string()), text::required(because));
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

std::optional<bool> Evaluator::matches(const json::Value &pattern, const QString &patternText,
                                       const json::Value &instance, const QString &text)
{
    spend(1 + text.size() / 64, pattern, instance);
    auto it = m_patterns.constFind(patternText);
    if (it == m_patterns.constEnd())
        it = m_patterns.insert(patternText, EcmaRegex(patternText));
    if (!it->error().isEmpty()) {
        notChecked(pattern, instance, text::badPattern(patternText, it->error()));
        return std::nullopt;
    }
    const std::optional<bool> hit = it->matches(text);
    if (!hit) {
        notChecked(pattern, instance, text::patternTooCostly(patternText));
        spend(CostOfAbandonedMatch, pattern, instance);
    }
    return hit;
}

}  // namespace sonde::schema
