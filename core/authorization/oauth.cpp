// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/oauth.h"

#include "core/authorization/authmetadata.h"
#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/transport/monotonicclock.h"

#include <QCryptographicHash>
#include <QPointer>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxAuthorizations = 3;  // for one request
constexpr int MaxShownScopes = 200;
constexpr int MaxShownIssuer = 120;
constexpr int MaxShownSubject = 80;

// A server may take both kinds: what it says of the kind of token that it was shown counts.
const AuthChallenge *challengeOf(const CredentialSource::Refusal &refusal, const TokenSet &tokens)
{
    const AuthChallenge *first = nullptr;
    for (const AuthChallenge &challenge : refusal.challenges) {
        if (!challenge.isOf("Bearer") && !challenge.isOf("DPoP"))
            continue;
        if (tokens.accessToken.isEmpty() || challenge.isOf(tokens.isBound ? "DPoP" : "Bearer"))
            return &challenge;
        if (!first)
            first = &challenge;
    }
    return first;
}

QStringList scopesIn(const QByteArray &text)
{
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

QStringList without(QStringList scopes, const QStringList &less)
{
    scopes.removeIf([&less](const QString &scope) { return less.contains(scope); });
    return scopes;
}

// For a list of scopes, with the form for one and for several.
QString scopesText(const QStringList &scopes, const QString &one, const QString &several)
{
    return (scopes.size() == 1 ? one : several).arg(visibleLine(scopes.join(u' '), MaxShownScopes));
}

json::Value scopeData(const QStringList &required, const QStringList &granted)
{
    json::Builder builder;
    builder.beginObject();
    for (const auto &[name, scopes] :
         {std::pair(u"requiredScopes", &required), std::pair(u"grantedScopes", &granted)}) {
        builder.key(name).beginArray();
        for (const QString &scope : *scopes)
            builder.string(scope);
        builder.endArray();
    }
    return json::parse(builder.endObject().take());
}

QByteArray identityOf(const OAuthSettings &settings)
{
    const QByteArray token = settings.grant == OAuthSettings::Grant::Enterprise ? settings.idToken
                             : settings.grant == OAuthSettings::Grant::Workload ? settings.assertion
                                                                                : QByteArray();
    return token.isEmpty() ? token : QCryptographicHash::hash(token, QCryptographicHash::Sha256).toHex();
}

QString suffixOf(OAuthSettings::Grant grant)
{
    switch (grant) {
        case OAuthSettings::Grant::AuthorizationCode:
            break;
        case OAuthSettings::Grant::ClientCredentials:
            return u" as client"_s;
        case OAuthSettings::Grant::Enterprise:
            return u" by organization"_s;
        case OAuthSettings::Grant::Workload:
            return u" as machine"_s;
    }
    return {};
}

}  // namespace

QString StepUp::sentence() const
{
    const QString needed = visibleLine(subject, MaxShownSubject);
    QString sentence = scopesText(scopes, OAuth::tr("%1 needs the scope %2.").arg(needed, u"%1"_s),
                                  OAuth::tr("%1 needs the scopes %2.").arg(needed, u"%1"_s));
    if (!text.isEmpty())
        sentence += u' ' + OAuth::tr("The server says: “%1”").arg(visibleLine(text, MaxShownScopes));
    return sentence;
}

OAuth::OAuth(const QUrl &endpoint, const OAuthSettings &settings, Options options)
    : m_endpoint(endpoint), m_settings(settings), m_options(std::move(options)), m_name(nameFor(endpoint, settings))
{
    m_isLoaded = !m_options.store;
    m_state.network = m_options.network;
}

OAuth::~OAuth() = default;

QString OAuth::nameFor(const QUrl &endpoint, const OAuthSettings &settings)
{
    return u"sign-in %1 %2"_s.arg(canonicalResource(endpoint), settings.clientId).trimmed() + suffixOf(settings.grant);
}

QList<SignInStep> OAuth::steps() const
{
    if (m_signIn)
        return m_signIn->steps();
    return m_revocation ? QList<SignInStep>{m_removal, m_revocation->step()} : QList<SignInStep>();
}

