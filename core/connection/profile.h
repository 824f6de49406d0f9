// All that is kept for a person between the starts of Sonde, besides sessions and the looks of the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/secrets/secretstore.h"

#include <QString>
#include <memory>

namespace sonde {

class ApprovalStore;
class ArgumentStore;
class EraStore;
class ServerStore;
class TaskStore;
class TokenStore;
class ToolStore;

// A program makes one and hands it on whole; who must not use a part hands on a copy without it. The
// parts are shared by all copies, and belong to one thread.
struct Profile {
    // In the person's folders; without a home everything is in memory. keychain: where secrets are kept; null: that of
    // the system.
    static Profile ofUser(std::unique_ptr<SecretStore> keychain = {});

    std::shared_ptr<ServerStore> servers;
    std::shared_ptr<ApprovalStore> approvals;  // null: every start is approved
    std::shared_ptr<ArgumentStore> arguments;
    std::shared_ptr<TaskStore> tasks;  // null: they are forgotten
    std::shared_ptr<EraStore> eras;    // null: each connection finds out by itself
    std::shared_ptr<ToolStore> tools;  // null: each connection has seen none
    std::shared_ptr<SecretVault> secrets;
    std::shared_ptr<TokenStore> tokens;  // null: nobody signs in

    // What is kept under its name in the other stores: the list itself, secrets and sign-ins stay as they are.
    void renameServer(const QString &from, const QString &to) const;
    void forgetServer(const QString &name) const;
};

}  // namespace sonde
