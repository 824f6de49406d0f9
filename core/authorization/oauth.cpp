// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/oauth.h"

#include "core/authorization/pkce.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"

#include <QCryptographicHash>
#include <QUrlQuery>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxAuthorizations = 3;  // for one request
constexpr int EarlyRefreshS = 30;
constexpr int AssertionLifeS = 120;
constexpr auto JwtAssertion = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
constexpr auto JwtGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer";

QByteArray formEncoded(const QString &text)
{
    // Of application/x-www-form-urlencoded: what is not unreserved is encoded, and a space too.
    return QUrl::toPercentEncoding(text);
}

QString originTextOf(const QUrl &url)
{
    return url.scheme() + u"://"_s + http::hostAndPort(url);
}

const AuthChallenge *challengeOf(const CredentialSource::Refusal &refusal)
{
    for (const AuthChallenge &challenge : refusal.challenges) {
        if (challenge.isOf("Bearer") || challenge.isOf("DPoP"))
            return &challenge;
    }
    return nullptr;
}

QStringList scopesIn(const QString &text)
{
    return text.split(u' ', Qt::SkipEmptyParts);
}

QStringList united(QStringList scopes, const QStringList &more)
{
    for (const QString &scope : more) {
        if (!scopes.contains(scope))
            scopes.append(scope);
    }
    return scopes;
}

bool isNotThere(const AuthExchange &exchange)
{
    return !exchange.error() && (exchange.status() >= 400 && exchange.status() < 500);
}

Error authError(const QString &text, const QString &detail = {}, const QString &hint = {})
{
    return {Error::Kind::Auth, 0, text, detail, hint, {}};
}

}  // namespace

OAuth::OAuth(const QUrl &endpoint, OAuthSettings settings, Hooks hooks)
    : m_endpoint(endpoint), m_settings(std::move(settings)), m_hooks(std::move(hooks))
{}

OAuth::~OAuth() = default;

void OAuth::provide(const Request &request, const Ready &ready)
{
    if (m_isBusy) {
        m_waiting.push_back({request, ready});
        return;
    }
    if (!request.refusal) {
        const bool isStale =
            m_tokens.expiresAt.isValid() && QDateTime::currentDateTimeUtc().addSecs(EarlyRefreshS) > m_tokens.expiresAt;
        if (!isStale || m_tokens.refreshToken.isEmpty())
            return ready(headersFor(request));
        m_waiting.push_back({request, ready});
        return signIn({}, {});
    }
    const Refusal &refusal = *request.refusal;
    const AuthChallenge *challenge = challengeOf(refusal);
    const QByteArray error = challenge ? challenge->parameter("error") : QByteArray();
    const QByteArray nonce = http::valueOf(refusal.responseHeaders, "DPoP-Nonce");
    const bool isNewNonce = !nonce.isEmpty() && m_nonces.value(originTextOf(request.url)) != nonce;
    if (isNewNonce)
        m_nonces[originTextOf(request.url)] = nonce;
    if (error == "use_dpop_nonce" && isNewNonce)
        return ready(headersFor(request));
    const QByteArray sent = http::valueOf(refusal.credentials, "Authorization");
    const bool isOurs = !m_tokens.accessToken.isEmpty() && sent.endsWith(' ' + m_tokens.accessToken);
    if (refusal.status == 401 && !sent.isEmpty() && !isOurs && !m_tokens.accessToken.isEmpty())
        return ready(headersFor(request));  // others have signed in meanwhile
    // What a refresh gave may be refused once more, what a whole sign-in gave may not.
    const bool isRenewed = isOurs && m_isRenewed && refusal.count == 2;
    if (refusal.status == 401 && (sent.isEmpty() || (isOurs && refusal.count == 1) || isRenewed)) {
        if (isRenewed)
            m_tokens.refreshToken.clear();
        m_waiting.push_back({request, ready});
        return signIn(refusal, challenge ? scopesIn(QString::fromUtf8(challenge->parameter("scope"))) : QStringList());
    }
    // A refresh cannot widen what was granted. Spec: "Step-Up Authorization Flow".
    if (refusal.status == 403 && error == "insufficient_scope" &&
        m_settings.grant == OAuthSettings::Grant::AuthorizationCode) {
        const QStringList wanted = scopesIn(QString::fromUtf8(challenge->parameter("scope")));
        const QStringList all = united(united(m_requestedScopes, m_tokens.scopes), wanted);
        if (all.size() > united(m_requestedScopes, m_tokens.scopes).size() && refusal.count < MaxAuthorizations) {
            m_waiting.push_back({request, ready});
            m_tokens.refreshToken.clear();
            return signIn(refusal, all);
        }
    }
    ready(refusal.error);
}

