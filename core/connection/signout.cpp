// SPDX-License-Identifier: Apache-2.0
#include "core/connection/signout.h"

#include "core/server/specsecrets.h"
#include "core/server/specvariables.h"

namespace sonde {

SignOut::SignOut(const ServerSpec &spec, const Profile &profile, QObject *parent)
    : QObject(parent), m_spec(spec), m_profile(profile)
{}

SignOut::~SignOut() = default;

void SignOut::start()
{
    // As whom the person was signed in. What neither the keychain nor a variable tells the authorization server will
    // miss.
    ServerSpec guarded;
    guarded.oauth = m_spec.oauth;
    if (const Result<ResolvedVariables> variables = withVariables(guarded))
        guarded = variables->spec;
    readSecrets(m_profile.secrets, keychainNames(guarded), this,
                [this, guarded](const QHash<QString, QString> &values, const Error &) {
                    signOut(withKeychainValues(guarded, values).oauth);
                });
}

void SignOut::signOut(const OAuthSettings &settings)
{
    m_oauth = std::make_unique<OAuth>(m_spec.url, settings, OAuth::Options{m_profile.tokens, false, m_spec.network});
    m_wasSignedIn = m_profile.tokens->mayHave(m_oauth->name());
    connect(m_oauth.get(), &OAuth::signedOut, this, [this](const Error &error) {
        m_revocation = m_oauth->steps().constLast();
        m_revocationError = m_oauth->revocationError();
        Q_EMIT finished(error);
    });
    m_oauth->signOut();
}

}  // namespace sonde
