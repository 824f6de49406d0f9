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

}  // namespace

json::Value Evaluator::Frame::operator[](Keyword keyword) const
{
    for (const auto &[name, value] : keywords) {
        if (name == keyword)
            return value;
    }
    return {};
}

Evaluator::Evaluator(const Registry &registry, const Limits &limits, const json::Value &schemaRoot, Patterns &patterns,
                     Budget &budget)
    : m_registry(registry), m_limits(limits), m_schemaRoot(schemaRoot), m_patterns(patterns), m_budget(budget)
{}

QList<Issue> Evaluator::run(const json::Value &schema, int resource, const json::Value &instance)
{
    QList<Found> reported;
    m_issues = m_reported = &reported;
    evaluate(schema, resource, instance);
    if (m_budget.isSpent() && reported.size() < m_limits.maxIssues)
        reported.append(m_end);
    QList<Issue> issues;
    for (Found &found : reported) {
        found.issue.schema = schemaPointerTo(found.keyword);
        found.issue.keyword = found.keyword.key();
        issues.append(found.issue);
    }
    return issues;
}

Verdict Evaluator::evaluate(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen)
{
    if (m_stopped || !spend(4 + schema.size(), schema))
        return Verdict::Unknown;
    if (schema.isBool())
        return evaluateBoolean(schema);
    if (!schema.isObject())
        return notChecked(schema, text::noSchema());
    if (m_stack.size() >= m_limits.maxDepth)
        return notChecked(schema, text::tooDeep(m_limits.maxDepth));

    const int own = m_registry.resourceAt(schema);
    Frame frame{schema, instance, own >= 0 ? own : resource, {}, {}};
    m_stack.append({addressOf(schema), addressOf(instance)});
    const bool enters = m_scope.isEmpty() || m_scope.last() != frame.resource;
    if (enters)
        m_scope.append(frame.resource);
    if (m_registry.usesUnevaluated() && instance.isContainer()) {
        spend(instance.size() / 256, schema);
        frame.seen.resize(instance.size());
    }

    readKeywords(frame);
    for (const auto &[keyword, value] : std::as_const(frame.keywords)) {
        if (m_stopped)
            break;
        if (vocabularyOf(keyword) == Vocabulary::Validation || keyword == Keyword::Format)
            check(frame, keyword, value);
        else
            applyInPlace(frame, keyword, value);
    }
    applyToChildren(frame);

    if (enters)
        m_scope.removeLast();
    m_stack.removeLast();
    if (seen && frame.verdict != Verdict::Invalid)
        merge(*seen, frame.seen);
    return m_stopped ? std::max(frame.verdict, Verdict::Unknown) : frame.verdict;
}

Verdict Evaluator::evaluateBoolean(const json::Value &schema)
{
    if (schema.toBool())
        return Verdict::Valid;
    if (!isFull())
        report(schema, here(), text::notAllowed());
    return Verdict::Invalid;
}

Verdict Evaluator::tryOut(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen,
                          QList<Found> *issues)
{
    QList<Found> *reported = std::exchange(m_issues, issues);
    const Verdict verdict = evaluate(schema, resource, instance, seen);
    m_issues = reported;
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
        // The last of duplicate keys counts.
        const auto first = std::find_if(frame.keywords.begin(), frame.keywords.end(),
                                        [&](const auto &entry) { return entry.first == keyword; });
        if (first != frame.keywords.end())
            first->second = member;
        else
            frame.keywords.append({keyword, member});
    }
}

bool Evaluator::applies(Keyword keyword, const Resource &resource) const
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
        case Keyword::Dependencies:
            applyDependent(frame, value);
            return;
        case Keyword::PropertyNames:
            applyPropertyNames(frame, value);
            return;
        default:
            return;  // children, or nothing to evaluate
    }
}

void Evaluator::applyReference(Frame &frame, Keyword keyword, const json::Value &reference)
{
    if (!reference.isString())
        return;
    spend((keyword == Keyword::DynamicRef ? 32 : 1) + m_stack.size() / 16, reference);
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
        frame.take(notChecked(reference, text::leadsNowhere(reference.string())));
        return;
    }
    const char *schema = addressOf(place.schema);
    const char *instance = addressOf(frame.instance);
    const bool turnsInCircles = std::any_of(m_stack.cbegin(), m_stack.cend(), [&](const Step &step) {
        return step.schema == schema && step.instance == instance;
    });
    if (turnsInCircles)
        frame.take(notChecked(reference, text::refersToItself(reference.string())));
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
    QList<QList<Found>> issues;
    const bool areWanted = !isFull();
    int valid = 0;
    bool unknown = false;
    for (const json::Value &schema : list) {
        QList<Found> found;
        const Verdict verdict =
            tryOut(schema, frame.resource, frame.instance, &frame.seen, areWanted ? &found : nullptr);
        valid += verdict == Verdict::Valid;
        unknown = unknown || verdict == Verdict::Unknown;
        issues.append(std::move(found));
        if (m_stopped)
            break;
        // With annotations to be collected all branches are needed.
        if (valid > 0 && !exactlyOne && frame.seen.isEmpty())
            return;
    }
    if (exactlyOne && valid > 1) {
        fail(frame, list, text::severalMatch(valid, list.size()));
        return;
    }
    if (valid > 0 && !(exactlyOne && unknown))
        return;
    if (!unknown) {
        explainAlternatives(frame, list, issues);
        return;
    }
    frame.take(notChecked(list, text::alternativesNotChecked()));
}

