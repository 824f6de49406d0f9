// SPDX-License-Identifier: Apache-2.0
#include "core/connection/profile.h"

#include "core/authorization/tokenstore.h"
#include "core/connection/argumentstore.h"
#include "core/connection/erastore.h"
#include "core/connection/taskstore.h"
#include "core/connection/toolstore.h"
#include "core/files/userfolder.h"
#include "core/secrets/keychain.h"
#include "core/server/approval.h"
#include "core/server/serverstore.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

Profile Profile::ofUser(std::unique_ptr<SecretStore> keychain)
{
    const auto in = [](UserFolder which, const QString &name) {
        const QString folder = userFolder(which);
        return folder.isEmpty() ? QString() : folder + u'/' + name;
    };
    Profile profile;
    profile.servers = std::make_shared<ServerStore>(in(UserFolder::Config, u"servers.json"_s));
    profile.approvals = std::make_shared<ApprovalStore>(in(UserFolder::Config, u"approvals.json"_s));
    profile.arguments = std::make_shared<ArgumentStore>(in(UserFolder::Data, u"arguments.jsonl"_s));
    profile.tasks = std::make_shared<TaskStore>(in(UserFolder::Data, u"tasks.jsonl"_s));
    profile.eras = std::make_shared<EraStore>(in(UserFolder::Data, u"eras.json"_s));
    profile.tools = std::make_shared<ToolStore>(in(UserFolder::Data, u"tools"_s));
    profile.secrets = std::make_shared<SecretVault>(keychain ? std::move(keychain) : std::make_unique<Keychain>());
    profile.tokens = std::make_shared<TokenStore>(profile.secrets, in(UserFolder::Data, u"sign-ins"_s));
    return profile;
}

void Profile::renameServer(const QString &from, const QString &to) const
{
    (void)arguments->renameServer(from, to);
    (void)tasks->renameServer(from, to);
    (void)approvals->remove(from);
    tools->renameServer(from, to);
}

void Profile::forgetServer(const QString &name) const
{
    (void)arguments->forgetServer(name);
    (void)tasks->forgetServer(name);
    (void)approvals->remove(name);
    tools->forgetServer(name);
}

}  // namespace sonde
