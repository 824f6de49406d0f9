// SPDX-License-Identifier: Apache-2.0
#include "app/common/interrupts.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <utility>

namespace sonde::app {
namespace {

int wakeUp[2] = {-1, -1};  // a signal handler can do little more than write into a pipe

constexpr unsigned MaxSecondsToTurn = 10;

volatile std::sig_atomic_t wasInterrupted = 0;  // the signal

void endBy(int signal)
{
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// Whichever of the two came first, the next one ends the program.
void handle(int signal)
{
    if (wasInterrupted != 0)
        return endBy(signal);
    wasInterrupted = signal;
    ::alarm(MaxSecondsToTurn);
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = ::write(wakeUp[1], &byte, 1);
}

// The event loop did not turn.
void handleAlarm(int)
{
    endBy(wasInterrupted);
}

}  // namespace

Interrupts::Interrupts(QObject *parent) : QObject(parent)
{
    if (::pipe2(wakeUp, O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // then Ctrl-C ends the program without ceremony
    auto *notifier = new QSocketNotifier(wakeUp[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        ::alarm(0);
        notifier->setEnabled(false);
        Q_EMIT interrupted(wasInterrupted == SIGTERM ? Interruption::Termination : Interruption::Interrupt);
    });
    wasInterrupted = 0;
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    action.sa_handler = handleAlarm;
    ::sigaction(SIGALRM, &action, nullptr);
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    ::alarm(0);
    std::signal(SIGALRM, SIG_DFL);
    for (int &end : wakeUp) {
        if (end >= 0)
            ::close(std::exchange(end, -1));
    }
}

struct InterruptsEndProgram::Private {
    struct sigaction interrupt = {};
    struct sigaction terminate = {};
};

InterruptsEndProgram::InterruptsEndProgram() : m_before(std::make_unique<Private>())
{
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &m_before->interrupt);
    ::sigaction(SIGTERM, &action, &m_before->terminate);
}

InterruptsEndProgram::~InterruptsEndProgram()
{
    ::sigaction(SIGINT, &m_before->interrupt, nullptr);
    ::sigaction(SIGTERM, &m_before->terminate, nullptr);
}

}  // namespace sonde::app