// Which branch was meant is a guess: one that fails on its kind or its constant was not.
void Evaluator::explainAlternatives(Frame &frame, const json::Value &list, const QList<QList<Found>> &issues)
{
    if (isFull()) {
        frame.take(Verdict::Invalid);
        return;
    }
    const qsizetype depth = m_path.size();
    int meant = -1;
    int plausible = 0;
    for (int i = 0; i < issues.size(); ++i) {
        const QList<Found> &found = issues.at(i);
        const bool isOther = std::any_of(found.cbegin(), found.cend(), [&](const Found &each) {
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
        for (const Found &each : issues.at(meant))
            add(each);
        return;
    }
    spend(list.size(), list);
    fail(frame, list, text::noneMatches(list, m_registry, frame.resource));
}

void Evaluator::applyNot(Frame &frame, const json::Value &schema)
{
    const Verdict verdict = tryOut(schema, frame.resource, frame.instance, nullptr, nullptr);
    if (verdict == Verdict::Valid)
        fail(frame, schema, text::excluded(schema));
    else if (verdict == Verdict::Unknown)
        frame.take(notChecked(schema, text::alternativesNotChecked()));
}

void Evaluator::applyCondition(Frame &frame, const json::Value &condition)
{
    const Verdict verdict = tryOut(condition, frame.resource, frame.instance, &frame.seen, nullptr);
    if (verdict == Verdict::Unknown) {
        frame.take(notChecked(condition, text::alternativesNotChecked()));
        return;
    }
    const json::Value branch = frame[verdict == Verdict::Valid ? Keyword::Then : Keyword::Else];
    if (branch.exists())
        frame.take(evaluate(branch, frame.resource, frame.instance, &frame.seen));
}

// Reports

void Evaluator::fail(Frame &frame, const json::Value &keyword, const QString &message)
{
    frame.take(Verdict::Invalid);
    spend(4, keyword);
    if (!isFull())
        report(keyword, here(), message);
}

Verdict Evaluator::notChecked(const json::Value &keyword, const QString &message)
{
    if (!isFull())
        report(keyword, here(), message, true);
    return Verdict::Unknown;
}

void Evaluator::report(const json::Value &keyword, const json::Pointer &instance, const QString &message,
                       bool isNotChecked)
{
    Issue issue;
    issue.instance = instance;
    issue.message = message;
    issue.notChecked = isNotChecked;
    add({issue, keyword});
    spend(8, keyword);
}

void Evaluator::add(const Found &found)
{
    if (isFull())
        return;
    m_issues->append(found);
    // Nobody would hear of more.
    m_stopped = m_issues == m_reported && isFull();
}

// Words and places take time: not for an issue that is not kept.
bool Evaluator::isFull() const
{
    return m_stopped || !m_issues || m_issues->size() >= m_limits.maxIssues;
}

json::Pointer Evaluator::here() const
{
    QStringList tokens;
    for (const Token &token : m_path)
        tokens.append(token.index < 0 ? token.child->key() : QString::number(token.index));
    return json::Pointer(tokens);
}

// Within the schema that is being applied; in another document, within that.
json::Pointer Evaluator::schemaPointerTo(const json::Value &keyword) const
{
    const bool isOurs = keyword.document().text().constData() == m_schemaRoot.document().text().constData();
    const qsizetype depth = isOurs ? json::Pointer::to(m_schemaRoot).tokens().size() : 0;
    return json::Pointer(json::Pointer::to(keyword).tokens().mid(depth));
}

bool Evaluator::spend(qint64 steps, const json::Value &schema)
{
    if (m_stopped)
        return false;
    if (m_budget.spend(steps))
        return true;
    m_end.issue.instance = here();
    m_end.issue.message = text::tooCostly();
    m_end.issue.notChecked = true;
    m_end.keyword = schema;
    m_stopped = true;
    return false;
}

}  // namespace sonde::schema
