// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/unix/processguard.h"

#include "core/transport/process/unix/childsetup.h"

#include <unistd.h>
#include <QByteArray>
#include <cerrno>

namespace sonde {

using namespace Qt::StringLiterals;

void ProcessGuard::start()
{
    UniqueFd readEnd;
    if (!makePipe(&readEnd, &m_pipe))
        return;
    // The first line names the group; the second read ends with the pipe. No word of Sonde in here: "pkill -9 -f
    // sonde" must not hit the guard together with what it guards against.
    m_shell.setProgram(u"/bin/sh"_s);
    m_shell.setArguments({u"-c"_s, u"read -r group || exit 0; read -r end; kill -s KILL -- \"-$group\""_s});
    m_shell.setWorkingDirectory(u"/"_s);
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, u"/usr/bin:/bin"_s);  // QProcess passes on ours when there is nothing in it
    m_shell.setProcessEnvironment(environment);
    m_shell.setInputChannelMode(QProcess::ForwardedInputChannel);
    m_shell.setStandardOutputFile(QProcess::nullDevice());
    m_shell.setStandardErrorFile(QProcess::nullDevice());
    startInSession(&m_shell, {readEnd.get(), -1, -1}, false);
}

void ProcessGuard::watch(qint64 group)
{
    const QByteArray line = QByteArray::number(group) + '\n';
    while (m_pipe.isOpen() && ::write(m_pipe.get(), line.constData(), size_t(line.size())) < 0 && errno == EINTR) {
    }
}

ProcessGuard::~ProcessGuard()
{
    // Before the pipe closes, or it would do its work.
    m_shell.kill();
    m_shell.waitForFinished();
}

}  // namespace sonde
