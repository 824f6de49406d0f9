// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/oauth.h"

#include "core/protocol/visibletext.h"
#include "core/transport/monotonicclock.h"

#include <QPointer>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxAuthorizations = 3;  // for one request

const AuthChallenge *challengeOf(const CredentialSource::Refusal &refusal)
{
    for (const AuthChallenge &challenge : refusal.challenges) {
        if (challenge.isOf("Bearer") || challenge.isOf("DPoP"))
            return &challenge;
    }
    return nullptr;
}

QStringList scopesIn(const QByteArray &text)
{
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

void addMissing(QStringList *scopes, const QStringList &more)
{
    for (const QString &scope : more) {
        if (!scopes->contains(scope))
            scopes->append(scope);
    }
}

}  // namespace

OAuth::OAuth(const QUrl &endpoint, const OAuthSettings &settings, Options options)
    : m_endpoint(endpoint), m_settings(settings), m_options(std::move(options)), m_name(nameFor(endpoint, settings))
{
    m_isLoaded = !m_options.store;
    m_state.network = m_options.network;
}

OAuth::~OAuth() = default;

QString OAuth::nameFor(const QUrl &endpoint, const OAuthSettings &settings)
{
    return u"sign-in %1 %2"_s.arg(canonicalResource(endpoint), settings.clientId).trimmed();
}

QList<SignInStep> OAuth::steps() const
{
    return m_signIn ? m_signIn->steps() : QList<SignInStep>();
}

QUrl OAuth::page() const
{
    return m_signIn ? m_signIn->page() : QUrl();
}

Error OAuth::takeCallback(const QUrl &callback)
{
    return m_signIn && m_isBusy ? m_signIn->takeCallback(callback) : Error::local(tr("No sign-in is under way."));
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
        if (!tokens.isAboutToExpire() || tokens.refreshToken.isEmpty())
            return ready(headersFor(request));
        m_waiting.push_back({request, ready});
        SignIn::Wish wish;
        wish.knowsServer = true;
        return begin(wish);
    }
    const Refusal &refusal = *request.refusal;
    const AuthChallenge *challenge = challengeOf(refusal);
    const QByteArray error = challenge ? challenge->parameter("error") : QByteArray();
    const bool isNewNonce = m_state.proofs.takeNonce(request.url, refusal.responseHeaders);
    if (error == "use_dpop_nonce" && isNewNonce)
        return ready(headersFor(request));
    const QByteArray sent = http::valueOf(refusal.credentials, "Authorization");
    const bool isOurs = isSignedIn() && sent.endsWith(' ' + tokens.accessToken);
    if (refusal.status == 401 && !isOurs && isSignedIn() && refusal.count == 1)
        return ready(headersFor(request));  // somebody has signed in meanwhile
    SignIn::Wish wish;
    if (challenge) {
        wish.scopes = scopesIn(challenge->parameter("scope"));
        wish.wantsProof = challenge->isOf("DPoP");
    }
    // What a refresh gave may be refused once more, what a whole sign-in gave may not.
    const bool isRenewed = isOurs && m_isRenewed && refusal.count == 2;
    if (refusal.status == 401 && (sent.isEmpty() || (isOurs && refusal.count == 1) || isRenewed)) {
        wish.mayRefresh = !isRenewed;
        const QByteArray named = challenge ? challenge->parameter("resource_metadata") : QByteArray();
        if (!named.isEmpty()) {
            wish.namedMetadata = QUrl::fromEncoded(named, QUrl::StrictMode);
            if (!isTrustworthy(wish.namedMetadata) || !http::isSameOrigin(wish.namedMetadata, m_endpoint))
                return ready(Error{
                    Error::Kind::Auth,
                    refusal.status,
                    tr("The server names metadata on another host: %1").arg(visibleLine(QString::fromUtf8(named), 120)),
                    {},
                    {},
                    {}});
        }
        m_waiting.push_back({request, ready});
        return begin(wish);
    }
    // A refresh cannot widen what was granted. Spec: "Step-Up Authorization Flow".
    if (refusal.status == 403 && error == "insufficient_scope" &&
        m_settings.grant == OAuthSettings::Grant::AuthorizationCode && refusal.count < MaxAuthorizations) {
        QStringList all = m_state.requestedScopes;
        addMissing(&all, tokens.scopes);
        const qsizetype before = all.size();
        addMissing(&all, wish.scopes);
        if (all.size() > before) {
            wish.scopes = all;
            wish.mayRefresh = false;
            m_waiting.push_back({request, ready});
            return begin(wish);
        }
    }
    ready(refusal.error);
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

