// Takes credentials out of the facts of an event: headers, variables, arguments of a command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <functional>

namespace sonde {

// Returns the mark that stands for a secret. learns: it is to be known from now on.
using MaskSecret = std::function<QByteArray(const QByteArray &secret, const QByteArray &kind, bool learns)>;
// The facts with what a name says to be secret masked; nothing where no name does. What a text says in itself is left
// to readers of texts.
std::optional<QByteArray> maskedFacts(const json::Document &facts, const MaskSecret &mask);

}  // namespace sonde
