// Finds the fields that a server's error is about.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "ui/form/schemaform.h"

namespace sonde::ui {

// Reads data.field, data.path, lists such as validation_errors, errors, issues and details (path, field, loc or
// instancePath beside a message), in the error's data or as JSON inside its text or a tool error's text; and the texts
// of validators, see issuesInText(). arguments: those that were sent.
QList<FormIssue> issuesNamedBy(const Outcome &outcome, const QByteArray &arguments = {});

}  // namespace sonde::ui
