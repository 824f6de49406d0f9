// SPDX-License-Identifier: Apache-2.0
#include "app/cli/savedcallrun.h"

#include "app/cli/output.h"
#include "app/cli/run.h"
#include "core/connection/toolmemory.h"
#include "core/files/savefile.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/savedcalls/callsuitereport.h"

#include <QFileInfo>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

// Nothing came back, or nothing was sent.
bool isUnanswered(const CallStep &step)
{
    return step.status == CallStep::Status::Error && step.outcome != Outcome::Kind::ProtocolError;
}

}  // namespace

SavedCallRun::SavedCallRun(Run &run, const QList<SavedCall> &calls, const SavedCallOptions &options)
    : m_run(run), m_calls(calls), m_options(options)
{}

Output &SavedCallRun::output() const
{
    return m_run.output();
}

Error SavedCallRun::problem() const
{
    if (const Error error = problemOfSuite(m_calls))
        return error;
    for (const SavedCall &call : m_calls) {
        if (!m_options.junitPath.isEmpty() && QFileInfo(call.path) == QFileInfo(m_options.junitPath))
            return Error::local(tr("%1 is a saved call; write the report to another file.").arg(call.path));
        if (const QStringList unset = unsetVariables(call); !unset.isEmpty())
            return Error::local(
                counted(unset.size(), tr("%1: the environment variable %2 is not set.").arg(call.path, unset.first()),
                        tr("%1: these environment variables are not set: %2.").arg(call.path, unset.join(u", "_s))),
                tr("The saved call refers to it as ${env:%1}.").arg(unset.first()));
    }
    return {};
}

Result<QString> SavedCallRun::server() const
{
    const SavedCall *naming = nullptr;
    for (const SavedCall &call : m_calls) {
        if (call.server.isEmpty())
            continue;
        if (naming && naming->server != call.server)
            return Error::local(tr("%1 is for the server '%2', and %3 for '%4'.")
                                    .arg(naming->path, naming->server, call.path, call.server),
                                tr("Run them one after the other, or name one server for all of them with "
                                   "-- COMMAND, --url URL or --server NAME."));
        naming = &call;
    }
    if (!naming)
        return Error::local(
            tr("no server: give -- COMMAND, --url URL or --server NAME, or add a \"server\" to a "
               "saved call"));
    return naming->server;
}

QStringList SavedCallRun::destructiveTools(const Catalog &catalog) const
{
    QStringList names;
    for (const SavedCall &call : m_calls) {
        const Tool *tool = catalog.tool(call.tool);
        if (tool && riskOf(tool->annotations) == ToolRisk::MayDestroy && !names.contains(call.tool))
            names.append(call.tool);
    }
    return names;
}

void SavedCallRun::start(Connection *connection)
{
    m_connection = connection;
    warnOfUnknownMembers();
    m_suite = std::make_unique<CallSuite>(m_calls, connection);
    m_suite->setStopsOnFailure(m_options.stopsOnFailure);
    connect(m_suite.get(), &CallSuite::stepChanged, this, &SavedCallRun::show);
    connect(m_suite.get(), &CallSuite::progressed, this, [this](const Progress &progress) {
        if (!output().isJson())
            output().progress(progress);
    });
    connect(m_suite.get(), &CallSuite::finished, this, &SavedCallRun::conclude);
    m_suite->start();
}

void SavedCallRun::stop()
{
    m_suite->stop();
}

// A mistyped expectation would be met by anything.
void SavedCallRun::warnOfUnknownMembers()
{
    for (const SavedCall &call : m_calls) {
        const QStringList unknown = call.unknownMembers();
        if (!unknown.isEmpty())
            output().warnings(
                {{Finding::Code::SavedCall, tr("%1 has members that mean nothing in a saved call: %2")
                                                .arg(visibleLine(call.path), visibleLine(unknown.join(u", "_s)))}});
    }
}

