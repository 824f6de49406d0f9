// What the requests to an authorization server have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauthsettings.h"
#include "core/transport/http/httpfetch.h"

namespace sonde {

// Who is asked. Each error names it: it is seldom the server that the person wanted to use.
enum class AuthEndpoint { ServerMetadata, IssuerMetadata, Registration, Token, ProviderToken, Revocation };

// How a request of a sign-in to the server at `endpoint` is made, and how far it may lead. network: of that server;
// peer: where it is; null: not known.
void route(HttpFetch::Request *request, const QUrl &endpoint, const OAuthSettings &settings,
           const http::NetworkOptions &network, const QHostAddress &peer);

// Of a request that ended with an error: it did not get through, took too long or was redirected.
Error connectionError(AuthEndpoint endpoint, const HttpFetch &exchange);
// Of a response that is of no use: an error of OAuth (RFC 6749, section 5.2), an HTTP status, no JSON, or no `member`.
// With the time that a Retry-After header asks for.
Error responseError(AuthEndpoint endpoint, const HttpFetch &exchange, const QString &member = {});
// What the endpoint is called, with its URL.
QString nameOf(AuthEndpoint endpoint, const QUrl &url);

}  // namespace sonde
