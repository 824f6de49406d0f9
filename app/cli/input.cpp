// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input.h"

#include "app/common/interrupts.h"
#include "core/files/filelimits.h"
#include "core/files/readfile.h"

namespace sonde::cli {

Result<QByteArray> readInput(const QString &path)
{
    const app::InterruptsEndProgram ended;
    return readFileOrPipe(path, filelimits::CommandLineInput);
}

}  // namespace sonde::cli
