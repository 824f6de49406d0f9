// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/cli/runner.h"

#include "core/json/document.h"
#include "tests/monkey/cli/pipe.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QDir>
#include <QElapsedTimer>
#include <algorithm>
#include <cerrno>
#include <vector>

extern char **environ;

namespace sonde::monkey {

using namespace Qt::StringLiterals;

namespace {

constexpr char QtMessage[] = "QTMESSAGE";  // begins each warning of Qt
constexpr qsizetype MaxKept = 64 * 1024 * 1024;
constexpr int EndlessMs = 1'500;  // as long is waited for what need not end
constexpr int PollMs = 10;
constexpr int AgainMs = 30;

// Programs with sanitizers are slow, and the machine may be busy.
int maxMs()
{
    return test::isSanitized() ? 120'000 : 25'000;
}

// Reads what is there. False: no more will come.
bool readSome(Pipe &pipe, QByteArray *bytes)
{
    char chunk[65536];
    for (;;) {
        const ssize_t got = ::read(pipe.readEnd(), chunk, sizeof chunk);
        if (got > 0) {
            if (bytes->size() < MaxKept)
                bytes->append(chunk, got);
            continue;
        }
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    }
}

std::vector<QByteArray> environmentOf(const CliWorld &world)
{
    const QByteArray home = world.home().toUtf8();
    std::vector<QByteArray> variables{
        world.mark(),
        "XDG_CONFIG_HOME=" + home,
        "XDG_DATA_HOME=" + home,
        "XDG_CACHE_HOME=" + home,
        "XDG_STATE_HOME=" + home,
        "XDG_RUNTIME_DIR=" + home,
        "TMPDIR=" + home + "/tmp",
        "DBUS_SESSION_BUS_ADDRESS=unix:path=" + home + "/no-bus",
        "SHELL=/bin/sh",
        "LANG=C.UTF-8",
        "QT_MESSAGE_PATTERN=" + QByteArray(QtMessage) + " %{type} %{category}: %{message}"};
    for (char **each = environ; *each; ++each) {
        const QByteArray variable(*each);
        for (const char *prefix : {"PATH=", "ASAN_", "UBSAN_", "LSAN_", "LD_LIBRARY_PATH="}) {
            if (variable.startsWith(prefix))
                variables.push_back(variable);
        }
    }
    return variables;
}

std::vector<char *> pointers(std::vector<QByteArray> &texts)
{
    std::vector<char *> all;
    for (QByteArray &text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

}  // namespace

struct CliRunner::Streams {
    Pipe input;
    Pipe output;
    Pipe errors;
    QByteArray toWrite;
};

QString CliRunner::run(const CliStep &step)
{
    m_output.clear();
    m_errors.clear();
    m_problem.clear();
    m_wasStopped = false;
    m_status = 0;
    if (!m_world->staysAtHome(step.words))
        return {};  // never run, whatever chose it
    Streams streams;
    if (!start(step, &streams))
        return u"could not be started: %1"_s.arg(errno);
    communicate(step, &streams);
    if (!m_problem.isEmpty())
        return m_problem;
    const QString problem = judge(step);
    return problem.isEmpty() ? leftOver() : problem;
}

bool CliRunner::start(const CliStep &step, Streams *streams)
{
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    const auto connect = [&actions](CliStep::Output how, Pipe &pipe, int fd) {
        if (how == CliStep::Output::Closed)
            ::posix_spawn_file_actions_addclose(&actions, fd);
        else
            ::posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd(), fd);
    };
    if (step.input == CliStep::Input::Closed)
        ::posix_spawn_file_actions_addclose(&actions, 0);
    else if (step.input == CliStep::Input::Nothing)
        ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    else
        ::posix_spawn_file_actions_adddup2(&actions, streams->input.readEnd(), 0);
    connect(step.output, streams->output, 1);
    connect(step.errors, streams->errors, 2);
    ::posix_spawn_file_actions_addchdir_np(&actions, QFile::encodeName(m_world->home()).constData());

    // What this program ignores, a shell does not.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    std::vector<QByteArray> words{test::builtProgram(u"sonde-cli"_s).toLocal8Bit()};
    for (const QString &word : step.words)
        words.push_back(m_world->filled(word).toUtf8());
    std::vector<QByteArray> variables = environmentOf(*m_world);
    const int failure = ::posix_spawn(&m_process, words.front().constData(), &actions, &attributes,
                                      pointers(words).data(), pointers(variables).data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    errno = failure;

    streams->input.closeEnd(0);
    streams->output.closeEnd(1);
    streams->errors.closeEnd(1);
    Pipe::makeNonBlocking(streams->input.writeEnd());
    Pipe::makeNonBlocking(streams->output.readEnd());
    Pipe::makeNonBlocking(streams->errors.readEnd());
    const QString file = m_world->filled(step.text);
    streams->toWrite = step.text.startsWith(u'%') ? test::readFile(file) : file.toUtf8();
    return failure == 0;
}

// Whether it may wait for ever, for its input, a server or a signal.
bool CliRunner::mayGoOn(const CliStep &step)
{
    static const QStringList waiting{u"mock"_s, u"--every"_s};
    static const QStringList slow{u"subscribe"_s, u"log-level"_s, u"login"_s,   u"tasks"_s,
                                  u"--task"_s,    u"slow"_s,      u"progress"_s};
    const auto isAnyOf = [&step](const QStringList &words) {
        return std::any_of(words.begin(), words.end(),
                           [&step](const QString &word) { return step.words.contains(word); });
    };
    if (step.input == CliStep::Input::Open || CliWorld::isEndless(step.words) || isAnyOf(waiting))
        return true;
    return !CliWorld::isDead(step.words) && (isAnyOf(slow) || !step.words.filter(u"--ttl"_s).isEmpty());
}

void CliRunner::communicate(const CliStep &step, Streams *streams)
{
    QElapsedTimer clock;
    clock.start();
    const bool isEndless = mayGoOn(step);
    int signals = 0;
    qint64 lastSignal = -1;
    if (step.input != CliStep::Input::Given && step.input != CliStep::Input::Open)
        streams->input.closeEnd(1);
    for (bool isRunning = true; isRunning;) {
        pollfd polled[] = {{streams->output.readEnd(), POLLIN, 0},
                           {streams->errors.readEnd(), POLLIN, 0},
                           {streams->toWrite.isEmpty() ? -1 : streams->input.writeEnd(), POLLOUT, 0}};
        ::poll(polled, 3, PollMs);
        const auto receive = [](Pipe &pipe, QByteArray *bytes, CliStep::Output how) {
            if (!pipe.isOpen(0))
                return;
            if (!readSome(pipe, bytes) || (how == CliStep::Output::Broken && !bytes->isEmpty()))
                pipe.closeEnd(0);
        };
        receive(streams->output, &m_output, step.output);
        receive(streams->errors, &m_errors, step.errors);
        if (streams->input.isOpen(1) && !streams->toWrite.isEmpty()) {
            const ssize_t written =
                ::write(streams->input.writeEnd(), streams->toWrite.constData(), size_t(streams->toWrite.size()));
            if (written > 0)
                streams->toWrite.remove(0, written);
            else if (errno != EAGAIN && errno != EINTR)
                streams->toWrite.clear();
        }
        if (streams->toWrite.isEmpty() && step.input == CliStep::Input::Given)
            streams->input.closeEnd(1);
        isRunning = ::waitpid(m_process, &m_status, WNOHANG) == 0;
        if (!isRunning)
            break;

        const qint64 now = clock.elapsed();
        const auto send = [&](int signal) {
            ::kill(m_process, signal);
            lastSignal = now;
            ++signals;
        };
        if (step.signal != 0 && signals == 0 && now >= step.delayMs)
            send(step.signal);
        else if (step.again && signals == 1 && now >= lastSignal + AgainMs)
            send(step.signal);
        else if (signals == 0 && step.signal == 0 && isEndless && now >= EndlessMs) {
            m_wasStopped = true;
            send(SIGTERM);
        } else if (now >= (lastSignal < 0 ? maxMs() : lastSignal + maxMs())) {
            m_problem = lastSignal < 0 ? u"did not end by itself: within %1 ms"_s.arg(maxMs())
                                       : u"did not end after a signal: within %1 ms"_s.arg(maxMs());
            ::kill(m_process, SIGKILL);
            ::waitpid(m_process, &m_status, 0);
            isRunning = false;
        }
    }
    if (streams->output.isOpen(0))
        readSome(streams->output, &m_output);
    if (streams->errors.isOpen(0))
        readSome(streams->errors, &m_errors);
}

QString CliRunner::outcome() const
{
    return WIFSIGNALED(m_status) ? u"signal %1"_s.arg(WTERMSIG(m_status)) : u"exit %1"_s.arg(WEXITSTATUS(m_status));
}

QString CliRunner::judge(const CliStep &step)
{
    for (const char *evidence : {QtMessage, "ASSERT", "terminate called", "Sanitizer", "runtime error:"}) {
        if (const qsizetype at = m_errors.indexOf(evidence); at >= 0)
            return u"warned: "_s + QString::fromUtf8(m_errors.mid(at, 400));
    }
    if (WIFSIGNALED(m_status)) {
        const int signal = WTERMSIG(m_status);
        const bool wasSent = signal == step.signal || (m_wasStopped && signal == SIGTERM);
        return wasSent ? QString() : u"died by signal %1: "_s.arg(signal) + QString::fromUtf8(m_errors.right(400));
    }
    const int code = WEXITSTATUS(m_status);
    const bool isOfSignal = (step.signal != 0 && code == 128 + step.signal) ||
                            (m_wasStopped && code == 128 + SIGTERM) ||
                            (step.output != CliStep::Output::Read && code == 128 + SIGPIPE);
    if (code < 0 || (code > 4 && !isOfSignal))
        return u"undocumented exit code: %1"_s.arg(code);
    return judgeOutput(step, code);
}

// One value of JSON, or one per line.
QString CliRunner::judgeOutput(const CliStep &step, int code) const
{
    const qsizetype server = step.words.indexOf(u"--"_s);
    const QStringList own = server < 0 ? step.words : step.words.first(server);
    const bool isHelp = own.contains(u"--help"_s) || own.contains(u"--version"_s) || own.contains(u"-h"_s);
    if (!own.contains(u"--json"_s) || isHelp || code == 4 || step.output != CliStep::Output::Read)
        return {};
    if (m_output.trimmed().isEmpty() || json::Document::parse(m_output.trimmed()).isValid())
        return {};
    for (const QByteArray &line : m_output.split('\n')) {
        if (!line.trimmed().isEmpty() && !json::Document::parse(line).isValid())
            return u"no JSON: "_s + QString::fromUtf8(line.left(200));
    }
    return {};
}

QString CliRunner::leftOver()
{
    QElapsedTimer clock;
    clock.start();
    QStringList left;
    do {
        left.clear();
        for (const QString &pid : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
            if (pid.front().isDigit() && test::readFile(u"/proc/%1/environ"_s.arg(pid)).contains(m_world->mark()))
                left.append(pid);
        }
        if (left.isEmpty())
            return {};
        ::poll(nullptr, 0, PollMs);
    } while (clock.elapsed() < maxMs() / 4);
    QStringList names;
    for (const QString &pid : std::as_const(left)) {
        names.append(QString::fromUtf8(test::readFile(u"/proc/%1/cmdline"_s.arg(pid)).replace('\0', ' ')).trimmed());
        ::kill(pid_t(pid.toInt()), SIGKILL);
    }
    return u"left processes: "_s + names.join(u" | "_s);
}

}  // namespace sonde::monkey
