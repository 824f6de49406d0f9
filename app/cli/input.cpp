// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input.h"

#include "app/cli/didyoumean.h"
#include "app/common/interrupts.h"
#include "core/files/filelimits.h"
#include "core/files/readfile.h"

namespace sonde::cli {

Result<QByteArray> readInput(const QString &path)
{
    const app::InterruptsEndProgram ended;
    Result<QByteArray> text = readFileOrPipe(path, filelimits::CommandLineInput);
    if (!text && isFileMissing(text.error()))
        return withSuggestion(text.error(), didYouMeanFile(path));
    return text;
}

}  // namespace sonde::cli
