// The server that a command line names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/connection/profile.h"

namespace sonde::cli {

// An Error when --server names none that is known, or when something in it is wrong.
Result<ServerSpec> serverSpec(const Arguments &arguments, const Profile &profile);
// The same of a verb that takes several: a URL, a command line, or the name of a server kept by Sonde. Of the arguments
// only those count that can be meant for each.
Result<ServerSpec> serverSpec(const Arguments &arguments, const Profile &profile, const Arguments::Side &side);

// What a connection to it uses. isSaved: it comes from the list; only such a server needs an approval.
Profile profileFor(bool isSaved, Profile profile);

}  // namespace sonde::cli
