// What of a call's arguments is secret, and what may be kept for the next time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QStringList>

namespace sonde {

// The arguments without everything that looks like a credential: members whose name says so or whose schema does
// (format "password", writeOnly), texts that hold one of the known secrets, an authorization, or a password in an
// address. A list with such a text goes as a whole. In doubt it is left out. Empty when nothing may be kept: no object,
// too deep, or a schema too large to be looked through.
QByteArray withoutSecrets(const json::Value &arguments, const json::Value &schema, const QStringList &secrets);

// The values that the schema declares to be secret (format "password", writeOnly), wherever they stand in the arguments:
// texts, and numbers as they are written. All of them when the schema declares some and is too large, or leads too far,
// to tell which.
QStringList secretValues(const json::Value &arguments, const json::Value &schema);

}  // namespace sonde
