// SPDX-License-Identifier: Apache-2.0
#include "core/transport/childprocess.h"

#include "core/transport/pipes.h"

#include <QDir>
#include <QFile>

#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <vector>

namespace sonde {

namespace {
using namespace std::chrono_literals;

constexpr int OutputPipeBytes = 256 * 1024;  // as much as is read in one turn of the event loop

struct StartReport {
    int stage = 0;
    int errorNumber = 0;
};

// All that the forked child needs, made before the fork: between fork and exec only async-signal-safe calls are
// allowed, and no memory may be asked for.
struct Prepared {
    std::vector<char *> arguments;
    std::vector<char *> environment;
    const char *program = nullptr;
    const char *directory = nullptr;
    int input = -1;
    int output = -1;
    int errorOutput = -1;
    int report = -1;
    pid_t parent = 0;
};

std::vector<char *> pointers(const QList<QByteArray> &list)
{
    std::vector<char *> result;
    result.reserve(size_t(list.size()) + 1);
    for (const QByteArray &entry : list)
        result.push_back(const_cast<char *>(entry.constData()));  // execve does not write to them
    result.push_back(nullptr);
    return result;
}

[[noreturn]] void giveUp(const Prepared &prepared, ChildProcess::Stage stage)
{
    const StartReport report{int(stage), errno};
    [[maybe_unused]] const ssize_t written = ::write(prepared.report, &report, sizeof report);
    ::_exit(127);
}

[[noreturn]] void runChild(const Prepared &prepared)
{
    ::setsid();  // also detaches from the terminal
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != prepared.parent)
        ::_exit(127);  // Sonde died before the line above took effect
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::dup2(prepared.input, 0) < 0 || ::dup2(prepared.output, 1) < 0 || ::dup2(prepared.errorOutput, 2) < 0)
        giveUp(prepared, ChildProcess::Stage::Fork);
    ::syscall(SYS_close_range, 3U, ~0U, unsigned(CLOSE_RANGE_CLOEXEC));
    if (::chdir(prepared.directory) != 0)
        giveUp(prepared, ChildProcess::Stage::Directory);
    ::execve(prepared.program, prepared.arguments.data(), prepared.environment.data());
    giveUp(prepared, ChildProcess::Stage::Exec);
}
// A process that was left to an init which does not reap (common in containers) stays a zombie, and its group with it.
bool hasLivingMember(pid_t group)
{
    if (::kill(-group, 0) != 0 && errno == ESRCH)
        return false;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[1-9]*")}, QDir::Dirs);
    for (const QString &entry : entries) {
        QFile file(QStringLiteral("/proc/%1/stat").arg(entry));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray stat = file.readAll();
        // Behind the name, which may hold anything: state, parent, group.
        const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        if (fields.value(2).toInt() == group && fields.value(0) != "Z" && fields.value(0) != "X")
            return true;
    }
    return entries.isEmpty();
}
}  // namespace

ChildProcess::ChildProcess(QObject *parent) : QObject(parent)
{
    m_escalationTimer.setSingleShot(true);
    m_poll.setInterval(20ms);
    connect(&m_escalationTimer, &QTimer::timeout, this, &ChildProcess::escalate);
    connect(&m_poll, &QTimer::timeout, this, &ChildProcess::checkGone);
}

ChildProcess::~ChildProcess()
{
    if (m_pid <= 0)
        return;
    if (!isGone())
        ::kill(-m_pid, SIGKILL);
    if (m_hasExited)
        return;
    // SIGKILL takes no time unless the process hangs in the kernel; then it stays with init.
    pollfd exit{m_pidFd.get(), POLLIN, 0};
    for (int tries = 0; tries < 20 && !reapNow(WNOHANG); ++tries)
        ::poll(m_pidFd.isOpen() ? &exit : nullptr, m_pidFd.isOpen() ? 1 : 0, 25);
}

