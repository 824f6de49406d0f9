// SPDX-License-Identifier: Apache-2.0
#include "app/demo/program.h"

#include "app/common/system.h"
#include "app/demo/httpserver.h"
#include "app/demo/options.h"
#include "app/demo/stdioserver.h"

#include <QCoreApplication>
#include <QTimer>
#include <cstdio>
#include <memory>

namespace sonde::demo {

namespace {

enum ExitCode { Ended = 0, CouldNotStart = 1, WrongUse = 4 };

void print(FILE *file, const QString &text)
{
    std::fputs(text.toUtf8().constData(), file);
    std::fflush(file);
}

int serve(const Options &options, const Offer &offer)
{
    if (options.has(Fault::StderrThenExit)) {
        print(stderr, QStringLiteral("Reading the configuration\n"
                                     "Error: Cannot open ./demo-config.json: No such file or directory\n"
                                     "    at loadConfiguration (config.js:12:11)\n"));
        return CouldNotStart;
    }
    if (options.exitBeforeHandshake)
        return *options.exitBeforeHandshake;
    if (options.has(Fault::IgnoreSigterm))
        app::ignoreTermination();
    app::ignoreBrokenPipes();

    std::unique_ptr<HttpServer> http;
    std::unique_ptr<StdioServer> stdio;
    QObject context;
    const auto start = [&] {
        if (!options.http) {
            stdio = std::make_unique<StdioServer>(options, offer);
            stdio->start();
            return;
        }
        http = std::make_unique<HttpServer>(options, offer);
        if (const QString problem = http->listen(); !problem.isEmpty()) {
            print(stderr, QStringLiteral("sonde-demo-server: %1\n").arg(problem));
            QCoreApplication::exit(CouldNotStart);
        } else {
            print(stderr, QStringLiteral("listening on %1\n").arg(http->address()));
        }
    };
    QTimer::singleShot(options.slowStartMs, &context, start);
    return QCoreApplication::exec();
}

}  // namespace

int run(const QStringList &arguments, const Offer &offer)
{
    const CommandLine line = readCommandLine(arguments);
    if (!line.problem.isEmpty()) {
        print(stderr, QStringLiteral("sonde-demo-server: %1\nTry --help.\n").arg(line.problem));
        return WrongUse;
    }
    if (!line.text.isEmpty()) {
        print(stdout, line.text);
        return Ended;
    }
    return serve(line.options, offer);
}

}  // namespace sonde::demo
