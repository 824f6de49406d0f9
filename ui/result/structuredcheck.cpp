// SPDX-License-Identifier: Apache-2.0
#include "ui/result/structuredcheck.h"

#include "core/protocol/visibletext.h"
#include "core/schema/schema.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

struct StructuredCheckText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::StructuredCheck)
};

}  // namespace

QString StructuredIssue::sentence() const
{
    const QString where = place.isRoot() ? QString() : visibleLine(place.toString(), 120) + QLatin1Char(' ');
    return notChecked
               ? StructuredCheckText::tr("structuredContent could not be checked: %1%2").arg(where, message)
               : StructuredCheckText::tr("structuredContent does not match outputSchema: %1%2").arg(where, message);
}

QList<StructuredIssue> checkStructured(const json::Value &structuredContent, const json::Value &outputSchema,
                                       bool isError)
{
    QList<StructuredIssue> issues;
    if (!outputSchema.exists())
        return issues;
    if (!structuredContent.exists()) {
        if (!isError)
            issues.append(
                {{}, StructuredCheckText::tr("it is missing although the tool declares an outputSchema"), false});
        return issues;
    }
    const QList<schema::Issue> found = schema::Schema(outputSchema).validate(structuredContent);
    for (const schema::Issue &issue : found)
        issues.append({issue.instance, issue.message, issue.notChecked});
    return issues;
}

}  // namespace sonde::ui