CredentialSource::Headers OAuth::headersFor(const Request &request)
{
    if (m_tokens.accessToken.isEmpty())
        return {};
    if (!m_tokens.isBound)
        return {{"Authorization", "Bearer " + m_tokens.accessToken}};
    const Result<QByteArray> made = proof(request.verb, request.url, m_tokens.accessToken);
    return {{"Authorization", "DPoP " + m_tokens.accessToken}, {"DPoP", made ? *made : QByteArray()}};
}

// scopes: that the server asks for; empty: those that its metadata names.
void OAuth::signIn(const Refusal &refusal, const QStringList &scopes)
{
    m_isBusy = true;
    m_scopes = scopes;
    m_hasRetried = false;
    m_mayRefresh = !m_tokens.refreshToken.isEmpty();
    m_resource.reset();
    const AuthChallenge *challenge = challengeOf(refusal);
    const QByteArray named = challenge ? challenge->parameter("resource_metadata") : QByteArray();
    if (named.isEmpty())
        return findResource(resourceMetadataUrls(m_endpoint));
    const QUrl url = QUrl::fromEncoded(named, QUrl::StrictMode);
    if (!isTrustworthy(url) || !http::isSameOrigin(url, m_endpoint))
        return fail(authError(
            tr("The server names metadata on another host: %1").arg(visibleLine(QString::fromUtf8(named), 120))));
    findResource({url});
}

void OAuth::fail(const Error &error)
{
    m_isBusy = false;
    for (const Waiting &each : std::exchange(m_waiting, {}))
        each.ready(error);
}

void OAuth::succeed()
{
    m_isBusy = false;
    for (const Waiting &each : std::exchange(m_waiting, {}))
        each.ready(headersFor(each.request));
}

void OAuth::send(AuthExchange::Request request, const Then &then)
{
    request.stream = m_nextStream++;
    m_exchange = std::make_unique<AuthExchange>(request);
    if (m_hooks.report)
        connect(m_exchange.get(), &AuthExchange::reported, this, m_hooks.report);
    connect(m_exchange.get(), &AuthExchange::finished, this, [this, then] {
        const std::unique_ptr<AuthExchange, QScopedPointerDeleteLater> done(m_exchange.release());
        then(*done);
    });
    m_exchange->start();
}

// Spec: "Protected Resource Metadata Discovery Requirements". At the first place where there is something it ends.
void OAuth::findResource(const QList<QUrl> &places)
{
    send({"GET", places.first(), {}, {}, {}}, [this, places](const AuthExchange &exchange) {
        if (exchange.error())
            return fail(exchange.error());
        if (exchange.status() == 200) {
            const Result<ProtectedResource> resource = readProtectedResource(exchange.body(), m_endpoint);
            if (!resource)
                return fail(resource.error());
            m_resource = *resource;
            const QStringList &issuers = resource->authorizationServers;
            const QString known = !m_settings.issuer.isEmpty() ? m_settings.issuer : m_tokens.issuer;
            const QString issuer = issuers.contains(known) ? known : issuers.first();
            return findServer(issuer, authorizationServerUrls(issuer));
        }
        if (!isNotThere(exchange))
            return fail(exchange.statusError());
        if (places.size() > 1)
            return findResource(places.sliced(1));
        findServer(assumedIssuer(m_endpoint), {authorizationServerUrls(assumedIssuer(m_endpoint)).constFirst()});
    });
}

void OAuth::findServer(const QString &issuer, const QList<QUrl> &places)
{
    if (!isTrustworthy(QUrl(issuer)))
        return fail(authError(
            tr("The authorization server is neither https nor on this computer: %1").arg(visibleLine(issuer, 120))));
    send({"GET", places.first(), {}, {}, {}}, [this, issuer, places](const AuthExchange &exchange) {
        if (exchange.error())
            return fail(exchange.error());
        if (exchange.status() == 200) {
            Result<AuthorizationServer> server = readAuthorizationServer(exchange.body(), issuer);
            // The issuer was put together here: its end may be written otherwise.
            if (!server && !m_resource)
                server = readAuthorizationServer(exchange.body(), issuer + u'/');
            return server ? takeServer(*server) : fail(server.error());
        }
        if (!isNotThere(exchange))
            return fail(exchange.statusError());
        if (places.size() > 1)
            return findServer(issuer, places.sliced(1));
        if (m_resource)
            return fail(authError(tr("The authorization server %1 publishes no metadata.").arg(visibleLine(issuer))));
        takeServer(assumedServer(m_endpoint));
    });
}

