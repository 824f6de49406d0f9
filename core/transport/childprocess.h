// A child process that leads a process group of its own, none of which outlives Sonde.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/processguard.h"
#include "core/transport/uniquefd.h"

#include <QList>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <memory>

#include <sys/types.h>

namespace sonde {

struct SpawnPlan {
    QByteArray program;             // absolute
    QList<QByteArray> arguments;    // with argv[0]
    QList<QByteArray> environment;  // NAME=value
    QByteArray directory;
};

// Not QProcess, which kills the leader alone, reads ahead without bound, keeps an unbounded write buffer, and takes
// what is written to a process that has gone.
//
// Start it on a thread that lives as long as the child may: the kernel ties the parent-death signal to the thread.
class ChildProcess final : public QObject {
    Q_OBJECT
public:
    enum class Stage : quint8 { Fork, Directory, Exec };
    struct Exit {
        int code = 0;
        int signal = 0;  // when not 0, what ended it
    };

    explicit ChildProcess(QObject *parent = nullptr);
    ~ChildProcess() override;  // SIGKILL to whatever is left of the group

    // 0, or the error number of what could not be had. Otherwise comes to started() or to startFailed().
    int start(const SpawnPlan &plan);
    pid_t pid() const { return m_pid; }
    bool hasExited() const { return m_hasExited; }
    // Members of the group may live on when the leader has exited.
    bool isGone() const;

    // Non-blocking ends of the three pipes.
    UniqueFd takeInput() { return std::move(m_input); }
    UniqueFd takeOutput() { return std::move(m_output); }
    UniqueFd takeErrorOutput() { return std::move(m_errorOutput); }

    // To be called after the input was closed: waits for stepMs (unless told not to), sends SIGTERM to the group,
    // waits again, sends SIGKILL. Comes to gone().
    void stop(int stepMs, bool waitsFirst = true);

Q_SIGNALS:
    void started();
    void startFailed(sonde::ChildProcess::Stage stage, int errorNumber);
    void exited();
    void signalled(int signal);  // sent to the group by stop()
    void gone();

public:
    Exit exitStatus() const { return m_exit; }

private:
    void readStartReport();
    void watchExit();
    void reap();
    void escalate();
    void checkGone();
    bool reapNow(int options);

    pid_t m_pid = 0;
    bool m_hasExited = false;
    bool m_isStopping = false;
    bool m_wasGivenUp = false;
    Exit m_exit;
    UniqueFd m_input;
    UniqueFd m_output;
    UniqueFd m_errorOutput;
    UniqueFd m_report;  // the child writes here when exec fails, and exec closes it
    UniqueFd m_pidFd;
    std::unique_ptr<QSocketNotifier> m_reportNotifier;
    std::unique_ptr<QSocketNotifier> m_exitNotifier;
    std::unique_ptr<ProcessGuard> m_guard;
    QTimer m_escalationTimer;
    QTimer m_poll;
    int m_step = 0;
    int m_stepMs = 0;
};

}  // namespace sonde
