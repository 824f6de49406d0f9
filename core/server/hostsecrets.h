// What in a server's description is secret, and what refers to a value that stands elsewhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/server/hostconfig.h"

namespace sonde {

struct Reference {
    QString text;         // "${env:TOKEN}", "$TOKEN"
    QString place;        // "header Authorization", "argument 2"
    bool isRead = false;  // by Sonde, which puts the value in its place; see withVariables()
    bool operator==(const Reference &) const = default;
};
// withPlain: $NAME counts too, as in Gemini CLI and in a shell.
QList<Reference> references(const ServerSpec &spec, bool withPlain);

// Puts ${secret} in the place of each text that refers to our keychain, and returns where these were. Nobody else knows
// the names in it: an entry that has one anyway is after the secret of another server.
QStringList removeKeychainReferences(ServerSpec *spec);

// How many secrets stand where no keychain can take their place: in an argument, the URL or the proxy's.
qsizetype countFixedSecrets(const ServerSpec &spec);

}  // namespace sonde
