// The demo server's command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace sonde::demo {

enum class Era { Both, Stateful, Stateless };

// Misbehaviour without a value, for testing clients.
enum class Fault {
    StderrThenExit,
    JunkOnStdout,
    IgnoreSigterm,
    CrashOnCall,
    BadJson,
    WrongId,
    DuplicateResponse,
    Late,
    AlwaysStream,
    DropStreams  // with AlwaysStream
};

struct Options {
    bool http = false;     // either of the two transports over HTTP
    bool httpSse = false;  // HTTP+SSE instead of Streamable HTTP
    quint16 port = 0;      // 0: a free one
    int pageSize = 0;      // of the lists; 0: everything at once
    QString revision;      // the only one to speak, answered to every initialize; empty: negotiated
    Era era() const;       // HTTP+SSE belongs to the stateful era

    QList<Fault> faults;
    bool has(Fault fault) const { return faults.contains(fault); }

    // More of it.
    int slowStartMs = 0;
    std::optional<int> exitBeforeHandshake;
    std::optional<int> exitOnCall;
    QStringList neverResponse;
    QStringList missingMethods;
    qint64 hugeLine = 0;
    int flood = 0;
    int httpStatus = 0;
    int forgetSessionAfter = 0;
};

struct CommandLine {
    Options options;
    QString text;     // help or version: to be printed instead of serving; empty otherwise
    QString problem;  // why it cannot be followed; empty when it can
};

CommandLine readCommandLine(const QStringList &arguments);  // without the program's name

}  // namespace sonde::demo
