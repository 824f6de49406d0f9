// Shown by a call panel instead of sending when there is no connection.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "ui/theme/widgets.h"

class QPushButton;

namespace sonde::ui {

// Hidden while connected. Otherwise says why there is no connection, with a button if the server can be started.
class UnsentBanner : public Banner {
    Q_OBJECT
public:
    explicit UnsentBanner(QWidget *parent = nullptr);

    void refresh(const Connection &connection);
    void sayNotSent(const Connection &connection);  // until it is connected
    void setBrief(bool isBrief);                    // where there is little height; the reason is in the tool tip then

Q_SIGNALS:
    void restartRequested();

private:
    void showContent();

    QString m_state;
    QString m_reason;
    QPushButton *m_restart;
    bool m_isBrief = false;
    bool m_isNotSent = false;  // a call was tried
};

}  // namespace sonde::ui
