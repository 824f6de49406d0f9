// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/dpop.h"

#include "core/authorization/pkce.h"
#include "core/json/builder.h"

#include <QCryptographicHash>
#include <QDateTime>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

QString originTextOf(const QUrl &url)
{
    return url.scheme() + u"://"_s + http::hostAndPort(url);
}

}  // namespace

Error ProofOfPossession::begin(const QByteArray &pem)
{
    const Result<SigningKey> key = pem.isEmpty() ? SigningKey::make() : SigningKey::fromPem(pem, "ES256");
    if (!key)
        return key.error();
    m_key = *key;
    return {};
}

bool ProofOfPossession::readNonce(const QUrl &url, const http::HeaderList &headers)
{
    const QByteArray nonce = http::valueOf(headers, "DPoP-Nonce");
    if (!nonce.isEmpty())
        m_nonces[originTextOf(url)] = nonce;
    return !nonce.isEmpty();
}

Result<QByteArray> ProofOfPossession::proof(const QByteArray &verb, const QUrl &url, const QByteArray &token) const
{
    json::Builder claims;
    claims.beginObject().member(u"jti", QString::fromLatin1(randomToken()));
    claims.member(u"htm", QString::fromLatin1(verb));
    claims.member(u"htu", url.toString(QUrl::FullyEncoded | QUrl::RemoveQuery | QUrl::RemoveFragment));
    claims.member(u"iat", QDateTime::currentSecsSinceEpoch());
    if (!token.isEmpty())
        claims.member(u"ath", QString::fromLatin1(
                                  QCryptographicHash::hash(token, QCryptographicHash::Sha256).toBase64(Base64Url)));
    if (const QByteArray nonce = m_nonces.value(originTextOf(url)); !nonce.isEmpty())
        claims.member(u"nonce", QString::fromUtf8(nonce));
    return m_key->sign("\"typ\":\"dpop+jwt\",\"jwk\":" + m_key->publicJwk() + ',', claims.endObject().take());
}

}  // namespace sonde
