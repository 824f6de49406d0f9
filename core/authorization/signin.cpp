// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/signin.h"

#include "core/authorization/pkce.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"

#include <QLocale>
#include <QPointer>
#include <QUrlQuery>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxShownText = 120;
constexpr auto JwtGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";

using Grant = OAuthSettings::Grant;
using Kind = SignInStep::Kind;

// Many servers respond to every address they do not know with a page of their own, and the status 200.
bool isNotThere(const HttpFetch &exchange)
{
    const int status = exchange.status();
    const bool isPage = status == 200 && !exchange.body().trimmed().startsWith('{');
    return isPage || (status >= 400 && status < 500 && !http::isOutage(status));
}

// Of a refresh token, for good. Whatever else went wrong may be right again in a minute: too many requests, a page that
// a proxy put in, a server that is being restarted.
bool isRefusal(int status, const QString &error)
{
    if (http::isOutage(status) || error == u"temporarily_unavailable" || error == u"server_error" ||
        error == u"slow_down")
        return false;
    if (error == u"use_dpop_nonce" || error == u"invalid_dpop_proof")  // that was not about the token
        return false;
    return !error.isEmpty() || status == 400 || status == 401;
}

// Of RFC 6750, and a little more: what could not end a line, or begin another.
bool isTokenText(const QByteArray &token)
{
    return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

Error authError(const QString &text, const QString &hint = {})
{
    return {Error::Kind::Auth, 0, text, {}, hint, {}};
}

}  // namespace

QString nameOf(Kind kind)
{
    switch (kind) {
        case Kind::FindResource:
            return SignIn::tr("Server metadata");
        case Kind::FindServer:
            return SignIn::tr("Authorization server");
        case Kind::Identify:
            return SignIn::tr("Client");
        case Kind::Authorize:
            return SignIn::tr("Browser");
        case Kind::RequestTokens:
            return SignIn::tr("Tokens");
        case Kind::Keep:
            return SignIn::tr("Keychain");
        case Kind::Revoke:
            return SignIn::tr("Revocation");
    }
    return {};
}

void AuthState::meetServer(const QHostAddress &address)
{
    if (!address.isNull() && (peer.isNull() || http::scopeOf(address) < http::scopeOf(peer)))
        peer = address;
}

SignIn::SignIn(const QUrl &endpoint, const OAuthSettings &settings, AuthState *state, Goal goal)
    : m_endpoint(endpoint), m_settings(settings), m_state(state), m_wish(std::move(goal)), m_scopes(m_wish.scopes)
{
    m_steps.begin();
}

SignIn::~SignIn() = default;

void SignIn::start()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_hasEnded)
                return;
            const bool mayRefresh = m_wish.mayRefresh && !m_state->tokens.refreshToken.isEmpty();
            if (m_wish.knowsServer && m_state->server && (mayRefresh || !m_state->server->isRemembered)) {
                m_resource = m_state->resource;
                return useServer(*m_state->server);
            }
            discover();
        },
        Qt::QueuedConnection);
}

void SignIn::discover()
{
    if (m_wish.namedMetadata)
        m_state->namedMetadata = *m_wish.namedMetadata;
    QList<QUrl> places;
    if (!m_state->namedMetadata.isEmpty())
        places.append(m_state->namedMetadata);
    if (!m_wish.namedMetadata || places.isEmpty())
        places += resourceMetadataUrls(m_endpoint);
    enter(Kind::FindResource);
    findResource(places);
}

void SignIn::enter(Kind kind)
{
    m_steps.enter(kind);
    Q_EMIT changed();
}

void SignIn::fail(const Error &error)
{
    if (m_hasEnded)
        return;
    // An authorization server that does not know the client any more shows a page and does not lead back.
    if (!m_page.isEmpty() && m_isKnownClient)
        doubtClient();
    m_steps.fail(error.message);
    end(error);
}

void SignIn::end(const Error &error)
{
    m_hasEnded = true;
    m_exchange.reset();
    m_page.clear();
    if (m_receiver)
        m_receiver.release()->deleteLater();  // it may be the sender
    Q_EMIT changed();
    Q_EMIT finished(error);
}

void SignIn::beginKeeping()
{
    enter(Kind::Keep);
}

void SignIn::endKeeping(const Error &error)
{
    m_steps.describe(error ? tr("Kept until Sonde is closed: %1").arg(error.message) : tr("Kept in the keychain"));
    m_steps.finishCurrent(error ? Step::State::Failed : Step::State::Done);
    Q_EMIT changed();
}

