// A child process and what it starts, none of which outlives Sonde where the system allows that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

class QProcess;

namespace sonde {

class ByteSink;
class ByteSource;
class ProcessBackend;
struct LaunchPlan;

// QProcess has the program, arguments, environment, folder, start errors and the exit. The bytes do not go through it
// where the backend has pipes of its own: QProcess reads ahead without a limit, and takes what is written to a
// process that has gone. Nor is the process ended through it: QProcess kills the leader of a group alone.
//
// Start it on a thread that lives as long as the child may: Linux ties the parent-death signal to the thread.
class ChildProcess final : public QObject {
    Q_OBJECT
public:
    struct Exit {
        int code = 0;
        int signal = 0;  // when not 0, what ended it
    };

    explicit ChildProcess(QObject *parent = nullptr);
    ~ChildProcess() override;  // kills whatever is left of it

    // Ends in started() or in startFailed(), neither of them from within this call.
    void start(const LaunchPlan &plan);
    qint64 pid() const { return m_pid; }
    bool hasExited() const;
    // What the process has started may live on when it has exited itself.
    bool isGone() const;
    Exit exitStatus() const;

    std::unique_ptr<ByteSink> takeInput();
    std::unique_ptr<ByteSource> takeOutput();
    std::unique_ptr<ByteSource> takeErrorOutput();

    // To be called after the input was closed: waits for stepMs (unless told not to), asks the process and all that
    // it has started to end, waits again, kills them. Ends in gone().
    void stop(int stepMs, bool waitsFirst = true);

Q_SIGNALS:
    void started();
    void startFailed(const QString &reason);  // in the words of QProcess: see launchError()
    void exited();
    void signalled(const QString &name);  // what stop() sent
    void gone();

private:
    void escalate();
    void checkGone();

    QProcess *m_process;
    std::unique_ptr<ProcessBackend> m_backend;
    qint64 m_pid = 0;
    bool m_isStopping = false;
    bool m_wasGivenUp = false;
    QTimer m_escalationTimer;
    QTimer m_poll;
    int m_step = 0;
    int m_stepMs = 0;
};

}  // namespace sonde
