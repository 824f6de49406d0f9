// Calls of tools in files of other programs, as saved calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/savedcalls/savedcall.h"

namespace sonde {

struct ImportedCalls {
    QList<SavedCall> calls;  // without a path; no two have the same name
    QStringList notes;       // what was not read, and why; what has to be done before they can be run
};

// Requests with a JSON-RPC request as their body, in collections of Postman (2.0 and 2.1, and the YAML files of a
// workspace), Insomnia (JSON) and Hoppscotch. Variables become their value in the collection or, where it has none or a
// secret, ${env:VARIABLE}.
// What MCP Inspector exports of its history or its network page, or one request: with the outcome that is recorded.
// path: for what is said of it. An Error: it is none of these.
Result<ImportedCalls> importCalls(const QByteArray &text, const QString &path);

// With the paths that they would get in that folder, and with the names of those: no two the same, and none of a file
// that is there.
QList<SavedCall> placedIn(const QString &folder, const QList<SavedCall> &calls);

struct SavedImport {
    QList<SavedCall> saved;  // with their paths; all of them, or those before the problem
    Error problem;           // why the next one could not be written
};

// Each in a file of its own, as placedIn(); no file that is there is replaced.
SavedImport saveImported(const QList<SavedCall> &calls, const QString &folder);

}  // namespace sonde
