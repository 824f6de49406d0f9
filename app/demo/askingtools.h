// The demo server's tools that ask the client for something, and those that run as tasks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/demo/offer.h"

namespace sonde::demo {

QList<QByteArray> askingToolDefinitions();
ToolFunction askingTool(const QString &name);  // null: not one of these

// elicitation/create with one field, which must be filled in.
Input formInput(const QString &key, const QString &message, const QString &field, const char *type = "string");
Input samplingInput(const QString &key, const QString &prompt);
Input rootsInput(const QString &key);
// A field of the content that an elicitation brought, as JSON; empty unless it was accepted.
QByteArray fieldOf(const QByteArray &elicited, const QString &field);
QByteArray textResult(const QString &text);

}  // namespace sonde::demo
