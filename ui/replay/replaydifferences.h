// The differences between the recorded and the new response of a step, and the rules that would ignore one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/replayer.h"
#include "ui/diff/differencemodel.h"

#include <functional>

class QMenu;

namespace sonde::ui {

// All of a step, with the reason of those that do not count.
QList<DifferenceRow> differenceRows(const ReplayStep &step);

// Offers in the menu of such a row to ignore it, or says why it does not count.
struct RuleTaker {
    std::function<void(const ReplayRule &)> add;
    std::function<void(const ReplayRule &)> draft;  // incomplete: the user has to add something
};
void fillIgnoreMenu(QMenu *menu, const DifferenceRow &row, const ReplayStep &step, const RuleTaker &taker);

}  // namespace sonde::ui
