// sonde-cli check: starts servers one after the other, reads every list and says where it stopped and what was wrong.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"
#include "app/cli/checkreport.h"
#include "app/cli/commonoptions.h"
#include "app/cli/filewatches.h"
#include "app/cli/findings.h"
#include "app/cli/responders.h"
#include "app/cli/serververb.h"
#include "app/cli/standardoutput.h"
#include "app/cli/targetserver.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "core/doctor/doctor.h"
#include "core/files/savefile.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QDateTime>
#include <QDir>
#include <QSaveFile>
#include <QTimer>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// One server, from its start to its end.
class ServerCheck final : public QObject {
    Q_OBJECT
public:
    ServerCheck(const ServerSpec &spec, const ConnectionOptions &options, bool isStrict)
        : m_responders(spec), m_connection(spec, declaring(options)), m_doctor(&m_connection)
    {
        m_responders.attach(&m_connection);
        m_report.isStrict = isStrict;
        m_report.name = spec.name;
        m_report.target = spec.line();
        m_clock.start();
        m_connection.catalog()->setMaxRetries(0);
        if (options.callOptions.timeout != ConnectionOptions().callOptions.timeout)
            m_connection.catalog()->setListTimeout(options.callOptions.timeout);
        connect(&m_connection, &Connection::stateChanged, this, &ServerCheck::onStateChanged);
        connect(m_connection.catalog(), &Catalog::loaded, this, [this] {
            if (m_connection.state() == Connection::State::Connected)
                examine();
        });
        connect(&m_doctor, &Doctor::finished, this, [this] {
            m_report.lines = m_doctor.lines();
            if (m_report.error)
                m_report.written = m_doctor.written();
            m_isExamined = true;
            m_connection.close();
            onStateChanged();
        });
    }

    void start() { m_connection.open(); }
    void askForApproval(bool isYes, Output &output)
    {
        m_approval = std::make_unique<ApprovalQuestion>(&m_connection, isYes, output, [this](const Error &refusal) {
            m_isRefused = true;
            m_report.error = refusal;
            m_report.stoppedAt = nameOf(StartStep::Kind::Approve);
        });
    }
    const CheckReport &report() const { return m_report; }

Q_SIGNALS:
    void finished();

private:
    // Servers may offer some tools only to clients that can do what these need.
    ConnectionOptions declaring(ConnectionOptions options) const
    {
        options.capabilities = m_responders.capabilities();
        return options;
    }

    void onStateChanged()
    {
        if (m_connection.state() != Connection::State::Disconnected)
            return;
        if (m_isExamined || m_isRefused)
            finish();
        else if (m_connection.error())
            examine();
    }

    void examine()
    {
        if (std::exchange(m_isExamining, true))
            return;
        m_report.ms = m_clock.elapsed();
        m_report.error = maskedError(m_connection, m_connection.error());
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            const Catalog::Status &status = m_connection.catalog()->status(info.list);
            if (status.state == Catalog::State::Failed && !m_report.error) {
                m_report.error = maskedError(m_connection, status.error);
                m_report.stoppedAt = info.method.toString();
            }
        }
        m_doctor.examine();
    }

    // Every message counts, however many there are.
    void finish()
    {
        SessionCheck *check = m_connection.messageCheck();
        m_connection.session()->flush();
        if (!check->isDone()) {
            connect(check, &SessionCheck::caughtUp, this, &ServerCheck::finish, Qt::UniqueConnection);
            return;
        }
        if (std::exchange(m_isFinished, true))
            return;
        m_report.findings = check->findings();
        m_report.checkedMessages = check->checked();
        m_report.uncheckedMessages = check->unchecked();
        for (const Catalog::ListInfo &info : Catalog::Lists) {
            QList<Finding> found = findingsAbout(m_connection, info.list);
            for (Finding &finding : found)
                finding.text.prepend(info.method.toString() + u": "_s);
            m_report.otherFindings += found;
        }
        m_report.otherFindings += otherFindingsOf(m_connection);
        if (const DoctorLine *failure = m_doctor.firstFailure(); failure && m_report.stoppedAt.isEmpty())
            m_report.stoppedAt = failure->name;
        m_report.mask(
            [this](const QString &text) { return QString::fromUtf8(m_connection.session()->masked(text.toUtf8())); });
        m_connection.session()->finish();
        Q_EMIT finished();
    }

    Responders m_responders;
    Connection m_connection;
    std::unique_ptr<ApprovalQuestion> m_approval;
    Doctor m_doctor;
    CheckReport m_report;
    QElapsedTimer m_clock;
    bool m_isRefused = false;  // nobody approved it
    bool m_isExamining = false;
    bool m_isExamined = false;
    bool m_isFinished = false;
};

