// Arguments against what the server declares, before they are sent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/envelope.h"
#include "core/protocol/types.h"
#include "core/protocol/uritemplate.h"

namespace sonde::cli {

// A JSON object, or nothing where there are no arguments. Also names that the schema does not declare, where it allows
// any: they are mostly misspelled.
QList<Finding> findingsOfArguments(const QByteArray &arguments, const json::Value &inputSchema);
QList<Finding> findingsOfArguments(const QByteArray &arguments, const Prompt &prompt);
// Variables that need a value and have none.
QList<Finding> findingsOfVariables(const UriTemplate &uriTemplate, const QMap<QString, UriTemplate::Value> &values);

}  // namespace sonde::cli
