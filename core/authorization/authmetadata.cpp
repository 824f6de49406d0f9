// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authmetadata.h"

#include "core/authorization/texts.h"
#include "core/protocol/visibletext.h"
#include "core/transport/http/httppolicy.h"

#include <QHostAddress>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxShown = 120;

Error unusable(const QString &text, const QByteArray &document)
{
    return {Error::Kind::Auth, 0, text, QString::fromUtf8(document.left(2048)), {}, {}};
}

QUrl originOf(const QUrl &url)
{
    QUrl origin;
    origin.setScheme(url.scheme());
    origin.setHost(url.host());
    origin.setPort(url.port());
    return origin;
}

QUrl withPath(const QUrl &origin, const QString &path)
{
    QUrl url = originOf(origin);
    url.setPath(path);
    return url;
}

QString pathWithoutEnd(const QUrl &url)
{
    QString path = url.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    return path;
}

QStringList stringsOf(const json::Value &list)
{
    QStringList strings;
    for (const json::Value &each : list.isArray() ? list : json::Value()) {
        if (each.isString())
            strings.append(each.string());
    }
    return strings;
}

// A resource covers its own path and what lies below it.
bool covers(const QUrl &resource, const QUrl &endpoint)
{
    if (!http::isSameOrigin(resource, endpoint))
        return false;
    const QString above = pathWithoutEnd(resource);
    const QString path = endpoint.path();
    return above.isEmpty() || path == above || path.startsWith(above + u'/');
}

}  // namespace

QList<QUrl> resourceMetadataUrls(const QUrl &endpoint)
{
    const QString wellKnown = u"/.well-known/oauth-protected-resource"_s;
    QList<QUrl> urls;
    if (const QString path = pathWithoutEnd(endpoint); !path.isEmpty())
        urls.append(withPath(endpoint, wellKnown + path));
    urls.append(withPath(endpoint, wellKnown));
    return urls;
}

Result<ProtectedResource> readProtectedResource(const QByteArray &document, const QUrl &endpoint, const QUrl &place)
{
    const json::Document parsed = json::Document::parse(document);
    const json::Value root = parsed.root();
    if (!parsed.isValid() || !root.isObject())
        return unusable(AuthorizationText::tr("The protected resource metadata is not a JSON object."), document);
    ProtectedResource resource{root[u"resource"].string(), stringsOf(root[u"authorization_servers"]),
                               stringsOf(root[u"scopes_supported"]),
                               stringsOf(root[u"dpop_signing_alg_values_supported"]).contains(u"ES256"_s) ||
                                   root[u"dpop_bound_access_tokens_required"].toBool()};
    const QUrl about(resource.resource);
    const bool isOurs = http::isSameOrigin(place, endpoint) ? covers(about, endpoint)
                                                            : canonicalResource(about) == canonicalResource(endpoint);
    if (!isOurs)
        return unusable(AuthorizationText::tr("The protected resource metadata at %1 is for %2, not for %3.")
                            .arg(visibleLine(place.toDisplayString(), MaxShown),
                                 visibleLine(resource.resource, MaxShown), endpoint.toDisplayString()),
                        document);
    if (resource.authorizationServers.isEmpty())
        return unusable(AuthorizationText::tr("The protected resource metadata names no authorization server."),
                        document);
    return resource;
}

QList<QUrl> authorizationServerUrls(const QString &issuer)
{
    const QUrl url(issuer);
    const QString path = pathWithoutEnd(url);
    const QString oauth = u"/.well-known/oauth-authorization-server"_s;
    const QString openId = u"/.well-known/openid-configuration"_s;
    QList<QUrl> urls{withPath(url, oauth + path), withPath(url, openId + path)};
    if (!path.isEmpty())
        urls.append(withPath(url, path + openId));
    return urls;
}