Error OAuth::revocationError() const
{
    return m_signIn || !m_revocation ? Error() : m_revocation->error();
}

bool OAuth::hasGoodToken() const
{
    return isSignedIn() && !m_state.tokens.hasExpired() && m_state.tokens.accessToken != m_refusedToken;
}

QUrl OAuth::page() const
{
    return m_signIn ? m_signIn->page() : QUrl();
}

Error OAuth::receiveCallback(const QUrl &callback)
{
    return m_signIn && m_isBusy ? m_signIn->receiveCallback(callback) : Error::local(tr("No sign-in is in progress."));
}

void OAuth::provide(const Request &request, const Ready &ready)
{
    if (m_isBusy) {
        m_waiting.push_back({request, ready});
        return;
    }
    if (!m_isLoaded && m_options.store->mayHave(m_name)) {
        m_isBusy = true;
        m_waiting.push_back({request, ready});
        beginAttempt();
        return load([this] {
            m_isBusy = false;
            Q_EMIT changed();
            const QPointer<OAuth> alive(this);
            for (const Waiting &each : std::exchange(m_waiting, {})) {
                if (alive)
                    provide(each.request, each.ready);
            }
        });
    }
    m_isLoaded = true;
    decide(request, ready);
}

void OAuth::decide(const Request &request, const Ready &ready)
{
    const TokenSet &tokens = m_state.tokens;
    if (!request.refusal) {
        if (request.isLast || !tokens.isAboutToExpire() || tokens.refreshToken.isEmpty())
            return ready(headersFor(request));
        m_waiting.push_back({request, ready});
        SignIn::Goal goal;
        goal.knowsServer = true;
        return begin(goal);
    }
    const Refusal &refusal = *request.refusal;
    const AuthChallenge *challenge = challengeOf(refusal, tokens);
    const QByteArray error = challenge ? challenge->parameter("error") : QByteArray();
    const bool hasNonce = m_state.proofs.readNonce(request.url, refusal.responseHeaders);
    if (error == "use_dpop_nonce" && hasNonce)
        return ready(headersFor(request));
    const QByteArray sent = http::valueOf(refusal.credentials, "Authorization");
    const bool isOurs = isSignedIn() && sent.endsWith(' ' + tokens.accessToken);
    if (isOurs && refusal.status == 401)
        m_refusedToken = tokens.accessToken;
    const bool isForTokens = refusal.status == 401 || error == "insufficient_scope";
    if (isForTokens && !isOurs && isSignedIn() && refusal.count == 1)
        return ready(headersFor(request));  // somebody has signed in meanwhile
    SignIn::Goal goal;
    if (challenge) {
        goal.scopes = scopesIn(challenge->parameter("scope"));
        goal.wantsProof = challenge->isOf("DPoP");
    }
    const QByteArray named = challenge ? challenge->parameter("resource_metadata") : QByteArray();
    const QUrl place = QUrl::fromEncoded(named, QUrl::StrictMode);
    // What a refresh gave may be refused once more, what a whole sign-in gave may not.
    const bool isRenewed = isOurs && m_isRenewed && refusal.count == 2;
    const bool asksForSignIn = refusal.status == 401 && (sent.isEmpty() || (isOurs && refusal.count == 1) || isRenewed);
    const bool isScopeMissing = refusal.status == 403 && error == "insufficient_scope" && isSignedIn();
    // A refresh cannot widen what was granted. Spec: "Step-Up Authorization Flow".
    const QStringList before = united(m_state.requestedScopes, tokens.scopes);
    const QStringList all = united(before, goal.scopes);
    const bool asksForMore = isScopeMissing && m_settings.grant == OAuthSettings::Grant::AuthorizationCode &&
                             m_options.hasPerson && refusal.count < MaxAuthorizations && all.size() > before.size();
    if (isScopeMissing && !asksForMore) {
        demand(goal.scopes);
        return ready(scopeError(refusal, goal.scopes, *challenge));
    }
    if (!asksForSignIn && !asksForMore)
        return ready(isOurs && refusal.status == 401 ? refusedTokenError(refusal, challenge) : refusal.error);
    // It may be anywhere that a request may be led to: what counts is that it is about this server.
    if (!named.isEmpty() && !isTrustworthy(place) && !http::isSameOrigin(place, m_endpoint))
        return ready(
            Error{Error::Kind::Auth,
                  refusal.status,
                  tr("The server's metadata URL is on another origin that is neither https nor on this computer: %1")
                      .arg(visibleLine(QString::fromUtf8(named), MaxShownIssuer)),
                  {},
                  tr("The server's operator has to publish it at an https URL, or on the server's own origin."),
                  {}});
    m_state.meetServer(refusal.peer);
    if (asksForSignIn) {
        goal.mayRefresh = !isRenewed;
        goal.namedMetadata = place;
        m_waiting.push_back({request, ready});
        return begin(goal);
    }
    goal.scopes = all;
    goal.mayRefresh = false;
    if (!named.isEmpty())
        goal.namedMetadata = place;
    m_waiting.push_back({request, ready});
    begin(goal, {refusal.subject, without(all, before), QString::fromUtf8(challenge->parameter("error_description"))});
}