class Check final : public Verb {
    Q_OBJECT
public:
    Check()
    {
        m_again.setSingleShot(true);
        connect(&m_again, &QTimer::timeout, this, &Check::beginRound);
    }

    void declare(app::OptionTable &table) override
    {
        const auto takeServer = [this](const QString &name) {
            m_options.sides.append({name, true});
            return QString();
        };
        table.summary = tr("check that servers start and follow the protocol");
        table.details =
            tr("Starts each server, reads every list, and checks every message against the rules of the protocol "
               "revision. Step by step, it examines what a server needs: for a command, the working directory, the "
               "program, the version of its runtime, its start, exit and output; for a URL, the host name, the "
               "connection, the certificate, the HTTP status, authorization and the protocol. If a server stops, the "
               "last line names the step, code and message.\n\n"
               "Give one server as for other verbs, or several: each a URL, a command line in quotes, or --server "
               "NAME.");
        table.operands = {{u"[SERVER…]"_s,
                           {},
                           sidesInto(&m_options.sides),
                           tr("a URL or a command line in quotes"),
                           app::Completion::files()}};
        table.sections = {
            {tr("Options"),
             {{u"--every SECONDS"_s,
               tr("repeat the check after this pause, until Ctrl+C; a server with the same outcome as before "
                  "gets one line"),
               &m_options.every},
              {u"--watch"_s,
               tr("check again when a file that a server is started from changes: its program, the files among its "
                  "arguments and the sources beside a script; until Ctrl+C"),
               &m_options.isWatch},
              {u"--junit FILE"_s, tr("write a JUnit XML report"), &m_options.junitPath, app::Completion::files()}}}};
        m_server.declare(table, app::OptionTarget(takeServer, app::OptionTarget::Repeat::Yes));
        table.sections.append(
            {CommonOptions::title(), m_common.rows() + QList{m_common.strictRow(), m_server.undeclaredRow()}, true});
        table.examples = {u"check -- npx -y some-server"_s,
                          u"check --junit report.xml 'npx -y some-server' https://example.com/mcp --server mine"_s,
                          u"check --watch -- node server.js"_s, u"check --every 60 --server mine"_s};
        table.notes =
            exitCodesText(
                {{ExitCode::Ok, tr("OK: no findings")},
                 {ExitCode::ToolError, tr("findings")},
                 {ExitCode::ProtocolError, tr("the server returned a JSON-RPC error")},
                 {ExitCode::NoResponse, tr("did not start, or no response; or output could not be written")},
                 {ExitCode::Interrupted, tr("interrupted by Ctrl+C (SIGINT); with --every or --watch, only before the "
                                            "first check was complete")}}) +
            u'\n' + tr("With several servers, the worst result counts.");
    }

    QString problem() const override
    {
        if (m_options.isWatch && m_options.every)
            return tr("give only one of --every and --watch");
        if (m_options.sides.isEmpty()) {
            if (const QString problem = m_server.problem(); !problem.isEmpty())
                return problem;
        } else if (m_server.count() > 0) {
            return tr(
                "give either one server with -- COMMAND or --url URL, or any number after check: each a URL, a "
                "command line in quotes, or --server NAME");
        } else if (!m_server.headers.isEmpty() || !m_server.environment.isEmpty() ||
                   !m_server.workingDirectory.isEmpty()) {
            return tr("--header, --env and --cwd are for one server, given with -- COMMAND or --url URL");
        }
        return problemOfFolderOf(m_options.junitPath);
    }

