// A tab of the last time, whose server is not connected yet.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/windowstate.h"

#include <QPointer>
#include <QPushButton>
#include <QWidget>

namespace sonde::ui {
class Banner;
class TextLabel;
class TextView;
}  // namespace sonde::ui

namespace sonde::app {

// Of a call, of saved calls, or of tasks. Shows what was typed, which only a form can change: without the schema nobody
// knows what of it is secret. Its place is taken by the page itself as soon as the server says what it offers. Starts
// nothing by itself.
class WaitingTab : public QWidget {
    Q_OBJECT
public:
    // item: of the server, by its ID.
    WaitingTab(int item, const QString &server, const TabState &tab, QWidget *parent = nullptr);

    int item() const { return m_item; }
    const TabState &tab() const { return m_tab; }
    QString name() const;
    void focusButton();  // or, without it, what there is

    // From now on tells when that is connected and its lists are there. Null: it was not started.
    void setConnection(Connection *connection);
    void setServer(const QString &name);  // it was renamed

Q_SIGNALS:
    void reconnectRequested();
    void arrived();

private:
    void follow();
    bool hasArrived() const;  // of a server that is connected
    const int m_item;
    const TabState m_tab;
    QPointer<Connection> m_connection;
    ui::TextLabel *m_server;
    ui::Banner *m_banner;
    QPushButton *m_reconnect;
    ui::TextView *m_arguments;
};

}  // namespace sonde::app
