// What only the one who began a sign-in can know. RFC 7636; Spec: basic/authorization, "Authorization Code Protection".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace sonde {

// As tokens and proofs are written.
inline constexpr auto Base64Url = QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;

// 256 bits from the system's generator, as base64url.
QByteArray randomToken();
// Of a verifier, by S256.
QByteArray codeChallenge(const QByteArray &verifier);

}  // namespace sonde
