// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/clientauthentication.h"

#include "core/authorization/pkce.h"
#include "core/authorization/signingkey.h"
#include "core/json/builder.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int AssertionLifeS = 120;
constexpr auto JwtAssertion = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

Result<QByteArray> assertionOf(const Registration &client, const OAuthSettings &settings, const QString &audience)
{
    const Result<SigningKey> key = SigningKey::fromPem(settings.privateKey, settings.keyAlgorithm);
    if (!key)
        return key.error();
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    json::Builder claims;
    claims.beginObject().member(u"iss", client.clientId).member(u"sub", client.clientId);
    claims.member(u"aud", audience).member(u"iat", now).member(u"exp", now + AssertionLifeS);
    claims.member(u"jti", QString::fromLatin1(randomToken()));
    return key->sign("\"typ\":\"JWT\",", claims.endObject().take());
}

}  // namespace

QByteArray encodedForm(const AuthForm &form)
{
    QByteArray text;
    for (const auto &[name, value] : form)
        text += (text.isEmpty() ? "" : "&") + name + '=' + value.toPercentEncoding();
    return text;
}

Result<http::HeaderList> authenticateClient(const Registration &client, const OAuthSettings &settings,
                                            const AuthorizationServer &server, AuthForm *form)
{
    if (client.clientId.isEmpty())
        return http::HeaderList();
    if (!settings.privateKey.isEmpty()) {
        const Result<QByteArray> token = assertionOf(client, settings, server.issuer);
        if (!token)
            return token.error();
        form->emplace_back("client_id", client.clientId.toUtf8());
        form->emplace_back("client_assertion_type", JwtAssertion);
        form->emplace_back("client_assertion", *token);
        return http::HeaderList();
    }
    const auto offers = [&server](const QString &method) {
        return !server.authMethods || server.authMethods->contains(method);
    };
    const bool usesPost =
        client.authMethod == u"client_secret_post"
            ? offers(client.authMethod)
            : server.authMethods && !offers(u"client_secret_basic"_s) && offers(u"client_secret_post"_s);
    const bool isPublic = client.secret.isEmpty() || client.authMethod == u"none";
    if (isPublic || usesPost) {
        form->emplace_back("client_id", client.clientId.toUtf8());
        if (!isPublic)
            form->emplace_back("client_secret", client.secret.toUtf8());
        return http::HeaderList();
    }
    const QByteArray pair = QUrl::toPercentEncoding(client.clientId) + ':' + QUrl::toPercentEncoding(client.secret);
    return http::HeaderList{{"Authorization", "Basic " + pair.toBase64()}};
}

}  // namespace sonde
