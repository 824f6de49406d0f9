// Ctrl-C and kill, as a signal of the event loop. Implemented in unix/, and in portable/ with the standard library
// alone; the CMake option SONDE_UNIX chooses one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <memory>

namespace sonde::app {

enum class Interruption {
    Interrupt,   // SIGINT: Ctrl-C
    Termination  // SIGTERM
};

// The first SIGINT or SIGTERM becomes interrupted(); a second one ends the program at once, and so does the first where
// the event loop does not turn within ten seconds. Portable: it does not, and interrupted() comes a little later.
class Interrupts : public QObject {
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    ~Interrupts() override;

Q_SIGNALS:
    void interrupted(sonde::app::Interruption interruption);
};

// While the program waits for something outside the event loop, SIGINT and SIGTERM end it at once, as they do without
// Interrupts.
class InterruptsEndProgram {
public:
    InterruptsEndProgram();
    ~InterruptsEndProgram();
    Q_DISABLE_COPY_MOVE(InterruptsEndProgram)

private:
    struct Private;
    std::unique_ptr<Private> m_before;
};

}  // namespace sonde::app
