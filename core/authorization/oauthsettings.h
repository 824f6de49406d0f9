// What is known beforehand of who asks for tokens, and on whose behalf.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/typedurl.h"

#include <QByteArray>
#include <QString>

namespace sonde {

struct OAuthSettings {
    enum class Grant {
        AuthorizationCode,  // of a person, in a browser
        ClientCredentials,  // of this program itself
        Enterprise,         // of a person whom an identity provider knows: an ID-JAG for an ID token
        Workload            // of the machine, which has a token of its own
    };
    Grant grant = Grant::AuthorizationCode;
    QString issuer;  // the authorization server that clientId was registered with; empty: the server's
    QString clientId;
    QString clientSecret;
    TypedUrl redirectUri;            // of this computer, that was registered for clientId; empty: any
    QByteArray privateKey;           // PEM, for private_key_jwt; empty: none
    QByteArray keyAlgorithm;         // ES256 or RS256
    TypedUrl clientMetadata;         // a document about this client, which stands for an ID where servers take that
    TypedUrl providerTokenEndpoint;  // Enterprise: of the identity provider
    QString providerClientId;
    QByteArray idToken;
    QByteArray assertion;  // Workload

    bool operator==(const OAuthSettings &) const = default;
};

// What is missing or wrong, a sentence; empty when one can sign in with them.
QString problemOf(const OAuthSettings &settings);
// PEM whose lines were joined with spaces, as a field of one line does. Other text stays as it is.
QString pemFromLine(const QString &text);

}  // namespace sonde
