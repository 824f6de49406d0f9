// What the tests of the stdio transport share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/process/stdiotransport.h"
#include "tests/support/programs.h"
#include "tests/support/transportprobe.h"

#include <QFile>
#include <QTest>
#include <memory>

namespace sonde::test {

// A transport to fake-stdio-server with these steps, and its probe.
struct Stdio {
    explicit Stdio(const QStringList &steps, StdioOptions options = {})
    {
        if (options.program.isEmpty())
            options.program = test::builtProgram(QStringLiteral("fake-stdio-server"));
        options.arguments = steps;
        transport = std::make_unique<StdioTransport>(options);
        probe = std::make_unique<TransportProbe>(transport.get());
        transport->open();
    }
    std::unique_ptr<StdioTransport> transport;
    std::unique_ptr<TransportProbe> probe;
};

// Exists and is no zombie.
inline bool isRunning(qint64 pid)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    if (pid <= 0 || !stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = stat.readAll();
    const char state = text.mid(text.lastIndexOf(')') + 2).at(0);
    return state != 'Z' && state != 'X';
}

// Skips the test in a build without SONDE_UNIX.
#ifdef SONDE_UNIX
#define SONDE_NEEDS_PROCESS_GROUPS(what)
#else
#define SONDE_NEEDS_PROCESS_GROUPS(what) QSKIP("Built without process groups and pipes of Unix: " what)
#endif

}  // namespace sonde::test
