// What a sign-in gave, kept from one start of the program to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/filelock.h"
#include "core/secrets/secretstore.h"

#include <QDateTime>
#include <QHash>
#include <QHostAddress>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <functional>
#include <memory>

namespace sonde {

// What an authorization server gave.
struct TokenSet {
    QString issuer;
    QByteArray accessToken;
    QByteArray refreshToken;  // may be empty
    bool isBound = false;     // to our key, by DPoP
    QDateTime expiresAt;      // UTC; invalid: not said
    QStringList scopes;       // granted, or asked for where nothing was said
    qint64 lifetimeS = 0;     // of the access token when it was given; 0: not said

    bool hasExpired() const { return expiresAt.isValid() && QDateTime::currentDateTimeUtc() >= expiresAt; }
    // Half a minute before, so that no request is under way when it does; of a short life not more than half of it.
    bool isAboutToExpire() const;
};

// Who we are to one authorization server.
struct Registration {
    QString clientId;
    QString secret;
    QString authMethod;        // empty: as the server's metadata says
    QUrl redirectUri;          // that was registered; empty: none was
    QDateTime expiresAt = {};  // UTC, of the secret; invalid: never
    QStringList scopes = {};   // that it may ask for (RFC 7591); empty: not said
};

// Where tokens can be given back (RFC 7009).
struct RevocationEndpoint {
    QUrl url;                                // empty: there is none
    std::optional<QStringList> authMethods;  // none: not said
    QHostAddress serverAddress;              // of the server that the tokens are for; null: not known
};

struct SignInRecord {
    TokenSet tokens;
    Registration client;
    RevocationEndpoint revocation;
    QUrl tokenEndpoint;                       // where they are refreshed; empty: the metadata has to be read
    std::optional<QStringList> tokenMethods;  // of authentication there; none: not said
    QString resource;                         // that they are for, as the metadata writes it; empty: it names none
    QUrl namedMetadata;                       // the place that the server named for its metadata; empty: it named none
    QByteArray identity;          // a digest of the token that stood for a person or a machine; empty: there was none
    QStringList requestedScopes;  // ever
    QByteArray proofKey;          // PEM, where the tokens are bound to it

    QByteArray toJson() const;
    static std::optional<SignInRecord> fromJson(const QByteArray &json);
};

// One entry of the keychain for each server. That there is one shows in an empty file, so that the keychain is not
// asked about servers that nobody has signed in to.
class TokenStore {
public:
    // folder: for those files and for locks between programs; empty: neither.
    TokenStore(std::shared_ptr<SecretVault> vault, const QString &folder);

    using ReadDone = std::function<void(const Result<std::optional<SignInRecord>> &)>;
    void read(const QString &name, QObject *context, const ReadDone &done);
    // What the keychain does not take is kept until the program ends; the Error says so.
    void write(const QString &name, const SignInRecord &record, QObject *context, const SecretStore::Done &done);
    void remove(const QString &name, QObject *context, const SecretStore::Done &done);
    bool mayHave(const QString &name) const;
    // Scopes that the server demanded while nobody was there to grant them: for the next sign-in of any program. They
    // are no secrets, and stay when the tokens are removed. Sets none without a folder.
    QStringList demandedScopes(const QString &name) const;
    void setDemandedScopes(const QString &name, const QStringList &scopes);
    QString lockPath(const QString &name) const;  // empty: there are no locks

private:
    QString markPath(const QString &name) const;
    QString scopesPath(const QString &name) const;

    std::shared_ptr<SecretVault> m_vault;
    QString m_folder;
    std::shared_ptr<QHash<QString, int>> m_removals;  // how often each was removed
};

// Held while somebody signs in or refreshes under one name, so that others wait for what comes of it, in this program
// and in other ones. Spec: a refresh token may be good for one use only.
class SignInLock {
public:
    explicit SignInLock(const QString &path);  // empty: it is always free
    // taken: at once or later, on this thread; not at all once this object is gone.
    void take(const std::function<void()> &taken);
    bool isWaiting() const { return m_retry.isActive(); }
    void release();

private:
    bool tryTake();

    const QString m_path;
    std::unique_ptr<FileLock> m_lock;
    QTimer m_retry;
    std::function<void()> m_taken;
};

}  // namespace sonde