void OAuth::load(const std::function<void()> &then)
{
    m_options.store->read(m_name, this, [this, then](const Result<std::optional<SignInRecord>> &record) {
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
    if (m_state.tokens.issuer != record.tokens.issuer)
        m_state.server.reset();
    m_state.tokens = record.tokens;
    if (!record.client.clientId.isEmpty())
        m_state.registrations.insert(record.tokens.issuer, record.client);
    addMissing(&m_state.requestedScopes, record.requestedScopes);
    if (!record.proofKey.isEmpty() && m_state.proofs.begin(record.proofKey))
        m_state.tokens = {};  // they are of no use without their key
    for (const QByteArray &secret :
         {record.tokens.accessToken, record.tokens.refreshToken, record.client.secret.toUtf8()})
        conceal(secret);
}

void OAuth::signIn()
{
    if (m_isBusy)
        return;
    SignIn::Wish wish;
    wish.mayRefresh = false;
    begin(wish);
}

void OAuth::refresh()
{
    if (m_isBusy || m_state.tokens.refreshToken.isEmpty())
        return;
    SignIn::Wish wish;
    wish.knowsServer = true;
    begin(wish);
}

// Others who use this sign-in may be at it, too; what comes of that is as good.
void OAuth::begin(const SignIn::Wish &wish)
{
    m_isBusy = true;
    m_error = {};
    if (!m_lock)
        m_lock = std::make_unique<SignInLock>(m_options.store ? m_options.store->lockPath(m_name) : QString());
    m_lock->take([this, wish, token = m_state.tokens.accessToken, attempt = ++m_attempt] {
        if (!m_options.store || !m_options.store->mayHave(m_name))
            return beginLocked(wish, token);
        load([this, wish, token, attempt] {
            if (attempt == m_attempt && m_isBusy)
                beginLocked(wish, token);
        });
    });
    Q_EMIT changed();
}

void OAuth::beginLocked(const SignIn::Wish &wish, const QByteArray &refusedToken)
{
    if (isSignedIn() && m_state.tokens.accessToken != refusedToken && wish.mayRefresh) {
        m_isRenewed = true;
        return succeed();
    }
    SignIn::Wish own = wish;
    own.mayVisit = m_options.hasPerson;
    m_signIn = std::make_unique<SignIn>(m_endpoint, m_settings, &m_state, own);
    connect(m_signIn.get(), &SignIn::changed, this, &OAuth::changed);
    connect(m_signIn.get(), &SignIn::pageReady, this, &OAuth::pageReady);
    connect(m_signIn.get(), &SignIn::secretMet, this, &OAuth::conceal);
    connect(m_signIn.get(), &SignIn::reported, this, &OAuth::report);
    connect(m_signIn.get(), &SignIn::finished, this, &OAuth::end);
    for (const QByteArray &secret : {m_settings.clientSecret.toUtf8(), m_settings.idToken, m_settings.assertion})
        conceal(secret);
    m_signIn->start();
}

void OAuth::end(const Error &error)
{
    if (!error) {
        m_isRenewed = m_signIn->wasRefresh();
        return m_options.store ? keep() : succeed();
    }
    m_error = error;
    m_isBusy = false;
    if (m_lock)
        m_lock->release();
    Q_EMIT changed();
    // A refresh ahead of time may fail: what was given is good for some seconds still.
    const bool isGoodStill = error.kind != Error::Kind::Cancelled && isSignedIn() && !m_state.tokens.hasExpired();
    const QPointer<OAuth> alive(this);
    for (const Waiting &each : std::exchange(m_waiting, {})) {
        if (!alive || !isGoodStill || each.request.refusal)
            each.ready(error);
        else
            each.ready(headersFor(each.request));
    }
}

// Before others are let in: they have to find what this gave. No request waits for it longer than the keychain takes.
void OAuth::keep()
{
    m_signIn->beginKeeping();
    SignInRecord record;
    record.tokens = m_state.tokens;
    record.client = m_state.registrations.value(m_state.tokens.issuer);
    record.requestedScopes = m_state.requestedScopes;
    record.proofKey = m_state.tokens.isBound ? m_state.proofs.keyPem() : QByteArray();
    m_options.store->write(m_name, record, this, [this, attempt = m_attempt](const Error &error) {
        if (attempt != m_attempt || !m_isBusy)
            return;
        m_keepError = error;
        m_signIn->endKeeping(error);
        succeed();
    });
}

void OAuth::succeed()
{
    m_isBusy = false;
    m_lock->release();
    Q_EMIT changed();
    // Whoever hears of it may end the connection, and this with it.
    const QPointer<OAuth> alive(this);
    for (const Waiting &each : std::exchange(m_waiting, {})) {
        if (alive)
            each.ready(headersFor(each.request));
    }
}

void OAuth::signOut()
{
    cancel();
    const int nextStream = m_state.nextStream;
    m_state = {};
    m_state.nextStream = nextStream;
    m_state.network = m_options.network;
    m_signIn.reset();
    m_error = {};
    m_keepError = {};
    m_isRenewed = false;
    if (m_options.store)
        m_options.store->remove(m_name, this, [this](const Error &error) {
            m_keepError = error;
            Q_EMIT changed();
            Q_EMIT signedOut(error);
        });
    Q_EMIT changed();
}

void OAuth::cancel()
{
    if (!m_isBusy)
        return;
    const Error cancelled{Error::Kind::Cancelled, 0, tr("The sign-in was cancelled."), {}, {}, {}};
    ++m_attempt;
    const QPointer<OAuth> alive(this);
    if (m_signIn && m_lock && !m_lock->isWaiting())
        m_signIn->fail(cancelled);
    if (alive && m_isBusy)
        end(cancelled);
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
