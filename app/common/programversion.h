// What a program prints for --version.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace sonde::app {

// The commit that this build was made of, abbreviated; empty if it was not made in a git tree. The build writes the one
// file that defines it, so that a commit compiles nothing else anew.
extern const char *const commit;

// A line: the program, its version and, where it is known, the commit.
QString versionLine(const QString &program);

}  // namespace sonde::app
