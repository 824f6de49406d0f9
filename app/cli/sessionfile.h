// What the verbs that read a session file share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "app/common/optiontable.h"
#include "core/filter/filter.h"
#include "core/session/session.h"

namespace sonde::cli {

// The operand FILE.
app::Operand sessionOperand(QString *path);
// For --filter. What is wrong with a filter is marked under it.
app::OptionTarget filterInto(std::optional<Filter> *filter);
// Why the file cannot be used, with its name and, if there is none like it, another that may have been meant.
Error unusable(const QString &path, const Error &error);
// Opens it; what of it is damaged becomes findings.
Result<std::unique_ptr<Session>> openSession(const QString &path, Output &output);

}  // namespace sonde::cli
