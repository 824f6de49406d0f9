// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/world.h"

#include "core/connection/connection.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"

#include <signal.h>
#include <unistd.h>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::monkey {

namespace {

constexpr int PatienceMs = 20'000;

const QString First = u"first.mcpsession"_s;
const QString Second = u"second.mcpsession"_s;
const QString HttpServer = u"Web"_s;

quint16 freePort()
{
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost);
    return probe.serverPort();
}

QJsonObject program(const QString &name, const QStringList &arguments)
{
    return {{u"command"_s, test::builtProgram(name)}, {u"args"_s, QJsonArray::fromStringList(arguments)}};
}

// Calls a few tools, so that there is something to look at, to replay and to compare.
void record(const QString &path, const QString &revision, const QStringList &tools)
{
    ServerSpec spec;
    spec.name = path;
    spec.command = test::builtProgram(u"sonde-demo-server"_s);
    spec.arguments = {u"--revision"_s, revision};
    ConnectionOptions options;
    options.sessionPath = QDir::current().absoluteFilePath(path);
    Connection connection(spec, options);
    connection.open();
    const bool isReady = QTest::qWaitFor(
        [&] { return connection.state() == Connection::State::Connected && !connection.catalog()->isLoading(); },
        PatienceMs);
    if (!isReady)
        qFatal("the demo server does not start: %s", qUtf8Printable(connection.statusText()));
    for (const QString &tool : tools) {
        bool isOver = false;
        QObject::connect(connection.callTool(tool, R"({"text":"hello","a":1,"b":2})"), &Call::finished, &connection,
                         [&isOver] { isOver = true; });
        if (!QTest::qWaitFor([&isOver] { return isOver; }, PatienceMs))
            qFatal("the call of %s does not end", qUtf8Printable(tool));
    }
    connection.close();
    if (!QTest::qWaitFor([&] { return connection.state() == Connection::State::Disconnected; }, PatienceMs))
        qFatal("the demo server does not end");
}

}  // namespace

World::World(Content content) : m_content(content)
{
    if (content == Content::Servers) {
        m_port = freePort();
        startHttpServer();
        writeServers();
    }
}

World::~World()
{
    disposeWindow();
    m_httpServer.kill();
    m_httpServer.waitForFinished();
}

const QStringList &World::serverNames()
{
    static const QStringList names{u"Stateful"_s, u"Stateless"_s, u"Crashing"_s,
                                   u"Asking"_s,   HttpServer,     u"Never started"_s};
    return names;
}

const QStringList &World::acts()
{
    // The first seven are the signals of monkey-server.
    static const QStringList acts{u"exit"_s, u"ask"_s,   u"withdraw"_s, u"flood"_s,     u"change"_s,   u"hang"_s,
                                  u"end"_s,  u"go on"_s, u"stop"_s,     u"be killed"_s, u"come back"_s};
    return acts;
}

QStringList World::files()
{
    return {First, Second, u"no-such.mcpsession"_s, u"servers-to-import.json"_s, u"half.mcpsession"_s};
}

void World::recordSessions()
{
    record(First, u"2025-11-25"_s, {u"echo"_s, u"add"_s, u"no-such-tool"_s});
    record(Second, u"2026-07-28"_s, {u"echo"_s, u"add"_s});
    const QByteArray whole = test::readFile(First);
    test::writeFile(u"half.mcpsession"_s, whole.left(whole.size() / 2));
    test::writeFile(u"servers-to-import.json"_s, R"({"mcpServers":{"Imported":{"command":"true","args":["a b"]}}})");
}

