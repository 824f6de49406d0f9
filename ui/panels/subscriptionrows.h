// What a server was asked to tell by itself, and what it agreed to, on the server's page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <QPointer>
#include <QWidget>

class QPushButton;

namespace sonde::ui {

class FactRows;

// Hidden while nothing is subscribed.
class SubscriptionRows : public QWidget {
    Q_OBJECT
public:
    explicit SubscriptionRows(QWidget *parent = nullptr);
    void setConnection(Connection *connection);  // not owned; null for none

private:
    void refresh();

    QPointer<Connection> m_connection;
    FactRows *m_rows;
    QPushButton *m_again;
};

}  // namespace sonde::ui
