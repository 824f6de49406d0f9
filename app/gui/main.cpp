// SPDX-License-Identifier: Apache-2.0
#include "app/common/interrupts.h"
#include "app/gui/headless.h"
#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/workspace.h"
#include "core/transport/commandline.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTextStream>
#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

struct Request {
    bool demo = false;
    QStringList servers;   // by name
    QStringList sessions;  // files
    QString line;          // a command line or an address
    bool exitAfterPaint = false;
};

Request readArguments(const QCoreApplication &app)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Native explorer for MCP servers.\n\n"
        "  sonde                        open the window\n"
        "  sonde session.mcpsession     open a recorded session\n"
        "  sonde https://host/mcp       add this server and connect\n"
        "  sonde -- npx -y some-server  the same for a command"_s);
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption demo(u"demo"_s, u"Connect to the built-in demo server and open its first tool."_s);
    const QCommandLineOption server(u"server"_s, u"Connect to the server of this name."_s, u"name"_s);
    const QCommandLineOption once(u"exit-after-first-paint"_s, u"For measuring the start."_s);
    parser.addOptions({demo, server, once});
    parser.addPositionalArgument(u"what"_s, u"A session file, an address, or a command after --."_s, u"[what…]"_s);
    parser.process(app);

    Request request;
    request.demo = parser.isSet(demo);
    request.servers = parser.values(server);
    request.exitAfterPaint = parser.isSet(once);
    const QStringList words = parser.positionalArguments();
    const auto isSession = [](const QString &word) { return word.endsWith(u".mcpsession") && !word.contains(u"://"); };
    if (std::all_of(words.cbegin(), words.cend(), isSession))
        request.sessions = words;
    else if (words.size() == 1)
        request.line = words.first();
    else if (!words.isEmpty())
        request.line = sonde::joinCommandLine(words);
    return request;
}

void setNames()
{
    QCoreApplication::setApplicationName(u"sonde"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(SONDE_VERSION));
}

}  // namespace

int main(int argc, char *argv[])
{
    const QString noDisplay = sonde::app::reasonForNoDisplay(argc, argv);
    if (!noDisplay.isEmpty()) {
        QCoreApplication app(argc, argv);
        setNames();
        const Request request = readArguments(app);
        sonde::ServerSpec spec = sonde::app::Workspace::demoSpec();
        if (!request.line.isEmpty()) {
            const sonde::Result<sonde::ServerSpec> given = sonde::ServerSpec::fromLine(request.line);
            if (!given) {
                QTextStream(stderr) << given.error().message << '\n';
                return 4;
            }
            spec = *given;
        }
        return sonde::app::runHeadless(spec, noDisplay);
    }

    QApplication app(argc, argv);
    setNames();
    QApplication::setApplicationDisplayName(u"Sonde"_s);
    QGuiApplication::setDesktopFileName(u"io.github.sonde.Sonde"_s);
    QApplication::setWindowIcon(QIcon(u":/icons/sonde.svg"_s));
    QApplication::setQuitOnLastWindowClosed(false);  // servers are stopped in order first
    const Request request = readArguments(app);

    sonde::ui::ThemeController theme(&app);
    sonde::app::Settings settings;
    sonde::app::MainWindow window;
    sonde::app::Workspace workspace(&window, &theme, &settings);
    QObject::connect(&workspace, &sonde::app::Workspace::finished, &app, &QCoreApplication::quit);
    const sonde::app::Interrupts interrupts;
    QObject::connect(&interrupts, &sonde::app::Interrupts::interrupted, &window, &QWidget::close);
    window.show();

    // Nothing is started before the window has been painted once.
    QTimer::singleShot(0, &workspace, [&] {
        if (request.exitAfterPaint) {
            window.close();
            return;
        }
        for (const QString &path : request.sessions)
            workspace.openSessionFile(path);
        for (const QString &name : request.servers)
            workspace.connectServer(name);
        if (request.demo)
            workspace.startDemo();
        if (!request.line.isEmpty())
            workspace.connectLine(request.line);
    });
    return QApplication::exec();
}
