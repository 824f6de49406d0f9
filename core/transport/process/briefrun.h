// Runs a program that says something and ends, such as "node --version".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/process/childprocess.h"
#include "core/transport/process/stdiotransport.h"

#include <QByteArrayList>
#include <QElapsedTimer>
#include <QTimer>

namespace sonde {

class PipeReader;

// It gets no input. What is left of it after maxMs, or when this goes, is killed. Of what it prints the first MaxLines
// are kept, and of each line as much as MaxLineBytes.
class BriefRun final : public QObject {
    Q_OBJECT
public:
    static constexpr int MaxLines = 20'000;
    static constexpr qint64 MaxLineBytes = 64 * 1024;

    struct Result {
        QByteArrayList output;
        QByteArrayList errorOutput;
        int exitCode = 0;
        qint64 ms = 0;
        Error error;  // it could not be started, took too long, or was ended by a signal
    };

    BriefRun(const StdioOptions &options, int maxMs, QObject *parent);

Q_SIGNALS:
    // Once, and from the event loop.
    void finished(const sonde::BriefRun::Result &result);

private:
    void read();
    void finish(const Error &error);

    const QString m_name;
    ChildProcess m_process;
    PipeReader *m_output = nullptr;
    PipeReader *m_errorOutput = nullptr;
    QTimer m_limit;
    QElapsedTimer m_clock;
    Result m_result;
    bool m_isFinished = false;
};

}  // namespace sonde
