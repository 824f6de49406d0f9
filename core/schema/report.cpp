// SPDX-License-Identifier: Apache-2.0
#include "core/schema/report.h"

#include "core/schema/messages.h"

namespace sonde::schema {

void Report::Found::addCondition(const QString &clause)
{
    if (conditions.isEmpty())
        unconditional = issue.message;
    if (!conditions.contains(clause))
        conditions.append(clause);
    issue.message = text::when(unconditional, conditions);
}

void Report::Found::setMessage(const QString &message)
{
    issue.message = message;
    conditions.clear();
}

json::Pointer Report::here() const
{
    QStringList tokens;
    for (const auto &[child, index] : m_path)
        tokens.append(index < 0 ? child->key() : QString::number(index));
    return json::Pointer(tokens);
}

Issue Report::issueHere(const QString &message) const
{
    Issue issue;
    issue.instance = here();
    issue.message = message;
    issue.offset = m_path.isEmpty() ? -1 : m_path.last().first->offset();
    return issue;
}

Verdict Report::fail(const json::Value &keyword, const QString &message)
{
    spend(4, keyword);
    if (!isFull())
        addFailure(keyword, here(), message);
    return Verdict::Invalid;
}

Verdict Report::remark(const json::Value &keyword, const QString &message)
{
    if (!isFull()) {
        Issue issue = issueHere(message);
        issue.isRemark = true;
        add(keyword, std::move(issue));
    }
    return Verdict::Valid;
}

Verdict Report::notChecked(const json::Value &keyword, const QString &message)
{
    if (!isFull()) {
        Issue issue = issueHere(message);
        issue.notChecked = true;
        add(keyword, std::move(issue));
    }
    return Verdict::Unknown;
}

void Report::addFailure(const json::Value &keyword, const json::Pointer &instance, const QString &message)
{
    Issue issue = issueHere(message);
    issue.instance = instance;
    add(keyword, std::move(issue));
}

void Report::add(const json::Value &keyword, Issue issue)
{
    add({std::move(issue), keyword});
    spend(8, keyword);
}

void Report::add(const Found &found)
{
    if (isFull())
        return;
    m_issues->append(found);
    m_stopped = m_issues == &m_reported && isFull();
}

bool Report::spend(qint64 steps, const json::Value &schema)
{
    if (m_stopped)
        return false;
    if (m_budget.spend(steps))
        return true;
    m_end.issue = issueHere(text::tooCostly());
    m_end.issue.notChecked = true;
    m_end.keyword = schema;
    m_stopped = true;
    return false;
}

QList<Issue> Report::handedOut(const json::Value &schemaRoot) const
{
    QList<Issue> issues;
    const auto handOut = [&](const Found &found) {
        const bool isOurs = found.keyword.document().text().constData() == schemaRoot.document().text().constData();
        const qsizetype depth = isOurs ? json::Pointer::to(schemaRoot).tokens().size() : 0;
        issues.append(found.issue);
        issues.last().schema = json::Pointer(json::Pointer::to(found.keyword).tokens().mid(depth));
        issues.last().keyword = found.keyword.key();
    };
    for (const Found &found : m_reported)
        handOut(found);
    if (m_budget.isSpent() && m_reported.size() < m_limits.maxIssues)
        handOut(m_end);
    return issues;
}

}  // namespace sonde::schema
