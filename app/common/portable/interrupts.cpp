// SPDX-License-Identifier: Apache-2.0
#include "app/common/interrupts.h"

#include <QTimer>

#include <csignal>

namespace sonde::app {
namespace {

constexpr int MsBetweenLooks = 100;

volatile std::sig_atomic_t wasInterrupted = 0;  // the signal

void handle(int signal)
{
    const bool isSecond = wasInterrupted != 0;
    wasInterrupted = signal;
    std::signal(signal, isSecond ? SIG_DFL : handle);
    if (isSecond)
        std::raise(signal);
}

}  // namespace

Interrupts::Interrupts(QObject *parent) : QObject(parent)
{
    wasInterrupted = 0;
    std::signal(SIGINT, handle);
    std::signal(SIGTERM, handle);
    auto *timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this, timer] {
        if (wasInterrupted == 0)
            return;
        timer->stop();
        Q_EMIT interrupted(wasInterrupted == SIGTERM ? Interruption::Termination : Interruption::Interrupt);
    });
    timer->start(MsBetweenLooks);
}

Interrupts::~Interrupts()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

struct InterruptsEndProgram::Private {
    void (*interrupt)(int) = std::signal(SIGINT, SIG_DFL);
    void (*terminate)(int) = std::signal(SIGTERM, SIG_DFL);
};

InterruptsEndProgram::InterruptsEndProgram() : m_before(std::make_unique<Private>()) {}

InterruptsEndProgram::~InterruptsEndProgram()
{
    std::signal(SIGINT, m_before->interrupt);
    std::signal(SIGTERM, m_before->terminate);
}

}  // namespace sonde::app
