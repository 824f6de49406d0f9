// A private key that signs JSON Web Tokens (RFC 7515, RFC 7518), by OpenSSL.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QByteArray>
#include <memory>

struct evp_pkey_st;

namespace sonde {

// Copies share the key.
class SigningKey {
public:
    // A new one for ES256.
    static Result<SigningKey> make();
    // PEM. algorithm: ES256 or RS256, which the key must fit.
    static Result<SigningKey> fromPem(const QByteArray &pem, const QByteArray &algorithm);

    QByteArray toPem() const;  // PKCS #8, without a passphrase

    const QByteArray &algorithm() const { return m_algorithm; }
    // The public half of a key for ES256, as a JSON object.
    QByteArray publicJwk() const;
    // A whole token. header: members beside "alg", each followed by a comma; payload: a JSON object.
    Result<QByteArray> sign(const QByteArray &header, const QByteArray &payload) const;

private:
    SigningKey(evp_pkey_st *key, const QByteArray &algorithm);

    std::shared_ptr<evp_pkey_st> m_key;
    QByteArray m_algorithm;
};

}  // namespace sonde
