// The keywords that apply schemas to members and elements.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/compare.h"
#include "core/schema/evaluator.h"
#include "core/schema/messages.h"

namespace sonde::schema {

void Evaluator::applyToChildren(Frame &frame)
{
    if (frame.instance.isObject()) {
        applyToMembers(frame);
        if (const json::Value schema = frame[Keyword::UnevaluatedProperties]; schema.exists())
            applyUnevaluated(frame, schema);
    } else if (frame.instance.isArray()) {
        applyToElements(frame);
        if (const json::Value schema = frame[Keyword::Contains]; schema.exists())
            applyContains(frame, schema);
        if (const json::Value schema = frame[Keyword::UnevaluatedItems]; schema.exists())
            applyUnevaluated(frame, schema);
    }
}

void Evaluator::applyToMembers(Frame &frame)
{
    const json::Value properties = frame[Keyword::Properties];
    const json::Value patterns = frame[Keyword::PatternProperties];
    const json::Value additional = frame[Keyword::AdditionalProperties];
    if (!properties.exists() && !patterns.exists() && !additional.exists())
        return;
    qsizetype index = -1;
    for (const json::Value &member : frame.instance) {
        ++index;
        if (m_stopped)
            return;
        const Entering entering(this, member, -1);
        const QString name = member.key();
        bool matched = false;
        bool unknown = false;
        if (const json::Value schema = m_registry.member(properties, name); schema.exists()) {
            matched = true;
            frame.take(evaluate(schema, frame.resource, member));
        }
        for (const json::Value &schema : patterns) {
            const std::optional<bool> hit = matches(schema, schema.key(), name);
            unknown = unknown || !hit;
            if (!hit)
                frame.take(Verdict::Unknown);
            if (!hit.value_or(false))
                continue;
            matched = true;
            frame.take(evaluate(schema, frame.resource, member));
        }
        if (!matched && !unknown && additional.exists()) {
            matched = true;
            frame.take(evaluate(additional, frame.resource, member));
        }
        if ((matched || unknown) && index < frame.seen.size())
            frame.seen.setBit(index);
    }
}

void Evaluator::applyPropertyNames(Frame &frame, const json::Value &schema)
{
    if (!frame.instance.isObject())
        return;
    for (const json::Value &member : frame.instance) {
        if (!spend(8, schema))
            return;
        const json::Value name = json::parse(member.keySlice().toByteArray());
        const Entering entering(this, member, -1);
        QList<Found> issues;
        frame.take(tryOut(schema, frame.resource, name, nullptr, isFull() ? nullptr : &issues));
        for (Found &found : issues) {
            found.issue.message = text::aboutName(member.key(), found.issue.message);
            add(found);
        }
    }
}

// "dependentSchemas", and "dependencies" with its two kinds of values.
void Evaluator::applyDependent(Frame &frame, const json::Value &map)
{
    if (!frame.instance.isObject() || !map.isObject())
        return;
    for (const json::Value &dependent : map) {
        if (!spend(1 + frame.instance.size() / 16, map))
            return;
        const QString name = dependent.key();
        if (!frame.instance.contains(name))
            continue;
        if (dependent.isArray())
            checkRequired(frame, dependent, name);
        else
            frame.take(evaluate(dependent, frame.resource, frame.instance, &frame.seen));
    }
}

void Evaluator::applyToElements(Frame &frame)
{
    // An array in "items" is draft-07's way of saying "prefixItems", and is taken for that under any draft.
    const json::Value items = frame[Keyword::Items];
    const bool isTuple = items.isArray();
    const json::Value prefix = isTuple ? items : frame[Keyword::PrefixItems];
    const json::Value rest = isTuple ? frame[Keyword::AdditionalItems] : items;
    if (!prefix.isArray() && !rest.exists())
        return;
    json::Value::Iterator schema = prefix.begin();
    const json::Value::Iterator end = prefix.end();
    bool inPrefix = prefix.isArray();
    qsizetype index = -1;
    for (const json::Value &element : frame.instance) {
        ++index;
        if (m_stopped)
            return;
        const Entering entering(this, element, index);
        inPrefix = inPrefix && !(schema == end);
        if (inPrefix) {
            frame.take(evaluate(*schema, frame.resource, element));
            ++schema;
        } else if (rest.exists()) {
            frame.take(evaluate(rest, frame.resource, element));
        } else {
            return;
        }
        if (index < frame.seen.size())
            frame.seen.setBit(index);
    }
}

void Evaluator::applyContains(Frame &frame, const json::Value &schema)
{
    const json::Value least = frame[Keyword::MinContains];
    const json::Value most = frame[Keyword::MaxContains];
    const bool marks = m_registry.resource(frame.resource).draft != Draft::Draft7;
    qsizetype count = 0;
    bool unknown = false;
    qsizetype index = -1;
    for (const json::Value &element : frame.instance) {
        ++index;
        if (m_stopped)
            return;
        const Entering entering(this, element, index);
        const Verdict verdict = tryOut(schema, frame.resource, element, nullptr, nullptr);
        unknown = unknown || verdict == Verdict::Unknown;
        if (verdict != Verdict::Valid)
            continue;
        ++count;
        if (marks && index < frame.seen.size())
            frame.seen.setBit(index);
    }
    if (unknown) {
        frame.take(notChecked(schema, text::alternativesNotChecked()));
        return;
    }
    const QByteArray found = QByteArray::number(count);
    const QByteArray wanted = least.isNumber() ? least.numberText() : QByteArrayLiteral("1");
    if (json::compareNumbers(found, wanted) < 0)
        fail(frame, least.isNumber() ? least : schema, text::containsTooFew(wanted, count));
    if (most.isNumber() && json::compareNumbers(found, most.slice()) > 0)
        fail(frame, most, text::containsTooMany(most.numberText(), count));
}

void Evaluator::applyUnevaluated(Frame &frame, const json::Value &schema)
{
    qsizetype index = -1;
    for (const json::Value &child : frame.instance) {
        ++index;
        if (m_stopped)
            return;
        if (index >= frame.seen.size() || frame.seen.testBit(index))
            continue;
        const Entering entering(this, child, frame.instance.isArray() ? index : -1);
        frame.take(evaluate(schema, frame.resource, child));
        frame.seen.setBit(index);
    }
}

}  // namespace sonde::schema
