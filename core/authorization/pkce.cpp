// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/pkce.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <array>

namespace sonde {

QByteArray randomToken()
{
    std::array<quint32, 8> bits{};
    QRandomGenerator::system()->fillRange(bits.data(), qsizetype(bits.size()));
    return QByteArray(reinterpret_cast<const char *>(bits.data()), qsizetype(sizeof bits)).toBase64(Base64Url);
}

QByteArray codeChallenge(const QByteArray &verifier)
{
    return QCryptographicHash::hash(verifier, QCryptographicHash::Sha256).toBase64(Base64Url);
}

}  // namespace sonde
