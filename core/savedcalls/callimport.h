// Calls of tools in files of other programs, as saved calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/savedcall.h"

namespace sonde {

struct ImportedCalls {
    QList<SavedCall> calls;  // without a path; no two have the same name
    QStringList notes;       // what was not read, and why; what has to be done before they can be run
};

// A Postman collection (2.0 or 2.1): requests whose body is a JSON-RPC request. {{variables}} become their value in the
// collection or, where it has none or a secret, ${env:VARIABLE}.
// The history that MCP Inspector exports, or one of its requests: with the outcome that is recorded there.
// path: for what is said of it. An Error: it is neither.
Result<ImportedCalls> importCalls(const QByteArray &text, const QString &path);

// Each in a file of its own in that folder; no file that is there is replaced. Their paths, in the same order, and the
// names that they got.
Result<QList<SavedCall>> saveImported(const QList<SavedCall> &calls, const QString &folder);

}  // namespace sonde
