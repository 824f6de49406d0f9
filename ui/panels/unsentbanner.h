// What a call panel says instead of sending where there is nobody to send to.
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

    // Gone where the connection is there; otherwise why it is not, and a button where it can be started.
    void say(const Connection &connection);

Q_SIGNALS:
    void restartRequested();

private:
    QPushButton *m_restart;
};

}  // namespace sonde::ui