void SavedCallRun::show(qsizetype index)
{
    const CallStep &step = m_suite->steps()[index];
    if (!step.hasEnded())
        return;
    output().endProgress();
    if (!output().isJson()) {
        const QString time =
            step.durationNs < 0 ? QString() : tr("  %1 ms").arg(milliseconds(step.durationNs), 0, 'f', 1);
        output().line(toString(step.status).leftJustified(8) + visibleLine(step.call.name) + time);
        const QStringList lines = describe(step);
        for (const QString &line : lines)
            output().line(u"        "_s + line);
    }
    output().findings(findingsOfStep(index));
}

QList<Finding> SavedCallRun::findingsOfStep(qsizetype index) const
{
    const CallStep &step = m_suite->steps()[index];
    QList<Finding> found = findingsOf(step.response);
    for (Finding &finding : found) {
        const QString text = QString::fromUtf8(m_connection->session()->masked(finding.text.toUtf8()));
        finding.text = u"%1: %2"_s.arg(step.call.name, text);
        finding.pointer = u"/result/calls/%1"_s.arg(index);
    }
    return found;
}

void SavedCallRun::conclude()
{
    output().result(callSuiteJson(*m_suite));
    if (!output().isJson())
        output().line(tr("%1 passed, %2 failed, %3, %4 skipped")
                          .arg(m_suite->count(CallStep::Status::Passed))
                          .arg(m_suite->count(CallStep::Status::Failed))
                          .arg(counted(m_suite->count(CallStep::Status::Error), tr("1 error"), tr("%1 errors")))
                          .arg(m_suite->count(CallStep::Status::Skipped)));
    output().findings(findingsOf(*m_connection));
    ExitCode code = judge();
    writeReport(&code);
    if (m_options.accepts && !m_run.interruption())
        accept(&code);
    Q_EMIT finished(code);
}

ExitCode SavedCallRun::judge()
{
    if (const auto interruption = m_run.interruption()) {
        output().envelope().setError(errorFor(*interruption));
        return exitCodeFor(*interruption);
    }
    const QList<CallStep> &steps = m_suite->steps();
    const auto unanswered = std::ranges::find_if(steps, isUnanswered);
    const auto failed =
        unanswered != steps.end() ? unanswered : std::ranges::find(steps, CallStep::Status::Error, &CallStep::status);
    if (failed != steps.end()) {
        output().envelope().setError(
            failed->error ? failed->error
                          : Error::of(Error::Kind::Remote, tr("A JSON-RPC error that was not expected.")));
        return unanswered != steps.end() ? ExitCode::NoResponse : ExitCode::ProtocolError;
    }
    if (m_suite->count(CallStep::Status::Failed) == 0)
        return ExitCode::Ok;
    output().envelope().setVerdict(Verdict::Failed);
    return exitCodeFor(Verdict::Failed);
}

void SavedCallRun::writeReport(ExitCode *code)
{
    const QString &path = m_options.junitPath;
    if (path.isEmpty())
        return;
    const bool isRecording = m_connection->session()->isRecordedIn(path);
    const Error error =
        isRecording
            ? Error::local(tr("This run is recorded in %1; write the report to another file.").arg(path))
            : saveFile(path, callSuiteJUnit(*m_suite, visibleLine(m_connection->spec().name)), ReadableBy::Usual);
    if (!error)
        return;
    notWritten(error);
    *code = isRecording ? ExitCode::WrongUse : ExitCode::NoResponse;
}

void SavedCallRun::accept(ExitCode *code)
{
    for (const CallStep &step : m_suite->steps()) {
        const std::optional<SavedCall> call = accepted(step);
        if (!call)
            continue;
        if (const Error error = call->save(call->path)) {
            notWritten(error);
            *code = ExitCode::NoResponse;
        } else {
            output().note(tr("Accepted: %1 now expects this response.").arg(visibleLine(call->path)));
        }
    }
}

void SavedCallRun::notWritten(const Error &error)
{
    output().note(error.message);
    output().envelope().setError(error);
}

}  // namespace sonde::cli
