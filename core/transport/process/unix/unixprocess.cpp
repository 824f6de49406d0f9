// A child process that leads a process group of its own, with pipes that are read at our own pace.
// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/processbackend.h"
#include "core/transport/process/unix/childsetup.h"
#include "core/transport/process/unix/pipes.h"
#include "core/transport/process/unix/processguard.h"

#include <QDir>
#include <QFile>
#include <QProcess>

#include <fcntl.h>
#include <signal.h>
#include <cerrno>

namespace sonde {

namespace {

using namespace Qt::StringLiterals;

#ifdef F_SETPIPE_SZ
constexpr int OutputPipeBytes = 256 * 1024;  // as much as is read in one turn of the event loop
#endif

// A process that was left to an init which does not reap (common in containers) stays a zombie, and its group with it.
bool hasLivingMember(pid_t group)
{
    if (::kill(-group, 0) != 0 && errno == ESRCH)
        return false;
    const QStringList entries = QDir(u"/proc"_s).entryList({u"[1-9]*"_s}, QDir::Dirs);
    for (const QString &entry : entries) {
        QFile file(u"/proc/%1/stat"_s.arg(entry));
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

class UnixProcess final : public ProcessBackend {
public:
    explicit UnixProcess(QProcess *process) : m_process(process) {}

    QString start() override;
    std::unique_ptr<ByteSink> takeInput() override { return std::move(m_input); }
    std::unique_ptr<ByteSource> takeOutput() override { return std::move(m_output); }
    std::unique_ptr<ByteSource> takeErrorOutput() override { return std::move(m_errorOutput); }
    void terminate() override { signalGroup(SIGTERM); }
    void kill() override { signalGroup(SIGKILL); }
    // Once the leader is reaped its number cannot be given to another group as long as a member is left.
    bool hasLivingMembers() const override { return m_group > 0 && hasLivingMember(m_group); }

private:
    void signalGroup(int number)
    {
        if (m_group <= 0)  // 0 would be our own
            return;
        // A child that has just been forked does not lead its group yet.
        if (::kill(-m_group, number) != 0 && m_process->state() != QProcess::NotRunning)
            ::kill(m_group, number);
    }

    QProcess *m_process;
    std::unique_ptr<ProcessGuard> m_guard;
    std::unique_ptr<ByteSink> m_input;
    std::unique_ptr<ByteSource> m_output;
    std::unique_ptr<ByteSource> m_errorOutput;
    pid_t m_group = 0;
};

QString UnixProcess::start()
{
    // A write to a server that has gone must be an error, not our end. Qt does the same for its sockets.
    ::signal(SIGPIPE, SIG_IGN);

    UniqueFd input;
    UniqueFd output;
    UniqueFd errorOutput;
    UniqueFd childInput;
    UniqueFd childOutput;
    UniqueFd childErrorOutput;
    if (!makePipe(&childInput, &input) || !makePipe(&output, &childOutput) ||
        !makePipe(&errorOutput, &childErrorOutput))
        return qt_error_string(errno);
#ifdef F_SETPIPE_SZ
    // Fewer changes between us and a server that floods. Where it is refused the usual size does.
    ::fcntl(output.get(), F_SETPIPE_SZ, OutputPipeBytes);
#endif
    m_input = std::make_unique<PipeSink>(std::move(input));
    m_output = std::make_unique<PipeSource>(std::move(output));
    m_errorOutput = std::make_unique<PipeSource>(std::move(errorOutput));

    m_guard = std::make_unique<ProcessGuard>();
    m_guard->start();

    // QProcess makes no pipes then; ours are put in their place.
    m_process->setInputChannelMode(QProcess::ForwardedInputChannel);
    m_process->setProcessChannelMode(QProcess::ForwardedChannels);
    startInSession(m_process, {childInput.get(), childOutput.get(), childErrorOutput.get()}, true);
    m_group = pid_t(m_process->processId());
    if (m_group > 0)
        m_guard->watch(m_group);
    return {};
}

}  // namespace

std::unique_ptr<ProcessBackend> ProcessBackend::create(QProcess *process)
{
    return std::make_unique<UnixProcess>(process);
}

}  // namespace sonde
