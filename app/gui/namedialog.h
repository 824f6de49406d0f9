// Asks for a new name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QInputDialog>

namespace sonde::app {

// Wide enough for long names and its own title, with Rename as the main button.
class NameDialog : public QInputDialog {
    Q_OBJECT
public:
    NameDialog(const QString &title, const QString &label, const QString &name, QWidget *parent);
};

}  // namespace sonde::app