// Tokens and registrations of one server are never shown to another. Spec: "Authorization Server Binding".
void OAuth::takeServer(const AuthorizationServer &server)
{
    m_server = server;
    if (m_tokens.issuer != server.issuer)
        m_mayRefresh = false;
    if (m_scopes.isEmpty() && m_resource)
        m_scopes = m_resource->scopes;
    if (!m_proofKey && server.proofAlgorithms.contains(u"ES256"_s)) {
        const Result<SigningKey> key = SigningKey::make();
        if (!key)
            return fail(key.error());
        m_proofKey = *key;
    }
    if (m_settings.grant == OAuthSettings::Grant::Workload) {
        m_client = {};
        return askForTokens();
    }
    identify();
}

// Spec: "Client Registration Approaches", in their order.
void OAuth::identify()
{
    if (!m_settings.clientId.isEmpty()) {
        if (!m_settings.issuer.isEmpty() && m_settings.issuer != m_server.issuer)
            return fail(authError(tr("The client ID belongs to %1, but the server is guarded by %2.")
                                      .arg(m_settings.issuer, visibleLine(m_server.issuer, 120))));
        m_client = {m_settings.clientId, m_settings.clientSecret, {}};
    } else if (m_server.takesMetadataUrls && !m_settings.clientMetadata.isEmpty()) {
        m_client = {m_settings.clientMetadata.toString(QUrl::FullyEncoded), {}, u"none"_s};
    } else if (const auto known = m_registrations.constFind(m_server.issuer); known != m_registrations.constEnd()) {
        m_client = *known;
    } else if (!m_server.registrationEndpoint.isEmpty()) {
        return registerClient();
    } else {
        return fail(authError(tr("The authorization server does not register clients by itself."), {},
                              tr("Enter a client ID that %1 has given you.").arg(visibleLine(m_server.issuer, 120))));
    }
    askForTokens();
}

void OAuth::registerClient()
{
    QString method = u"none"_s;
    if (m_server.authMethods && !m_server.authMethods->contains(method)) {
        method = m_server.authMethods->contains(u"client_secret_basic"_s)  ? u"client_secret_basic"_s
                 : m_server.authMethods->contains(u"client_secret_post"_s) ? u"client_secret_post"_s
                                                                           : method;
    }
    json::Builder body;
    body.beginObject().member(u"client_name", u"Sonde"_s);
    body.key(u"redirect_uris").beginArray().string(m_hooks.redirectUri.toString(QUrl::FullyEncoded)).endArray();
    body.rawMember(u"grant_types", R"(["authorization_code","refresh_token"])");
    body.rawMember(u"response_types", R"(["code"])");
    body.member(u"token_endpoint_auth_method", method).member(u"application_type", u"native"_s);
    if (!m_scopes.isEmpty())
        body.member(u"scope", m_scopes.join(u' '));
    const QByteArray json = body.endObject().take();
    send({"POST", m_server.registrationEndpoint, {}, json, "application/json"}, [this](const AuthExchange &exchange) {
        if (exchange.error())
            return fail(exchange.error());
        const json::Document document = json::Document::parse(exchange.body());
        const json::Value result = document.root();
        if ((exchange.status() != 201 && exchange.status() != 200) || result[u"client_id"].string().isEmpty()) {
            const QString why = result[u"error_description"].string(result[u"error"].string());
            return fail(authError(tr("The authorization server did not register this client: %1")
                                      .arg(why.isEmpty() ? exchange.statusError().message : visibleLine(why, 200))));
        }
        m_client = {result[u"client_id"].string(), result[u"client_secret"].string(),
                    result[u"token_endpoint_auth_method"].string()};
        m_registrations.insert(m_server.issuer, m_client);
        askForTokens();
    });
}

