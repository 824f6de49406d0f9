// One run of a schema over an instance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/ecmaregex.h"
#include "core/schema/keywords.h"
#include "core/schema/registry.h"
#include "core/schema/schema.h"

#include <QBitArray>
#include <QVarLengthArray>

namespace sonde::schema {

enum class Verdict : quint8 { Valid, Unknown, Invalid };  // in the order in which one outweighs the other

class Evaluator {
public:
    Evaluator(const Registry &registry, const Limits &limits, const json::Value &schemaRoot);

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

    // seen: receives the children that were evaluated when the verdict is not Invalid.
    Verdict evaluate(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen = nullptr);
    Verdict evaluateBoolean(const json::Value &schema, const json::Value &instance);
    // The same, with the issues kept apart from those that are reported.
    Verdict tryOut(const json::Value &schema, int resource, const json::Value &instance, QBitArray *seen,
                   QList<Issue> *issues);
    void readKeywords(Frame &frame) const;
    bool applies(Keyword keyword, const Resource &resource) const;

    // combinators
    void applyReference(Frame &frame, Keyword keyword, const json::Value &reference);
    void applyInPlace(Frame &frame, Keyword keyword, const json::Value &value);
    void applyAllOf(Frame &frame, const json::Value &list);
    void applyAlternatives(Frame &frame, const json::Value &list, bool exactlyOne);
    void applyNot(Frame &frame, const json::Value &schema);
    void applyCondition(Frame &frame, const json::Value &condition);
    void explainAlternatives(Frame &frame, const json::Value &list, const QList<QList<Issue>> &issues);

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
    void checkNumber(Frame &frame, Keyword keyword, const json::Value &value);
    void checkMultiple(Frame &frame, const json::Value &value);
    void checkString(Frame &frame, Keyword keyword, const json::Value &value);
    void checkSize(Frame &frame, Keyword keyword, const json::Value &value);
    void checkUnique(Frame &frame, const json::Value &value);
    void checkRequired(Frame &frame, const json::Value &names, const QString &because);
    void checkFormat(Frame &frame, const json::Value &value);
    // Nothing when it cannot be said; that was reported then.
    std::optional<bool> matches(const json::Value &pattern, const QString &patternText, const json::Value &instance,
                                const QString &text);

    void fail(Frame &frame, const json::Value &keyword, const QString &message);
    void report(const json::Value &keyword, const json::Pointer &instance, const QString &message,
                bool notChecked = false);
    Verdict notChecked(const json::Value &keyword, const json::Value &instance, const QString &message);
    void add(const Issue &issue);
    bool isFull() const;
    json::Pointer pointerTo(const json::Value &instance) const;
    json::Pointer schemaPointerTo(const json::Value &keyword) const;
    bool spend(qint64 steps, const json::Value &schema, const json::Value &instance);

    const Registry &m_registry;
    const Limits m_limits;
    const json::Value m_schemaRoot;
    qsizetype m_instanceDepth = 0;  // of the instance's root within its document
    qsizetype m_schemaDepth = 0;
    QList<Issue> *m_issues = nullptr;    // where issues go now: to a trial's list, or to
    QList<Issue> *m_reported = nullptr;  // those that are handed out
    QVarLengthArray<Step, 64> m_stack;
    QVarLengthArray<int, 32> m_scope;  // resources entered, outermost first
    QHash<QString, EcmaRegex> m_patterns;
    qint64 m_steps = 0;
    bool m_stopped = false;
};

}  // namespace sonde::schema
