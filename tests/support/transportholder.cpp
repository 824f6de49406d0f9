// transport-holder: stands in for Sonde in tests that kill it. Opens a transport to the given command, prints what
// the server says, and goes on until it is killed.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/stdiotransport.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char *argv[])
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    sonde::StdioOptions options;
    options.program = arguments.value(1);
    options.arguments = arguments.mid(2);
    sonde::StdioTransport transport(options);
    QObject::connect(&transport, &sonde::Transport::received, &app, [](const sonde::Message &message) {
        std::puts(message.raw().constData());
        std::fflush(stdout);
    });
    QObject::connect(&transport, &sonde::Transport::closed, &app, [](const sonde::Error &error) {
        std::fputs(qPrintable(error.message), stderr);
        QCoreApplication::exit(1);
    });
    transport.open();
    return QCoreApplication::exec();
}
