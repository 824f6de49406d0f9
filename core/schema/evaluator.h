// One run of a schema over an instance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/assertions.h"
#include "core/schema/keywords.h"
#include "core/schema/registry.h"
#include "core/schema/report.h"

#include <QBitArray>
#include <QVarLengthArray>

namespace sonde::schema {

// Finds the schemas that apply to a value and to what is in it, and what they come to together. Used once.
class Evaluator {
public:
    Evaluator(const Registry &registry, const Schema::Options &rules, Patterns &patterns, Budget &budget);

    // schema: a part of schemaRoot, or all of it. scope: what was entered on the way to it.
    QList<Issue> run(const json::Value &schema, const json::Value &schemaRoot, const json::Value &instance,
                     const Schema::Scope &scope);

private:
    // One schema applied to one value.
    struct Frame {
        const json::Value &schema;
        const json::Value &instance;
        int resource;
        Keywords keywords;
        QBitArray seen;  // children that were evaluated, for unevaluated*; empty when nobody asks
        Verdict verdict = Verdict::Valid;

        void take(Verdict other) { verdict = std::max(verdict, other); }
    };
    struct Step {
        const char *schema;
        const char *instance;
    };

    // seen: receives the children that were evaluated, also when the verdict is Invalid, so that the fault of a child
    // is not reported of its parent too.
    Verdict evaluate(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen = nullptr);
    // Of a schema that need not hold: its issues are kept apart from those that are reported (null: nobody wants them),
    // and what it evaluated counts only if it holds.
    Verdict tryOut(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen,
                   QList<Report::Found> *issues);
    void readKeywords(Frame &frame) const;

    // combinators
    void applyInPlace(Frame &frame, Keyword keyword, const json::Value &value);
    void applyReference(Frame &frame, Keyword keyword, const json::Value &reference);
    void applyAllOf(Frame &frame, const json::Value &list);
    void applyAlternatives(Frame &frame, const json::Value &list, bool exactlyOne);
    void applyNot(Frame &frame, const json::Value &schema);
    void applyCondition(Frame &frame, const json::Value &condition);
    void applyAnnotation(Frame &frame, Keyword keyword, const json::Value &value);
    // A check that applies only because of something; add tells that in what it found.
    template <typename Check, typename Add>
    void applyBecause(Frame &frame, const Check &check, const Add &add);
    qsizetype meantOf(const Frame &frame, const json::Value &list, const QList<qsizetype> &plausible);
    bool explainByDiscriminator(Frame &frame, const json::Value &list, const QList<QList<Report::Found>> &issues);
    void explainAlternatives(Frame &frame, const json::Value &list, const QList<QList<Report::Found>> &issues);

    // children
    void applyToChildren(Frame &frame);
    void applyToMembers(Frame &frame);
    void applyToUndeclared(Frame &frame, const json::Value &schema, const json::Value &member);
    void applyPropertyNames(Frame &frame, const json::Value &schema);
    void applyDependent(Frame &frame, const json::Value &map);
    void applyToElements(Frame &frame);
    void applyContains(Frame &frame, const json::Value &schema);
    void applyUnevaluated(Frame &frame, const json::Value &schema);

    const Registry &m_registry;
    const int m_maxDepth;
    const bool m_notesFormats;
    const bool m_admitsNullable;
    Report m_report;
    Assertions m_assertions;
    QVarLengthArray<Step, 64> m_stack;
    QVarLengthArray<int, 32> m_scope;  // resources entered, outermost first
};

}  // namespace sonde::schema
