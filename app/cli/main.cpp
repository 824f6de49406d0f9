// SPDX-License-Identifier: Apache-2.0
#include "app/cli/standardoutput.h"
#include "app/cli/verbline.h"
#include "app/common/guardedapplication.h"
#include "app/common/interrupts.h"
#include "app/common/system.h"

#include <QCoreApplication>

#include <new>

using namespace sonde::cli;

namespace {

// Ends without a verb: in the envelope too where the words ask for one.
int refuse(const QString &verb, const sonde::Error &error, ExitCode code)
{
    OutputOptions options;
    options.isJson = wantJson(QCoreApplication::arguments().mid(1));
    Output output(options);
    output.envelope().setVerb(verb);
    output.refusal(error);
    return int(output.finish(code));
}

int refuseWithoutMemory()
{
    return refuse({}, sonde::Error::local(QCoreApplication::translate("sonde::cli", "Out of memory.")),
                  ExitCode::NoResponse);
}

int run(QCoreApplication &app)
{
    const VerbLine line = readVerbLine(QCoreApplication::arguments().mid(1));
    if (line.problem)
        return refuse(line.name, line.problem, ExitCode::WrongUse);
    if (!line.verb) {
        standardoutput::writeText(line.response);
        return int(ExitCode::Ok);
    }
    Output &output = line.verb->output();
    const sonde::app::Interrupts interrupts;
    QObject::connect(&interrupts, &sonde::app::Interrupts::interrupted, line.verb.get(), &Verb::interrupt);
    // Queued: it may come before the event loop runs.
    QObject::connect(
        line.verb.get(), &Verb::finished, &app,
        [&output](ExitCode code) { QCoreApplication::exit(int(output.finish(code))); }, Qt::QueuedConnection);
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
    app.setOutOfMemoryHandler([] { QCoreApplication::exit(refuseWithoutMemory()); });
    // The folders of settings and sessions are those of the window.
    QCoreApplication::setApplicationName(QStringLiteral("sonde"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SONDE_VERSION));
    // Session verbs run before the event loop does, so nothing else catches it there.
    try {
        return standardoutput::exitCode(run(app));
    } catch (const std::bad_alloc &) {
        return refuseWithoutMemory();
    }
}
