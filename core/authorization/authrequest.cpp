// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/authrequest.h"

#include "core/authorization/texts.h"
#include "core/json/document.h"
#include "core/protocol/visibletext.h"
#include "core/transport/http/httppolicy.h"

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxShownUrl = 200;

Error errorOf(const QString &message, const QString &hint = {}, const QString &detail = {})
{
    return {Error::Kind::Auth, 0, message, detail, hint, {}};
}

QString notRunningHint(AuthEndpoint endpoint)
{
    switch (endpoint) {
        case AuthEndpoint::ServerMetadata:
            return AuthorizationText::tr("Check that the server is running.");
        case AuthEndpoint::ProviderToken:
            return AuthorizationText::tr("Check that the identity provider is running.");
        case AuthEndpoint::IssuerMetadata:
        case AuthEndpoint::Registration:
        case AuthEndpoint::Token:
        case AuthEndpoint::Revocation:
            break;
    }
    return AuthorizationText::tr("Check that the authorization server is running.");
}

// Spec: RFC 8414 section 3.2 and RFC 9728 section 3.2 want the document itself, with the status 200.
QString redirectHint(AuthEndpoint endpoint)
{
    if (endpoint == AuthEndpoint::ServerMetadata || endpoint == AuthEndpoint::IssuerMetadata)
        return AuthorizationText::tr("Its operator has to serve the document at the first address itself.");
    return AuthorizationText::tr("Its operator has to publish the right address in the metadata.");
}

}  // namespace

void route(HttpFetch::Request *request, const QUrl &endpoint, const OAuthSettings &settings,
           const http::NetworkOptions &network, const QHostAddress &peer)
{
    const QUrl &url = request->url;
    request->network = network;
    if (!http::isSameOrigin(url, endpoint)) {  // the certificate of the person is for their server
        request->network.clientCertificate.clear();
        request->network.clientKey.clear();
    }
    // All others were named by the server, or by the metadata that it led to.
    const bool isNamed = http::isSameOrigin(url, endpoint) || http::isSameOrigin(url, QUrl(settings.issuer)) ||
                         http::isSameOrigin(url, settings.providerTokenEndpoint);
    request->addressPolicy = {!isNamed, peer, {}};
}

QString nameOf(AuthEndpoint endpoint, const QUrl &url)
{
    const QString shown = visibleLine(url.toDisplayString(), MaxShownUrl);
    switch (endpoint) {
        case AuthEndpoint::ServerMetadata:
            return AuthorizationText::tr("The server's metadata endpoint (%1)").arg(shown);
        case AuthEndpoint::IssuerMetadata:
            return AuthorizationText::tr("The authorization server's metadata endpoint (%1)").arg(shown);
        case AuthEndpoint::Registration:
            return AuthorizationText::tr("The authorization server's registration endpoint (%1)").arg(shown);
        case AuthEndpoint::Token:
            return AuthorizationText::tr("The authorization server's token endpoint (%1)").arg(shown);
        case AuthEndpoint::ProviderToken:
            return AuthorizationText::tr("The identity provider's token endpoint (%1)").arg(shown);
        case AuthEndpoint::Revocation:
            return AuthorizationText::tr("The authorization server's revocation endpoint (%1)").arg(shown);
    }
    return {};
}

Error connectionError(AuthEndpoint endpoint, const HttpFetch &exchange)
{
    const QString name = nameOf(endpoint, exchange.url());
    const Error &cause = exchange.error();
    if (http::isRedirect(exchange.status())) {
        const QByteArray location = http::valueOf(exchange.headers(), "Location");
        return errorOf(
            AuthorizationText::tr("%1 redirects (HTTP %2) to %3, which Sonde does not follow in a sign-in.")
                .arg(name, QString::number(exchange.status()), visibleLine(QString::fromUtf8(location), MaxShownUrl)),
            redirectHint(endpoint));
    }
    if (cause.kind == Error::Kind::Timeout) {
        Error late = errorOf(AuthorizationText::tr("%1 did not respond within %2 s.")
                                 .arg(name, QString::number(exchange.timeoutMs() / 1000.0)),
                             AuthorizationText::tr("Try again later."));
        late.kind = Error::Kind::Timeout;
        return late;
    }
    if (cause.reason == Error::Reason::ConnectionRefused)
        return errorOf(AuthorizationText::tr("%1 refused the connection: nothing is listening there.").arg(name),
                       notRunningHint(endpoint), cause.detail);
    return errorOf(AuthorizationText::tr("%1 could not be used. %2").arg(name, cause.message), cause.hint,
                   cause.detail);
}

Error responseError(AuthEndpoint endpoint, const HttpFetch &exchange, const QString &member)
{
    const QString name = nameOf(endpoint, exchange.url());
    const json::Document document = json::Document::parse(exchange.body());
    const json::Value root = document.root();
    const QString error = root[u"error"].string();
    const QString description = root[u"error_description"].string();
    const Error status = exchange.statusError();
    const QString hint = http::isOutage(exchange.status()) ? status.hint : QString();  // the others are of MCP servers
    if (!error.isEmpty() || !description.isEmpty())
        return errorOf(AuthorizationText::tr("%1 refused the request: %2")
                           .arg(name, visibleLine(error.isEmpty()         ? description
                                                  : description.isEmpty() ? error
                                                                          : error + u": "_s + description,
                                                  200)),
                       hint);
    if (exchange.status() < 200 || exchange.status() >= 300)
        return errorOf(
            AuthorizationText::tr("%1 returned HTTP %2.")
                .arg(name,
                     visibleLine(QString::number(exchange.status()) + u' ' + QString::fromUtf8(exchange.reason()), 60)
                         .trimmed()),
            hint, status.detail);
    // What follows is not shown: it may be a token where none was expected.
    if (document.isValid() && root.isObject())
        return errorOf(AuthorizationText::tr("%1 returned no %2.").arg(name, member));
    const QByteArray type = http::mediaType(http::valueOf(exchange.headers(), "Content-Type"));
    if (type.isEmpty() || type.endsWith("json"))
        return errorOf(AuthorizationText::tr("%1 returned a body that is not a JSON object.").arg(name));
    return errorOf(
        AuthorizationText::tr("%1 returned %2 instead of JSON.").arg(name, visibleLine(QString::fromUtf8(type), 60)),
        type == "text/html" ? AuthorizationText::tr("This is a web page: possibly a login page, or the wrong address.")
                            : AuthorizationText::tr("OAuth requires JSON there (RFC 6749, section 5.1)."));
}

}  // namespace sonde