    void start(const Profile &profile) override
    {
        m_profile = profile;
        if (m_options.sides.isEmpty()) {
            if (!add(m_server.spec(m_profile), false))
                return;
        }
        for (const ServerSide &side : m_options.sides) {
            if (!add(m_server.spec(m_profile, side), side.isServerName))
                return;
        }
        if (m_options.isWatch && !watchFiles())
            return;
        beginRound();
    }

    // Where it is repeated, Ctrl+C is the ordinary end.
    void interrupt(app::Interruption interruption) override
    {
        m_again.stop();
        m_watches.reset();
        m_current.reset();
        const bool isOrdinary = interruption == app::Interruption::Interrupt && isRepeated() && !m_last.isEmpty();
        if (!isOrdinary)
            output().failure(errorFor(interruption));
        Q_EMIT finished(isOrdinary ? worst(m_last) : exitCodeFor(interruption));
    }

private:
    bool add(const Result<ServerSpec> &spec, bool isSaved)
    {
        if (spec) {
            m_specs.append({*spec, isSaved});
            return true;
        }
        refuse(spec.error());
        return false;
    }

    bool isRepeated() const { return m_options.every || m_options.isWatch; }

    // False: there is nothing to watch, and it is said.
    bool watchFiles()
    {
        QList<ServerSpec> specs;
        for (const auto &[spec, isSaved] : std::as_const(m_specs))
            specs.append(spec);
        m_watches = std::make_unique<FileWatches>(specs);
        if (m_watches->count() == 0) {
            refuse(Error::local(tr("--watch needs a server that is started as a program; there is no file to watch.")));
            return false;
        }
        connect(m_watches.get(), &FileWatches::changed, this, [this](const QStringList &files) {
            for (const QString &file : files) {
                if (!m_changedFiles.contains(file))
                    m_changedFiles.append(file);
            }
            if (m_isIdle)
                beginRoundOfChange();
        });
        return true;
    }

    void beginRoundOfChange()
    {
        QStringList names;
        for (const QString &file : std::as_const(m_changedFiles))
            names.append(visibleLine(QDir::current().relativeFilePath(file), 200));
        constexpr qsizetype maxNamed = 3;
        QString text = QStringList(names.mid(0, maxNamed)).join(u", "_s);
        if (names.size() > maxNamed)
            text += tr(" and %1 more").arg(names.size() - maxNamed);
        m_changedFiles.clear();
        const Terminal &terminal = Terminal::of(app::StandardStream::Error);
        output().note(u'\n' + terminal.painted(tr("Changed: %1").arg(text), Terminal::Tone::Heading));
        beginRound();
    }

    void beginRound()
    {
        m_isIdle = false;
        m_reports.clear();
        checkNext();
    }

    void checkNext()
    {
        if (m_reports.size() == m_specs.size())
            return endRound();
        ConnectionOptions options;
        options.checkMessages = true;
        const auto &[spec, isSaved] = m_specs.at(m_reports.size());
        m_common.setTimeouts(&options, spec.timeouts);
        options.profile = profileFor(isSaved, m_profile);
        options.approvalName = isSaved ? m_server.approvalName(spec.name) : QString();
        options.profile.tasks.reset();  // none is begun
        options.profile.eras.reset();   // it is examined from its first step on
        options.hasPerson = false;
        if (m_specs.size() == 1)
            output().envelope().setServer(spec.name);
        m_current = std::make_unique<ServerCheck>(spec, options, m_common.output.isStrict);
        m_current->askForApproval(m_common.isYes, output());
        // Queued: it comes within a signal of the connection that goes with it.
        connect(
            m_current.get(), &ServerCheck::finished, this,
            [this] {
                m_reports.append(m_current->report());
                m_current.reset();
                checkNext();
            },
            Qt::QueuedConnection);
        m_current->start();
    }

