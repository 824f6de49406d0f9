// The ways in which a secret can be spelled in a stream of bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace sonde {

// Plain, percent-encoded and JSON-escaped (once and twice, as in JSON within a string). Distinct.
QList<QByteArray> textSpellings(const QByteArray &secret);
// For each of the three ways in which its bytes can fall into groups, the part of its base64 that is the same whatever
// stands around it. Distinct.
QList<QByteArray> base64Spellings(const QByteArray &secret);

// Whether a header, variable, query parameter or flag of that name carries a credential.
bool isCredentialName(QByteArrayView name);
// The same for environment variables, by the words of their names too: DB_PASS, SENTRY_DSN, SIGNING_KEY.
bool isCredentialVariable(QByteArrayView name);
// Twenty or more letters and digits without anything that a path, an address or a sentence would have between them.
bool looksLikeToken(QByteArrayView text);

}  // namespace sonde
