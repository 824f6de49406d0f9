// SPDX-License-Identifier: Apache-2.0
#include "core/hosts/serverexport.h"

#include "core/files/savefile.h"
#include "core/hosts/hostsecrets.h"
#include "core/json/builder.h"
#include "core/redact/secretnames.h"
#include "core/secrets/secretreference.h"

#include <QCoreApplication>
#include <QSaveFile>

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct ServerExportText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ServerExport)
};

QString placeholder(const QString &name)
{
    return u'<' + name + u'>';
}

void mask(QList<std::pair<QString, QString>> &pairs, const QList<SecretPlace> &places, SecretPlace::Where where)
{
    for (auto &[name, value] : pairs) {
        if (places.contains(SecretPlace{where, name}) || hasSecretReference(value))
            value = placeholder(name);
    }
}

// Members of other hosts, such as the client secret in Cursor's "auth". The depth is that of a parsed document.
void writeMasked(const json::Value &value, json::Builder &builder)
{
    if (value.isObject()) {
        builder.beginObject();
        for (const json::Value &member : value) {
            const QString name = member.key();
            builder.rawKey(member.keySlice());
            if (!member.isContainer() && !member.isNull() && !member.isBool() && isSecretName(name))
                builder.string(placeholder(name));
            else
                writeMasked(member, builder);
        }
        builder.endObject();
    } else if (value.isArray()) {
        builder.beginArray();
        for (const json::Value &element : value)
            writeMasked(element, builder);
        builder.endArray();
    } else {
        builder.value(value);
    }
}

// What stands in arguments and the URL as it is.
void maskWords(ServerSpec &spec)
{
    for (const QString &secret : spec.secrets()) {
        for (QString &argument : spec.arguments)
            argument.replace(secret, placeholder(ServerExportText::tr("secret")));
        QString url = spec.url.toString(QUrl::FullyEncoded);
        if (url.contains(secret))
            spec.url = QUrl(url.replace(secret, u"SECRET"_s));
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
    mask(spec.environment, places, SecretPlace::Where::Environment);
    mask(spec.headers, places, SecretPlace::Where::Header);
    maskWords(spec);
    const json::Value entry = json::parse(spec.toJson());
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : entry) {
        const QString name = member.key();
        builder.rawKey(member.keySlice());
        if (name == u"env" || name == u"headers" || !member.isContainer())
            builder.value(member);
        else
            writeMasked(member, builder);
    }
    return builder.endObject().take();
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
    QSaveFile file(path);
    QString reason;
    if (file.open(QIODevice::WriteOnly)) {
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        file.write(toMcpServers(servers, secrets));
        reason = commitFile(file);
    } else {
        reason = file.errorString();
    }
    return reason.isEmpty() ? Error()
                            : Error::local(ServerExportText::tr("%1 cannot be written: %2.").arg(path, reason));
}

}  // namespace sonde
