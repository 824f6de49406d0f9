// Ctrl-C and kill, as a signal of the event loop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <csignal>

class QSocketNotifier;

namespace sonde::app {

// The first SIGINT or SIGTERM becomes interrupted(); a second one ends the program at once, and so does the first where
// the event loop does not turn within ten seconds.
class Interrupts : public QObject {
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    ~Interrupts() override;

Q_SIGNALS:
    void interrupted();

private:
    QSocketNotifier *m_notifier = nullptr;
};

// While the program waits for something outside the event loop, SIGINT and SIGTERM end it at once, as they do without
// Interrupts.
class InterruptsEndProgram {
public:
    InterruptsEndProgram();
    ~InterruptsEndProgram();
    Q_DISABLE_COPY_MOVE(InterruptsEndProgram)

private:
    struct sigaction m_interrupt = {};
    struct sigaction m_terminate = {};
};

}  // namespace sonde::app
