// Asks whether a server may be started or contacted, and shows what exactly that would do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QPushButton;

namespace sonde::ui {

class Banner;
class LaunchLines;
class TextLabel;

// Hidden while there is nothing to ask. Cancel has the focus.
class ApprovalView : public QWidget {
    Q_OBJECT
public:
    explicit ApprovalView(QWidget *parent = nullptr);
    void setConnection(Connection *connection);  // may be null; not owned
    void setRoom(int height);  // that the page has for it: the buttons are to be seen without scrolling
    QWidget *cancelButton() const;

Q_SIGNALS:
    void notRemembered(const sonde::Error &error);

private:
    void refresh();
    void fill(const Approval &approval);

    QPointer<Connection> m_connection;
    bool m_isShown = false;
    QTimer m_arming;  // of the button, when the lines have changed under the hand of the person
    Banner *m_banner;
    LaunchLines *m_lines;
    TextLabel *m_note;
    QPushButton *m_approve;
    QPushButton *m_cancel;
};

}  // namespace sonde::ui
