// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/oauthsettings.h"

#include "core/authorization/authmetadata.h"
#include "core/authorization/signingkey.h"
#include "core/authorization/texts.h"
#include "core/secrets/secretreference.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

QString problemOfKey(const OAuthSettings &settings)
{
    if (settings.privateKey.isEmpty() || hasSecretReference(QString::fromUtf8(settings.privateKey)))
        return {};
    const Result<SigningKey> key = SigningKey::fromPem(settings.privateKey, settings.keyAlgorithm);
    return key ? QString() : key.error().message + u' ' + key.error().hint;
}

}  // namespace

QString problemOf(const OAuthSettings &settings)
{
    using Grant = OAuthSettings::Grant;
    const QUrl redirect = settings.redirectUri;
    const bool isHere = redirect.scheme() == u"http" && isTrustworthy(redirect) && redirect.port() > 0;
    if (!redirect.isEmpty() && !isHere)
        return AuthorizationText::tr(
            "The redirect URL must be an http URL of this computer with a port, such as "
            "http://127.0.0.1:8080/callback.");
    if (!settings.clientMetadata.isEmpty() &&
        (settings.clientMetadata.scheme() != u"https" || settings.clientMetadata.path().size() < 2))
        return AuthorizationText::tr("The client metadata URL must be https and have a path.");
    if (!settings.issuer.isEmpty() && !isTrustworthy(QUrl(settings.issuer)))
        return AuthorizationText::tr("The issuer must be an https URL.");
    if (settings.clientId.isEmpty() && !settings.clientSecret.isEmpty())
        return AuthorizationText::tr("Enter the client ID that the client secret belongs to.");
    switch (settings.grant) {
        case Grant::AuthorizationCode:
            return {};
        case Grant::ClientCredentials:
            if (settings.clientId.isEmpty())
                return AuthorizationText::tr("Enter the client ID.");
            if (settings.clientSecret.isEmpty() && settings.privateKey.isEmpty())
                return AuthorizationText::tr("Enter a client secret or a private key.");
            if (settings.issuer.isEmpty())
                return AuthorizationText::tr("Enter the issuer. The credentials are sent nowhere else.");
            return problemOfKey(settings);
        case Grant::Enterprise:
            if (!isTrustworthy(settings.providerTokenEndpoint))
                return AuthorizationText::tr("Enter the token URL of the identity provider, which must be https.");
            if (settings.idToken.isEmpty())
                return AuthorizationText::tr("Enter the ID token.");
            if (settings.clientId.isEmpty())
                return AuthorizationText::tr("Enter the client ID.");
            return problemOfKey(settings);
        case Grant::Workload:
            if (settings.assertion.isEmpty())
                return AuthorizationText::tr("Enter the token of the workload.");
            return settings.issuer.isEmpty()
                       ? AuthorizationText::tr("Enter the issuer. The token is sent nowhere else.")
                       : QString();
    }
    return {};
}

QString pemFromLine(const QString &text)
{
    static const QRegularExpression pem(
        u"^\\s*(-----BEGIN [A-Z ]+-----)([A-Za-z0-9+/=\\s]+)(-----END [A-Z ]+-----)\\s*$"_s);
    const QRegularExpressionMatch match = pem.match(text);
    if (!match.hasMatch())
        return text;
    QString body = match.captured(2);
    static const QRegularExpression blanks(u"\\s+"_s);
    body.remove(blanks);
    QString result = match.captured(1) + u'\n';
    constexpr qsizetype lineLength = 64;
    for (qsizetype at = 0; at < body.size(); at += lineLength)
        result += body.mid(at, lineLength) + u'\n';
    return result + match.captured(3) + u'\n';
}

}  // namespace sonde
