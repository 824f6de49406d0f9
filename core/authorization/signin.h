// One sign-in, or one refresh, from the first question to the tokens. Spec: basic/authorization.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/authmetadata.h"
#include "core/authorization/authrequest.h"
#include "core/authorization/callbackreceiver.h"
#include "core/authorization/clientauthentication.h"
#include "core/authorization/dpop.h"
#include "core/authorization/oauthsettings.h"
#include "core/authorization/tokenstore.h"
#include "core/protocol/step.h"
#include "core/transport/http/httpfetch.h"

#include <QHash>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace sonde {

// Of a sign-in, or of a sign-out, which has the last two.
struct SignInStep : Step {
    enum class Kind {
        FindResource,   // the metadata of the server: who guards it
        FindServer,     // the metadata of the authorization server
        Identify,       // who we are to it
        Authorize,      // a person, in the browser
        RequestTokens,  // at the token endpoint
        Keep,           // in the keychain, or no longer there
        Revoke          // the authorization server is told that the tokens are not needed any more
    };
    static constexpr Kind Last = Kind::Keep;  // of a sign-in
    Kind kind = Kind::FindResource;
    QList<int> streams;  // its HTTP requests, by the number they have in the recording
};

QString nameOf(SignInStep::Kind kind);

constexpr int FirstSignInStream = 1'000'000;  // the number of its first HTTP request, where transports do not count

// What lasts from one sign-in to the next.
struct AuthState {
    TokenSet tokens;
    Registration client;                         // that they were given to
    QHash<QString, Registration> registrations;  // for the next sign-in, by issuer
    QStringList doubtfulClients;                 // with which the last sign-in failed: the server may not know them
    ProofOfPossession proofs;
    QStringList requestedScopes;  // when the tokens were given
    QStringList demandedScopes;   // by the server since then, in addition
    QUrl namedMetadata;           // the place that the server named last; empty: it named none
    std::optional<ProtectedResource> resource;
    std::optional<AuthorizationServer> server;  // that gave the tokens
    RevocationEndpoint revocation;              // for them
    http::NetworkOptions network;               // of the server, and to whomever it leads
    QHostAddress peer;                          // where the server itself is, once it has responded
    int nextStream = FirstSignInStream;

    // The server has responded from there. Should its name mean another address each time, the farthest counts.
    void meetServer(const QHostAddress &address);
};

class SignIn final : public QObject {
    Q_OBJECT
public:
    struct Goal {
        // By the challenge, perhaps empty; none: there was no challenge, and the place that is known is good.
        std::optional<QUrl> namedMetadata;
        QStringList scopes;        // that the server asks for; empty: those that its metadata names
        bool wantsProof = false;   // the challenge was for DPoP
        bool mayRefresh = true;    // instead of asking a person, where there is a refresh token
        bool mayVisit = true;      // somebody is there who can
        bool knowsServer = false;  // the metadata need not be read again
    };

    // state outlives it, and holds the tokens when it has finished without an error.
    SignIn(const QUrl &endpoint, const OAuthSettings &settings, AuthState *state, Goal goal);
    ~SignIn() override;

    void start();
    // The address that a browser ended at which could not come back by itself. What is wrong with it changes nothing.
    Error receiveCallback(const QUrl &callback);
    void fail(const Error &error);  // also from outside: somebody has given it up

    const QList<SignInStep> &steps() const { return m_steps.all(); }
    // That the person is to visit; empty when there is none now.
    const QUrl &page() const { return m_page; }
    bool wasRefresh() const { return m_isRefresh; }
    // A token that may be good for one use only is on its way to the server.
    bool isRefreshing() const { return m_isRefresh && !m_hasEnded && m_isRequesting; }
    // What was kept turned out to be of no use: the refresh token, or the client that it was given to.
    bool hasForgotten() const { return m_hasForgotten; }
    // An authorization server has responded to what was demanded, whatever it granted.
    bool wasAuthorized() const { return m_wasAuthorized; }
    const Registration &client() const { return m_client; }
    // The last step, which is not ours.
    void beginKeeping();
    void endKeeping(const Error &error);

Q_SIGNALS:
    void changed();
    void pageReady(const QUrl &page);
    void strayReceived();  // a response that is not that of this sign-in, the first time
    void secretMet(const QByteArray &secret);
    void reported(const sonde::WireEvent &event);
    void finished(const sonde::Error &error);  // once, never from within start()

private:
    using Then = std::function<void(const HttpFetch &)>;

    void enter(SignInStep::Kind kind);
    void end(const Error &error);

    void discover();
    void findResource(const QList<QUrl> &places);
    void findServer(const QString &issuer, const QList<QUrl> &places);
    void useServer(const AuthorizationServer &server);
    void identify();
    void ignoreStray();
    Error listen(const Registration &known);
    void registerClient();
    void askForTokens();
    void authorize();
    void exchangeIdToken();
    void requestTokens(const AuthForm &form);
    void receiveTokens(const HttpFetch &exchange, const AuthForm &form);

    void send(AuthEndpoint endpoint, HttpFetch::Request request, const Then &then);
    QByteArray resourceText() const;
    QStringList askedScopes() const;
    bool isUsable(const Registration &known) const;
    Error ownerProblem() const;
    void doubtClient();

    const QUrl m_endpoint;
    const OAuthSettings m_settings;
    AuthState *const m_state;
    const Goal m_wish;
    Steps<SignInStep> m_steps;
    std::unique_ptr<HttpFetch> m_exchange;
    std::unique_ptr<CallbackReceiver> m_receiver;
    QUrl m_redirectUri;
    std::optional<ProtectedResource> m_resource;
    AuthorizationServer m_server;
    Registration m_client;
    QStringList m_scopes;
    bool m_hasDiscovered = false;
    bool m_isRefresh = false;
    bool m_isRequesting = false;   // tokens
    bool m_isKnownClient = false;  // registered by an earlier sign-in
    bool m_hasForgotten = false;
    bool m_wasAuthorized = false;
    bool m_hasRetried = false;  // the token request, with a nonce or another registration
    bool m_hasEnded = false;
    QUrl m_page;
    QByteArray m_stateToken;
    QByteArray m_verifier;
};

}  // namespace sonde
