// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job.h"

#include "app/cli/run.h"

namespace sonde::cli {

std::unique_ptr<Job> makeJob(const Arguments &arguments, const Profile &profile)
{
    switch (arguments.verb) {
        case Arguments::Verb::Mock:
            return makeMock(arguments);
        case Arguments::Verb::Diff:
            return makeDiff(arguments, profile);
        case Arguments::Verb::Logout:
            return makeLogout(arguments, profile);
        case Arguments::Verb::Check:
            return makeCheck(arguments, profile);
        default:
            return std::make_unique<Run>(arguments, profile);
    }
}

}  // namespace sonde::cli