void OAuth::askForTokens()
{
    const QByteArray resource = (m_resource ? m_resource->resource : canonicalResource(m_endpoint)).toUtf8();
    Form form;
    const auto addScope = [&] {
        if (!m_scopes.isEmpty())
            form.emplace_back("scope", m_scopes.join(u' ').toUtf8());
    };
    if (m_mayRefresh) {
        form = {{"grant_type", "refresh_token"}, {"refresh_token", m_tokens.refreshToken}, {"resource", resource}};
        return requestTokens(form);
    }
    switch (m_settings.grant) {
        case OAuthSettings::Grant::AuthorizationCode:
            return authorize();
        case OAuthSettings::Grant::ClientCredentials:
            form = {{"grant_type", "client_credentials"}, {"resource", resource}};
            addScope();
            return requestTokens(form);
        case OAuthSettings::Grant::Enterprise:
            return exchangeIdToken();
        case OAuthSettings::Grant::Workload:
            form = {{"grant_type", JwtGrant}, {"assertion", m_settings.assertion}, {"resource", resource}};
            addScope();
            return requestTokens(form);
    }
}

void OAuth::authorize()
{
    if (!m_server.hasPkce)
        return fail(
            authError(tr("The authorization server does not support PKCE with S256, which a client must "
                         "insist on.")));
    if (m_server.authorizationEndpoint.isEmpty() || !m_hooks.visit)
        return fail(authError(tr("Nobody can sign in at %1.").arg(visibleLine(m_server.issuer, 120))));
    QStringList scopes = m_scopes;
    if (m_server.scopes.contains(u"offline_access"_s) && !scopes.isEmpty())
        scopes = united(scopes, {u"offline_access"_s});
    m_requestedScopes = united(m_requestedScopes, m_scopes);
    m_state = randomToken();
    m_verifier = randomToken();
    m_redirectUri = m_hooks.redirectUri.toString(QUrl::FullyEncoded);
    const QString resource = m_resource ? m_resource->resource : canonicalResource(m_endpoint);
    QList<std::pair<QByteArray, QByteArray>> query{{"response_type", "code"},
                                                   {"client_id", formEncoded(m_client.clientId)},
                                                   {"redirect_uri", formEncoded(m_redirectUri)},
                                                   {"code_challenge", codeChallenge(m_verifier)},
                                                   {"code_challenge_method", "S256"},
                                                   {"state", m_state},
                                                   {"resource", formEncoded(resource)}};
    if (!scopes.isEmpty())
        query.emplace_back("scope", formEncoded(scopes.join(u' ')));
    QByteArray text = m_server.authorizationEndpoint.query(QUrl::FullyEncoded).toLatin1();
    for (const auto &[name, value] : std::as_const(query))
        text += (text.isEmpty() ? "" : "&") + name + '=' + value;
    QUrl page = m_server.authorizationEndpoint;
    page.setQuery(QString::fromLatin1(text), QUrl::StrictMode);
    m_hooks.visit(page, [alive = QPointer<OAuth>(this), state = m_state](const Result<QUrl> &callback) {
        if (!alive || !alive->m_isBusy || alive->m_state != state)
            return;
        callback ? alive->takeCallback(*callback) : alive->fail(callback.error());
    });
}

// Spec: "Authorization Response Validation". Until state and issuer are known to be right nothing else counts.
void OAuth::takeCallback(const QUrl &callback)
{
    const QUrlQuery query(callback);
    const auto valueOf = [&query](const QString &name) {
        QString value = query.queryItemValue(name, QUrl::FullyEncoded);
        return QUrl::fromPercentEncoding(value.replace(u'+', u' ').toLatin1());
    };
    if (valueOf(u"state"_s).toLatin1() != std::exchange(m_state, {}))
        return fail(authError(tr("The response of the browser belongs to another sign-in.")));
    const bool names = query.hasQueryItem(u"iss"_s);
    if (names ? valueOf(u"iss"_s) != m_server.issuer : m_server.namesItself)
        return fail(authError(names ? tr("The response comes from another authorization server than was asked.")
                                    : tr("The response does not say which authorization server it comes from.")));
    if (const QString error = valueOf(u"error"_s); !error.isEmpty()) {
        const QString description = valueOf(u"error_description"_s);
        return fail(authError(tr("The authorization server refused: %1")
                                  .arg(visibleLine(description.isEmpty() ? error : description, 200))));
    }
    const QString code = valueOf(u"code"_s);
    if (code.isEmpty())
        return fail(authError(tr("The response of the authorization server has no code.")));
    const QString resource = m_resource ? m_resource->resource : canonicalResource(m_endpoint);
    requestTokens({{"grant_type", "authorization_code"},
                   {"code", code.toUtf8()},
                   {"redirect_uri", m_redirectUri.toUtf8()},
                   {"code_verifier", m_verifier},
                   {"resource", resource.toUtf8()}});
}

