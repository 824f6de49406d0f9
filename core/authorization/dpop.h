// Proves with each request that a token is used by the one who got it (RFC 9449).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/signingkey.h"
#include "core/transport/http/httppolicy.h"

#include <QHash>
#include <QUrl>
#include <optional>

namespace sonde {

class ProofOfPossession {
public:
    // A key from here on; one that was kept, or a new one.
    Error begin(const QByteArray &pem = {});
    bool hasBegun() const { return m_key.has_value(); }
    QByteArray keyPem() const { return m_key ? m_key->toPem() : QByteArray(); }

    // Only once it has begun. token: that goes along with it; empty where there is none yet.
    Result<QByteArray> proof(const QByteArray &verb, const QUrl &url, const QByteArray &token) const;
    // True when a response gave one, with which the request may be repeated.
    bool readNonce(const QUrl &url, const http::HeaderList &headers);

private:
    std::optional<SigningKey> m_key;
    QHash<QString, QByteArray> m_nonces;  // the newest of each origin
};

}  // namespace sonde