    void endRound()
    {
        // Each round is an event of its own where more follow.
        if (isRepeated())
            output().beginEvent();
        const ExitCode code = worst(m_reports);
        print(code);
        if (isRepeated())
            output().endPart(code);
        m_last = m_reports;
        if (const Error error = saveJUnit()) {
            refuse(error, ExitCode::NoResponse);
        } else if (m_options.isWatch && !standardoutput::hasFailed()) {
            m_isIdle = true;
            if (!m_changedFiles.isEmpty())  // meanwhile
                return beginRoundOfChange();
            output().note(counted(m_watches->count(), tr("Watching 1 file. Press Ctrl+C to stop."),
                                  tr("Watching %1 files. Press Ctrl+C to stop.")));
        } else if (m_options.every && !standardoutput::hasFailed()) {
            m_again.start(*m_options.every);
        } else {
            Q_EMIT finished(code);
        }
    }

    // While watching, what is as it was is one line.
    void print(ExitCode code)
    {
        if (output().isJson())
            return printForMachines(code);
        for (qsizetype i = 0; i < m_reports.size(); ++i) {
            const CheckReport &report = m_reports.at(i);
            const QString time = isRepeated() ? QDateTime::currentDateTime().toString(u"HH:mm:ss  "_s) : QString();
            if (i < m_last.size() && m_last.at(i).isAs(report)) {
                output().line(time + visibleLine(report.name) + u"  "_s + summaryOf(report));
                continue;
            }
            if (!time.isEmpty())
                output().line(time.trimmed());
            for (const QString &line : linesOf(report))
                output().line(line);
            if (report.isStrict) {
                for (const QString &line : findingLinesOf(report))
                    output().note(line);
            }
        }
    }

    void printForMachines(ExitCode code)
    {
        for (qsizetype i = 0; i < m_reports.size(); ++i) {
            const CheckReport &report = m_reports.at(i);
            output().findings(report.allFindings(i));
            if (report.code() != code)
                continue;
            output().envelope().setVerdict(report.verdict());
            if (const Error failure = report.failure())
                output().envelope().setError(failure);
        }
        output().result(checkJson(m_reports));
    }

    Error saveJUnit() const
    {
        if (m_options.junitPath.isEmpty())
            return {};
        QSaveFile file(m_options.junitPath);
        QString problem;
        if (file.open(QIODevice::WriteOnly)) {
            file.write(checkJUnit(m_reports));
            problem = commitFile(file);
        } else {
            problem = file.errorString();
        }
        return problem.isEmpty() ? Error()
                                 : Error::local(tr("%1 cannot be written: %2").arg(m_options.junitPath, problem));
    }

    static ExitCode worst(const QList<CheckReport> &reports)
    {
        ExitCode code = ExitCode::Ok;
        for (const CheckReport &report : reports)
            code = std::max(code, report.code());
        return code;
    }

    struct {
        QList<ServerSide> sides;                         // none: the one server of m_server
        std::optional<std::chrono::milliseconds> every;  // nothing: once
        bool isWatch = false;
        QString junitPath;
    } m_options;
    ServerOptions m_server;
    CommonOptions m_common{outputOptions()};
    Profile m_profile;
    QList<std::pair<ServerSpec, bool>> m_specs;  // and whether it is one of the saved ones
    QList<CheckReport> m_reports;                // of this round
    QList<CheckReport> m_last;
    std::unique_ptr<ServerCheck> m_current;
    QTimer m_again;
    std::unique_ptr<FileWatches> m_watches;  // null: not asked for
    QStringList m_changedFiles;              // that no round has begun for
    bool m_isIdle = false;                   // no round is under way
};

}  // namespace

std::unique_ptr<Verb> makeCheck()
{
    return std::make_unique<Check>();
}

}  // namespace sonde::cli

#include "check.moc"
