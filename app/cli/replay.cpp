// sonde-cli replay: the calls of a recorded session again, and what comes out otherwise.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/didyoumean.h"
#include "app/cli/run.h"
#include "app/cli/serververb.h"
#include "app/cli/sessionfile.h"
#include "app/cli/verbs.h"
#include "app/common/interrupts.h"

#include "core/files/savefile.h"
#include "core/protocol/differencetext.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"
#include "core/replay/replayreport.h"
#include "core/replay/replayrun.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

using Status = ReplayStep::Status;

// Rather than part of what every client does by itself: a run of nothing but these proves nothing.
bool isAsked(const ReplayStep &step)
{
    return step.method == methods::CallTool || step.method == methods::GetPrompt ||
           step.method == methods::ReadResource || step.method == methods::Complete;
}

class Replay final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("repeat recorded calls and compare the responses");
        table.details =
            tr("Repeats the calls of a recorded session, one after the other, and compares the responses as JSON (also "
               "inside strings), ignoring the order of properties and comparing numbers by value. Tools that are "
               "annotated "
               "neither as read-only nor as non-destructive are skipped. Server requests get the recorded responses.");
        table.operands = {sessionOperand(&m_options.path)};
        table.sections = {
            {tr("Options"),
             {{u"--rules FILE"_s, tr("ignore rules (default: NAME.rules.json beside NAME.mcpsession)"),
               &m_options.rulesPath, app::Completion::files()},
              {u"--filter FILTER"_s,
               tr("repeat only matching calls, such as 'tool == search'; cannot be used with --accept"),
               filterInto(&m_options.filter)},
              {u"--allow-destructive"_s, tr("call all tools, including those that may change or delete data"),
               &m_options.allowsDestructive},
              {u"--accept"_s,
               tr("if every call got a response, make the new session the baseline: it replaces FILE, which is "
                  "kept under another name"),
               &m_options.accepts},
              {u"--junit FILE"_s, tr("write a JUnit XML report"), &m_options.junitPath, app::Completion::files()}}}};
        table.examples = {u"replay smoke.mcpsession -- npx -y some-server"_s,
                          u"replay smoke.mcpsession --filter 'tool == search' --junit report.xml --server mine"_s};
        table.notes = exitCodesText(
            {{ExitCode::Ok, tr("all responses are the same, except for what the rules ignore")},
             {ExitCode::ToolError, tr("some responses changed")},
             {ExitCode::ProtocolError, tr("a new or different JSON-RPC error")},
             {ExitCode::WrongUse, tr("usage error, or a file, folder or saved server that does not exist or "
                                     "cannot be read; or all calls of tools, prompts, resources and "
                                     "completions were skipped")}});
    }

    QString ownProblem() const override
    {
        if (m_options.accepts && !run().recordPath().isEmpty())
            return tr("--accept already records and cannot be used with --record");
        if (m_options.accepts && m_options.filter)
            return tr("--accept needs all calls and cannot be used with --filter");
        return problemOfFolderOf(m_options.junitPath);
    }

    bool mayBeInScript() const override { return false; }
    bool repeatsSession() const override { return true; }
    void adapt(ServerSpec *, ConnectionOptions *options) const override
    {
        options->capabilities = m_replay->connectionOptions().capabilities;
        if (m_options.accepts)
            options->sessionPath = m_newRecording;
    }

    ~Replay() override
    {
        if (!m_newRecording.isEmpty())
            QFile::remove(m_newRecording);
    }

    Error check() override
    {
        const QString &path = m_options.path;
        ReplayPlan plan;
        plan.recordingPath = path;
        plan.rulesPath = m_options.rulesPath;
        plan.destructive = m_options.allowsDestructive ? Replayer::Destructive::Allow : Replayer::Destructive::Skip;
        if (m_options.filter) {
            plan.calls = ReplayPlan::Calls::Matching;
            plan.filter = *m_options.filter;
        }
        m_replay = std::make_unique<ReplayRun>(plan);
        const Error unreadable = [this] {
            const app::InterruptsEndProgram ended;  // the rules may come from a pipe
            return m_replay->read();
        }();
        const Session *recording = m_replay->recording();
        if (!recording)
            return unusable(path, unreadable);
        if (const QList<DamagedRange> &damage = recording->damage(); m_options.accepts && !damage.isEmpty())
            return Error::local(
                tr("%1 is damaged at byte %2: %3").arg(path).arg(damage.first().offset).arg(damage.first().reason),
                tr("--accept is refused, because the unreadable part would be lost. Without --accept, the readable "
                   "part is replayed."));
        if (recording->isRecordedIn(m_options.junitPath))
            return Error::local(tr("%1 is the session itself; write the report to another file.").arg(path));
        if (recordedCalls(*recording).isEmpty())
            return Error::local(tr("%1 contains no calls.").arg(path));
        if (m_options.filter && !m_replay->hasCalls())
            return Error::local(tr("No calls in %1 match the filter.").arg(path));
        if (unreadable)
            return withSuggestion(unreadable, didYouMeanFile(m_options.rulesPath));
        if (m_options.accepts)
            m_newRecording = u"%1.new-%2"_s.arg(path).arg(QCoreApplication::applicationPid());
        return {};
    }

    void prepare(Connection *connection) override { listenForServerRequests(connection); }

    void begin(Connection *connection) override
    {
        m_connection = connection;
        for (const DamagedRange &range : m_replay->recording()->damage())
            output().note(tr("The session is damaged at byte %1: %2").arg(range.offset).arg(range.reason));
        connect(m_replay.get(), &ReplayRun::stepChanged, this, &Replay::showStep);
        connect(m_replay.get(), &ReplayRun::stateChanged, this, [this] {
            if (m_replay->state() == ReplayRun::State::Finished && !std::exchange(m_isConcluded, true))
                conclude();
        });
        connect(m_replay.get(), &ReplayRun::accepted, this, &Replay::onAccepted);
        m_replay->startOn(connection);
    }

    bool isWaiting() const override { return m_replay && (m_replay->isActive() || m_replay->isAccepting()); }

    bool cancel() override
    {
        if (!isWaiting())
            return false;
        m_replay->stop();
        return true;
    }

