// What is kept for a saved server outside the list: its secrets and its sign-in. For verbs that run before the event
// loop of the program does. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/connection/profile.h"
#include "core/server/serverspec.h"

#include <QHash>

namespace sonde::cli {

enum class SecretNames { New, OfAnEarlierImport };

// What the keychain does not take is left out, and said: no file gets it. What it has already stays as it is. Returns
// how many it took.
qsizetype keepSecrets(Output &output, SecretVault &vault, const ServerSpec &spec, const QHash<QString, QString> &values,
                      SecretNames names);
// Of a server that is no longer in the list. What others of the list use stays; what cannot be removed is said.
void forgetSecrets(Output &output, const Profile &profile, const ServerSpec &gone);
void forgetSignIn(Output &output, const Profile &profile, const ServerSpec &gone);

}  // namespace sonde::cli
