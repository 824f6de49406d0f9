// SPDX-License-Identifier: Apache-2.0
#include "app/common/interrupts.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>
#include <csignal>

namespace sonde::app {
namespace {

int wakeUp[2] = {-1, -1};  // a signal handler can do little more than write into a pipe

volatile std::sig_atomic_t wasInterrupted = 0;

// Whichever of the two came first, the next one ends the program.
void handle(int signal)
{
    if (wasInterrupted != 0) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    wasInterrupted = 1;
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = ::write(wakeUp[1], &byte, 1);
}

}  // namespace

Interrupts::Interrupts(QObject *parent) : QObject(parent)
{
    if (::pipe2(wakeUp, O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // then Ctrl-C ends the program without ceremony
    m_notifier = new QSocketNotifier(wakeUp[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        Q_EMIT interrupted();
    });
    wasInterrupted = 0;
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    for (int &end : wakeUp) {
        if (end >= 0)
            ::close(std::exchange(end, -1));
    }
}

}  // namespace sonde::app