private:
    const Replayer &replayer() const { return *m_replay->replayer(); }

    void showStep(qsizetype index)
    {
        const ReplayStep &step = m_replay->steps()[index];
        if (output().isJson() || step.status == Status::Waiting || step.status == Status::Running)
            return;
        const QString what = visibleLine(step.target.isEmpty() ? step.method : step.method + u' ' + step.target);
        QString line = toString(step.status).leftJustified(8) + what;
        if (!step.reason.isEmpty())
            line += u": "_s + visibleLine(step.reason);
        output().line(line);
        const QStringList serverRequests = describeServerRequests(step);
        for (const QString &serverRequest : serverRequests)
            output().line(u"        "_s + serverRequest);
        for (const json::Difference &difference : step.differences)
            output().line(u"        "_s + describe(difference));
        if (step.isCut)
            output().line(u"        "_s + tr("There are more differences."));
        for (const QString &finding : step.findings)
            output().line(u"        "_s + tr("Finding: %1").arg(visibleLine(finding)));
    }

    void conclude()
    {
        output().result(replayJson(replayer()));
        if (!output().isJson())
            output().line(tr("%1 same, %2 changed, %3 failed, %4 skipped")
                              .arg(replayer().count(Status::Same))
                              .arg(replayer().count(Status::Changed))
                              .arg(replayer().count(Status::Failed))
                              .arg(replayer().count(Status::Skipped)));
        qsizetype forbidden = 0;
        qsizetype wanted = 0;
        qsizetype made = 0;
        for (const ReplayStep &step : replayer().steps()) {
            forbidden += step.wasForbidden ? 1 : 0;
            wanted += isAsked(step) ? 1 : 0;
            made += isAsked(step) && step.hasRun() ? 1 : 0;
        }
        if (forbidden > 0)
            output().note(
                tr("Skipped calls of tools that may change or delete data: %1. Use --allow-destructive to run them.")
                    .arg(forbidden));
        if (const QStringList left = replayer().serverRequestsLeft(); !left.isEmpty())
            output().note(tr("Server requests recorded outside of calls did not occur this time: %1")
                              .arg(visibleLine(left.join(", "_L1))));
        if (output().isJson())
            output().findings(findingsOfSteps());
        output().findings(findingsOf(*m_connection));
        judge();
        if (m_code == ExitCode::Ok && made == 0 && wanted > 0)
            fail(tr("Every call of a tool, prompt, resource or completion was skipped."), ExitCode::WrongUse);
        writeReport();
        if (m_options.accepts)
            accept();
        else
            Q_EMIT done(m_code);
    }

    // For people they stand with their steps.
    QList<Finding> findingsOfSteps() const
    {
        QList<Finding> found;
        qsizetype index = 0;
        for (const ReplayStep &step : replayer().steps()) {
            for (Finding finding : Finding::of(Finding::Code::Replay, step.findings)) {
                finding.pointer = u"/result/steps/%1"_s.arg(index);
                finding.record = replayer().numberOf(step);
                found.append(finding);
            }
            ++index;
        }
        return found;
    }

    // The meaning of the codes here is told in --help.
    void judge()
    {
        if (const auto interruption = run().interruption()) {
            output().envelope().setError(errorFor(*interruption));
            m_code = exitCodeFor(*interruption);
        } else if (replayer().isUnanswered()) {
            const Error lost = maskedError(*m_connection, m_connection->error());
            output().envelope().setError(lost ? lost : Error::of(Error::Kind::Timeout, tr("A call had no response.")));
            m_code = ExitCode::NoResponse;
        } else if (const qsizetype failed = replayer().count(Status::Failed); failed > 0) {
            output().envelope().setError(
                Error::of(Error::Kind::Remote, tr("Calls with a new or different JSON-RPC error: %1").arg(failed)));
            m_code = ExitCode::ProtocolError;
        } else if (replayer().count(Status::Changed) > 0) {
            output().envelope().setVerdict(Verdict::Changed);
            m_code = ExitCode::ToolError;
        }
    }

    void fail(const QString &text, ExitCode code)
    {
        output().note(text);
        output().envelope().setError(Error::local(text));
        m_code = code;
    }

    void writeReport()
    {
        const QString &path = m_options.junitPath;
        if (path.isEmpty())
            return;
        if (m_connection->session()->isRecordedIn(path))
            return fail(tr("This run is recorded in %1; write the report to another file.").arg(path),
                        ExitCode::WrongUse);
        QSaveFile file(path);
        QString problem;
        if (file.open(QIODevice::WriteOnly)) {
            file.write(replayJUnit(replayer(), m_replay->recording()->serverName()));
            problem = commitFile(file);
        } else {
            problem = file.errorString();
        }
        if (!problem.isEmpty())
            fail(tr("%1 cannot be written: %2").arg(path, problem), ExitCode::NoResponse);
    }

    void accept()
    {
        m_connection->session()->finish();  // what could not be stored is known then
        if (const QString problem = m_replay->acceptProblem(); problem.isEmpty())
            m_replay->accept();
        else
            sayNotAccepted(Error::local(problem), ExitCode::WrongUse);
    }

    void onAccepted(const Error &error)
    {
        if (error)
            return sayNotAccepted(error, ExitCode::NoResponse);
        m_newRecording.clear();
        output().note(tr("Accepted: %1 now contains the new responses.").arg(m_options.path));
        output().note(tr("The previous session was kept as %1.").arg(m_replay->previousPath()));
        Q_EMIT done(m_code);
    }

    // code: WrongUse where this run cannot become the baseline, NoResponse where it could not be written.
    void sayNotAccepted(const Error &error, ExitCode code)
    {
        fail(tr("Not accepted; the session is unchanged. %1").arg(error.message), code);
        if (!error.hint.isEmpty())
            output().note(error.hint);
        Q_EMIT done(m_code);
    }

    struct {
        QString path;
        QString rulesPath;
        std::optional<Filter> filter;  // only calls that it lets through
        QString junitPath;
        bool accepts = false;
        bool allowsDestructive = false;
    } m_options;
    std::unique_ptr<ReplayRun> m_replay;
    QString m_newRecording;
    Connection *m_connection = nullptr;
    ExitCode m_code = ExitCode::Ok;
    bool m_isConcluded = false;
};

}  // namespace

std::unique_ptr<Verb> makeReplay()
{
    return std::make_unique<Replay>();
}

}  // namespace sonde::cli