QByteArray SignIn::resourceText() const
{
    return (m_resource ? m_resource->resource : canonicalResource(m_endpoint)).toUtf8();
}

// A refresh token is asked for where that is a scope. Spec: "Refresh Tokens".
QStringList SignIn::askedScopes() const
{
    const bool mayStay = m_server.scopes.contains(u"offline_access"_s) && !m_scopes.isEmpty();
    return mayStay ? united(m_scopes, {u"offline_access"_s}) : m_scopes;
}

// A client that was registered with scopes may not ask for others. RFC 7591, section 2.
bool SignIn::isUsable(const Registration &known) const
{
    const bool hasExpired = known.expiresAt.isValid() && QDateTime::currentDateTimeUtc() >= known.expiresAt;
    const bool isWideEnough = known.scopes.isEmpty() || united(known.scopes, askedScopes()) == known.scopes;
    return !known.clientId.isEmpty() && !hasExpired && isWideEnough;
}

void SignIn::send(AuthEndpoint endpoint, HttpFetch::Request request, const Then &then)
{
    request.stream = m_state->nextStream++;
    if (SignInStep *step = m_steps.running())
        step->streams.append(request.stream);
    route(&request, m_endpoint, m_settings, m_state->network, m_state->peer);
    m_exchange = std::make_unique<HttpFetch>(request);
    connect(m_exchange.get(), &HttpFetch::reported, this, &SignIn::reported);
    connect(m_exchange.get(), &HttpFetch::finished, this, [this, endpoint, then] {
        const std::unique_ptr<HttpFetch, QScopedPointerDeleteLater> done(m_exchange.release());
        if (http::isSameOrigin(done->url(), m_endpoint))
            m_state->meetServer(done->peer());
        if (done->error())
            fail(connectionError(endpoint, *done));
        else
            then(*done);
    });
    m_exchange->start();
}

// Spec: "Protected Resource Metadata Discovery Requirements". At the first place where there is something it ends.
void SignIn::findResource(const QList<QUrl> &places)
{
    send(AuthEndpoint::ServerMetadata, {"GET", places.first(), {}, {}, {}}, [this, places](const HttpFetch &exchange) {
        if (isNotThere(exchange)) {
            if (places.size() > 1)
                return findResource(places.sliced(1));
            if (!m_state->namedMetadata.isEmpty())
                return fail(authError(tr("There is no metadata at the URL that the server gave: %1")
                                          .arg(visibleLine(m_state->namedMetadata.toDisplayString(), MaxShownText))));
            m_steps.describe(tr("None published; using the rules of 2025-03-26"));
            const QString issuer = assumedIssuer(m_endpoint);
            enter(Kind::FindServer);
            return findServer(issuer, {authorizationServerUrls(issuer).constFirst()});
        }
        if (exchange.status() != 200)
            return fail(responseError(AuthEndpoint::ServerMetadata, exchange));
        const Result<ProtectedResource> resource = readProtectedResource(exchange.body(), m_endpoint, exchange.url());
        if (!resource)
            return fail(resource.error());
        m_resource = *resource;
        const QStringList &issuers = resource->authorizationServers;
        const QString known = !m_settings.issuer.isEmpty() ? m_settings.issuer : m_state->tokens.issuer;
        const QString issuer = issuers.contains(known) ? known : issuers.first();
        m_steps.describe(tr("Protected by %1").arg(visibleLine(issuer, MaxShownText)));
        // As before, and so are its endpoints as far as a refresh can tell.
        const bool isKnown = m_state->server && m_state->server->issuer == issuer && m_state->tokens.issuer == issuer;
        if (isKnown && !m_hasDiscovered && m_wish.mayRefresh && !m_state->tokens.refreshToken.isEmpty())
            return useServer(*m_state->server);
        enter(Kind::FindServer);
        findServer(issuer, authorizationServerUrls(issuer));
    });
}

