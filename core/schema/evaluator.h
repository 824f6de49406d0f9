// One run of a schema over an instance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/budget.h"
#include "core/schema/keywords.h"
#include "core/schema/patterns.h"
#include "core/schema/registry.h"
#include "core/schema/schema.h"

#include <QBitArray>
#include <QVarLengthArray>

namespace sonde::schema {

enum class Verdict : quint8 { Valid, Unknown, Invalid };  // in the order in which one outweighs the other

class Evaluator {
public:
    Evaluator(const Registry &registry, const Limits &limits, const json::Value &schemaRoot, Patterns &patterns,
              Budget &budget);

    QList<Issue> run(const json::Value &schema, int resource, const json::Value &instance);

private:
    using Keywords = QVarLengthArray<std::pair<Keyword, json::Value>, 12>;

    // One schema applied to one value.
    struct Frame {
        const json::Value &schema;
        const json::Value &instance;
        int resource;
        Keywords keywords;
        QBitArray seen;  // children that were evaluated, for unevaluated*; empty when nobody asks
        Verdict verdict = Verdict::Valid;

        json::Value operator[](Keyword keyword) const;
        void take(Verdict other) { verdict = std::max(verdict, other); }
    };
    struct Step {
        const char *schema;
        const char *instance;
    };
    // A step from a value to one of its children, which outlives it.
    struct Token {
        const json::Value *child;
        qsizetype index;  // of an element; -1 for a member
    };
    // Puts a child on the way to the value that is being looked at, as long as this exists.
    class Entering {
    public:
        Entering(Evaluator *evaluator, const json::Value &child, qsizetype index) : m_path(evaluator->m_path)
        {
            m_path.append({&child, index});
        }
        ~Entering() { m_path.removeLast(); }
        Q_DISABLE_COPY_MOVE(Entering)

    private:
        QVarLengthArray<Token, 64> &m_path;
    };
    // An issue whose place in the schema is looked up when it is handed out, as most never are.
    struct Found {
        Issue issue;
        json::Value keyword;
    };

    // seen: receives the children that were evaluated when the verdict is not Invalid.
    Verdict evaluate(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen = nullptr);
    Verdict evaluateBoolean(const json::Value &schema);
    // The same, with the issues kept apart from those that are reported; null: nobody wants them.
    Verdict tryOut(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen,
                   QList<Found> *issues);
    void readKeywords(Frame &frame) const;
    bool applies(Keyword keyword, const Resource &resource) const;

    // combinators
    void applyReference(Frame &frame, Keyword keyword, const json::Value &reference);
    void applyInPlace(Frame &frame, Keyword keyword, const json::Value &value);
    void applyAllOf(Frame &frame, const json::Value &list);
    void applyAlternatives(Frame &frame, const json::Value &list, bool exactlyOne);
    void applyNot(Frame &frame, const json::Value &schema);
    void applyCondition(Frame &frame, const json::Value &condition);
    void explainAlternatives(Frame &frame, const json::Value &list, const QList<QList<Found>> &issues);

    // children
    void applyToChildren(Frame &frame);
    void applyToMembers(Frame &frame);
    void applyPropertyNames(Frame &frame, const json::Value &schema);
    void applyDependent(Frame &frame, const json::Value &map);
    void applyToElements(Frame &frame);
    void applyContains(Frame &frame, const json::Value &schema);
    void applyUnevaluated(Frame &frame, const json::Value &schema);

    // assertions
    void check(Frame &frame, Keyword keyword, const json::Value &value);
    void checkType(Frame &frame, const json::Value &value);
    void checkEnum(Frame &frame, const json::Value &values);
    void checkNumber(Frame &frame, Keyword keyword, const json::Value &value);
    void checkMultiple(Frame &frame, const json::Value &value);
    void checkString(Frame &frame, Keyword keyword, const json::Value &value);
    void checkSize(Frame &frame, Keyword keyword, const json::Value &value);
    void checkUnique(Frame &frame, const json::Value &value);
    void checkRequired(Frame &frame, const json::Value &names, const QString &because);
    void checkFormat(Frame &frame, const json::Value &value);
    // Nothing when it cannot be said; that was reported then.
    std::optional<bool> matches(const json::Value &pattern, const QString &patternText, const QString &text);

    void fail(Frame &frame, const json::Value &keyword, const QString &message);
    void report(const json::Value &keyword, const json::Pointer &instance, const QString &message,
                bool notChecked = false);
    Verdict notChecked(const json::Value &keyword, const QString &message);
    void add(const Found &found);
    bool isFull() const;
    json::Pointer here() const;  // of the value that is being looked at
    json::Pointer schemaPointerTo(const json::Value &keyword) const;
    bool spend(qint64 steps, const json::Value &schema);
    // Comparing goes over all of the shorter one at worst.
    bool isEqual(const json::Value &instance, const json::Value &allowed);

    const Registry &m_registry;
    const Limits m_limits;
    const json::Value m_schemaRoot;
    Patterns &m_patterns;
    Budget &m_budget;
    QList<Found> *m_issues = nullptr;    // where issues go now: to a trial's list, nowhere, or to
    QList<Found> *m_reported = nullptr;  // those that are handed out
    QVarLengthArray<Step, 64> m_stack;
    QVarLengthArray<Token, 64> m_path;
    QVarLengthArray<int, 32> m_scope;  // resources entered, outermost first
    Found m_end;                       // that and where the budget was spent
    int m_longAttempts = 0;            // at patterns
    bool m_stopped = false;
};

}  // namespace sonde::schema
