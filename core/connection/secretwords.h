// Which names and texts look like credentials.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace sonde {

// GITHUB_TOKEN, x-api-key, clientSecret, Authorization … Judged by the words of the name.
bool isSecretName(const QString &name);
// The parts of a value that must not be written down when its name is a secret one: of "Bearer abc" also "abc", of
// Basic credentials also the password. Nothing for values that would only blank out innocent text (true, 4096).
QStringList secretParts(const QString &value);
// Passwords and token-like query values of the address, or of any address within a longer text.
QStringList secretsInAddress(const QString &text);
// Of a header or a variable.
QStringList secretsInPair(const QString &name, const QString &value);
// What stands behind a secret name: "API_KEY=abc", "--header=Authorization: Bearer abc", {"token":"abc"}.
QStringList secretsInText(const QString &text);

}  // namespace sonde