// For a sign-in to come: here is nobody who could grant them, or they were not granted.
void OAuth::demand(const QStringList &scopes)
{
    if (m_options.hasPerson || !m_options.store || m_settings.grant != OAuthSettings::Grant::AuthorizationCode)
        return;
    const QStringList known = m_options.store->demandedScopes(m_name);
    m_options.store->setDemandedScopes(m_name, united(known, without(scopes, m_state.tokens.scopes)));
}

QStringList OAuth::missingScopes() const
{
    return m_options.store ? without(m_options.store->demandedScopes(m_name), m_state.tokens.scopes) : QStringList();
}

Error OAuth::scopeError(const Refusal &refusal, const QStringList &required, const AuthChallenge &challenge) const
{
    const QStringList &granted = m_state.tokens.scopes;
    const QStringList missing = without(required, granted);
    const QString issuer = visibleLine(m_state.tokens.issuer, MaxShownIssuer);
    Error error = refusal.error;
    error.kind = Error::Kind::Auth;
    error.code = refusal.status;
    error.reason = Error::Reason::InsufficientScope;
    error.data = scopeData(required, granted);
    error.hint.clear();
    if (required.isEmpty())
        error.message = tr("The server refuses the token because of its scopes, but does not name the missing one.");
    else if (missing.isEmpty())
        error.message = scopesText(required, tr("The server requires the scope %1, although the token has it."),
                                   tr("The server requires the scopes %1, although the token has them."));
    else
        error.message = scopesText(missing, tr("The server requires the scope %1, which the token lacks."),
                                   tr("The server requires the scopes %1, which the token lacks."));
    if (const QByteArray text = challenge.parameter("error_description"); !text.isEmpty())
        error.message += u' ' + tr("It says: %1").arg(visibleLine(QString::fromUtf8(text), MaxShownIssuer));
    if (missing.isEmpty())
        error.hint = tr("Compare the scopes that the server requires with those that %1 grants.").arg(issuer);
    else if (m_settings.grant != OAuthSettings::Grant::AuthorizationCode || m_options.hasPerson)
        error.hint =
            tr("%1 did not grant it. Only the operator of that authorization server can change this.").arg(issuer);
    else
        error.hint = tr("Run sonde-cli login to sign in with the scopes %1.")
                         .arg(visibleLine(united(united(m_state.requestedScopes, granted), required).join(u' '),
                                          MaxShownScopes));
    return error;
}

// Right after it was issued: the server and its authorization server do not agree on what such a token has to be.
Error OAuth::refusedTokenError(const Refusal &refusal, const AuthChallenge *challenge) const
{
    const QByteArray said = challenge ? challenge->parameter("error_description") : QByteArray();
    const QString issuer = visibleLine(m_state.tokens.issuer, MaxShownIssuer);
    Error error = refusal.error;
    error.kind = Error::Kind::Auth;
    error.code = refusal.status;
    error.message = tr("The server refuses the token that %1 has just issued for it (HTTP %2).")
                        .arg(issuer, QString::number(refusal.status));
    if (!said.isEmpty())
        error.message += u' ' + tr("It says: %1").arg(visibleLine(QString::fromUtf8(said), MaxShownScopes));
    error.hint =
        tr("Compare the issuer, audience and scopes of the token with those that the server expects. The server's "
           "operator has to correct the one that differs.");
    return error;
}

