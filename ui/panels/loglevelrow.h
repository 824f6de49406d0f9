// The log level of a server, on its page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <QPointer>
#include <QWidget>

class QComboBox;

namespace sonde::ui {

class TextLabel;

// Hidden while the server cannot be told.
class LogLevelRow : public QWidget {
    Q_OBJECT
public:
    explicit LogLevelRow(QWidget *parent = nullptr);
    void setConnection(Connection *connection);  // not owned; null for none

private:
    void refresh();

    QPointer<Connection> m_connection;
    QComboBox *m_levels;
    TextLabel *m_note;
};

}  // namespace sonde::ui
