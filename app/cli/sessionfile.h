// What the verbs that read a session file share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/optiontable.h"
#include "core/filter/filter.h"
#include "core/session/session.h"

namespace sonde::cli {

// The operand FILE.
app::Operand sessionOperand(QString *path);
// For --filter. What is wrong with a filter is marked under it.
app::OptionTarget filterInto(std::optional<Filter> *filter);
// Opens it and says on standard error what of it is damaged.
Result<std::unique_ptr<Session>> openSession(const QString &path);

}  // namespace sonde::cli
