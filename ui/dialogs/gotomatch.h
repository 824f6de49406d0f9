// How well something in the palette matches what was typed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace sonde::ui {

struct GotoEntry;

// Lower is better. Every word has to match, in any order: the text or the title, also by some of its letters in their
// order, or else the detail. Nothing: it does not match.
std::optional<int> gotoScore(const GotoEntry &entry, const QStringList &words);

}  // namespace sonde::ui
