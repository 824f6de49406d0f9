// Signs in to the authorization server that guards a server of HTTP, and stays signed in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/revocation.h"
#include "core/authorization/signin.h"
#include "core/transport/http/credentialsource.h"

#include <QObject>
#include <deque>
#include <memory>

namespace sonde {

// A request needs more than the tokens are good for. Spec: basic/authorization, "Step-Up Authorization Flow".
struct StepUp {
    QString subject;     // the tool, prompt or resource that was asked for, or the method
    QStringList scopes;  // that the tokens do not have
    QString text;        // what the server says; may be empty

    bool isNeeded() const { return !scopes.isEmpty(); }
    QString sentence() const;  // who needs what, with the server's text
};

// One server. Requests that need credentials meanwhile wait for the one sign-in, and those of other programs for what
// comes of it. GUI thread. Spec: basic/authorization.
class OAuth final : public QObject, public CredentialSource {
    Q_OBJECT
public:
    struct Options {
        std::shared_ptr<TokenStore> store;  // null: nothing is kept
        bool hasPerson = true;              // who can be shown a page
        http::NetworkOptions network = {};  // of the server, and to whomever it leads
    };

    OAuth(const QUrl &endpoint, const OAuthSettings &settings, Options options);
    ~OAuth() override;

    void provide(const Request &request, const Ready &ready) override;
    void setObserver(const Observer &observer) override { m_observer = observer; }

    static QString nameFor(const QUrl &endpoint, const OAuthSettings &settings);
    const QString &name() const { return m_name; }  // in the store
    const QUrl &endpoint() const { return m_endpoint; }
    const OAuthSettings &settings() const { return m_settings; }
    const Options &options() const { return m_options; }

    // Also when no request asks for it. They end in changed().
    void signIn();
    void refresh();
    // Forgets all that is known, here and in the keychain, and tells the authorization server.
    void signOut();
    // The sign-in under way. A refresh goes on, without those that waited for it: what it gives replaces a token that
    // may have been good for this one use only. Others: what waits for a step-up although it needs no more.
    enum class Others { Fail, GoOn };
    void cancel(Others others = Others::Fail);
    bool mayCancel() const { return m_isBusy && !m_isKeeping && !(m_signIn && m_signIn->isRefreshing()); }

    bool isBusy() const { return m_isBusy; }
    bool isSignedIn() const { return !m_state.tokens.accessToken.isEmpty(); }
    // With tokens that have not expired, and that the server has not refused.
    bool hasGoodToken() const;
    const TokenSet &tokens() const { return m_state.tokens; }
    // Why the sign-in under way, or the last one, asked for more; nothing where it did not.
    const StepUp &stepUp() const { return m_stepUp; }
    // That the server demanded of a program without a person, and that the tokens do not have: signIn() asks for them.
    QStringList missingScopes() const;
    // Of the last sign-in or sign-out, or of the one under way; empty before the first.
    QList<SignInStep> steps() const;
    const Error &error() const { return m_error; }          // that the last one ended with
    const Error &keepError() const { return m_keepError; }  // why the keychain did not take the tokens
    Error revocationError() const;                          // why the last sign-out left them valid
    // That a person is to visit now; empty: none.
    QUrl page() const;
    Error receiveCallback(const QUrl &callback);  // as SignIn
    bool isWaitingForOthers() const { return m_lock && m_lock->isWaiting(); }

Q_SIGNALS:
    void changed();
    void pageReady(const QUrl &page);
    void strayReceived();                       // as SignIn
    void signedOut(const sonde::Error &error);  // what the keychain said, or nothing; revocationError() is known

private:
    struct Waiting {
        Request request;
        Ready ready;
    };

    Headers headersFor(const Request &request);
    void decide(const Request &request, const Ready &ready);
    void demand(const QStringList &scopes);
    Error refusedTokenError(const Refusal &refusal, const AuthChallenge *challenge) const;
    Error scopeError(const Refusal &refusal, const QStringList &required, const AuthChallenge &challenge) const;
    void beginAttempt();
    void load(const std::function<void()> &then);
    void take(const SignInRecord &record);
    void begin(const SignIn::Goal &goal, const StepUp &stepUp = {});
    void beginLocked(const SignIn::Goal &goal, const QByteArray &refusedToken);
    void end(const Error &error, Others others = Others::Fail);
    void giveUp(const Error &error, Others others = Others::Fail);
    void keep();
    SignInRecord record() const;
    void succeed();
    void forget();
    void conceal(const QByteArray &secret);
    void report(const WireEvent &event);

    const QUrl m_endpoint;
    const OAuthSettings m_settings;
    const Options m_options;
    const QString m_name;  // in the store
    Observer m_observer;
    std::deque<Waiting> m_waiting;
    AuthState m_state;
    QByteArray m_refusedToken;  // by the server, the last time
    StepUp m_stepUp;
    std::unique_ptr<SignInLock> m_lock;
    std::unique_ptr<SignIn> m_signIn;  // the last one, too; null after a sign-out
    std::unique_ptr<Revocation> m_revocation;
    SignInStep m_removal;                // from the keychain, of the last sign-out
    std::unique_ptr<QObject> m_attempt;  // context of what a sign-in or sign-out waits for; destroyed to cancel it
    Error m_error;
    Error m_keepError;
    bool m_isBusy = false;  // signing in, refreshing, or reading what was kept
    bool m_isLoaded = false;
    bool m_isKeeping = false;  // what the last sign-in gave
    bool m_isRenewed = false;  // what we have comes of a refresh
};

}  // namespace sonde
