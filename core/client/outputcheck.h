// structuredContent of tool results against the outputSchema that their tools declared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QList>
#include <QStringList>

namespace sonde {

struct StructuredIssue {
    json::Pointer place;  // within structuredContent
    QString message;
    bool notChecked = false;  // the schema could not be applied there
    QString sentence() const;
};

// result: of tools/call. One with isError need not carry structuredContent; what it carries is checked all the same.
// Spec: server/tools, "Output Schema". Takes as long as the schema's limits allow: for a worker thread.
QList<StructuredIssue> checkStructured(const json::Value &result, const json::Value &outputSchema);
// In sentences, the first few of them.
QStringList sentencesOf(const QList<StructuredIssue> &issues);

// The tools of the latest tools/list results. Cheap to copy, and copies may be read on other threads.
class DeclaredOutputs {
public:
    // A page of tools/list, the first one or one that continues the list.
    void learn(const json::Value &result, bool isFirstPage);
    void clear();
    // Whether any tool is known, and whether looking one up takes so long that it is for a worker thread.
    bool isEmpty() const { return m_pages.isEmpty() && m_newPages.isEmpty(); }
    bool isLarge() const { return m_toolCount > LargeCount; }
    json::Value schemaOf(const QString &tool) const;  // Missing when the tool or its schema is

private:
    static constexpr qsizetype LargeCount = 500;

    QList<json::Value> m_pages;     // of the last list that was read to its end
    QList<json::Value> m_newPages;  // of the one that is being read
    qsizetype m_toolCount = 0;      // the most that both have had
};

}  // namespace sonde
