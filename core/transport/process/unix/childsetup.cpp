// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/unix/childsetup.h"

#include <QProcess>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#ifdef Q_OS_LINUX
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace sonde {

namespace {

// Only async-signal-safe calls are allowed here, and no memory may be asked for.
void setUpChild(const ChildStreams &streams, [[maybe_unused]] pid_t tiedTo)
{
    ::setsid();  // also detaches from the terminal
#ifdef Q_OS_LINUX
    if (tiedTo > 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != tiedTo)
            ::_exit(127);  // Sonde died before the line above took effect
    }
#endif
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if ((streams.input >= 0 && ::dup2(streams.input, 0) < 0) ||
        (streams.output >= 0 && ::dup2(streams.output, 1) < 0) ||
        (streams.errorOutput >= 0 && ::dup2(streams.errorOutput, 2) < 0))
        ::_exit(127);
#ifdef Q_OS_LINUX
    // A library may have opened files that do not close on exec.
    ::syscall(SYS_close_range, 3U, ~0U, unsigned(CLOSE_RANGE_CLOEXEC));
#endif
}

}  // namespace

void startInSession(QProcess *process, const ChildStreams &streams, bool isTiedToUs)
{
    process->setChildProcessModifier(
        [streams, tiedTo = isTiedToUs ? ::getpid() : pid_t(0)] { setUpChild(streams, tiedTo); });
    // No handler of ours may run in the child before it has reset them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    process->start();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace sonde
