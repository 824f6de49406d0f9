// sonde-cli check: starts servers one after the other, reads every list and says where it stopped and what was wrong.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/approvalquestion.h"
#include "app/cli/checkreport.h"
#include "app/cli/commonoptions.h"
#include "app/cli/findings.h"
#include "app/cli/serververb.h"
#include "app/cli/standardoutput.h"
#include "app/cli/targetserver.h"
#include "app/cli/verbs.h"
#include "core/doctor/doctor.h"
#include "core/files/savefile.h"
#include "core/protocol/visibletext.h"

#include <QDateTime>
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
    ServerCheck(const ServerSpec &spec, const ConnectionOptions &options, QObject *parent)
        : QObject(parent), m_connection(spec, options), m_doctor(&m_connection)
    {
        m_report.name = spec.name;
        m_report.target = spec.line();
        m_clock.start();
        m_connection.catalog()->setMaxRetries(0);
        if (options.handshakeTimeout != ConnectionOptions().handshakeTimeout)
            m_connection.catalog()->setListTimeout(options.handshakeTimeout);
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
        for (const auto &[list, method] : listMethods()) {
            const Catalog::Status &status = m_connection.catalog()->status(list);
            if (status.state == Catalog::State::Failed && !m_report.error) {
                m_report.error = maskedError(m_connection, status.error);
                m_report.stoppedAt = method;
            }
        }
        m_doctor.examine();
    }

    static QList<std::pair<Catalog::List, QString>> listMethods()
    {
        return {{Catalog::List::Tools, u"tools/list"_s},
                {Catalog::List::Resources, u"resources/list"_s},
                {Catalog::List::ResourceTemplates, u"resources/templates/list"_s},
                {Catalog::List::Prompts, u"prompts/list"_s}};
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
        for (const auto &[list, method] : listMethods()) {
            for (const QString &finding : findingsAbout(m_connection, list))
                m_report.otherFindings.append(method + u": "_s + finding);
        }
        m_report.otherFindings += otherFindingsOf(m_connection);
        if (const DoctorLine *failure = m_doctor.firstFailure(); failure && m_report.stoppedAt.isEmpty())
            m_report.stoppedAt = failure->name;
        m_report.mask(
            [this](const QString &text) { return QString::fromUtf8(m_connection.session()->masked(text.toUtf8())); });
        m_connection.session()->finish();
        Q_EMIT finished();
    }

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
        table.summary =
            tr("start each server, read every list, check every message against the rules of its protocol "
               "revision, and say where it stopped; SERVER as for diff, or one server as below");
        table.operands = {{u"[SERVER…]"_s,
                           {},
                           sidesInto(&m_options.sides),
                           tr("a URL or a command line in quotes"),
                           app::Completion::files()}};
        table.sections = {
            {tr("Options"),
             {{u"--every SECONDS"_s, tr("check again and again, until Ctrl+C"), &m_options.every},
              {u"--junit FILE"_s, tr("write a JUnit XML report"), &m_options.junitPath, app::Completion::files()}}}};
        m_server.declare(table, app::OptionTarget(takeServer, app::OptionTarget::Repeat::Yes));
        table.sections.append({CommonOptions::title(), m_common.rows() + QList{m_server.undeclaredRow()}, true});
        table.examples = {u"check -- npx -y some-server"_s,
                          u"check --junit report.xml 'npx -y some-server' https://example.com/mcp --server mine"_s,
                          u"check --every 60 --server mine"_s};
        table.notes =
            tr("Exit codes, the worst of all servers: 0 OK, 1 findings, 2 JSON-RPC error, 3 did not start or no "
               "response, 4 usage error");
    }

    QString problem() const override
    {
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
        beginRound();
    }

    void interrupt() override
    {
        m_again.stop();
        m_current.reset();
        const bool isWatching = m_options.every && !m_last.isEmpty();
        Q_EMIT finished(isWatching ? worst(m_last) : ExitCode::NoResponse);
    }

private:
    bool add(const Result<ServerSpec> &spec, bool isSaved)
    {
        if (spec) {
            m_specs.append({*spec, isSaved});
            return true;
        }
        m_output.note(u"sonde-cli: "_s + visibleText(spec.error().message));
        if (!spec.error().hint.isEmpty())
            m_output.note(spec.error().hint);
        Q_EMIT finished(ExitCode::WrongUse);
        return false;
    }

    void beginRound()
    {
        m_reports.clear();
        checkNext();
    }

    void checkNext()
    {
        if (m_reports.size() == m_specs.size())
            return endRound();
        ConnectionOptions options;
        options.checkMessages = true;
        if (m_common.timeout) {
            options.callOptions.timeout = *m_common.timeout;
            options.handshakeTimeout = *m_common.timeout;
        }
        const auto &[spec, isSaved] = m_specs.at(m_reports.size());
        options.profile = profileFor(isSaved, m_profile);
        options.profile.tasks.reset();  // none is begun
        options.profile.eras.reset();   // it is examined from its first step on
        options.hasPerson = false;
        m_current = std::make_unique<ServerCheck>(spec, options, nullptr);
        m_current->askForApproval(m_common.isYes, m_output);
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
        print();
        m_last = m_reports;
        if (Error error = saveJUnit()) {
            m_output.note(u"sonde-cli: "_s + visibleText(error.message));
            Q_EMIT finished(ExitCode::NoResponse);
        } else if (m_options.every && !standardoutput::hasFailed()) {
            m_again.start(*m_options.every);
        } else {
            Q_EMIT finished(worst(m_reports));
        }
    }

    // While watching, what is as it was is one line.
    void print()
    {
        if (m_output.isJson())
            return m_output.printJson(checkJson(m_reports));
        for (qsizetype i = 0; i < m_reports.size(); ++i) {
            const CheckReport &report = m_reports.at(i);
            const QString time = m_options.every ? QDateTime::currentDateTime().toString(u"HH:mm:ss  "_s) : QString();
            if (i < m_last.size() && m_last.at(i).isAs(report)) {
                m_output.line(time + visibleLine(report.name) + u"  "_s + summaryOf(report));
                continue;
            }
            if (!time.isEmpty())
                m_output.line(time.trimmed());
            for (const QString &line : linesOf(report))
                m_output.line(line);
        }
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
        QString junitPath;
    } m_options;
    ServerOptions m_server;
    CommonOptions m_common;
    Profile m_profile;
    Output m_output{m_common.output};
    QList<std::pair<ServerSpec, bool>> m_specs;  // and whether it is one of the saved ones
    QList<CheckReport> m_reports;                // of this round
    QList<CheckReport> m_last;
    std::unique_ptr<ServerCheck> m_current;
    QTimer m_again;
};

}  // namespace

std::unique_ptr<Verb> makeCheck()
{
    return std::make_unique<Check>();
}

}  // namespace sonde::cli

#include "check.moc"
