// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverexport.h"

#include "core/files/savefile.h"
#include "core/json/builder.h"
#include "core/secrets/secretreference.h"
#include "core/server/entrymask.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

void mask(QList<std::pair<QString, QString>> &pairs, const QList<SecretPlace> &places, SecretPlace::Where where)
{
    for (auto &[name, value] : pairs) {
        if (places.contains(SecretPlace{where, name}) || hasSecretReference(value))
            value = secretPlaceholder(name);
    }
}

// Other hosts know nothing of our keychain.
ServerSpec withoutReferences(ServerSpec spec)
{
    mask(spec.environment, {}, SecretPlace::Where::Environment);
    mask(spec.headers, {}, SecretPlace::Where::Header);
    return spec;
}

QByteArray masked(ServerSpec spec, const QList<SecretPlace> &places)
{
    EntryMask entryMask(spec);
    mask(spec.environment, places, SecretPlace::Where::Environment);
    mask(spec.headers, places, SecretPlace::Where::Header);
    return entryMask.masked(json::parse(spec.toJson()), EntryMask::Members::All);
}

}  // namespace

QByteArray maskedEntry(const HostServer &server)
{
    return json::compact(json::parse(masked(server.spec, server.secrets)));
}

QByteArray toMcpServers(const QList<ServerSpec> &servers, SecretValues secrets)
{
    json::Builder builder;
    builder.beginObject().key(u"mcpServers").beginObject();
    for (const ServerSpec &server : servers)
        builder.rawMember(server.name, secrets == SecretValues::Included ? withoutReferences(server).toJson()
                                                                         : masked(server, secretPlaces(server)));
    builder.endObject().endObject();
    return json::indented(json::parse(builder.take())) + '\n';
}

Error writeMcpServers(const QString &path, const QList<ServerSpec> &servers, SecretValues secrets)
{
    return saveFile(path, toMcpServers(servers, secrets), ReadableBy::Owner);
}

}  // namespace sonde
