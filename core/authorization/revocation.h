// Tells an authorization server that the tokens it gave are not needed any more. RFC 7009.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/signin.h"

namespace sonde {

// Once, for the refresh token and for the access token. Deleting it ends it without a signal.
class Revocation final : public QObject {
    Q_OBJECT
public:
    static constexpr int MaxRequests = 2;

    // state: of the sign-in that ends, with its tokens.
    Revocation(const QUrl &endpoint, const OAuthSettings &settings, AuthState state);
    ~Revocation() override;

    void start();
    const SignInStep &step() const { return m_step; }
    bool hasEnded() const { return m_hasEnded; }
    // Why the tokens may be valid still. That there is no such endpoint is no error.
    const Error &error() const { return m_error; }

Q_SIGNALS:
    void reported(const sonde::WireEvent &event);
    void finished();  // once, never from within start()

private:
    void revokeNext();
    void take(const HttpFetch &exchange, const QByteArray &kind);
    void end(Step::State state, const QString &text);
    void fail(const QString &reason);

    const QUrl m_endpoint;
    const OAuthSettings m_settings;
    AuthState m_state;
    QList<std::pair<QByteArray, QByteArray>> m_left;  // kind and token
    std::unique_ptr<HttpFetch> m_exchange;
    SignInStep m_step = makeStep<SignInStep>(SignInStep::Kind::Revoke);
    Error m_error;
    bool m_hasEnded = false;
};

}  // namespace sonde
