// sonde-cli replay: the calls of a recorded session again, and what comes out otherwise.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sessionverbs.h"
#include "app/cli/verb.h"

#include "core/files/savefile.h"
#include "core/filter/filtermatcher.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "core/replay/baseline.h"
#include "core/replay/replayer.h"
#include "core/replay/replayreport.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

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

class Replay final : public Verb {
public:
    using Verb::Verb;

    ~Replay() override
    {
        if (!m_newRecording.isEmpty())
            QFile::remove(m_newRecording);
    }

    Error check() override
    {
        const QString &path = arguments().target;
        Result<std::unique_ptr<Session>> session = Session::open(path);
        if (!session)
            return Error::local(tr("%1: %2").arg(path, session.error().message), session.error().hint);
        m_recording = std::move(session).value();
        if (const QList<DamagedRange> &damage = m_recording->damage(); arguments().accept && !damage.isEmpty())
            return Error::local(
                tr("%1 is damaged at byte %2: %3").arg(path).arg(damage.first().offset).arg(damage.first().reason),
                tr("New responses to what is left of it are not accepted in its place: the rest would be lost. "
                   "Without --accept what can be read is replayed."));
        if (m_recording->isRecordedIn(arguments().junitPath))
            return Error::local(tr("%1 is the session itself; write the report to another file.").arg(path));
        if (recordedCalls(*m_recording).isEmpty())
            return Error::local(tr("%1 holds no calls.").arg(path));
        if (const Error error = chooseCalls())
            return error;
        const QString beside = ReplayRules::pathBeside(path);
        const QString rulesPath = !arguments().rulesPath.isEmpty() ? arguments().rulesPath
                                  : QFileInfo::exists(beside)      ? beside
                                                                   : QString();
        if (!rulesPath.isEmpty()) {
            const Result<ReplayRules> rules = ReplayRules::load(rulesPath);
            if (!rules)
                return rules.error();
            m_rules = *rules;
        }
        if (arguments().accept)
            m_newRecording = u"%1.new-%2"_s.arg(path).arg(QCoreApplication::applicationPid());
        return {};
    }

    QString recordPath() const override { return arguments().accept ? m_newRecording : arguments().recordPath; }

    QByteArray capabilities() const override { return replayOptions(*m_recording).capabilities; }

    void prepare(Connection *connection) override { listenForServerRequests(connection); }

    void start(Connection *connection) override
    {
        m_connection = connection;
        for (const DamagedRange &range : m_recording->damage())
            output().remark(tr("The session is damaged at byte %1: %2").arg(range.offset).arg(range.reason));
        m_replayer = std::make_unique<Replayer>(m_recording.get(), connection, m_rules);
        if (!arguments().filter.isEmpty())
            m_replayer->select(m_chosen);
        m_replayer->setDestructive(arguments().allowDestructive ? Replayer::Destructive::Allow
                                                                : Replayer::Destructive::Skip);
        connect(m_replayer.get(), &Replayer::stepChanged, this, &Replay::showStep);
        connect(m_replayer.get(), &Replayer::finished, this, &Replay::conclude);
        m_replayer->start();
    }

    bool isWaiting() const override { return m_replayer && !m_replayer->isFinished(); }

    bool cancel() override
    {
        if (!isWaiting())
            return false;
        m_replayer->cancel();
        return true;
    }

private:
    Error chooseCalls()
    {
        if (arguments().filter.isEmpty())
            return {};
        Filter filter;
        if (const QString problem = readFilter(arguments().filter, &filter); !problem.isEmpty())
            return Error::local(problem);
        FilterMatcher matcher(filter, m_recording.get());
        for (const RecordedCall &call : recordedCalls(*m_recording)) {
            if (matcher.matches(call.row))
                m_chosen.append(call.row);
        }
        if (m_chosen.isEmpty())
            return Error::local(tr("%1 holds no calls that the filter lets through.").arg(arguments().target));
        return {};
    }

