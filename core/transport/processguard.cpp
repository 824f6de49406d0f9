// SPDX-License-Identifier: Apache-2.0
#include "core/transport/processguard.h"

#include "core/transport/pipes.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <QByteArray>

#include <cerrno>

namespace sonde {

namespace {
// The first line names the group; the second read ends with the pipe. No word of Sonde in here: "pkill -9 -f sonde"
// must not hit the guard together with what it guards against.
constexpr auto Script = "read -r group || exit 0; read -r end; kill -s KILL -- \"-$group\"";
}  // namespace

bool ProcessGuard::start()
{
    UniqueFd readEnd;
    if (!makePipe(&readEnd, &m_pipe))
        return false;

    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&files) != 0)
        return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return false;
    }
    posix_spawn_file_actions_adddup2(&files, readEnd.get(), 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    posix_spawn_file_actions_addchdir_np(&files, "/");
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    QByteArray shell("sh");
    QByteArray option("-c");
    QByteArray text(Script);
    char *const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    char *const environment[] = {nullptr};
    pid_t pid = 0;
    const int failure = posix_spawn(&pid, "/bin/sh", &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (failure != 0) {
        m_pipe.reset();
        return false;
    }
    m_pid = pid;
    return true;
}

void ProcessGuard::watch(pid_t group)
{
    const QByteArray line = QByteArray::number(group) + '\n';
    while (::write(m_pipe.get(), line.constData(), size_t(line.size())) < 0 && errno == EINTR) {
    }
}

ProcessGuard::~ProcessGuard()
{
    if (m_pid <= 0)
        return;
    // Before the pipe closes, or it would do its work.
    ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace sonde
