// Signs out of a server that need not be connected: forgets its tokens and has the authorization server revoke them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/oauth.h"
#include "core/connection/profile.h"
#include "core/server/serverspec.h"

#include <QObject>
#include <memory>

namespace sonde {

// Once. Deleting it ends it without a signal; what is forgotten by then stays so. RFC 7009.
class SignOut final : public QObject {
    Q_OBJECT
public:
    // spec: of a server with a URL; who was signed in may stand in the keychain.
    SignOut(const ServerSpec &spec, const Profile &profile, QObject *parent = nullptr);
    ~SignOut() override;

    void start();
    // From finished() on.
    bool wasSignedIn() const { return m_wasSignedIn; }
    const SignInStep &revocation() const { return m_revocation; }       // what came of it
    const Error &revocationError() const { return m_revocationError; }  // why the tokens may be valid still

Q_SIGNALS:
    void finished(const sonde::Error &error);  // what the keychain said, or nothing; not from within start()

private:
    void signOut(const OAuthSettings &settings);

    const ServerSpec m_spec;
    const Profile m_profile;
    std::unique_ptr<OAuth> m_oauth;
    bool m_wasSignedIn = false;
    SignInStep m_revocation;
    Error m_revocationError;
};

}  // namespace sonde
