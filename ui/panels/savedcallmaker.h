// Makes a saved call of what is filled in for a tool.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/savedcall.h"

namespace sonde::ui {

class SchemaForm;

// Its file is made to be shared: what the form shows as secret is read from environment variables, whose names are
// appended. What looks like a placeholder in the arguments is sent as it is.
SavedCall savedCallOf(const QString &tool, const QByteArray &arguments, const SchemaForm &form, QStringList *variables);

}  // namespace sonde::ui
