// MCP over a child process's standard input and output.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/transport.h"

#include <QList>
#include <memory>

namespace sonde {

struct StdioOptions {
    QString program;  // as typed; resolved on the effective PATH, and shown resolved
    QStringList arguments;
    QString workingDirectory;                        // empty: the home directory
    QList<std::pair<QString, QString>> environment;  // on top of the base list
    QString loginShellPath;                          // takes the place of the PATH that Sonde has; empty: nothing does
    bool inheritEnvironment = false;  // false: HOME, LOGNAME, PATH, SHELL, TERM, USER, LANG… only; see SECURITY.md
    qint64 maxMessageBytes = qint64(256) * 1024 * 1024;
    qint64 maxQueuedBytes = qint64(16) * 1024 * 1024;  // written but not yet read by the server, where more joins it
    qint64 maxSentBytes = qint64(64) * 1024 * 1024;    // of one message to the server
    int stopStepMs = 2000;  // stdin closed, wait, SIGTERM to the group, wait, SIGKILL to the group
};

// What would be started, for showing before anything is.
struct ProgramLookup {
    QString path;        // absolute, or empty when it cannot be started
    QString searchPath;  // the PATH that was searched
    Error error;         // not found, or not executable, in words
};
ProgramLookup findProgram(const StdioOptions &options);

// One JSON message a line (spec: basic/transports, "stdio"). The child is the leader of a process group of its own
// and dies with Sonde, however Sonde dies. Standard error is drained, recorded line by line and never an error.
class StdioTransport final : public Transport {
    Q_OBJECT
public:
    explicit StdioTransport(StdioOptions options, QObject *parent = nullptr);
    ~StdioTransport() override;  // kills what still runs

    void open() override;
    void close() override;
    QString name() const override;
    QStringList stderrTail() const override;
    qint64 processId() const override;

protected:
    Message prepared(const Message &message) override;
    quint8 lineEnd() const override { return 1; }
    void pauseReading(bool isPaused) override;
    Error write(const Message &message, const OutgoingHeaders &headers) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
