// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/revocation.h"

#include "core/authorization/authrequest.h"
#include "core/protocol/visibletext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxIssuerText = 120;
constexpr auto RefreshToken = "refresh_token";

}  // namespace

Revocation::Revocation(const QUrl &endpoint, const OAuthSettings &settings, AuthState state)
    : m_endpoint(endpoint), m_settings(settings), m_state(std::move(state))
{
    // With the refresh token what it has given should end, too; not every server does that.
    if (!m_state.tokens.refreshToken.isEmpty())
        m_left.append({RefreshToken, m_state.tokens.refreshToken});
    if (!m_state.tokens.accessToken.isEmpty() && !m_state.tokens.hasExpired())
        m_left.append({"access_token", m_state.tokens.accessToken});
    if (m_state.peer.isNull())
        m_state.peer = m_state.revocation.serverAddress;
}

Revocation::~Revocation() = default;

void Revocation::start()
{
    m_step.state = Step::State::Running;
    QMetaObject::invokeMethod(this, &Revocation::revokeNext, Qt::QueuedConnection);
}

void Revocation::revokeNext()
{
    const QString issuer = visibleLine(m_state.tokens.issuer, MaxIssuerText);
    if (m_left.isEmpty())
        return m_step.streams.isEmpty() ? end(Step::State::Skipped, {})
                                        : end(Step::State::Done, tr("Revoked at %1").arg(issuer));
    if (m_state.revocation.url.isEmpty())
        return end(Step::State::Skipped,
                   tr("%1 does not offer revocation; the tokens remain valid there until they expire").arg(issuer));
    const auto [kind, token] = m_left.takeFirst();
    AuthForm form{{"token", token}, {"token_type_hint", kind}};
    const Registration client = m_settings.clientId.isEmpty()
                                    ? m_state.client
                                    : Registration{m_settings.clientId, m_settings.clientSecret, {}, {}};
    AuthorizationServer server;
    server.issuer = m_state.tokens.issuer;
    server.authMethods = m_state.revocation.authMethods;
    const Result<http::HeaderList> headers = authenticateClient(client, m_settings, server, &form);
    if (!headers)
        return fail(headers.error().message);
    HttpFetch::Request request{"POST", m_state.revocation.url, *headers, encodedForm(form), FormType};
    route(&request, m_endpoint, m_settings, m_state.network, m_state.peer);
    request.stream = m_state.nextStream++;
    m_step.streams.append(request.stream);
    m_exchange = std::make_unique<HttpFetch>(request);
    connect(m_exchange.get(), &HttpFetch::reported, this, &Revocation::reported);
    connect(m_exchange.get(), &HttpFetch::finished, this, [this, kind = kind] {
        const std::unique_ptr<HttpFetch, QScopedPointerDeleteLater> done(m_exchange.release());
        take(*done, kind);
    });
    m_exchange->start();
}

void Revocation::take(const HttpFetch &exchange, const QByteArray &kind)
{
    if (exchange.error())
        return fail(connectionError(AuthEndpoint::Revocation, exchange).message);
    const QString error = json::Document::parse(exchange.body()).root()[u"error"].string();
    // Some cannot revoke access tokens: those are short-lived. RFC 7009, section 2.2.1.
    const bool isOfNoUse = error == u"unsupported_token_type" && kind != RefreshToken;
    const bool isDone = exchange.status() >= 200 && exchange.status() < 300 && error.isEmpty();
    if (!isDone && !isOfNoUse)
        return fail(responseError(AuthEndpoint::Revocation, exchange).message);
    revokeNext();
}

void Revocation::fail(const QString &reason)
{
    m_error = {Error::Kind::Auth,
               0,
               tr("The tokens were not revoked. %1").arg(reason),
               {},
               tr("They remain valid at the authorization server until they expire."),
               {}};
    end(Step::State::Failed, m_error.message);
}

void Revocation::end(Step::State state, const QString &text)
{
    m_hasEnded = true;
    m_step.state = state;
    m_step.text = text;
    Q_EMIT finished();
}

}  // namespace sonde
