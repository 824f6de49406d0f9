// SPDX-License-Identifier: Apache-2.0
#include "core/schema/evaluator.h"

#include "core/json/builder.h"
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

// "nullable": true that is not about a "type" beside it, but about another schema. An enum lists null itself.
bool isNullableByOthers(const json::Value &schema)
{
    const auto has = [&schema](QStringView keyword) { return schema.contains(keyword); };
    return schema[u"nullable"].toBool() && (has(u"$ref") || has(u"allOf") || has(u"anyOf") || has(u"oneOf")) &&
           !has(u"enum") && !has(u"const");
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

Evaluator::Evaluator(const Registry &registry, const Schema::Options &rules, Patterns &patterns, Budget &budget)
    : m_registry(registry),
      m_maxDepth(rules.limits.maxDepth),
      m_notesFormats(rules.formats == Formats::Noted),
      m_admitsNullable(rules.admitsNullable),
      m_report(rules.limits, budget),
      m_assertions(registry, rules.admitsNullable, patterns, m_report)
{}

QList<Issue> Evaluator::run(const json::Value &schema, const json::Value &schemaRoot, const json::Value &instance,
                            const Schema::Scope &scope)
{
    m_scope.append(0);  // every part is reached from the whole
    for (const int resource : scope)
        m_scope.append(resource);
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
    if (m_admitsNullable && instance.isNull() && isNullableByOthers(schema))
        return Verdict::Valid;

    const int own = m_registry.resourceAt(schema);
    Frame frame{schema, instance, own >= 0 ? own : resource, {}, {}};
    m_stack.append({addressOf(schema), addressOf(instance)});
    const bool enters = m_scope.last() != frame.resource;
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
    if (seen)
        merge(*seen, frame.seen);
    return m_report.isStopped() ? std::max(frame.verdict, Verdict::Unknown) : frame.verdict;
}

Verdict Evaluator::tryOut(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen,
                          QList<Report::Found> *issues)
{
    QList<Report::Found> *const before = m_report.redirect(issues);
    QBitArray own(seen ? seen->size() : 0);
    const Verdict verdict = evaluate(schema, resource, instance, &own);
    m_report.redirect(before);
    if (seen && verdict != Verdict::Invalid)
        merge(*seen, own);
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
        case Keyword::ContentEncoding:
        case Keyword::ContentMediaType:
            applyAnnotation(frame, keyword, value);
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
    const Place place =
        keyword == Keyword::DynamicRef
            ? m_registry.dynamicTarget(reference, frame.resource, {m_scope.constData(), size_t(m_scope.size())})
            : m_registry.target(reference, frame.resource);
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
    QList<qsizetype> valid;
    // Of the first branch that is valid; none once there is one without.
    std::optional<QList<Report::Found>> remarks;
    const bool areWanted = !m_report.isFull();
    bool unknown = false;
    for (const json::Value &schema : list) {
        QList<Report::Found> found;
        const Verdict verdict =
            tryOut(schema, frame.resource, frame.instance, &frame.seen, areWanted ? &found : nullptr);
        if (verdict == Verdict::Valid) {
            valid.append(issues.size());
            if (!remarks || found.isEmpty())
                remarks = found;
        }
        unknown = unknown || verdict == Verdict::Unknown;
        issues.append(std::move(found));
        if (m_report.isStopped())
            break;
        // With annotations to be collected all branches are needed.
        if (remarks && remarks->isEmpty() && !exactlyOne && frame.seen.isEmpty())
            return;
    }
    if (exactlyOne && valid.size() > 1) {
        frame.take(m_report.fail(list, [&] { return text::severalMatch(list, valid); }));
        return;
    }
    if (!valid.isEmpty() && !(exactlyOne && unknown)) {
        for (const Report::Found &each : std::as_const(*remarks))
            m_report.add(each);
        return;
    }
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
    QList<qsizetype> plausible;
    for (qsizetype i = 0; i < issues.size(); ++i) {
        const QList<Report::Found> &found = issues.at(i);
        const bool isOther = std::any_of(found.cbegin(), found.cend(), [&](const Report::Found &each) {
            const qsizetype below = each.issue.instance.tokens().size() - depth;
            const Keyword keyword = keywordOf(each.keyword);
            return (below == 0 && keyword == Keyword::Type) ||
                   (below <= 1 && (keyword == Keyword::Const || keyword == Keyword::Enum));
        });
        if (!isOther)
            plausible.append(i);
    }
    if (plausible.isEmpty() && explainByDiscriminator(frame, list, issues))
        return;
    if (const qsizetype meant = meantOf(frame, list, plausible); meant >= 0 && !issues.at(meant).isEmpty()) {
        frame.take(Verdict::Invalid);
        for (const Report::Found &each : issues.at(meant))
            m_report.add(each);
        return;
    }
    m_report.spend(list.size(), list);
    text::Alternatives alternatives;
    for (const QList<Report::Found> &found : issues) {
        text::Alternatives::Branch branch;
        for (const Report::Found &each : found) {
            if (each.issue.isRemark)
                continue;
            const QStringList &tokens = each.issue.instance.tokens();
            const bool isMissing = keywordOf(each.keyword) == Keyword::Required && tokens.size() == depth + 1;
            if (isMissing)
                branch.missing.append(tokens.constLast());
            else if (tokens.size() == depth)
                branch.reasons.append(each.issue.message);
            branch.isExplained = branch.isExplained && (isMissing || tokens.size() == depth);
        }
        alternatives.branches.append(branch);
    }
    frame.take(m_report.fail(list, text::noneMatches(list, alternatives, m_registry, frame.resource)));
}

// Where each branch wants other values of the same member, that is what is wrong. False: there is no such member.
bool Evaluator::explainByDiscriminator(Frame &frame, const json::Value &list, const QList<QList<Report::Found>> &issues)
{
    const qsizetype depth = m_report.depth();
    const auto valuesAt = [depth](const QList<Report::Found> &found, const QString &name) {
        const auto at = std::find_if(found.cbegin(), found.cend(), [&](const Report::Found &each) {
            const Keyword keyword = keywordOf(each.keyword);
            const QStringList &tokens = each.issue.instance.tokens();
            return tokens.size() == depth + 1 && tokens.constLast() == name &&
                   (keyword == Keyword::Const || keyword == Keyword::Enum);
        });
        return at == found.cend() ? json::Value() : at->keyword;
    };
    for (const Report::Found &candidate : issues.value(0)) {
        const QStringList &tokens = candidate.issue.instance.tokens();
        const Keyword tells = keywordOf(candidate.keyword);
        if (tokens.size() != depth + 1 || (tells != Keyword::Const && tells != Keyword::Enum) ||
            !m_report.spend(list.size() * 16, list))
            continue;
        json::Builder values;
        values.beginArray();
        bool areAll = true;
        for (const QList<Report::Found> &found : issues) {
            const json::Value wanted = valuesAt(found, tokens.constLast());
            areAll = areAll && wanted.exists() && m_report.spend(wanted.size(), list);
            if (keywordOf(wanted) == Keyword::Const)
                values.value(wanted);
            for (const json::Value &value : keywordOf(wanted) == Keyword::Enum ? wanted : json::Value())
                values.value(value);
        }
        if (!areAll)
            continue;
        const json::Value all = json::parse(values.endArray().take());
        m_report.addFailure(list, m_report.here().child(tokens.constLast()),
                            text::mustBeOneOf(all, frame.instance[tokens.constLast()]));
        frame.take(Verdict::Invalid);
        return true;
    }
    return false;
}

// Of several, the one that declares most of the members that are there. -1: no one does more than the others.
qsizetype Evaluator::meantOf(const Frame &frame, const json::Value &list, const QList<qsizetype> &plausible)
{
    if (plausible.size() == 1)
        return plausible.first();
    qsizetype best = -1;
    qsizetype most = 0;
    for (const qsizetype index : plausible) {
        json::Value schema = list.at(index);
        if (schema[u"$ref"].isString())
            schema = m_registry.target(schema[u"$ref"], frame.resource).schema;
        const json::Value properties = schema[u"properties"];
        if (!frame.instance.isObject() || !m_report.spend(index + frame.instance.size() * 4, list))
            return -1;
        qsizetype declared = 0;
        for (const json::Value &member : frame.instance)
            declared += m_registry.member(properties, member.key()).exists() ? 1 : 0;
        if (declared > most)
            best = index;
        else if (declared == most)
            best = -1;
        most = std::max(most, declared);
    }
    return best;
}

void Evaluator::applyAnnotation(Frame &frame, Keyword keyword, const json::Value &value)
{
    // Until draft-07 what a string contains could be asserted too.
    const Resource &resource = m_registry.resource(frame.resource);
    const bool isAsserted = resource.assertsFormats && (keyword == Keyword::Format || resource.draft == Draft::Draft7);
    if (isAsserted || m_notesFormats)
        frame.take(m_assertions.checkAnnotation(keyword, value, frame.instance, frame.keywords, isAsserted));
}

void Evaluator::applyNot(Frame &frame, const json::Value &schema)
{
    const Verdict verdict = tryOut(schema, frame.resource, frame.instance, nullptr, nullptr);
    if (verdict == Verdict::Valid)
        frame.take(m_report.fail(schema, [&] { return text::excluded(schema); }));
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
    const bool holds = verdict == Verdict::Valid;
    const json::Value branch = frame.keywords[holds ? Keyword::Then : Keyword::Else];
    if (!branch.exists())
        return;
    applyBecause(
        frame, [&] { return evaluate(branch, frame.resource, frame.instance, &frame.seen); },
        [&condition, holds](Report::Found *found) {
            const QString clause = text::clause(condition);
            if (clause.isEmpty())
                return;
            if (holds)
                found->addCondition(clause);
            else
                found->setMessage(text::unless(found->issue.message, clause));
        });
}

template <typename Check, typename Add>
void Evaluator::applyBecause(Frame &frame, const Check &check, const Add &add)
{
    QList<Report::Found> issues;
    QList<Report::Found> *const before = m_report.redirect(m_report.isFull() ? nullptr : &issues);
    frame.take(check());
    m_report.redirect(before);
    for (Report::Found &found : issues) {
        if (!found.issue.notChecked)
            add(&found);
        m_report.add(found);
    }
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
            applyToUndeclared(frame, additional, member);
        }
        if ((matched || unknown) && index < frame.seen.size())
            frame.seen.setBit(index);
    }
}

