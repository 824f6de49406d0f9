// What of a page's texts cannot be read for lack of room.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

class QWidget;

namespace sonde::test {

// Labels and buttons that are cut, and areas that scroll sideways, a sentence for each, once layouts have settled:
// nothing is when that holds for some turns of the event loop. Texts that may be longer than any window end in "…": the
// whole text is their tool tip, or is shown by a button.
QStringList cutTexts(const QWidget *page, int patienceMs = 3000);

}  // namespace sonde::test
