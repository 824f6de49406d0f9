// Signs in to the authorization server that guards a server of HTTP, and stays signed in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/authexchange.h"
#include "core/authorization/authmetadata.h"
#include "core/authorization/signingkey.h"
#include "core/transport/credentialsource.h"

#include <QDateTime>
#include <QHash>
#include <QObject>
#include <deque>
#include <functional>
#include <memory>

namespace sonde {

// What is known beforehand of who asks for tokens, and on whose behalf.
struct OAuthSettings {
    enum class Grant {
        AuthorizationCode,  // of a person, in a browser
        ClientCredentials,  // of this program itself
        Enterprise,         // of a person whom an identity provider knows: an ID-JAG for an ID token
        Workload            // of the machine, which has a token of its own
    };
    Grant grant = Grant::AuthorizationCode;
    QString issuer;  // whom clientId was registered with; empty: whoever guards the server
    QString clientId;
    QString clientSecret;
    QByteArray privateKey;       // PEM, for private_key_jwt; empty: none
    QByteArray keyAlgorithm;     // ES256 or RS256
    QUrl clientMetadata;         // a document about this client, which stands for an ID where servers take that
    QUrl providerTokenEndpoint;  // Enterprise: of the identity provider
    QString providerClientId;
    QByteArray idToken;
    QByteArray assertion;  // Workload
};

// What an authorization server gave.
struct TokenSet {
    QString issuer;
    QByteArray accessToken;
    QByteArray refreshToken;  // may be empty
    bool isBound = false;     // to our key, by DPoP
    QDateTime expiresAt;      // UTC; invalid: not said
    QStringList scopes;       // granted, or asked for where nothing was said
};

// One server. Requests that need credentials meanwhile wait for the one sign-in. Spec: basic/authorization.
class OAuth final : public QObject, public CredentialSource {
    Q_OBJECT
public:
    // Shows the page to the person and gives back the address that the browser was sent to in the end.
    using Visit = std::function<void(const QUrl &page, const std::function<void(const Result<QUrl> &)> &done)>;
    struct Hooks {
        QUrl redirectUri;  // of this computer; registered with authorization servers
        Visit visit;
        std::function<void(const WireEvent &)> report;  // for the recording
    };

    OAuth(const QUrl &endpoint, OAuthSettings settings, Hooks hooks);
    ~OAuth() override;

    void provide(const Request &request, const Ready &ready) override;

    const TokenSet &tokens() const { return m_tokens; }

private:
    struct Registration {
        QString clientId;
        QString secret;
        QString authMethod;  // empty: as the server's metadata says
    };
    struct Waiting {
        Request request;
        Ready ready;
    };
    using Then = std::function<void(const AuthExchange &)>;
    using Form = QList<std::pair<QByteArray, QByteArray>>;

    Headers headersFor(const Request &request);
    void signIn(const Refusal &refusal, const QStringList &scopes);
    void fail(const Error &error);
    void succeed();

    void findResource(const QList<QUrl> &places);
    void findServer(const QString &issuer, const QList<QUrl> &places);
    void takeServer(const AuthorizationServer &server);
    void identify();
    void registerClient();
    void askForTokens();
    void authorize();
    void takeCallback(const QUrl &callback);
    void exchangeIdToken();
    void requestTokens(const Form &form);
    void takeTokens(const AuthExchange &exchange, const Form &form);

    void send(AuthExchange::Request request, const Then &then);
    http::HeaderList clientAuthentication(Form *form, Error *error) const;
    Result<QByteArray> proof(const QByteArray &verb, const QUrl &url, const QByteArray &token);

    const QUrl m_endpoint;
    const OAuthSettings m_settings;
    const Hooks m_hooks;
    std::deque<Waiting> m_waiting;
    bool m_isBusy = false;
    TokenSet m_tokens;
    QHash<QString, Registration> m_registrations;  // by issuer
    std::optional<SigningKey> m_proofKey;
    QHash<QString, QByteArray> m_nonces;  // of DPoP, the newest of each origin
    QStringList m_requestedScopes;        // ever
    bool m_isRenewed = false;             // what we have comes of a refresh

    // Of the sign-in under way.
    std::unique_ptr<AuthExchange> m_exchange;
    int m_nextStream = 1'000'000;
    std::optional<ProtectedResource> m_resource;
    AuthorizationServer m_server;
    Registration m_client;
    QStringList m_scopes;
    bool m_mayRefresh = false;
    bool m_hasRetried = false;  // the token request, with a nonce or another registration
    QByteArray m_state;
    QByteArray m_verifier;
    QString m_redirectUri;
};

}  // namespace sonde
