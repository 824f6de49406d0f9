// structuredContent against the outputSchema its tool declared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"

#include <QList>
#include <QString>

namespace sonde::ui {

struct StructuredIssue {
    json::Pointer place;  // within structuredContent
    QString message;
    bool notChecked = false;  // the schema could not be applied there
    QString sentence() const;
};

// A result with isError need not carry structuredContent; what it carries is checked all the same.
QList<StructuredIssue> checkStructured(const json::Value &structuredContent, const json::Value &outputSchema,
                                       bool isError);

}  // namespace sonde::ui
