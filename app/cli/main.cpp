// SPDX-License-Identifier: Apache-2.0
#include "app/cli/standardoutput.h"
#include "app/cli/verbline.h"
#include "app/common/guardedapplication.h"
#include "app/common/interrupts.h"
#include "app/common/system.h"

#include <QCoreApplication>

#include <cstdio>
#include <new>

using namespace sonde::cli;

namespace {

int run(QCoreApplication &app)
{
    const VerbLine line = readVerbLine(QCoreApplication::arguments().mid(1));
    if (!line.verb) {
        standardoutput::writeText(line.response);
        if (!line.problem.isEmpty())
            std::fputs(QStringLiteral("sonde-cli: %1\n").arg(line.problem).toUtf8().constData(), stderr);
        return int(line.problem.isEmpty() ? ExitCode::Ok : ExitCode::WrongUse);
    }
    const sonde::app::Interrupts interrupts;
    QObject::connect(&interrupts, &sonde::app::Interrupts::interrupted, line.verb.get(), &Verb::interrupt);
    // Queued: it may come before the event loop runs.
    QObject::connect(
        line.verb.get(), &Verb::finished, &app, [](ExitCode code) { QCoreApplication::exit(int(code)); },
        Qt::QueuedConnection);
    const sonde::Profile profile = sonde::Profile::ofUser();
    QMetaObject::invokeMethod(
        line.verb.get(), [&] { line.verb->start(profile); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

}  // namespace

int main(int argc, char *argv[])
{
    sonde::app::occupyClosedStreams();
    sonde::app::ignoreBrokenPipes();
    sonde::app::GuardedApplication<QCoreApplication> app(argc, argv);
    app.setOutOfMemoryHandler([] {
        std::fputs("sonde-cli: Out of memory.\n", stderr);
        QCoreApplication::exit(int(ExitCode::NoResponse));
    });
    // The folders of settings and sessions are those of the window.
    QCoreApplication::setApplicationName(QStringLiteral("sonde"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SONDE_VERSION));
    // Session verbs run before the event loop does, so nothing else catches it there.
    try {
        return standardoutput::exitCode(run(app));
    } catch (const std::bad_alloc &) {
        std::fputs("sonde-cli: Out of memory.\n", stderr);
        return int(ExitCode::NoResponse);
    }
}