void World::writeServers()
{
    const QString demo = u"sonde-demo-server"_s;
    const QJsonObject servers{
        {serverNames()[0], program(demo, {u"--revision"_s, u"2025-11-25"_s})},
        {serverNames()[1], program(demo, {u"--revision"_s, u"2026-07-28"_s})},
        {serverNames()[2], program(demo, {u"--crash-on-call"_s, u"--revision"_s, u"2025-11-25"_s})},
        {serverNames()[3], program(u"monkey-server"_s, {})},
        {HttpServer, QJsonObject{{u"url"_s, u"http://127.0.0.1:%1/mcp"_s.arg(m_port)}}},
        {serverNames()[5], program(demo, {u"--slow-start"_s, u"50"_s})},
    };
    const QString folder = QString::fromLocal8Bit(qgetenv("XDG_CONFIG_HOME")) + u"/sonde"_s;
    QDir().mkpath(folder);
    test::writeFile(folder + u"/servers.json"_s,
                    QJsonDocument(QJsonObject{{u"mcpServers"_s, servers}}).toJson(QJsonDocument::Indented));
}

void World::startHttpServer()
{
    m_httpServer.setProgram(test::builtProgram(u"sonde-demo-server"_s));
    m_httpServer.setArguments({u"--http"_s, QString::number(m_port)});
    m_httpServer.setStandardErrorFile(QProcess::nullDevice());
    m_httpServer.start();
    m_httpServer.waitForStarted();
}

void World::openWindow()
{
    m_theme = std::make_unique<ui::ThemeController>(qApp);
    m_settings = std::make_unique<app::Settings>();
    m_host = std::make_unique<app::WindowHost>(m_theme.get(), m_settings.get(), Profile::ofUser());
    connect(m_host.get(), &app::WindowHost::finished, this, &World::closed);
    connect(m_host.get(), &app::WindowHost::windowReplaced, this, &World::windowReplaced);
    connect(&workspace(), &app::Workspace::listChanged, m_host.get(), [this] { approveAll(); });
    approveAll();
    m_host->controller().restoreLast();  // what the window before had open
    window().show();
    window().activateWindow();
    if (m_content == Content::Sessions) {
        workspace().openSessionFile(QDir::current().absoluteFilePath(First));
        workspace().openSessionFile(QDir::current().absoluteFilePath(Second));
        return;
    }
    for (const QString &name : serverNames().first(5)) {
        if (workspace().serverNamed(name))
            m_host->controller().servers().connectServer(name);
    }
}

// The person knows these servers.
void World::approveAll()
{
    for (const auto &item : workspace().items()) {
        const bool isNew = item->isServer() && !item->isBuiltIn && m_approved.value(item->spec.name) != item->spec;
        if (!isNew || !serverNames().contains(item->spec.name))
            continue;
        m_approved.insert(item->spec.name, item->spec);
        workspace().approve(item->spec);
    }
}

void World::closeWindow()
{
    if (m_host)
        window().close();
}

void World::disposeWindow()
{
    m_host.reset();
    m_settings.reset();
    m_theme.reset();
}

bool World::act(int server, const QString &act)
{
    const QString name = serverNames().value(server);
    const int number = int(acts().indexOf(act));
    if (name == HttpServer && number >= 8) {
        if (act == u"come back" && m_httpServer.state() == QProcess::NotRunning) {
            startHttpServer();
        } else if (act != u"come back") {
            m_httpServer.kill();
            m_httpServer.waitForFinished();
        }
        return true;
    }
    const app::WorkspaceItem *item = workspace().serverNamed(name);
    const qint64 pid = item && item->connection ? item->connection->processId() : 0;
    if (pid <= 0)
        return false;
    if (item->spec.command.endsWith(u"monkey-server") && number < 7)
        return ::kill(pid_t(pid), SIGRTMIN + number) == 0;
    const int signal = act == u"stop" ? SIGSTOP : act == u"go on" ? SIGCONT : act == u"be killed" ? SIGKILL : 0;
    return ::kill(pid_t(pid), signal) == 0;
}

QList<qint64> World::ownProcesses() const
{
    QList<qint64> found;
    for (const QByteArray &pid :
         test::readFile(u"/proc/self/task/%1/children"_s.arg(::getpid())).simplified().split(' ')) {
        if (!pid.isEmpty() && pid.toLongLong() != m_httpServer.processId())
            found << pid.toLongLong();
    }
    return found;
}

}  // namespace sonde::monkey
