// Where sonde-cli keeps secrets: in the keychain that it shares with the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/tokenstore.h"
#include "core/secrets/keychain.h"

#include <memory>

namespace sonde::cli {

struct SignInStore {
    std::shared_ptr<SecretVault> secrets;
    std::shared_ptr<TokenStore> tokens;
};

SignInStore usualSignInStore();

}  // namespace sonde::cli
