// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"

#include "app/cli/commonoptions.h"
#include "app/common/interrupts.h"

namespace sonde::cli {

void FileVerb::declareShared(app::OptionTable &table)
{
    table.sections.append({CommonOptions::title(), {jsonRow()}, true});
}

void FileVerb::start(const Profile &profile)
{
    ExitCode code = ExitCode::Ok;
    {
        const app::InterruptsEndProgram ended;
        code = run(profile);
    }
    Q_EMIT finished(code);
}

ExitCode FileVerb::wrongUse(const Error &error) const
{
    output().refusal(error);
    return ExitCode::WrongUse;
}

ExitCode FileVerb::cannotWrite(const Error &error) const
{
    output().refusal(error);
    return ExitCode::NoResponse;
}

QString FileVerb::exitCodes()
{
    return exitCodesText({{ExitCode::Ok, tr("OK")},
                          {ExitCode::ToolError, {}},
                          {ExitCode::ProtocolError, {}},
                          {ExitCode::NoResponse, tr("output could not be written")}});
}

}  // namespace sonde::cli
