// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run.h"
#include "app/cli/serververbs.h"
#include "app/cli/sessionverbs.h"
#include "app/cli/standardoutput.h"
#include "app/common/guardedapplication.h"
#include "app/common/interrupts.h"

#include <QCoreApplication>

#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <new>

using namespace sonde::cli;

namespace {

// One that is closed would become the next file or socket to be opened, and get what is printed. It stays unusable.
void occupyClosedStreams()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int run(QCoreApplication &app)
{
    if (const std::optional<ExitCode> code = runSessionVerb(QCoreApplication::arguments().mid(1)))
        return int(*code);
    const sonde::Profile profile = sonde::Profile::ofUser();
    if (const std::optional<ExitCode> code = runServerVerb(QCoreApplication::arguments().mid(1), profile))
        return int(*code);
    const ParsedArguments parsed = parseArguments(QCoreApplication::arguments().mid(1));
    if (!parsed.response.isEmpty()) {
        standardoutput::writeText(parsed.response);
        return int(ExitCode::Ok);
    }
    if (!parsed.problem.isEmpty()) {
        std::fputs(QStringLiteral("sonde-cli: %1\nTry --help.\n").arg(parsed.problem).toUtf8().constData(), stderr);
        return int(ExitCode::WrongUse);
    }
    const std::unique_ptr<Job> job = makeJob(parsed.arguments, profile);
    sonde::app::Interrupts interrupts;
    QObject::connect(&interrupts, &sonde::app::Interrupts::interrupted, job.get(), &Job::interrupt);
    // Queued: it may come before the event loop runs.
    QObject::connect(job.get(), &Job::finished, &app, &QCoreApplication::exit, Qt::QueuedConnection);
    QMetaObject::invokeMethod(job.get(), &Job::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

}  // namespace

int main(int argc, char *argv[])
{
    occupyClosedStreams();
    // A reader that went away is told by the exit code, as every other output that cannot be written.
    std::signal(SIGPIPE, SIG_IGN);
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