// The identity provider vouches for the person with an ID-JAG, which the authorization server takes for a grant.
void OAuth::exchangeIdToken()
{
    if (!isTrustworthy(m_settings.providerTokenEndpoint))
        return fail(authError(tr("The identity provider is neither https nor on this computer.")));
    const QString resource = m_resource ? m_resource->resource : canonicalResource(m_endpoint);
    const std::pair<QString, QString> members[] = {
        {u"grant_type"_s, u"urn:ietf:params:oauth:grant-type:token-exchange"_s},
        {u"requested_token_type"_s, u"urn:ietf:params:oauth:token-type:id-jag"_s},
        {u"audience"_s, m_server.issuer},
        {u"resource"_s, resource},
        {u"subject_token"_s, QString::fromUtf8(m_settings.idToken)},
        {u"subject_token_type"_s, u"urn:ietf:params:oauth:token-type:id_token"_s},
        {u"client_id"_s, m_settings.providerClientId}};
    QByteArray text;
    for (const auto &[name, value] : members)
        text += (text.isEmpty() ? "" : "&") + name.toLatin1() + '=' + formEncoded(value);
    send({"POST", m_settings.providerTokenEndpoint, {}, text, "application/x-www-form-urlencoded"},
         [this](const AuthExchange &exchange) {
             if (exchange.error())
                 return fail(exchange.error());
             const json::Document document = json::Document::parse(exchange.body());
             const QByteArray grant = document.root()[u"access_token"].utf8();
             if (exchange.status() != 200 || grant.isEmpty())
                 return fail(authError(tr("The identity provider gave no grant: %1")
                                           .arg(visibleLine(document.root()[u"error"].string(), 200))));
             requestTokens({{"grant_type", JwtGrant}, {"assertion", grant}});
         });
}

// RFC 6749, section 2.3. A secret goes either into a header or into the form.
http::HeaderList OAuth::clientAuthentication(Form *form, Error *error) const
{
    if (m_client.clientId.isEmpty())
        return {};
    if (!m_settings.privateKey.isEmpty()) {
        const Result<SigningKey> key = SigningKey::fromPem(m_settings.privateKey, m_settings.keyAlgorithm);
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        json::Builder claims;
        claims.beginObject().member(u"iss", m_client.clientId).member(u"sub", m_client.clientId);
        claims.member(u"aud", m_server.issuer).member(u"iat", now).member(u"exp", now + AssertionLifeS);
        claims.member(u"jti", QString::fromLatin1(randomToken()));
        const Result<QByteArray> token =
            key ? key->sign("\"typ\":\"JWT\",", claims.endObject().take()) : Result<QByteArray>(key.error());
        if (!token) {
            *error = token.error();
            return {};
        }
        form->emplace_back("client_id", m_client.clientId.toUtf8());
        form->emplace_back("client_assertion_type", JwtAssertion);
        form->emplace_back("client_assertion", *token);
        return {};
    }
    const auto offers = [this](const QString &method) {
        return !m_server.authMethods || m_server.authMethods->contains(method);
    };
    const QString registered = m_client.authMethod;
    const bool usesPost =
        registered == u"client_secret_post"
            ? offers(registered)
            : m_server.authMethods && !offers(u"client_secret_basic"_s) && offers(u"client_secret_post"_s);
    if (m_client.secret.isEmpty() || registered == u"none") {
        form->emplace_back("client_id", m_client.clientId.toUtf8());
        return {};
    }
    if (usesPost) {
        form->emplace_back("client_id", m_client.clientId.toUtf8());
        form->emplace_back("client_secret", m_client.secret.toUtf8());
        return {};
    }
    const QByteArray pair = formEncoded(m_client.clientId) + ':' + formEncoded(m_client.secret);
    return {{"Authorization", "Basic " + pair.toBase64()}};
}

