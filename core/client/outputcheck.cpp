// SPDX-License-Identifier: Apache-2.0
#include "core/client/outputcheck.h"

#include "core/client/texts.h"
#include "core/protocol/visibletext.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <utility>

namespace sonde {

namespace {

constexpr qsizetype MaxToolPages = 1000;
constexpr qsizetype MaxSentences = 20;

}  // namespace

QString StructuredIssue::sentence() const
{
    const QString where = place.isRoot() ? QString() : visibleLine(place.toString(), 120) + QLatin1Char(' ');
    return notChecked ? ClientText::tr("structuredContent could not be checked: %1%2").arg(where, message)
                      : ClientText::tr("structuredContent does not match outputSchema: %1%2").arg(where, message);
}

QList<StructuredIssue> checkStructured(const json::Value &result, const json::Value &outputSchema)
{
    QList<StructuredIssue> issues;
    // A call that was made a task (2025-11-25) has its result later.
    if (!outputSchema.exists() || result[u"task"].isObject())
        return issues;
    const json::Value content = result[u"structuredContent"];
    if (!content.exists()) {
        if (!result[u"isError"].toBool())
            issues.append({{}, ClientText::tr("it is missing, but the tool declares an outputSchema"), false});
        return issues;
    }
    // On a worker a large result may take the time that its size takes; a hostile schema still ends.
    schema::Schema::Options options;
    options.limits.maxSteps += content.slice().size();
    const QList<schema::Issue> found = schema::Schema(outputSchema, options).validate(content);
    for (const schema::Issue &issue : found)
        issues.append({issue.instance, issue.message, issue.notChecked});
    return issues;
}

QStringList sentencesOf(const QList<StructuredIssue> &issues)
{
    QStringList sentences;
    for (const StructuredIssue &issue : issues.first(std::min(issues.size(), MaxSentences)))
        sentences.append(issue.sentence());
    if (issues.size() > MaxSentences)
        sentences.append(ClientText::tr("structuredContent does not match outputSchema in more places: %1")
                             .arg(issues.size() - MaxSentences));
    return sentences;
}

void DeclaredOutputs::learn(const json::Value &result, bool isFirstPage)
{
    const json::Value tools = result[u"tools"];
    if (!tools.isArray())
        return;
    if (isFirstPage)
        m_newPages.clear();
    if (m_newPages.size() < MaxToolPages)
        m_newPages.append(tools);
    const bool isLast = !result[u"nextCursor"].isString();
    // Until a list is whole, a tool of a later page is known from the list before it.
    if (isLast)
        m_pages = std::exchange(m_newPages, {});
    qsizetype count = 0;
    for (const json::Value &page : isLast ? m_pages : m_newPages)
        count += page.size();
    m_toolCount = isLast ? count : std::max(m_toolCount, count);
}

void DeclaredOutputs::clear()
{
    *this = {};
}

json::Value DeclaredOutputs::schemaOf(const QString &tool) const
{
    for (const QList<json::Value> &pages : {m_newPages, m_pages}) {
        for (const json::Value &page : pages) {
            for (const json::Value &entry : page) {
                if (entry[u"name"].string() == tool)
                    return entry[u"outputSchema"];
            }
        }
    }
    return {};
}

}  // namespace sonde
