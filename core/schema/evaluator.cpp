// SPDX-License-Identifier: Apache-2.0
#include "core/schema/evaluator.h"

#include "core/json/compare.h"
#include "core/schema/messages.h"

#include <algorithm>

namespace sonde::schema {

namespace {

const char *addressOf(const json::Value &node)
{
    return node.slice().data();
}

void merge(QBitArray &into, const QBitArray &seen)
{
    if (seen.size() == into.size())
        into |= seen;
}

bool applies(Keyword keyword, const Resource &resource)
{
    if (resource.draft == Draft::Draft7) {
        switch (keyword) {
            case Keyword::DynamicRef:
            case Keyword::PrefixItems:
            case Keyword::DependentSchemas:
            case Keyword::DependentRequired:
            case Keyword::UnevaluatedItems:
            case Keyword::UnevaluatedProperties:
            case Keyword::MaxContains:
            case Keyword::MinContains:
                return false;
            default:
                return true;
        }
    }
    switch (vocabularyOf(keyword)) {
        case Vocabulary::Applicator:
            return resource.applies;
        case Vocabulary::Validation:
            return resource.validates;
        case Vocabulary::Unevaluated:
            return resource.unevaluates;
        case Vocabulary::Core:
        case Vocabulary::Annotation:
            break;
    }
    return true;
}

}  // namespace

Evaluator::Evaluator(const Registry &registry, const Limits &limits, Patterns &patterns, Budget &budget)
    : m_registry(registry),
      m_maxDepth(limits.maxDepth),
      m_report(limits, budget),
      m_assertions(registry, patterns, m_report)
{}

QList<Issue> Evaluator::run(const json::Value &schema, const json::Value &schemaRoot, const json::Value &instance)
{
    evaluate(schema, m_registry.resourceOf(schema), instance);
    return m_report.handedOut(schemaRoot);
}

Verdict Evaluator::evaluate(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen)
{
    if (m_report.isStopped() || !m_report.spend(4 + schema.size(), schema))
        return Verdict::Unknown;
    if (schema.isBool())
        return schema.toBool() ? Verdict::Valid : m_report.fail(schema, text::notAllowed());
    if (!schema.isObject())
        return m_report.notChecked(schema, text::noSchema());
    if (m_stack.size() >= m_maxDepth)
        return m_report.notChecked(schema, text::tooDeep(m_maxDepth));

    const int own = m_registry.resourceAt(schema);
    Frame frame{schema, instance, own >= 0 ? own : resource, {}, {}};
    m_stack.append({addressOf(schema), addressOf(instance)});
    const bool enters = m_scope.isEmpty() || m_scope.last() != frame.resource;
    if (enters)
        m_scope.append(frame.resource);
    if (m_registry.usesUnevaluated() && instance.isContainer()) {
        m_report.spend(instance.size() / 256, schema);
        frame.seen.resize(instance.size());
    }

    readKeywords(frame);
    for (const auto &[keyword, value] : std::as_const(frame.keywords)) {
        if (m_report.isStopped())
            break;
        applyInPlace(frame, keyword, value);
    }
    applyToChildren(frame);

    if (enters)
        m_scope.removeLast();
    m_stack.removeLast();
    if (seen && frame.verdict != Verdict::Invalid)
        merge(*seen, frame.seen);
    return m_report.isStopped() ? std::max(frame.verdict, Verdict::Unknown) : frame.verdict;
}

Verdict Evaluator::tryOut(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen,
                          QList<Report::Found> *issues)
{
    QList<Report::Found> *const before = m_report.redirect(issues);
    const Verdict verdict = evaluate(schema, resource, instance, seen);
    m_report.redirect(before);
    return verdict;
}

void Evaluator::readKeywords(Frame &frame) const
{
    const Resource &resource = m_registry.resource(frame.resource);
    const bool refAlone = resource.draft == Draft::Draft7 && frame.schema.contains(u"$ref");
    for (const json::Value &member : frame.schema) {
        const Keyword keyword = keywordOf(member);
        if (keyword == Keyword::Unknown || !applies(keyword, resource) || (refAlone && keyword != Keyword::Ref))
            continue;
        frame.keywords.insert(keyword, member);
    }
}

// Combinators

void Evaluator::applyInPlace(Frame &frame, Keyword keyword, const json::Value &value)
{
    switch (keyword) {
        case Keyword::Ref:
        case Keyword::DynamicRef:
            applyReference(frame, keyword, value);
            return;
        case Keyword::AllOf:
            applyAllOf(frame, value);
            return;
        case Keyword::AnyOf:
            applyAlternatives(frame, value, false);
            return;
        case Keyword::OneOf:
            applyAlternatives(frame, value, true);
            return;
        case Keyword::Not:
            applyNot(frame, value);
            return;
        case Keyword::If:
            applyCondition(frame, value);
            return;
        case Keyword::DependentSchemas:
        case Keyword::DependentRequired:
        case Keyword::Dependencies:
            applyDependent(frame, value);
            return;
        case Keyword::PropertyNames:
            applyPropertyNames(frame, value);
            return;
        case Keyword::Format:
            if (m_registry.resource(frame.resource).assertsFormats)
                frame.take(m_assertions.check(keyword, value, frame.instance, frame.keywords));
            return;
        default:  // an assertion, children, or nothing to evaluate
            if (vocabularyOf(keyword) == Vocabulary::Validation)
                frame.take(m_assertions.check(keyword, value, frame.instance, frame.keywords));
    }
}

void Evaluator::applyReference(Frame &frame, Keyword keyword, const json::Value &reference)
{
    if (!reference.isString())
        return;
    m_report.spend((keyword == Keyword::DynamicRef ? 32 : 1) + m_stack.size() / 16, reference);
    Place place = m_registry.target(reference, frame.resource);
    const QString name =
        keyword == Keyword::DynamicRef ? m_registry.dynamicName(reference.string(), frame.resource, place) : QString();
    if (!name.isEmpty()) {
        // The outermost resource on the way here that has such an anchor (core, section 8.2.3.2).
        for (const int resource : std::as_const(m_scope)) {
            const json::Value anchored = m_registry.resource(resource).dynamicAnchors.value(name);
            if (anchored.exists()) {
                place = {anchored, resource};
                break;
            }
        }
    }
    if (!place.schema.exists()) {
        frame.take(m_report.notChecked(reference, text::leadsNowhere(reference.string())));
        return;
    }
    const char *schema = addressOf(place.schema);
    const char *instance = addressOf(frame.instance);
    const bool turnsInCircles = std::any_of(m_stack.cbegin(), m_stack.cend(), [&](const Step &step) {
        return step.schema == schema && step.instance == instance;
    });
    if (turnsInCircles)
        frame.take(m_report.notChecked(reference, text::refersToItself(reference.string())));
    else
        frame.take(evaluate(place.schema, place.resource, frame.instance, &frame.seen));
}

void Evaluator::applyAllOf(Frame &frame, const json::Value &list)
{
    for (const json::Value &schema : list)
        frame.take(evaluate(schema, frame.resource, frame.instance, &frame.seen));
}

void Evaluator::applyAlternatives(Frame &frame, const json::Value &list, bool exactlyOne)
{
    if (!list.isArray())
        return;
    QList<QList<Report::Found>> issues;
    const bool areWanted = !m_report.isFull();
    int valid = 0;
    bool unknown = false;
    for (const json::Value &schema : list) {
        QList<Report::Found> found;
        const Verdict verdict =
            tryOut(schema, frame.resource, frame.instance, &frame.seen, areWanted ? &found : nullptr);
        valid += verdict == Verdict::Valid;
        unknown = unknown || verdict == Verdict::Unknown;
        issues.append(std::move(found));
        if (m_report.isStopped())
            break;
        // With annotations to be collected all branches are needed.
        if (valid > 0 && !exactlyOne && frame.seen.isEmpty())
            return;
    }
    if (exactlyOne && valid > 1) {
        frame.take(m_report.fail(list, text::severalMatch(list, valid)));
        return;
    }
    if (valid > 0 && !(exactlyOne && unknown))
        return;
    if (!unknown) {
        explainAlternatives(frame, list, issues);
        return;
    }
    frame.take(m_report.notChecked(list, text::alternativesNotChecked()));
}

// Which branch was meant is a guess: one that fails on its kind or its constant was not.
void Evaluator::explainAlternatives(Frame &frame, const json::Value &list, const QList<QList<Report::Found>> &issues)
{
    if (m_report.isFull()) {
        frame.take(Verdict::Invalid);
        return;
    }
    const qsizetype depth = m_report.depth();
    int meant = -1;
    int plausible = 0;
    for (int i = 0; i < issues.size(); ++i) {
        const QList<Report::Found> &found = issues.at(i);
        const bool isOther = std::any_of(found.cbegin(), found.cend(), [&](const Report::Found &each) {
            const qsizetype below = each.issue.instance.tokens().size() - depth;
            const Keyword keyword = keywordOf(each.keyword);
            return (below == 0 && keyword == Keyword::Type) ||
                   (below <= 1 && (keyword == Keyword::Const || keyword == Keyword::Enum));
        });
        if (!isOther) {
            meant = i;
            ++plausible;
        }
    }
    if (plausible == 1 && !issues.at(meant).isEmpty()) {
        frame.take(Verdict::Invalid);
        for (const Report::Found &each : issues.at(meant))
            m_report.add(each);
        return;
    }
    m_report.spend(list.size(), list);
    frame.take(m_report.fail(list, text::noneMatches(list, frame.instance, m_registry, frame.resource)));
}

void Evaluator::applyNot(Frame &frame, const json::Value &schema)
{
    const Verdict verdict = tryOut(schema, frame.resource, frame.instance, nullptr, nullptr);
    if (verdict == Verdict::Valid)
        frame.take(m_report.fail(schema, text::excluded(schema)));
    else if (verdict == Verdict::Unknown)
        frame.take(m_report.notChecked(schema, text::alternativesNotChecked()));
}

void Evaluator::applyCondition(Frame &frame, const json::Value &condition)
{
    const Verdict verdict = tryOut(condition, frame.resource, frame.instance, &frame.seen, nullptr);
    if (verdict == Verdict::Unknown) {
        frame.take(m_report.notChecked(condition, text::alternativesNotChecked()));
        return;
    }
    const json::Value branch = frame.keywords[verdict == Verdict::Valid ? Keyword::Then : Keyword::Else];
    if (branch.exists())
        frame.take(evaluate(branch, frame.resource, frame.instance, &frame.seen));
}

// Children

void Evaluator::applyToChildren(Frame &frame)
{
    if (frame.instance.isObject()) {
        applyToMembers(frame);
        if (const json::Value schema = frame.keywords[Keyword::UnevaluatedProperties]; schema.exists())
            applyUnevaluated(frame, schema);
    } else if (frame.instance.isArray()) {
        applyToElements(frame);
        if (const json::Value schema = frame.keywords[Keyword::Contains]; schema.exists())
            applyContains(frame, schema);
        if (const json::Value schema = frame.keywords[Keyword::UnevaluatedItems]; schema.exists())
            applyUnevaluated(frame, schema);
    }
}

void Evaluator::applyToMembers(Frame &frame)
{
    const json::Value properties = frame.keywords[Keyword::Properties];
    const json::Value patterns = frame.keywords[Keyword::PatternProperties];
    const json::Value additional = frame.keywords[Keyword::AdditionalProperties];
    if (!properties.exists() && !patterns.exists() && !additional.exists())
        return;
    qsizetype index = -1;
    for (const json::Value &member : frame.instance) {
        ++index;
        if (m_report.isStopped())
            return;
        const Report::Entering entering(m_report, member, -1);
        const QString name = member.key();
        bool matched = false;
        bool unknown = false;
        if (const json::Value schema = m_registry.member(properties, name); schema.exists()) {
            matched = true;
            frame.take(evaluate(schema, frame.resource, member));
        }
        for (const json::Value &schema : patterns) {
            const std::optional<bool> hit = m_assertions.matches(schema, schema.key(), name);
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
        if (!m_report.spend(8, schema))
            return;
        const json::Value name = json::parse(member.keySlice().toByteArray());
        const Report::Entering entering(m_report, member, -1);
        QList<Report::Found> issues;
        frame.take(tryOut(schema, frame.resource, name, nullptr, m_report.isFull() ? nullptr : &issues));
        for (Report::Found &found : issues) {
            found.issue.message = text::aboutName(member.key(), found.issue.message);
            m_report.add(found);
        }
    }
}

// "dependentSchemas", and "dependencies" with its two kinds of values.
void Evaluator::applyDependent(Frame &frame, const json::Value &map)
{
    if (!frame.instance.isObject() || !map.isObject())
        return;
    for (const json::Value &dependent : map) {
        if (!m_report.spend(1 + frame.instance.size() / 16, map))
            return;
        const QString name = dependent.key();
        if (!frame.instance.contains(name))
            continue;
        if (dependent.isArray())
            frame.take(m_assertions.checkRequired(dependent, frame.instance, name));
        else
            frame.take(evaluate(dependent, frame.resource, frame.instance, &frame.seen));
    }
}

void Evaluator::applyToElements(Frame &frame)
{
    // An array in "items" is draft-07's way of saying "prefixItems", and is taken for that under any draft.
    const json::Value items = frame.keywords[Keyword::Items];
    const bool isTuple = items.isArray();
    const json::Value prefix = isTuple ? items : frame.keywords[Keyword::PrefixItems];
    const json::Value rest = isTuple ? frame.keywords[Keyword::AdditionalItems] : items;
    if (!prefix.isArray() && !rest.exists())
        return;
    json::Value::Iterator schema = prefix.begin();
    const json::Value::Iterator end = prefix.end();
    bool inPrefix = prefix.isArray();
    qsizetype index = -1;
    for (const json::Value &element : frame.instance) {
        ++index;
        if (m_report.isStopped())
            return;
        const Report::Entering entering(m_report, element, index);
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
    const json::Value minimum = frame.keywords[Keyword::MinContains];
    const json::Value maximum = frame.keywords[Keyword::MaxContains];
    const bool marks = m_registry.resource(frame.resource).draft != Draft::Draft7;
    qsizetype count = 0;
    bool unknown = false;
    qsizetype index = -1;
    for (const json::Value &element : frame.instance) {
        ++index;
        if (m_report.isStopped())
            return;
        const Report::Entering entering(m_report, element, index);
        const Verdict verdict = tryOut(schema, frame.resource, element, nullptr, nullptr);
        unknown = unknown || verdict == Verdict::Unknown;
        if (verdict != Verdict::Valid)
            continue;
        ++count;
        if (marks && index < frame.seen.size())
            frame.seen.setBit(index);
    }
    if (unknown) {
        frame.take(m_report.notChecked(schema, text::alternativesNotChecked()));
        return;
    }
    const QByteArray found = QByteArray::number(count);
    const QByteArray wanted = minimum.isNumber() ? minimum.numberText() : QByteArrayLiteral("1");
    if (json::compareNumbers(found, wanted) < 0)
        frame.take(m_report.fail(minimum.isNumber() ? minimum : schema, text::containsTooFew(wanted, count)));
    if (maximum.isNumber() && json::compareNumbers(found, maximum.slice()) > 0)
        frame.take(m_report.fail(maximum, text::containsTooMany(maximum.numberText(), count)));
}

void Evaluator::applyUnevaluated(Frame &frame, const json::Value &schema)
{
    qsizetype index = -1;
    for (const json::Value &child : frame.instance) {
        ++index;
        if (m_report.isStopped())
            return;
        if (index >= frame.seen.size() || frame.seen.testBit(index))
            continue;
        const Report::Entering entering(m_report, child, frame.instance.isArray() ? index : -1);
        frame.take(evaluate(schema, frame.resource, child));
        frame.seen.setBit(index);
    }
}

}  // namespace sonde::schema