void SignIn::findServer(const QString &issuer, const QList<QUrl> &places)
{
    if (!isTrustworthy(QUrl(issuer)))
        return fail(authError(tr("The authorization server is neither https nor on this computer: %1")
                                  .arg(visibleLine(issuer, MaxShownText))));
    send(AuthEndpoint::IssuerMetadata, {"GET", places.first(), {}, {}, {}},
         [this, issuer, places](const HttpFetch &exchange) {
             if (isNotThere(exchange)) {
                 if (places.size() > 1)
                     return findServer(issuer, places.sliced(1));
                 if (m_resource)
                     return fail(authError(tr("The authorization server %1 publishes no metadata.")
                                               .arg(visibleLine(issuer, MaxShownText))));
                 m_steps.describe(tr("None published; using the default paths of 2025-03-26"));
                 return useServer(assumedServer(m_endpoint));
             }
             if (exchange.status() != 200)
                 return fail(responseError(AuthEndpoint::IssuerMetadata, exchange));
             Result<AuthorizationServer> server = readAuthorizationServer(exchange.body(), issuer);
             // The issuer was put together here: its end may be written otherwise.
             if (!server && !m_resource)
                 server = readAuthorizationServer(exchange.body(), issuer + u'/');
             if (!server)
                 return fail(server.error());
             m_steps.describe(visibleLine(server->issuer, MaxShownText));
             useServer(*server);
         });
}

// Tokens and registrations of one server are never shown to another. Spec: "Authorization Server Binding".
void SignIn::useServer(const AuthorizationServer &server)
{
    m_server = server;
    m_isRefresh =
        m_wish.mayRefresh && m_state->tokens.issuer == server.issuer && !m_state->tokens.refreshToken.isEmpty();
    if (m_scopes.isEmpty() && m_resource)
        m_scopes = m_resource->scopes;
    m_scopes = united(m_scopes, m_state->demandedScopes);
    // Many authorization servers could bind tokens to a key; whether the server takes those is for it to say.
    const bool wantsProof = m_wish.wantsProof || (m_resource && m_resource->takesProofs);
    if (wantsProof && !m_state->proofs.hasBegun() && server.proofAlgorithms.contains(u"ES256"_s)) {
        if (const Error error = m_state->proofs.begin())
            return fail(error);
    }
    enter(Kind::Identify);
    identify();
}

// Credentials that were given beforehand are for one authorization server, which the server that it guards cannot
// exchange for another. Where the settings do not name it, it is the one that gave the first tokens. Spec:
// "Authorization Server Binding".
Error SignIn::ownerProblem() const
{
    const bool isGiven = !m_settings.clientId.isEmpty() || m_settings.grant == Grant::Workload;
    const bool isNamed = !m_settings.issuer.isEmpty();
    const QString owner = isNamed || !isGiven ? m_settings.issuer : m_state->tokens.issuer;
    if (owner.isEmpty() || isNamedIssuer(owner, m_server.issuer))
        return {};
    return authError(tr("The credentials are for %1, but the server is protected by %2.")
                         .arg(visibleLine(owner, MaxShownText), visibleLine(m_server.issuer, MaxShownText)),
                     isNamed ? tr("If that is correct, change the issuer in this server's sign-in settings.")
                             : tr("If that is correct, sign out and sign in again."));
}

void SignIn::doubtClient()
{
    m_state->registrations.remove(m_server.issuer);
    m_state->doubtfulClients.append(m_client.clientId);
    m_isKnownClient = false;
}

// Spec: "Client Registration Approaches", in their order.
void SignIn::identify()
{
    if (const Error error = ownerProblem())
        return fail(error);
    if (!isTrustworthy(m_endpoint.adjusted(QUrl::RemoveUserInfo)))
        return fail(authError(tr("The server's URL is not https, so tokens could be intercepted."),
                              tr("Use an https URL, or add an Authorization header to its settings.")));
    const bool asksPerson = m_settings.grant == Grant::AuthorizationCode && !m_isRefresh;
    if (asksPerson && !m_wish.mayVisit)
        return fail(
            authError(tr("The server requires a sign-in at %1.").arg(visibleLine(m_server.issuer, MaxShownText)),
                      tr("Sign in with sonde-cli login, or add an Authorization header.")));
    const Registration known = m_state->registrations.value(m_server.issuer);
    if (asksPerson) {
        if (const Error error = listen(known))
            return fail(error);
    }
    if (m_settings.grant == Grant::Workload) {
        m_client = {};
        m_steps.describe(tr("Identified by its own token"));
    } else if (!m_settings.clientId.isEmpty()) {
        m_client = {m_settings.clientId, m_settings.clientSecret, {}, {}};
        m_steps.describe(tr("%1, from the settings").arg(visibleLine(m_client.clientId, MaxShownText)));
    } else if (m_isRefresh && !m_state->client.clientId.isEmpty()) {
        m_client = m_state->client;
        m_steps.describe(tr("%1, as before").arg(visibleLine(m_client.clientId, MaxShownText)));
    } else if (m_server.takesMetadataUrls && !m_settings.clientMetadata.isEmpty()) {
        m_client = {m_settings.clientMetadata.text(), {}, u"none"_s, {}};
        m_steps.describe(m_client.clientId);
    } else if (isUsable(known) && (!asksPerson || known.redirectUri == m_redirectUri)) {
        m_client = known;
        m_isKnownClient = true;
        m_steps.describe(tr("%1, registered earlier").arg(visibleLine(m_client.clientId, MaxShownText)));
    } else if (!m_server.registrationEndpoint.isEmpty()) {
        return registerClient();
    } else {
        return fail(
            authError(tr("The authorization server does not support client registration."),
                      tr("Enter a client ID from %1 in this server's settings.").arg(visibleLine(m_server.issuer))));
    }
    askForTokens();
}

