// Where sonde-cli keeps secrets: in the keychain that it shares with the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/tokenstore.h"
#include "core/connection/connection.h"
#include "core/secrets/keychain.h"

#include <memory>

namespace sonde::cli {

struct SignInStore {
    std::shared_ptr<SecretVault> secrets;
    std::shared_ptr<TokenStore> tokens;
    // What ConnectionOptions get of it. isSaved: the server comes from the list that the window shares.
    void giveTo(ConnectionOptions *options, bool isSaved) const;
};

SignInStore usualSignInStore();

}  // namespace sonde::cli
