// The verb that a command line names, with its options.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <memory>

namespace sonde::cli {

struct VerbLine {
    std::unique_ptr<Verb> verb = {};  // null: there is nothing to start
    QString name = {};                // of the verb, also of one that is not started; empty: there is none
    QString response = {};            // help or version: to be printed instead
    Error problem = {};               // why it cannot be followed, and where to read on
};

VerbLine readVerbLine(const QStringList &words);  // without the program's name
// Whether such words ask for JSON, also where they cannot be followed.
bool wantJson(const QStringList &words);

}  // namespace sonde::cli