// Before the address is registered, so that it is ours. Some authorization servers insist on the port, too.
Error SignIn::listen(const Registration &known)
{
    m_receiver = std::make_unique<CallbackReceiver>();
    connect(m_receiver.get(), &CallbackReceiver::received, this, [this](const QUrl &address) {
        if (const Error error = receiveCallback(address))
            fail(error);
    });
    connect(m_receiver.get(), &CallbackReceiver::strayReceived, this, &SignIn::ignoreStray);
    connect(m_receiver.get(), &CallbackReceiver::timedOut, this, [this] {
        fail({Error::Kind::Timeout, 0, tr("The sign-in was not completed within five minutes."), {}, {}, {}});
    });
    const QUrl wanted = !m_settings.redirectUri.isEmpty() ? m_settings.redirectUri : known.redirectUri;
    Error error = m_receiver->listen(wanted);
    if (error && m_settings.redirectUri.isEmpty() && !wanted.isEmpty())
        error = m_receiver->listen();
    m_redirectUri = m_receiver->address();
    return error;
}

// Anybody can send one. The person may wait for nothing, though, if it is the authorization server that is wrong.
void SignIn::ignoreStray()
{
    SignInStep &step = m_steps.at(Kind::Authorize);
    const QString note = tr("A response with the wrong state was ignored");
    if (step.state != Step::State::Paused || step.text.endsWith(note))
        return;
    step.text += u". "_s + note;
    const QPointer<SignIn> alive(this);
    Q_EMIT changed();
    if (alive)
        Q_EMIT strayReceived();
}

void SignIn::registerClient()
{
    QString method = u"none"_s;
    if (m_server.authMethods && !m_server.authMethods->contains(method)) {
        method = m_server.authMethods->contains(u"client_secret_basic"_s)  ? u"client_secret_basic"_s
                 : m_server.authMethods->contains(u"client_secret_post"_s) ? u"client_secret_post"_s
                                                                           : method;
    }
    json::Builder body;
    body.beginObject().member(u"client_name", u"Sonde"_s);
    body.key(u"redirect_uris").beginArray().string(m_redirectUri.toString(QUrl::FullyEncoded)).endArray();
    body.rawMember(u"grant_types", R"(["authorization_code","refresh_token"])");
    body.rawMember(u"response_types", R"(["code"])");
    body.member(u"token_endpoint_auth_method", method).member(u"application_type", u"native"_s);
    if (!m_scopes.isEmpty())
        body.member(u"scope", askedScopes().join(u' '));
    const QByteArray json = body.endObject().take();
    send(AuthEndpoint::Registration, {"POST", m_server.registrationEndpoint, {}, json, "application/json"},
         [this](const HttpFetch &exchange) {
             const json::Document document = json::Document::parse(exchange.body());
             const json::Value result = document.root();
             const bool isMade = exchange.status() == 201 || exchange.status() == 200;
             if (!isMade || result[u"client_id"].string().isEmpty()) {
                 // Nothing has said so far that one can sign in here at all.
                 if (m_server.isAssumed && isNotThere(exchange)) {
                     Error error = authError(
                         tr("The server requires credentials but publishes no sign-in metadata."),
                         tr("If it accepts an API key or a token, add it as a header, such as Authorization."));
                     error.reason = Error::Reason::NoSignIn;
                     return fail(error);
                 }
                 Error error = responseError(AuthEndpoint::Registration, exchange, u"client_id"_s);
                 if (error.hint.isEmpty())
                     error.hint = tr("If you have a client ID from %1, enter it in this server's settings.")
                                      .arg(visibleLine(m_server.issuer, MaxShownText));
                 return fail(error);
             }
             const qint64 expiry = result[u"client_secret_expires_at"].toInteger().value_or(0);
             m_client = {result[u"client_id"].string(),
                         result[u"client_secret"].string(),
                         result[u"token_endpoint_auth_method"].string(),
                         m_redirectUri,
                         expiry > 0 ? QDateTime::fromSecsSinceEpoch(expiry).toUTC() : QDateTime(),
                         askedScopes()};
             Q_EMIT secretMet(m_client.secret.toUtf8());
             m_state->registrations.insert(m_server.issuer, m_client);
             m_steps.describe(tr("Registered as %1").arg(visibleLine(m_client.clientId, MaxShownText)));
             askForTokens();
         });
}

