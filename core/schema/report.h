// What one run of a schema finds, where in the value it is, and what it may still cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/budget.h"
#include "core/schema/schema.h"

#include <QVarLengthArray>
#include <type_traits>
#include <utility>

namespace sonde::schema {

enum class Verdict : quint8 { Valid, Unknown, Invalid };  // in the order in which one outweighs the other

class Report {
public:
    Report(const Limits &limits, Budget &budget) : m_limits(limits), m_budget(budget) {}
    Q_DISABLE_COPY_MOVE(Report)

    // An issue whose place in the schema is looked up when it is handed out, as most never are.
    struct Found {
        Issue issue;
        json::Value keyword;
        QString unconditional = {};  // what the message says before the conditions under which it holds
        QStringList conditions = {};

        void addCondition(const QString &clause);
        void setMessage(const QString &message);  // one that begins anew
    };

    // Puts a child, which outlives it, on the way to the value that is being looked at, as long as this exists.
    class Entering {
    public:
        // index: of an element; -1 for a member
        Entering(Report &report, const json::Value &child, qsizetype index) : m_path(report.m_path)
        {
            m_path.append({&child, index});
        }
        ~Entering() { m_path.removeLast(); }
        Q_DISABLE_COPY_MOVE(Entering)

    private:
        QVarLengthArray<std::pair<const json::Value *, qsizetype>, 64> &m_path;
    };
    json::Pointer here() const;  // of the value that is being looked at
    qsizetype depth() const { return m_path.size(); }

    // From now on issues go to that list, apart from those that are handed out; null: nobody wants them. Returns where
    // they went before.
    QList<Found> *redirect(QList<Found> *issues) { return std::exchange(m_issues, issues); }

    Verdict fail(const json::Value &keyword, const QString &message);  // Invalid
    // The same with a message that takes time to make, and is made only if it is kept.
    template <typename Words>
    requires std::is_invocable_r_v<QString, Words> Verdict fail(const json::Value &keyword, const Words &words)
    {
        return fail(keyword, isFull() ? QString() : words());
    }
    Verdict remark(const json::Value &keyword, const QString &message);      // Valid
    Verdict notChecked(const json::Value &keyword, const QString &message);  // Unknown
    void addFailure(const json::Value &keyword, const json::Pointer &instance, const QString &message);
    void add(const Found &found);
    // Words and places take time: not for an issue that is not kept.
    bool isFull() const { return m_stopped || !m_issues || m_issues->size() >= m_limits.maxIssues; }

    // False once nothing more is to be looked at. schema: where that is said to have happened.
    bool spend(qint64 steps, const json::Value &schema);
    // The budget is spent, or nobody would hear of more.
    bool isStopped() const { return m_stopped; }

    // With the places of their keywords within the schema that was applied; in another document, within that.
    QList<Issue> handedOut(const json::Value &schemaRoot) const;

private:
    Issue issueHere(const QString &message) const;
    void add(const json::Value &keyword, Issue issue);

    const Limits m_limits;
    Budget &m_budget;
    QList<Found> m_reported;
    QList<Found> *m_issues = &m_reported;  // where issues go now
    QVarLengthArray<std::pair<const json::Value *, qsizetype>, 64> m_path;
    Found m_end;  // that and where the budget was spent
    bool m_stopped = false;
};

}  // namespace sonde::schema
