// The window with its real controllers, real servers and recorded sessions, in a home of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/windowhost.h"

#include <QHash>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <memory>

namespace sonde::monkey {

// Works in the current folder, which is the home and has the recorded sessions. One window at a time, put together as
// app/gui/main.cpp does.
class World : public QObject {
    Q_OBJECT
public:
    enum class Content { Servers, Sessions };  // beside the demo server, which is always there
    explicit World(Content content);
    ~World() override;

    void openWindow();   // those servers start that started() names
    void closeWindow();  // as the window system does; ends in closed()
    void disposeWindow();
    bool isOpen() const { return m_host != nullptr; }

    app::MainWindow &window() { return m_host->window(); }
    app::Workspace &workspace() { return m_host->workspace(); }

    // What servers do meanwhile.
    static const QStringList &serverNames();
    static const QStringList &acts();
    bool act(int server, const QString &act);  // false: it does not run

    static QStringList files();          // of the home, to be opened and dropped; one is not there
    static void recordSessions();        // makes those files, in the current folder
    QList<qint64> ownProcesses() const;  // whose parent we are, but for the HTTP server

Q_SIGNALS:
    void closed();
    void windowReplaced();

private:
    void writeServers();
    void approveAll();
    void startHttpServer();

    const Content m_content;
    quint16 m_port = 0;
    QProcess m_httpServer;
    QHash<QString, ServerSpec> m_approved;
    std::unique_ptr<ui::ThemeController> m_theme;
    std::unique_ptr<app::Settings> m_settings;
    std::unique_ptr<app::WindowHost> m_host;
};

}  // namespace sonde::monkey