void SignIn::askForTokens()
{
    AuthForm form;
    const auto addScope = [&] {
        if (!m_scopes.isEmpty())
            form.emplace_back("scope", m_scopes.join(u' ').toUtf8());
    };
    if (m_isRefresh) {
        form = {{"grant_type", "refresh_token"},
                {"refresh_token", m_state->tokens.refreshToken},
                {"resource", resourceText()}};
        enter(Kind::RequestTokens);
        return requestTokens(form);
    }
    switch (m_settings.grant) {
        case Grant::AuthorizationCode:
            return authorize();
        case Grant::ClientCredentials:
            form = {{"grant_type", "client_credentials"}, {"resource", resourceText()}};
            addScope();
            break;
        case Grant::Enterprise:
            enter(Kind::RequestTokens);
            return exchangeIdToken();
        case Grant::Workload:
            form = {{"grant_type", JwtGrant}, {"assertion", m_settings.assertion}, {"resource", resourceText()}};
            addScope();
            break;
    }
    enter(Kind::RequestTokens);
    requestTokens(form);
}

void SignIn::authorize()
{
    enter(Kind::Authorize);
    if (!m_server.hasPkce)
        return fail(authError(tr("The authorization server does not support PKCE with S256, which MCP requires.")));
    if (m_server.authorizationEndpoint.isEmpty())
        return fail(authError(tr("Signing in at %1 is not possible.").arg(visibleLine(m_server.issuer, MaxShownText))));
    const QStringList scopes = askedScopes();
    m_stateToken = randomToken();
    m_verifier = randomToken();
    Q_EMIT secretMet(m_verifier);
    AuthForm query{{"response_type", "code"},
                   {"client_id", m_client.clientId.toUtf8()},
                   {"redirect_uri", m_redirectUri.toEncoded()},
                   {"code_challenge", codeChallenge(m_verifier)},
                   {"code_challenge_method", "S256"},
                   {"state", m_stateToken},
                   {"resource", resourceText()}};
    if (!scopes.isEmpty())
        query.emplace_back("scope", scopes.join(u' ').toUtf8());
    const QByteArray own = m_server.authorizationEndpoint.query(QUrl::FullyEncoded).toLatin1();
    m_page = m_server.authorizationEndpoint;
    m_page.setQuery(QString::fromLatin1(own + (own.isEmpty() ? "" : "&") + encodedForm(query)), QUrl::StrictMode);
    m_receiver->expect(m_stateToken);
    const QString host = visibleLine(m_page.host(), MaxShownText);
    m_steps.pause(http::isSameOrigin(m_page, QUrl(m_server.issuer))
                      ? tr("Waiting for you to sign in at %1").arg(host)
                      : tr("Waiting for you to sign in at %1, named by %2")
                            .arg(host, visibleLine(m_server.issuer, MaxShownText)));
    Q_EMIT changed();
    Q_EMIT pageReady(m_page);
}

