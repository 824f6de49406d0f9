// What a window says, as a screen reader would be told: one line for each label, button, field and cell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

class QWidget;

namespace sonde::pictures {

// "Role: text", in the order of the accessibility tree; hidden widgets are left out, cells that are scrolled out of
// sight are not. What differs from run to run (times, durations, sizes, ports, process IDs, the home folder) is
// replaced by a word in capitals.
QStringList labelsOf(QWidget *root);

// What was lost ("- …") and what was added ("+ …"), whatever the order and the line breaks; empty: nothing.
QStringList differences(const QStringList &before, const QStringList &now);

}  // namespace sonde::pictures
