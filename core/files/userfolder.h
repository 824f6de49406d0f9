// Sonde's own folders in the person's home, which nobody else may look into.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QString>

namespace sonde {

enum class UserFolder {
    Config,  // $XDG_CONFIG_HOME/sonde
    Data     // $XDG_DATA_HOME/sonde
};

// Empty where neither that variable nor HOME names a folder: then nothing is to be written anywhere.
QString userFolder(UserFolder which);
Error noUserFolder();  // what to say then

// Makes it and what is missing above it, mode 0700 whatever the umask. One of Sonde's own that is there already is
// closed to others; any other keeps the permissions that the person gave it.
Error makePrivateFolder(const QString &folder);
Error makeUserFolder(UserFolder which);

}  // namespace sonde
