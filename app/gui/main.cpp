// SPDX-License-Identifier: Apache-2.0
#include "app/common/guardedapplication.h"
#include "app/common/interrupts.h"
#include "app/gui/endprogram.h"
#include "app/gui/headless.h"
#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "app/gui/startarguments.h"
#include "app/gui/windowhost.h"

#include <QApplication>
#include <QDBusConnection>
#include <QLoggingCategory>
#include <QTextStream>
#include <QTimer>
#include <QWindow>
#include <cstdlib>
#include <optional>

using namespace Qt::StringLiterals;
using sonde::app::StartArguments;

namespace {

constexpr int WrongUse = 4;  // as the command line has it

void setNames()
{
    QCoreApplication::setApplicationName(u"sonde"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(SONDE_VERSION));
}

// The exit code if nothing is to be started.
std::optional<int> refusal(const sonde::Result<StartArguments> &request)
{
    if (!request) {
        QTextStream(stderr) << "sonde: " << request.error().message << ' ' << request.error().hint << '\n';
        return WrongUse;
    }
    if (request->text.isEmpty())
        return std::nullopt;
    QTextStream(stdout) << request->text;
    return 0;
}

int runWithoutDisplay(const StartArguments &request, const QString &reason)
{
    sonde::ServerSpec spec = sonde::app::Workspace::demoSpec();
    if (!request.lines.isEmpty()) {
        const sonde::Result<sonde::ServerSpec> given = sonde::ServerSpec::fromLine(request.lines.first());
        if (!given) {
            QTextStream(stderr) << "sonde: " << given.error().message << '\n';
            return WrongUse;
        }
        spec = *given;
        if (spec.startsProcess())
            spec.workingDirectory = request.folder;
    }
    return sonde::app::runHeadless(spec, reason);
}

// Ends the program once the window is painted, without closing it: the end is no part of what is measured.
class ExitAfterPaint final : public QObject {
public:
    bool eventFilter(QObject *, QEvent *event) override
    {
        // The window is painted while it handles this event.
        if (event->type() == QEvent::Expose)
            QTimer::singleShot(0, this, [] { std::_Exit(EXIT_SUCCESS); });
        return false;
    }
};

}  // namespace

int main(int argc, char *argv[])
{
    const QString noDisplay = sonde::app::reasonForNoDisplay(argc, argv);
    if (!noDisplay.isEmpty()) {
        QCoreApplication app(argc, argv);
        setNames();
        const sonde::Result<StartArguments> request = StartArguments::read(QCoreApplication::arguments());
        const std::optional<int> code = refusal(request);
        return code ? *code : runWithoutDisplay(*request, noDisplay);
    }

    // Warnings about a server's image are not for standard error; QT_LOGGING_RULES restores them.
    QLoggingCategory::setFilterRules(u"qt.gui.imageio=false"_s);
    sonde::app::GuardedApplication<QApplication> app(argc, argv);
    app.setOutOfMemoryHandler([] { qWarning("Out of memory: some content could not be shown."); });
    setNames();
    const sonde::Result<StartArguments> given = StartArguments::read(QCoreApplication::arguments());
    if (const std::optional<int> code = refusal(given))
        return *code;
    const StartArguments &request = *given;
    QApplication::setApplicationDisplayName(u"Sonde"_s);
    QGuiApplication::setDesktopFileName(u"io.github.sonde.Sonde"_s);
    QApplication::setWindowIcon(QIcon(u":/icons/sonde.svg"_s));
    QApplication::setQuitOnLastWindowClosed(false);  // servers are stopped in order first

    sonde::ui::ThemeController theme(&app);
    theme.followDesktop(QDBusConnection::sessionBus());
    sonde::app::Settings settings;
    theme.setFontSize(settings.number(sonde::app::setting::FontSize));
    sonde::app::WindowHost host(&theme, &settings, sonde::Profile::ofUser());
    QObject::connect(&host, &sonde::app::WindowHost::finished, &app, &sonde::app::endProgram);
    const sonde::app::Interrupts interrupts;
    QObject::connect(&interrupts, &sonde::app::Interrupts::interrupted, &host, &sonde::app::WindowHost::shutDown);
    if (!request.exitAfterPaint)
        host.controller().restoreLast();
    host.window().show();
    ExitAfterPaint exitAfterPaint;
    if (request.exitAfterPaint)
        host.window().windowHandle()->installEventFilter(&exitAfterPaint);

    // Nothing starts before the window is shown.
    QTimer::singleShot(0, &host, [&] {
        if (request.exitAfterPaint)
            return;
        for (const QString &path : request.sessions)
            host.workspace().openSessionFile(path);
        for (const QString &name : request.servers)
            host.controller().servers().connectServer(name);
        if (request.demo)
            host.controller().servers().startDemo();
        for (const QString &line : request.lines)
            host.controller().servers().connectLine(line, request.folder);
    });
    return QApplication::exec();
}
