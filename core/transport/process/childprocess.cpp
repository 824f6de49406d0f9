// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/childprocess.h"

#include "core/transport/process/processbackend.h"
#include "core/transport/process/programlookup.h"

#include <QProcess>

#include <chrono>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr int KillWaitMs = 500;  // a killed process ends at once, unless it hangs in the kernel
}  // namespace

ChildProcess::ChildProcess(QObject *parent)
    : QObject(parent), m_process(new QProcess(this)), m_backend(ProcessBackend::create(m_process))
{
    m_escalationTimer.setSingleShot(true);
    m_poll.setInterval(20ms);
    connect(&m_escalationTimer, &QTimer::timeout, this, &ChildProcess::escalate);
    connect(&m_poll, &QTimer::timeout, this, &ChildProcess::checkGone);
    // Queued: a listener may delete us, and QProcess must not be in the middle of a signal then.
    connect(m_process, &QProcess::started, this, &ChildProcess::started, Qt::QueuedConnection);
    connect(m_process, &QProcess::finished, this, &ChildProcess::exited, Qt::QueuedConnection);
    connect(
        m_process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart)
                return;
            m_pid = 0;
            Q_EMIT startFailed(m_process->errorString());
        },
        Qt::QueuedConnection);
}

ChildProcess::~ChildProcess()
{
    m_process->disconnect();
    if (!isGone())
        m_backend->kill();
    if (m_process->state() == QProcess::NotRunning)
        return;
    m_process->waitForFinished(KillWaitMs);
    // ~QProcess would wait half a minute for what hangs in the kernel.
    if (m_process->state() != QProcess::NotRunning) {
        m_process->setParent(nullptr);
        connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    }
}

void ChildProcess::start(const LaunchPlan &plan)
{
    m_process->setProgram(plan.program);
    m_process->setArguments(plan.arguments);
    m_process->setWorkingDirectory(plan.directory);
    m_process->setProcessEnvironment(plan.environment);
    const QString failure = m_backend->start();
    if (failure.isEmpty())
        m_pid = m_process->processId();
    else
        QMetaObject::invokeMethod(
            this, [this, failure] { Q_EMIT startFailed(failure); }, Qt::QueuedConnection);
}

bool ChildProcess::hasExited() const
{
    return m_pid > 0 && m_process->state() == QProcess::NotRunning && m_process->error() != QProcess::FailedToStart;
}

bool ChildProcess::isGone() const
{
    const bool isRunning = m_process->state() != QProcess::NotRunning;
    return m_pid <= 0 || m_wasGivenUp || (!isRunning && !m_backend->hasLivingMembers());
}

ChildProcess::Exit ChildProcess::exitStatus() const
{
    const int code = m_process->exitCode();
#ifndef Q_OS_WIN  // where a crash has a code and no signal
    if (m_process->exitStatus() == QProcess::CrashExit)
        return {0, code};
#endif
    return {code, 0};
}

std::unique_ptr<ByteSink> ChildProcess::takeInput()
{
    return m_backend->takeInput();
}

std::unique_ptr<ByteSource> ChildProcess::takeOutput()
{
    return m_backend->takeOutput();
}

std::unique_ptr<ByteSource> ChildProcess::takeErrorOutput()
{
    return m_backend->takeErrorOutput();
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
    if (isGone()) {
        checkGone();
        return;
    }
    switch (m_step++) {
        case 0:
            m_backend->terminate();
            m_escalationTimer.start(m_stepMs);
            Q_EMIT signalled(u"SIGTERM"_s);
            break;
        case 1:
            m_backend->kill();
            m_escalationTimer.start(KillWaitMs);
            Q_EMIT signalled(u"SIGKILL"_s);
            break;
        default:  // it hangs in the kernel: nothing more can be done about it
            m_wasGivenUp = true;
            checkGone();
    }
}

void ChildProcess::checkGone()
{
    if (!m_isStopping || !isGone())
        return;
    m_poll.stop();
    m_escalationTimer.stop();
    Q_EMIT gone();
}

}  // namespace sonde