// Spec: "Authorization Response Validation". Until state and issuer are known to be right nothing else counts.
Error SignIn::receiveCallback(const QUrl &callback)
{
    const QUrlQuery query(callback);
    const auto valueOf = [&query](const QString &name) {
        QString value = query.queryItemValue(name, QUrl::FullyEncoded);
        return QUrl::fromPercentEncoding(value.replace(u'+', u' ').toLatin1());
    };
    const auto countOf = [&query](const QString &name) { return query.allQueryItemValues(name).size(); };
    if (m_stateToken.isEmpty() || countOf(u"state"_s) != 1 || valueOf(u"state"_s).toLatin1() != m_stateToken)
        return authError(tr("This is not the redirect URL of this sign-in."),
                         tr("Copy the whole address from the browser, from http to the end."));
    m_stateToken.clear();
    m_page.clear();
    m_wasAuthorized = true;
    m_receiver->close();  // it was not needed where the address was pasted
    for (const QString &name : {u"code"_s, u"iss"_s, u"error"_s}) {
        if (countOf(name) > 1) {  // RFC 6749, section 3.1
            fail(authError(tr("The authorization server's response has the parameter %1 more than once.").arg(name),
                           tr("OAuth forbids that (RFC 6749, section 3.1), because it is ambiguous.")));
            return {};
        }
    }
    const bool names = query.hasQueryItem(u"iss"_s);
    if (names ? valueOf(u"iss"_s) != m_server.issuer : m_server.namesItself) {
        fail(authError(names ? tr("The response comes from a different authorization server.")
                             : tr("The response does not say which authorization server it comes from.")));
        return {};
    }
    if (const QString error = valueOf(u"error"_s); !error.isEmpty()) {
        const QString description = valueOf(u"error_description"_s);
        if (error == u"invalid_scope" && m_isKnownClient)  // which the next one may be allowed to ask for
            doubtClient();
        fail(authError(tr("The authorization server refused the sign-in: %1")
                           .arg(visibleLine(description.isEmpty() ? error : description, 200))));
        return {};
    }
    const QString code = valueOf(u"code"_s);
    if (code.isEmpty()) {
        fail(authError(tr("The authorization server's response has no code.")));
        return {};
    }
    Q_EMIT secretMet(code.toUtf8());
    m_steps.describe(tr("Signed in"));
    enter(Kind::RequestTokens);
    requestTokens({{"grant_type", "authorization_code"},
                   {"code", code.toUtf8()},
                   {"redirect_uri", m_redirectUri.toEncoded()},
                   {"code_verifier", m_verifier},
                   {"resource", resourceText()}});
    return {};
}

