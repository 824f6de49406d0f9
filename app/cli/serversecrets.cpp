// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serversecrets.h"

#include "app/cli/texts.h"
#include "core/authorization/oauth.h"
#include "core/connection/signout.h"
#include "core/protocol/visibletext.h"
#include "core/server/serverstore.h"
#include "core/server/specsecrets.h"

#include <QEventLoop>

#include <algorithm>

namespace sonde::cli {
namespace {

// Before the event loop of the program runs.
Error keepSecret(SecretVault &vault, const QString &name, const QString &value)
{
    QEventLoop loop;
    Error result;
    vault.write(name, value.toUtf8(), &loop, [&](const Error &error) {
        result = error;
        loop.quit();
    });
    loop.exec();
    return result;
}

Result<bool> hasSecret(SecretVault &vault, const QString &name)
{
    QEventLoop loop;
    Result<bool> result = false;
    vault.read(name, &loop, [&](const Result<SecretStore::Value> &value) {
        result = value ? Result<bool>(value->has_value()) : Result<bool>(value.error());
        loop.quit();
    });
    loop.exec();
    return result;
}

Error removeSecret(SecretVault &vault, const QString &name)
{
    QEventLoop loop;
    Error result;
    vault.remove(name, &loop, [&](const Error &error) {
        result = error;
        loop.quit();
    });
    loop.exec();
    return result;
}

}  // namespace

qsizetype keepSecrets(Output &output, SecretVault &vault, const ServerSpec &spec, const QHash<QString, QString> &values,
                      SecretNames names)
{
    qsizetype count = 0;
    for (auto value = values.cbegin(); value != values.cend(); ++value) {
        const Result<bool> isThere = names == SecretNames::New ? false : hasSecret(vault, value.key());
        if (isThere && *isThere)
            continue;
        const Error error = isThere ? keepSecret(vault, value.key(), value.value()) : isThere.error();
        if (error) {
            output.findings({{Finding::Code::Configuration,
                              CliText::tr("The secrets of %1 were not saved: %2 Add the server again, or enter them in "
                                          "the window. %3")
                                  .arg(visibleLine(spec.name), error.message, error.hint)}});
            return count;
        }
        ++count;
    }
    return count;
}

void forgetSecrets(Output &output, const Profile &profile, const ServerSpec &gone)
{
    QStringList kept;
    for (const ServerSpec &spec : profile.servers->servers())
        kept += keychainNames(spec);
    for (const QString &name : keychainNames(gone)) {
        if (kept.contains(name))
            continue;
        if (const Error error = removeSecret(*profile.secrets, name))
            output.note(CliText::tr("A secret of %1 is still in the keychain: %2")
                            .arg(visibleLine(gone.name), visibleText(error.message)));
    }
}

void forgetSignIn(Output &output, const Profile &profile, const ServerSpec &gone)
{
    if (gone.startsProcess())
        return;
    const QString signIn = OAuth::nameFor(gone.url, gone.oauth);
    const QList<ServerSpec> &left = profile.servers->servers();
    const bool isShared = std::any_of(left.begin(), left.end(), [&signIn](const ServerSpec &spec) {
        return !spec.startsProcess() && OAuth::nameFor(spec.url, spec.oauth) == signIn;
    });
    if (isShared || !profile.tokens->mayHave(signIn))
        return;
    QEventLoop loop;
    SignOut signOut(gone, profile);
    QObject::connect(&signOut, &SignOut::finished, &loop, [&](const Error &error) {
        const Error &said = error ? error : signOut.revocationError();
        if (said)
            output.note(CliText::tr("Signing out of %1: %2").arg(visibleLine(gone.name), visibleText(said.message)));
        loop.quit();
    });
    signOut.start();
    loop.exec();
}

}  // namespace sonde::cli
