// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/briefrun.h"

#include "core/transport/process/bytechannel.h"
#include "core/transport/process/exitwords.h"
#include "core/transport/process/pipereader.h"
#include "core/transport/process/programlookup.h"

#include <optional>
#include <utility>

namespace sonde {

BriefRun::BriefRun(const StdioOptions &options, int maxMs, QObject *parent) : QObject(parent), m_name(options.program)
{
    m_clock.start();
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this,
            [this, maxMs] { finish(Error::local(tr("“%1” took longer than %2 s.").arg(m_name).arg(maxMs / 1000))); });
    m_limit.start(maxMs);
    const LaunchPlan plan = planLaunch(options);
    if (plan.error) {
        QMetaObject::invokeMethod(
            this, [this, error = plan.error] { finish(error); }, Qt::QueuedConnection);
        return;
    }
    connect(&m_process, &ChildProcess::startFailed, this,
            [this, options, plan](const QString &reason) { finish(launchError(options, plan, reason)); });
    connect(&m_process, &ChildProcess::started, this, &BriefRun::read);
    m_process.start(plan);
}

void BriefRun::read()
{
    m_process.takeInput().reset();
    const auto reader = [this](std::unique_ptr<ByteSource> source, QByteArrayList *lines) {
        auto *made = new PipeReader(std::move(source), MaxLineBytes, this);
        connect(made, &PipeReader::lineRead, this, [lines](const LineFramer::Line &line) {
            if (lines->size() < MaxLines)
                lines->append(line.bytes);
        });
        made->start();
        return made;
    };
    m_errorOutput = reader(m_process.takeErrorOutput(), &m_result.errorOutput);
    m_output = reader(m_process.takeOutput(), &m_result.output);
    // Something in the background may hold its output open.
    connect(&m_process, &ChildProcess::exited, this, [this] {
        const auto endWhenRead = [this] {
            if (!m_output->isDrained() || !m_errorOutput->isDrained())
                return;
            const ChildProcess::Exit exit = m_process.exitStatus();
            m_result.exitCode = exit.code;
            finish(exit.signal == 0
                       ? Error()
                       : Error::local(tr("“%1” was terminated by %2.").arg(m_name, signalName(exit.signal))));
        };
        for (PipeReader *each : {m_output, m_errorOutput}) {
            connect(each, &PipeReader::drained, this, endWhenRead);
            each->drain();
        }
    });
}

void BriefRun::finish(const Error &error)
{
    if (std::exchange(m_isFinished, true))
        return;
    m_limit.stop();
    for (const auto &[reader, lines] :
         {std::pair{m_output, &m_result.output}, std::pair{m_errorOutput, &m_result.errorOutput}}) {
        if (!reader)
            continue;
        reader->stop();
        if (const std::optional<LineFramer::Line> rest = reader->takeRest())
            lines->append(rest->bytes);
    }
    m_result.ms = m_clock.elapsed();
    m_result.error = error;
    Q_EMIT finished(m_result);
}

}  // namespace sonde