CredentialSource::Headers OAuth::headersFor(const Request &request)
{
    const TokenSet &tokens = m_state.tokens;
    if (tokens.accessToken.isEmpty())
        return {};
    conceal(tokens.accessToken);
    if (!tokens.isBound)
        return {{"Authorization", "Bearer " + tokens.accessToken}};
    const Result<QByteArray> made = m_state.proofs.proof(request.verb, request.url, tokens.accessToken);
    return {{"Authorization", "DPoP " + tokens.accessToken}, {"DPoP", made ? *made : QByteArray()}};
}

// Cancels what the one before still waits for.
void OAuth::beginAttempt()
{
    m_attempt = std::make_unique<QObject>();
}

void OAuth::load(const std::function<void()> &then)
{
    m_options.store->read(m_name, m_attempt.get(), [this, then](const Result<std::optional<SignInRecord>> &record) {
        m_isLoaded = true;
        if (!record)
            m_keepError = record.error();
        else if (*record)
            take(**record);
        then();
    });
}

void OAuth::take(const SignInRecord &record)
{
    // The settings may have changed since, and with them on whose behalf the tokens are.
    if (record.identity != identityOf(m_settings) ||
        (!m_settings.issuer.isEmpty() && !isNamedIssuer(m_settings.issuer, record.tokens.issuer)))
        return;
    if (m_state.tokens.issuer != record.tokens.issuer)
        m_state.server.reset();
    m_state.tokens = record.tokens;
    m_state.client = record.client;
    // One that stands for itself, as a URL does, was not registered.
    if (!record.client.redirectUri.isEmpty() && !m_state.doubtfulClients.contains(record.client.clientId))
        m_state.registrations.insert(record.tokens.issuer, record.client);
    m_state.revocation = record.revocation;
    if (!m_state.server && isTrustworthy(record.tokenEndpoint)) {
        AuthorizationServer server;
        server.issuer = record.tokens.issuer;
        server.tokenEndpoint = record.tokenEndpoint;
        server.authMethods = record.tokenMethods;
        server.revocationEndpoint = record.revocation.url;
        server.revocationMethods = record.revocation.authMethods;
        server.isRemembered = true;
        m_state.server = server;
        m_state.resource.reset();
        if (!record.resource.isEmpty())
            m_state.resource = ProtectedResource{record.resource, {server.issuer}, {}, false};
    }
    m_state.requestedScopes = record.requestedScopes;
    m_state.namedMetadata = record.namedMetadata;
    if (record.tokens.isBound && (record.proofKey.isEmpty() || m_state.proofs.begin(record.proofKey)))
        m_state.tokens = {};  // they are of no use without their key
    for (const QByteArray &secret :
         {record.tokens.accessToken, record.tokens.refreshToken, record.client.secret.toUtf8()})
        conceal(secret);
}

void OAuth::signIn()
{
    if (m_isBusy)
        return;
    SignIn::Goal goal;
    goal.mayRefresh = false;
    if (!missingScopes().isEmpty())  // in addition to what there is
        goal.scopes = united(m_state.requestedScopes, m_state.tokens.scopes);
    begin(goal);
}

void OAuth::refresh()
{
    if (m_isBusy || m_state.tokens.refreshToken.isEmpty())
        return;
    SignIn::Goal goal;
    goal.knowsServer = true;
    begin(goal);
}

// Others who use this sign-in may be at it, too; what comes of that is as good.
void OAuth::begin(const SignIn::Goal &goal, const StepUp &stepUp)
{
    m_isBusy = true;
    m_error = {};
    m_stepUp = stepUp;
    if (!m_lock)
        m_lock = std::make_unique<SignInLock>(m_options.store ? m_options.store->lockPath(m_name) : QString());
    beginAttempt();
    m_lock->take([this, goal, token = m_state.tokens.accessToken] {
        if (!m_options.store || !m_options.store->mayHave(m_name))
            return beginLocked(goal, token);
        load([this, goal, token] { beginLocked(goal, token); });
    });
    Q_EMIT changed();
}

