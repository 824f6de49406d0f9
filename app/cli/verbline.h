// The verb that a command line names, with its options.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <memory>

namespace sonde::cli {

struct VerbLine {
    std::unique_ptr<Verb> verb = {};  // null: there is nothing to start
    QString response = {};            // help or version: to be printed instead
    QString problem = {};             // why it cannot be followed, and where to read on
};

VerbLine readVerbLine(const QStringList &words);  // without the program's name

}  // namespace sonde::cli