// The identity provider vouches for the person with an ID-JAG, which the authorization server takes for a grant.
void SignIn::exchangeIdToken()
{
    if (!isTrustworthy(m_settings.providerTokenEndpoint))
        return fail(authError(tr("The identity provider is neither https nor on this computer.")));
    const AuthForm form{{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
                        {"requested_token_type", "urn:ietf:params:oauth:token-type:id-jag"},
                        {"audience", m_server.issuer.toUtf8()},
                        {"resource", resourceText()},
                        {"subject_token", m_settings.idToken},
                        {"subject_token_type", "urn:ietf:params:oauth:token-type:id_token"},
                        {"client_id", m_settings.providerClientId.toUtf8()}};
    send(AuthEndpoint::ProviderToken, {"POST", m_settings.providerTokenEndpoint, {}, encodedForm(form), FormType},
         [this](const HttpFetch &exchange) {
             const json::Document document = json::Document::parse(exchange.body());
             const QByteArray grant = document.root()[u"access_token"].utf8();
             if (exchange.status() != 200 || grant.isEmpty())
                 return fail(responseError(AuthEndpoint::ProviderToken, exchange, u"access_token"_s));
             Q_EMIT secretMet(grant);
             requestTokens({{"grant_type", JwtGrant}, {"assertion", grant}});
         });
}

void SignIn::requestTokens(const AuthForm &form)
{
    m_isRequesting = true;
    AuthForm whole = form;
    Result<http::HeaderList> authenticated = authenticateClient(m_client, m_settings, m_server, &whole);
    if (!authenticated)
        return fail(authenticated.error());
    http::HeaderList headers = *authenticated;
    if (m_state->proofs.hasBegun()) {
        const Result<QByteArray> made = m_state->proofs.proof("POST", m_server.tokenEndpoint, {});
        if (!made)
            return fail(made.error());
        headers.emplace_back("DPoP", *made);
    }
    send(AuthEndpoint::Token, {"POST", m_server.tokenEndpoint, headers, encodedForm(whole), FormType},
         [this, form](const HttpFetch &exchange) { receiveTokens(exchange, form); });
}

void SignIn::receiveTokens(const HttpFetch &exchange, const AuthForm &form)
{
    m_isRequesting = false;
    const json::Document document = json::Document::parse(exchange.body());
    const json::Value result = document.root();
    const QByteArray token = result[u"access_token"].utf8();
    const QByteArray renewed = result[u"refresh_token"].utf8();
    Q_EMIT secretMet(token);
    Q_EMIT secretMet(renewed);
    if (!result.isObject()) {  // a form, as some send it: of no use, but as secret
        const QUrlQuery other(QString::fromUtf8(exchange.body()));
        for (const QString &name : {u"access_token"_s, u"refresh_token"_s, u"id_token"_s})
            Q_EMIT secretMet(other.queryItemValue(name, QUrl::FullyDecoded).toUtf8());
    }
    const bool isNewNonce = m_state->proofs.readNonce(m_server.tokenEndpoint, exchange.headers());
    // Some report errors with the status 200.
    if (const QString error = result[u"error"].string();
        exchange.status() != 200 || !error.isEmpty() || token.isEmpty()) {
        if (error == u"use_dpop_nonce" && isNewNonce && !std::exchange(m_hasRetried, true))
            return requestTokens(form);
        const bool wasRegistered = !m_client.redirectUri.isEmpty();
        const bool isForgotten = wasRegistered && (error == u"invalid_client" || error == u"unauthorized_client");
        if (isForgotten)
            doubtClient();
        if (isForgotten && m_state->client.clientId == m_client.clientId) {
            m_state->client = {};
            m_hasForgotten = true;
        }
        if (m_isRefresh && isRefusal(exchange.status(), error)) {
            m_isRefresh = false;
            m_hasForgotten = true;
            m_state->tokens.refreshToken.clear();
            if (m_server.isRemembered)
                return discover();
            enter(Kind::Identify);
            return identify();
        }
        // It may have moved.
        if (m_isRefresh && isNotThere(exchange) && m_server.isRemembered && !std::exchange(m_hasDiscovered, true))
            return discover();
        if (isForgotten && !std::exchange(m_hasRetried, true)) {
            enter(Kind::Identify);
            return identify();
        }
        Error unusable = responseError(AuthEndpoint::Token, exchange, u"access_token"_s);
        if (m_isRefresh)
            unusable.hint = (unusable.hint + u' ' + tr("Try again later, or sign in again.")).trimmed();
        return fail(unusable);
    }
    const QString type = result[u"token_type"].string();
    if (type.isEmpty())
        return fail(authError(responseError(AuthEndpoint::Token, exchange, u"token_type"_s).message,
                              tr("OAuth requires it (RFC 6749, section 5.1), as in \"token_type\": \"Bearer\".")));
    const bool isBound = type.compare(u"DPoP"_s, Qt::CaseInsensitive) == 0;
    if (!isBound && type.compare(u"Bearer"_s, Qt::CaseInsensitive) != 0)
        return fail(
            authError(tr("The authorization server issued a token of an unknown type: %1").arg(visibleLine(type, 40))));
    if (isBound && !m_state->proofs.hasBegun())
        return fail(
            authError(tr("The authorization server issued a token bound to a key (DPoP), but no key was used.")));
    if (!isTokenText(token))
        return fail(authError(tr("The authorization server issued a token with invalid characters.")));
    const QByteArray kept = m_isRefresh ? m_state->tokens.refreshToken : QByteArray();
    const qint64 seconds = result[u"expires_in"].toInteger().value_or(0);
    m_state->tokens = {m_server.issuer,
                       token,
                       renewed.isEmpty() ? kept : renewed,
                       isBound,
                       seconds > 0 ? QDateTime::currentDateTimeUtc().addSecs(seconds) : QDateTime(),
                       result.contains(u"scope") ? result[u"scope"].string().split(u' ', Qt::SkipEmptyParts)
                       : m_isRefresh             ? m_state->tokens.scopes
                                                 : m_scopes,
                       qMax<qint64>(seconds, 0)};
    m_state->server = m_server;
    m_state->resource = m_resource;
    if (!m_isRefresh) {
        m_state->requestedScopes = m_scopes;
        m_state->client = m_client;
    }
    m_state->revocation = {m_server.revocationEndpoint, m_server.revocationMethods, m_state->peer};
    m_steps.describe(m_isRefresh         ? tr("Refreshed")
                     : renewed.isEmpty() ? tr("Access token")
                                         : tr("Access and refresh token"));
    m_steps.finishCurrent();
    end({});
}

}  // namespace sonde