Result<AuthorizationServer> readAuthorizationServer(const QByteArray &document, const QString &issuer)
{
    const json::Document parsed = json::Document::parse(document);
    const json::Value root = parsed.root();
    if (!parsed.isValid() || !root.isObject())
        return unusable(AuthorizationText::tr("The authorization server metadata is not a JSON object."), document);
    AuthorizationServer server;
    server.issuer = root[u"issuer"].string();
    if (server.issuer != issuer)
        return unusable(AuthorizationText::tr("The authorization server identifies itself as %1, not as %2.")
                            .arg(visibleLine(server.issuer, MaxShown), visibleLine(issuer, MaxShown)),
                        document);
    server.authorizationEndpoint = QUrl(root[u"authorization_endpoint"].string());
    server.tokenEndpoint = QUrl(root[u"token_endpoint"].string());
    server.registrationEndpoint = QUrl(root[u"registration_endpoint"].string());
    const std::pair<QString, QUrl> endpoints[] = {{u"authorization_endpoint"_s, server.authorizationEndpoint},
                                                  {u"token_endpoint"_s, server.tokenEndpoint},
                                                  {u"registration_endpoint"_s, server.registrationEndpoint}};
    for (const auto &[name, url] : endpoints) {
        if (root.contains(name) && !isTrustworthy(url))
            return unusable(AuthorizationText::tr("The authorization server's %1 is neither https nor on this "
                                                  "computer: %2")
                                .arg(name, visibleLine(root[name].string(), MaxShown)),
                            document);
    }
    // Nobody has to be signed out there to sign in.
    const QUrl revocation(root[u"revocation_endpoint"].string());
    server.revocationEndpoint = isTrustworthy(revocation) ? revocation : QUrl();
    const auto methodsIn = [&root](QStringView name) {
        return root[name].isArray() ? std::optional(stringsOf(root[name])) : std::nullopt;
    };
    server.authMethods = methodsIn(u"token_endpoint_auth_methods_supported");
    server.revocationMethods = methodsIn(u"revocation_endpoint_auth_methods_supported");
    if (!server.revocationMethods)
        server.revocationMethods = server.authMethods;  // which is where the registration has come from, too
    server.scopes = stringsOf(root[u"scopes_supported"]);
    server.proofAlgorithms = stringsOf(root[u"dpop_signing_alg_values_supported"]);
    server.takesMetadataUrls = root[u"client_id_metadata_document_supported"].toBool();
    server.namesItself = root[u"authorization_response_iss_parameter_supported"].toBool();
    if (server.tokenEndpoint.isEmpty())
        return unusable(AuthorizationText::tr("The authorization server has no token endpoint."), document);
    server.hasPkce = stringsOf(root[u"code_challenge_methods_supported"]).contains(u"S256"_s);
    return server;
}

QString assumedIssuer(const QUrl &endpoint)
{
    return originOf(endpoint).toString(QUrl::FullyEncoded);
}

AuthorizationServer assumedServer(const QUrl &endpoint)
{
    AuthorizationServer server;
    server.issuer = assumedIssuer(endpoint);
    server.authorizationEndpoint = withPath(endpoint, u"/authorize"_s);
    server.tokenEndpoint = withPath(endpoint, u"/token"_s);
    server.registrationEndpoint = withPath(endpoint, u"/register"_s);
    server.hasPkce = true;  // required of it, but nobody can know
    server.isAssumed = true;
    return server;
}

QString canonicalResource(const QUrl &endpoint)
{
    QUrl url = endpoint;
    url.setFragment({});
    url.setUserInfo({});
    url.setPath(pathWithoutEnd(endpoint));
    return url.toString(QUrl::FullyEncoded);
}

bool isNamedIssuer(const QString &named, const QString &issuer)
{
    return named == issuer || named + u'/' == issuer || named == issuer + u'/';
}

QStringList united(QStringList scopes, const QStringList &more)
{
    for (const QString &scope : more) {
        if (!scopes.contains(scope))
            scopes.append(scope);
    }
    return scopes;
}

bool isTrustworthy(const QUrl &url)
{
    if (!url.isValid() || url.host().isEmpty() || !url.userInfo().isEmpty())
        return false;
    if (url.scheme() == u"https")
        return true;
    const QHostAddress address(url.host());
    return url.scheme() == u"http" && (url.host() == u"localhost" || address.isLoopback());
}

}  // namespace sonde
