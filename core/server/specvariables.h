// Variables that a server's description refers to, as ${env:NAME}: what stands in no file and on no command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/serverspec.h"

namespace sonde {

// References are read in arguments, values of variables, headers and "oauth", and in the path and query of a URL. The
// program, the folder and the host that a person approves are never told by a variable.

// A whole ${env:NAME}, and nothing else.
bool isVariableReference(const QString &text);
// The names, each once.
QStringList variableNames(const ServerSpec &spec);

struct ResolvedVariables {
    ServerSpec spec;
    QStringList values;  // that took the places of references
};
// With the values of Sonde's own environment, percent-encoded in a URL. A value that looks like a reference is none.
// An Error names the variables that are not set.
Result<ResolvedVariables> withVariables(const ServerSpec &spec);

}  // namespace sonde