    void showStep(qsizetype index)
    {
        const ReplayStep &step = m_replayer->steps()[index];
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
        if (output().isJson())
            output().printJson(replayJson(*m_replayer));
        else
            output().line(tr("%1 same, %2 changed, %3 failed, %4 skipped")
                              .arg(m_replayer->count(Status::Same))
                              .arg(m_replayer->count(Status::Changed))
                              .arg(m_replayer->count(Status::Failed))
                              .arg(m_replayer->count(Status::Skipped)));
        qsizetype forbidden = 0;
        qsizetype wanted = 0;
        qsizetype made = 0;
        for (const ReplayStep &step : m_replayer->steps()) {
            forbidden += step.wasForbidden ? 1 : 0;
            wanted += isAsked(step) ? 1 : 0;
            made += isAsked(step) && step.hasRun() ? 1 : 0;
        }
        if (forbidden > 0)
            output().remark(tr("Calls left out because their tools may change or delete something: %1. "
                               "--allow-destructive makes them.")
                                .arg(forbidden));
        if (const QStringList left = m_replayer->serverRequestsLeft(); !left.isEmpty())
            output().remark(tr("Server requests outside of calls that did not come this time: %1")
                                .arg(visibleLine(left.join(", "_L1))));
        output().findings(m_connection->findings());
        ExitCode code = exitCode();
        if (code == ExitCode::Ok && made == 0 && wanted > 0)
            code = ExitCode::WrongUse;
        if (!writeReport() || (arguments().accept && !accept()))
            code = ExitCode::WrongUse;
        Q_EMIT finished(code);
    }

    // Their meaning here is told in --help.
    ExitCode exitCode() const
    {
        if (m_replayer->isUnanswered())
            return ExitCode::NoResponse;
        if (m_replayer->count(Status::Failed) > 0)
            return ExitCode::ProtocolError;
        return m_replayer->count(Status::Changed) > 0 ? ExitCode::ToolError : ExitCode::Ok;
    }

    bool writeReport()
    {
        const QString &path = arguments().junitPath;
        if (path.isEmpty())
            return true;
        if (m_connection->session()->isRecordedIn(path)) {
            output().remark(tr("This run is recorded in %1; write the report to another file.").arg(path));
            return false;
        }
        QSaveFile file(path);
        QString problem;
        if (file.open(QIODevice::WriteOnly)) {
            file.write(replayJUnit(*m_replayer, m_recording->serverName()));
            problem = commitFile(file);
        } else {
            problem = file.errorString();
        }
        if (problem.isEmpty())
            return true;
        output().remark(tr("%1 cannot be written: %2").arg(path, problem));
        return false;
    }

    bool accept()
    {
        Session *live = m_connection->session();
        live->finish();
        if (const qint64 leftOut = live->leftOut().records(); leftOut > 0) {
            output().remark(tr("Not accepted: the session stays as it is, because %1 records of this run were not "
                               "stored. A session of no more than %2 bytes is recorded now.")
                                .arg(grouped(leftOut), grouped(live->limit())));
            return false;
        }
        if (!m_replayer->isAcceptable() || live->error()) {
            output().remark(
                tr("Not accepted: the session stays as it is, because not every call that had a response in it "
                   "was made and got one now."));
            return false;
        }
        const QString &path = arguments().target;
        const QString kept = keptRecordingPath(path, QDateTime::currentDateTime());
        if (const Error error = replaceRecording(path, m_newRecording, kept)) {
            output().remark(tr("Not accepted: the session stays as it is. %1").arg(error.message));
            if (!error.hint.isEmpty())
                output().remark(error.hint);
            return false;
        }
        m_newRecording.clear();
        output().remark(tr("Accepted: %1 holds the new responses.").arg(path));
        output().remark(tr("The previous session is %1.").arg(kept));
        return true;
    }

    std::unique_ptr<Session> m_recording;
    QList<qsizetype> m_chosen;  // with a filter: rows of requests
    ReplayRules m_rules;
    QString m_newRecording;
    Connection *m_connection = nullptr;
    std::unique_ptr<Replayer> m_replayer;
};

}  // namespace

std::unique_ptr<Verb> makeReplay(const Arguments &arguments, Output &output)
{
    return std::make_unique<Replay>(arguments, output);
}

}  // namespace sonde::cli