void OAuth::requestTokens(const Form &form)
{
    Form whole = form;
    Error error;
    http::HeaderList headers = clientAuthentication(&whole, &error);
    if (error)
        return fail(error);
    if (m_proofKey) {
        const Result<QByteArray> made = proof("POST", m_server.tokenEndpoint, {});
        if (!made)
            return fail(made.error());
        headers.emplace_back("DPoP", *made);
    }
    QByteArray body;
    for (const auto &[name, value] : std::as_const(whole))
        body += (body.isEmpty() ? "" : "&") + name + '=' + value.toPercentEncoding();
    send({"POST", m_server.tokenEndpoint, headers, body, "application/x-www-form-urlencoded"},
         [this, form](const AuthExchange &exchange) { takeTokens(exchange, form); });
}

void OAuth::takeTokens(const AuthExchange &exchange, const Form &form)
{
    if (exchange.error())
        return fail(exchange.error());
    const json::Document document = json::Document::parse(exchange.body());
    const json::Value result = document.root();
    const QByteArray token = result[u"access_token"].utf8();
    const QByteArray nonce = http::valueOf(exchange.headers(), "DPoP-Nonce");
    if (!nonce.isEmpty())
        m_nonces[originTextOf(m_server.tokenEndpoint)] = nonce;
    // Some report errors with the status 200.
    if (const QString error = result[u"error"].string();
        exchange.status() != 200 || !error.isEmpty() || token.isEmpty()) {
        if (error == u"use_dpop_nonce" && !nonce.isEmpty() && !std::exchange(m_hasRetried, true))
            return requestTokens(form);
        if (std::exchange(m_mayRefresh, false)) {
            m_tokens.refreshToken.clear();
            return askForTokens();
        }
        const bool isForgotten = error == u"invalid_client" || error == u"unauthorized_client";
        if (isForgotten && m_registrations.remove(m_server.issuer) > 0 && !std::exchange(m_hasRetried, true))
            return identify();
        const QString why = result[u"error_description"].string(error);
        return fail(authError(tr("The authorization server gave no token: %1")
                                  .arg(why.isEmpty() ? exchange.statusError().message : visibleLine(why, 200))));
    }
    const QString type = result[u"token_type"].string();
    const bool isBound = type.compare(u"DPoP"_s, Qt::CaseInsensitive) == 0;
    if (!isBound && type.compare(u"Bearer"_s, Qt::CaseInsensitive) != 0)
        return fail(
            authError(tr("The authorization server gave a token of an unknown type: %1").arg(visibleLine(type, 40))));
    const QByteArray kept = m_mayRefresh ? m_tokens.refreshToken : QByteArray();
    const QByteArray renewed = result[u"refresh_token"].utf8();
    const qint64 seconds = result[u"expires_in"].toInteger().value_or(0);
    m_tokens = {m_server.issuer,
                token,
                renewed.isEmpty() ? kept : renewed,
                isBound,
                seconds > 0 ? QDateTime::currentDateTimeUtc().addSecs(seconds) : QDateTime(),
                result.contains(u"scope") ? scopesIn(result[u"scope"].string()) : m_scopes};
    m_isRenewed = m_mayRefresh;
    succeed();
}

// RFC 9449. token: that goes along with it; empty where there is none yet.
Result<QByteArray> OAuth::proof(const QByteArray &verb, const QUrl &url, const QByteArray &token)
{
    json::Builder claims;
    claims.beginObject().member(u"jti", QString::fromLatin1(randomToken()));
    claims.member(u"htm", QString::fromLatin1(verb));
    claims.member(u"htu", url.toString(QUrl::FullyEncoded | QUrl::RemoveQuery | QUrl::RemoveFragment));
    claims.member(u"iat", QDateTime::currentSecsSinceEpoch());
    if (!token.isEmpty())
        claims.member(u"ath", QString::fromLatin1(
                                  QCryptographicHash::hash(token, QCryptographicHash::Sha256).toBase64(Base64Url)));
    if (const QByteArray nonce = m_nonces.value(originTextOf(url)); !nonce.isEmpty())
        claims.member(u"nonce", QString::fromUtf8(nonce));
    return m_proofKey->sign("\"typ\":\"dpop+jwt\",\"jwk\":" + m_proofKey->publicJwk() + ',', claims.endObject().take());
}

}  // namespace sonde
