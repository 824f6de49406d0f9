// The places of a server's description whose values may be kept in the keychain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/serverspec.h"

#include <QHash>

namespace sonde {

// What the description refers to, each once.
QStringList keychainNames(const ServerSpec &spec);
// With the values in their places. What is no longer there stays a reference.
ServerSpec withKeychainValues(const ServerSpec &spec, const QHash<QString, QString> &values);

}  // namespace sonde