void OAuth::beginLocked(const SignIn::Goal &goal, const QByteArray &refusedToken)
{
    if (isSignedIn() && m_state.tokens.accessToken != refusedToken && goal.mayRefresh) {
        m_isRenewed = true;
        return succeed();
    }
    SignIn::Goal own = goal;
    own.mayVisit = m_options.hasPerson;
    m_state.demandedScopes = m_options.store ? m_options.store->demandedScopes(m_name) : QStringList();
    m_signIn = std::make_unique<SignIn>(m_endpoint, m_settings, &m_state, own);
    connect(m_signIn.get(), &SignIn::changed, this, &OAuth::changed);
    connect(m_signIn.get(), &SignIn::pageReady, this, &OAuth::pageReady);
    connect(m_signIn.get(), &SignIn::strayReceived, this, &OAuth::strayReceived);
    connect(m_signIn.get(), &SignIn::secretMet, this, &OAuth::conceal);
    connect(m_signIn.get(), &SignIn::reported, this, &OAuth::report);
    connect(m_signIn.get(), &SignIn::finished, this, [this](const Error &error) { end(error); });
    for (const QByteArray &secret : {m_settings.clientSecret.toUtf8(), m_settings.idToken, m_settings.assertion})
        conceal(secret);
    m_signIn->start();
}

void OAuth::end(const Error &error, Others others)
{
    // Also when the person or the authorization server declined: what is not granted must not block
    // every sign-in to come.
    if (m_options.store && m_signIn && m_signIn->wasAuthorized())
        m_options.store->setDemandedScopes(m_name, {});
    if (!error) {
        m_isRenewed = m_signIn->wasRefresh();
        return m_options.store ? keep() : succeed();
    }
    // The next one, here or in another program, is not to try again what is of no use.
    if (m_options.store && m_signIn && m_signIn->hasForgotten() && !m_state.tokens.issuer.isEmpty())
        m_options.store->write(m_name, record(), this, [](const Error &) {});
    m_error = error;
    m_isBusy = false;
    if (m_lock)
        m_lock->release();
    Q_EMIT changed();
    giveUp(error, others);
}

void OAuth::giveUp(const Error &error, Others others)
{
    // A refresh ahead of time may fail: what was given is good for some seconds still.
    const bool isCancelled = error.kind == Error::Kind::Cancelled;
    const bool goesOn = !isCancelled || (m_stepUp.isNeeded() && others == Others::GoOn);
    const bool isGoodStill = goesOn && hasGoodToken();
    const QPointer<OAuth> alive(this);
    for (const Waiting &each : std::exchange(m_waiting, {})) {
        Error why = error;
        if (each.request.refusal && m_stepUp.isNeeded() && each.request.refusal->subject == m_stepUp.subject) {
            why.message = m_stepUp.sentence() + u' ' + error.message;
            if (isCancelled)
                why.hint = tr("Scopes granted before are still valid. Try again to get more.");
        }
        if (each.request.refusal && why.kind == Error::Kind::Auth && why.code == 0)
            why.code = each.request.refusal->status;
        if (each.request.refusal && error.reason == Error::Reason::NoSignIn)  // what the server itself has said
            why.detail = each.request.refusal->error.detail;
        if (!alive || !isGoodStill || each.request.refusal)
            each.ready(why);
        else
            each.ready(headersFor(each.request));
    }
}

SignInRecord OAuth::record() const
{
    SignInRecord record;
    record.tokens = m_state.tokens;
    if (m_settings.clientId.isEmpty())
        record.client = m_state.client;
    record.revocation = m_state.revocation;
    if (m_state.server) {
        record.tokenEndpoint = m_state.server->tokenEndpoint;
        record.tokenMethods = m_state.server->authMethods;
        record.resource = m_state.resource ? m_state.resource->resource : QString();
    }
    record.requestedScopes = m_state.requestedScopes;
    record.namedMetadata = m_state.namedMetadata;
    record.identity = identityOf(m_settings);
    record.proofKey = m_state.tokens.isBound ? m_state.proofs.keyPem() : QByteArray();
    return record;
}

