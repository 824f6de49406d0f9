// What the requests to an authorization server have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauthsettings.h"
#include "core/transport/httpfetch.h"

namespace sonde {

// How a request of a sign-in to the server at `endpoint` is made, and how far it may lead. network: of that server;
// peer: where it is; null: not known.
void route(HttpFetch::Request *request, const QUrl &endpoint, const OAuthSettings &settings,
           const http::NetworkOptions &network, const QHostAddress &peer);
// "invalid_grant: The token has been revoked"
QString reasonIn(const HttpFetch &exchange);

}  // namespace sonde