int ChildProcess::start(const SpawnPlan &plan)
{
    // A write to a server that has gone must be an error, not our end. Qt does the same for its sockets.
    ::signal(SIGPIPE, SIG_IGN);

    UniqueFd childInput;
    UniqueFd childOutput;
    UniqueFd childErrorOutput;
    UniqueFd childReport;
    if (!makePipe(&childInput, &m_input) || !makePipe(&m_output, &childOutput) ||
        !makePipe(&m_errorOutput, &childErrorOutput) || !makePipe(&m_report, &childReport))
        return errno;
    for (const UniqueFd *fd : {&m_input, &m_output, &m_errorOutput, &m_report})
        makeNonBlocking(*fd);
    // Fewer changes between us and a server that floods. Where it is refused the usual size does.
    ::fcntl(m_output.get(), F_SETPIPE_SZ, OutputPipeBytes);

    m_guard = std::make_unique<ProcessGuard>();
    if (!m_guard->start())
        m_guard.reset();  // still covered by the parent-death signal and by end of input

    Prepared prepared;
    prepared.arguments = pointers(plan.arguments);
    prepared.environment = pointers(plan.environment);
    prepared.program = plan.program.constData();
    prepared.directory = plan.directory.constData();
    prepared.input = childInput.get();
    prepared.output = childOutput.get();
    prepared.errorOutput = childErrorOutput.get();
    prepared.report = childReport.get();
    prepared.parent = ::getpid();

    // No handler of ours may run in the child before it has reset them.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    const int failure = errno;
    if (pid == 0)
        runChild(prepared);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0)
        return failure;

    m_pid = pid;
    if (m_guard)
        m_guard->watch(pid);
    m_reportNotifier = std::make_unique<QSocketNotifier>(m_report.get(), QSocketNotifier::Read);
    connect(m_reportNotifier.get(), &QSocketNotifier::activated, this, &ChildProcess::readStartReport);
    return 0;
}

bool ChildProcess::isGone() const
{
    // Once the leader is reaped its number cannot be given to another group as long as a member is left.
    return m_pid <= 0 || m_wasGivenUp || (m_hasExited && !hasLivingMember(m_pid));
}

void ChildProcess::readStartReport()
{
    StartReport report;
    const ssize_t got = ::read(m_report.get(), &report, sizeof report);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    m_reportNotifier->setEnabled(false);
    m_reportNotifier.release()->deleteLater();  // we are in its signal
    m_report.reset();
    if (got != ssize_t(sizeof report)) {
        watchExit();
        Q_EMIT started();
        return;
    }
    reapNow(0);
    m_guard.reset();
    Q_EMIT startFailed(Stage(report.stage), report.errorNumber);
}

void ChildProcess::watchExit()
{
    m_pidFd.reset(int(::syscall(SYS_pidfd_open, m_pid, 0U)));
    if (!m_pidFd.isOpen()) {  // forbidden in some containers
        m_poll.start();
        return;
    }
    m_exitNotifier = std::make_unique<QSocketNotifier>(m_pidFd.get(), QSocketNotifier::Read);
    connect(m_exitNotifier.get(), &QSocketNotifier::activated, this, &ChildProcess::reap);
}

bool ChildProcess::reapNow(int options)
{
    int status = 0;
    pid_t got = 0;
    do {
        got = ::waitpid(m_pid, &status, options);
    } while (got < 0 && errno == EINTR);
    if (got == 0)
        return false;
    m_hasExited = true;
    if (got == m_pid) {
        m_exit.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        m_exit.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    return true;
}

void ChildProcess::reap()
{
    if (m_hasExited || !reapNow(WNOHANG))
        return;
    if (m_exitNotifier) {
        m_exitNotifier->setEnabled(false);
        m_exitNotifier.release()->deleteLater();
    }
    m_pidFd.reset();
    Q_EMIT exited();
}

void ChildProcess::stop(int stepMs, bool waitsFirst)
{
    if (m_isStopping)
        return;
    m_isStopping = true;
    m_stepMs = stepMs;
    m_poll.start();
    if (waitsFirst)
        m_escalationTimer.start(stepMs);
    else
        escalate();
}

void ChildProcess::escalate()
{
    static constexpr int signals_[] = {SIGTERM, SIGKILL};
    static constexpr int settleMs = 500;
    if (m_step >= int(std::size(signals_))) {
        // A process stuck in the kernel: nothing more can be done about it.
        m_wasGivenUp = true;
        m_poll.stop();
        m_guard.reset();
        Q_EMIT gone();
        return;
    }
    if (isGone()) {
        checkGone();
        return;
    }
    const int number = signals_[m_step++];
    ::kill(-m_pid, number);
    m_escalationTimer.start(number == SIGKILL ? settleMs : m_stepMs);
    Q_EMIT signalled(number);
}

void ChildProcess::checkGone()
{
    if (!m_hasExited && !m_exitNotifier)
        reap();
    if (!m_isStopping || !isGone())
        return;
    m_poll.stop();
    m_escalationTimer.stop();
    m_guard.reset();
    Q_EMIT gone();
}

}  // namespace sonde
