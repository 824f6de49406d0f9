// Shown by a call panel instead of sending when there is no connection.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "ui/theme/widgets.h"

class QPushButton;

namespace sonde::ui {

// Hidden until say().
class UnsentBanner : public Banner {
    Q_OBJECT
public:
    explicit UnsentBanner(QWidget *parent = nullptr);

    // Hidden while connected; otherwise says why there is no connection, with a button if the server can be started.
    void say(const Connection &connection);

Q_SIGNALS:
    void restartRequested();

private:
    QPushButton *m_restart;
};

}  // namespace sonde::ui