// Before others are let in: they have to find what this gave. No request waits for it longer than the keychain takes.
void OAuth::keep()
{
    m_isKeeping = true;
    m_signIn->beginKeeping();
    const QPointer<SignIn> signIn(m_signIn.get());
    // The store has work of its own at the end, also when nobody waits for it any more.
    m_options.store->write(m_name, record(), this,
                           [this, signIn, attempt = QPointer(m_attempt.get())](const Error &error) {
                               if (signIn)
                                   signIn->endKeeping(error);
                               if (!attempt)
                                   return;
                               m_isKeeping = false;
                               m_keepError = error;
                               succeed();
                           });
}

void OAuth::succeed()
{
    m_isBusy = false;
    m_lock->release();
    Q_EMIT changed();
    // A receiver may end the connection, and this object with it.
    const QPointer<OAuth> alive(this);
    for (const Waiting &each : std::exchange(m_waiting, {})) {
        if (alive)
            each.ready(headersFor(each.request));
    }
}

void OAuth::signOut()
{
    if (!m_isLoaded && m_options.store->mayHave(m_name)) {
        m_isBusy = true;
        beginAttempt();
        return load([this] { signOut(); });
    }
    cancel();
    if (m_lock)
        m_lock->release();
    m_isBusy = m_isKeeping = false;
    AuthState gone = std::exchange(m_state, {});
    m_state.network = m_options.network;
    m_state.peer = gone.peer;
    m_state.nextStream = gone.nextStream + Revocation::MaxRequests;
    m_signIn.reset();
    m_error = {};
    m_stepUp = {};
    m_refusedToken.clear();
    m_keepError = {};
    m_isRenewed = false;
    m_revocation = std::make_unique<Revocation>(m_endpoint, m_settings, std::move(gone));
    connect(m_revocation.get(), &Revocation::reported, this, &OAuth::report);
    m_revocation->start();
    forget();
    Q_EMIT changed();
}

// The keychain and the authorization server, side by side. A sign-in that begins meanwhile is what counts then.
void OAuth::forget()
{
    beginAttempt();
    const auto endOne = [this] {
        const bool hasEnded = m_revocation->hasEnded() && m_removal.state != Step::State::Running;
        const Error error = m_error;
        const QPointer<OAuth> alive(this);
        Q_EMIT changed();
        if (alive && hasEnded)
            Q_EMIT signedOut(error);
    };
    connect(m_revocation.get(), &Revocation::finished, m_attempt.get(), endOne);
    m_removal = makeStep<SignInStep>(SignInStep::Kind::Keep, Step::State::Skipped);
    if (!m_options.store)
        return;
    m_removal.state = Step::State::Running;
    m_options.store->remove(m_name, this, [this, endOne, attempt = QPointer(m_attempt.get())](const Error &error) {
        if (!attempt)
            return;
        m_removal.state = error ? Step::State::Failed : Step::State::Done;
        m_removal.text = error ? tr("Not removed: %1").arg(error.message) : tr("The tokens were removed");
        m_error = error;
        endOne();
    });
}

void OAuth::cancel(Others others)
{
    if (!m_isBusy)
        return;
    const Error cancelled{Error::Kind::Cancelled, 0, tr("The sign-in was cancelled."), {}, {}, {}};
    if (!mayCancel())
        return giveUp(cancelled);
    m_attempt.reset();
    const QPointer<OAuth> alive(this);
    if (m_signIn && m_lock && !m_lock->isWaiting()) {
        disconnect(m_signIn.get(), &SignIn::finished, this, nullptr);
        m_signIn->fail(cancelled);
    }
    if (alive && m_isBusy)
        end(cancelled, others);
}

void OAuth::conceal(const QByteArray &secret)
{
    if (m_observer.conceal && !secret.isEmpty())
        m_observer.conceal(secret);
}

void OAuth::report(const WireEvent &event)
{
    if (!m_observer.report)
        return;
    WireEvent stamped = event;
    stamped.monotonicNs = monotonicNs();
    m_observer.report(stamped);
}

}  // namespace sonde
