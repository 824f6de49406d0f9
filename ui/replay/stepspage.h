// How a panel of steps is laid out: those of a replay and of saved calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QWidget;

namespace sonde::ui {

class Banner;

// The bar, the banners below it, which are hidden at first, and the list of steps beside the view of the current one.
// The panel owns all of them, and its focus goes to the list. In a low place all of it scrolls, and nothing is
// squeezed.
void layOutSteps(QWidget *panel, QWidget *bar, const QList<Banner *> &banners, QWidget *steps, QWidget *view);

}  // namespace sonde::ui
