// What of a call's arguments may be kept for the next time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QStringList>

namespace sonde {

class Session;

// The arguments without everything that a recording would mask, by the same rule (SECURITY.md): a member goes with its
// name and value, a list as a whole. What the session has come to know is secret too, in every spelling, and so is a
// text with one of the given secrets in it, however short these are. In doubt it is left out. Empty when nothing may be
// kept: no object, too deep, or a schema too large to be looked through.
QByteArray withoutSecrets(const json::Value &arguments, const json::Value &schema, const QStringList &secrets,
                          const Session &session);

// The same of arguments that are being typed: exactly their text where nothing of it is left out. A text that is no
// object (yet) is kept whole or, in doubt, not at all.
QByteArray textWithoutSecrets(const QByteArray &text, const json::Value &schema, const QStringList &secrets,
                              const Session &session);

// Recorded arguments without everything that was masked there. Empty when nothing may be kept, as above.
QByteArray withoutMasked(const json::Value &recorded);

}  // namespace sonde
