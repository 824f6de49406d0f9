// Who guards a server, and how it is asked: the documents that say so. Spec: basic/authorization, RFC 9728, RFC 8414.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/protocol/error.h"

#include <QStringList>
#include <QUrl>
#include <optional>

namespace sonde {

// Protected resource metadata (RFC 9728).
struct ProtectedResource {
    QString resource;                  // as it is written there: what tokens are requested for
    QStringList authorizationServers;  // issuers, at least one
    QStringList scopes;                // may be empty
    bool takesProofs = false;          // of possession of the key that a token is bound to (RFC 9449)
};

// Authorization server metadata (RFC 8414), or what OpenID Connect Discovery says instead.
struct AuthorizationServer {
    QString issuer;  // as it is written
    QUrl authorizationEndpoint;
    QUrl tokenEndpoint;
    QUrl registrationEndpoint;                     // may be empty
    QUrl revocationEndpoint;                       // may be empty
    std::optional<QStringList> authMethods;        // of the token endpoint; none: not said
    std::optional<QStringList> revocationMethods;  // of the revocation endpoint
    QStringList scopes;
    QStringList proofAlgorithms;     // of DPoP; empty: not supported
    bool hasPkce = false;            // with S256, which a client must use and insist on
    bool takesMetadataUrls = false;  // a URL may stand for a client ID
    bool namesItself = false;        // responses to an authorization request carry "iss" (RFC 9207)
    bool isRemembered = false;       // from an earlier start: only what a refresh needs
    bool isAssumed = false;          // nothing was published: the paths of 2025-03-26
};

// Where the metadata of the server at this endpoint may stand, in the order in which it is looked for.
QList<QUrl> resourceMetadataUrls(const QUrl &endpoint);
// Refuses a document that speaks of another resource. place: where it was found. On the server's own origin the
// resource may be the endpoint or a path above it; a document on another origin must name the endpoint itself. Spec:
// RFC 9728, section 3.3.
Result<ProtectedResource> readProtectedResource(const QByteArray &document, const QUrl &endpoint, const QUrl &place);

QList<QUrl> authorizationServerUrls(const QString &issuer);
// Refuses a document of another issuer, and endpoints that nothing secret may be sent to.
Result<AuthorizationServer> readAuthorizationServer(const QByteArray &document, const QString &issuer);

// Before 2025-06-18 the server's own origin was the issuer, and what it did not publish had a fixed path.
QString assumedIssuer(const QUrl &endpoint);
AuthorizationServer assumedServer(const QUrl &endpoint);

// The server as a resource that tokens are requested for, where no document names it (RFC 8707, section 2).
QString canonicalResource(const QUrl &endpoint);
// As a person writes it: a slash at the end does not count.
bool isNamedIssuer(const QString &named, const QString &issuer);
// Those of both, each once, in this order.
QStringList united(QStringList scopes, const QStringList &more);
// https, or this machine. Nothing secret goes anywhere else.
bool isTrustworthy(const QUrl &url);

}  // namespace sonde