// One that no property and no pattern declares. Where others are refused, it is mostly misspelled.
void Evaluator::applyToUndeclared(Frame &frame, const json::Value &schema, const json::Value &member)
{
    if (!schema.isBool() || schema.toBool()) {
        frame.take(evaluate(schema, frame.resource, member));
        return;
    }
    const json::Value properties = frame.keywords[Keyword::Properties];
    const json::Value patterns = frame.keywords[Keyword::PatternProperties];
    frame.take(m_report.fail(schema, [&] {
        QStringList names;
        QStringList expressions;
        if (properties.isEmpty() && m_report.spend(patterns.size(), schema)) {
            for (const json::Value &pattern : patterns)
                expressions.append(pattern.key());
        }
        if (properties.size() <= text::MaxCompared &&
            m_report.spend(properties.size() * (2 + frame.instance.size() / 16), schema)) {
            for (const json::Value &property : properties) {
                if (!frame.instance.contains(property.key()))
                    names.append(property.key());
            }
        }
        return text::notAllowed(member.key(), names, expressions);
    }));
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
            found.setMessage(text::aboutName(member.key(), found.issue.message));
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
        applyBecause(
            frame,
            [&] {
                return dependent.isArray() ? m_assertions.checkRequired(dependent, frame.instance)
                                           : evaluate(dependent, frame.resource, frame.instance, &frame.seen);
            },
            [&name](Report::Found *found) { found->addCondition(text::clauseGiven(name)); });
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
        } else if (rest.isBool() && !rest.toBool() && prefix.isArray()) {
            frame.take(m_report.fail(rest, text::beyondTuple(prefix.size())));
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
        frame.take(m_report.fail(minimum.isNumber() ? minimum : schema,
                                 text::contains(Keyword::MinContains, schema, wanted, count)));
    if (maximum.isNumber() && json::compareNumbers(found, maximum.slice()) > 0)
        frame.take(m_report.fail(maximum, text::contains(Keyword::MaxContains, schema, maximum.numberText(), count)));
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
