// SPDX-License-Identifier: Apache-2.0
#include "app/cli/argumentcheck.h"

#include "core/connection/loglevelchoice.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class ArgumentCheck {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
public:
    ArgumentCheck(const Arguments &arguments, bool isScriptLine) : m_arguments(arguments), m_isScriptLine(isScriptLine)
    {}

    QString problem()
    {
        if (isOf(Arguments::Verb::Mock) || isOf(Arguments::Verb::Diff))
            checkServerless();
        else if (isOf(Arguments::Verb::Check) && !m_arguments.sides.isEmpty())
            checkServers();
        else
            checkServer();
        if (m_problem.isEmpty() && isOf(Arguments::Verb::Check) && !m_arguments.recordPath.isEmpty())
            fail(tr("--record cannot be used with this verb"));
        if (m_problem.isEmpty())
            checkFiles();
        return m_problem;
    }

private:
    void fail(const QString &problem) { m_problem = problem; }
    bool isOf(Arguments::Verb verb) const { return m_arguments.verb == verb; }

    // Verbs that bring their servers with them.
    void checkServerless()
    {
        const bool isMock = isOf(Arguments::Verb::Mock);
        if (isMock && m_arguments.target.isEmpty())
            fail(tr("expected a session file"));
        else if (!isMock && m_arguments.sides.size() != 2)
            fail(tr("expected two sides, each a session file, a URL, a command line in quotes, or --server NAME"));
        else if (!m_arguments.command.isEmpty() || !m_arguments.url.isEmpty() || !m_arguments.serverName.isEmpty())
            fail(isMock ? tr("mock is itself a server and connects to no other")
                        : tr("give the two sides after diff: each a session file, a URL, a command line "
                             "in quotes, or --server NAME"));
        else if (!m_arguments.recordPath.isEmpty())
            fail(tr("--record cannot be used with this verb"));
        else if (!m_arguments.responsesPath.isEmpty())
            fail(tr("--responses cannot be used with this verb"));
        else if (!m_arguments.headers.isEmpty() || !m_arguments.environment.isEmpty() ||
                 m_arguments.inheritEnvironment || m_arguments.loginShellPath ||
                 !m_arguments.workingDirectory.isEmpty())
            fail(tr("--header, --env, --inherit-env, --login-shell-path and --cwd cannot be used with this verb"));
        else if (m_arguments.network != http::NetworkOptions())
            fail(
                tr("--proxy, --ca, --client-cert, --client-key, --accept-certificate and --allow-host cannot be used "
                   "with this verb"));
        else if (!m_arguments.roots.isEmpty())
            fail(tr("--roots cannot be used with this verb"));
        else if (!m_arguments.undeclaredCapabilities.isEmpty())
            fail(tr("--without cannot be used with this verb"));
        else if (m_arguments.httpKind && isMock)
            fail(tr("--transport cannot be used with this verb"));
        else if (m_arguments.revision && isMock)
            fail(tr("--revision cannot be used with this verb"));
    }

    // Several, each with its own words.
    void checkServers()
    {
        if (!m_arguments.command.isEmpty() || !m_arguments.url.isEmpty() || !m_arguments.serverName.isEmpty())
            fail(
                tr("give either one server with -- COMMAND or --url URL, or any number after check: each a URL, a "
                   "command line in quotes, or --server NAME"));
        else if (!m_arguments.headers.isEmpty() || !m_arguments.environment.isEmpty() ||
                 !m_arguments.workingDirectory.isEmpty())
            fail(tr("--header, --env and --cwd are for one server, given with -- COMMAND or --url URL"));
    }

    void checkServer()
    {
        const int ways = int(!m_arguments.command.isEmpty()) + int(!m_arguments.url.isEmpty()) +
                         int(!m_arguments.serverName.isEmpty());
        if (!m_arguments.params.isEmpty())
            checkParams();
        else
            checkOperands();
        if (!m_problem.isEmpty() || m_isScriptLine)
            return;
        if (ways == 0)
            fail(tr("no server: give -- COMMAND, --url URL or --server NAME"));
        else if (ways > 1)
            fail(tr("more than one server: give only one of -- COMMAND, --url URL and --server NAME"));
        else if (m_arguments.command.value(0).contains("://"_L1))
            fail(tr("'%1' is a URL, not a command: use --url %1").arg(m_arguments.command.first()));
        else if (!m_arguments.headers.isEmpty() && !m_arguments.command.isEmpty())
            fail(tr("--header requires a URL, not a command"));
        else if (m_arguments.httpKind && !m_arguments.command.isEmpty())
            fail(tr("--transport requires a URL, not a command"));
        else if (m_arguments.network != http::NetworkOptions() && !m_arguments.command.isEmpty())
            fail(
                tr("--proxy, --ca, --client-cert, --client-key, --accept-certificate and --allow-host require a URL, "
                   "not a command"));
        else if (!m_arguments.url.isEmpty() && (!m_arguments.environment.isEmpty() || m_arguments.inheritEnvironment ||
                                                m_arguments.loginShellPath || !m_arguments.workingDirectory.isEmpty()))
            fail(tr("--env, --inherit-env, --login-shell-path and --cwd require a command, not a URL"));
        else if (isOf(Arguments::Verb::Replay) && !m_arguments.responsesPath.isEmpty())
            fail(tr("--responses cannot be used with replay, which sends the recorded responses"));
        else if (isOf(Arguments::Verb::Replay) && !m_arguments.roots.isEmpty())
            fail(tr("--roots cannot be used with replay, which sends the recorded responses"));
        else if (isOf(Arguments::Verb::Replay) && !m_arguments.undeclaredCapabilities.isEmpty())
            fail(tr("--without cannot be used with replay, which declares what the session declared"));
        else if ((m_arguments.responsesPath == "ask"_L1 || m_arguments.responsesPath == "-"_L1) &&
                 (m_arguments.argumentsFile == "-"_L1 || (isOf(Arguments::Verb::Run) && m_arguments.target == "-"_L1)))
            fail(tr("--responses %1 needs standard input, which is already read as a file")
                     .arg(m_arguments.responsesPath));
        else if (m_arguments.accept && !m_arguments.recordPath.isEmpty())
            fail(tr("--accept already records and cannot be used with --record"));
        else if (m_arguments.accept && !m_arguments.filter.isEmpty())
            fail(tr("--accept needs all calls and cannot be used with --filter"));
    }

    void checkOperands()
    {
        const bool needsTarget = !isOf(Arguments::Verb::Info) && !isOf(Arguments::Verb::List) &&
                                 !isOf(Arguments::Verb::Ping) && !isOf(Arguments::Verb::Tasks) &&
                                 !isOf(Arguments::Verb::Login) && !isOf(Arguments::Verb::Logout) &&
                                 !isOf(Arguments::Verb::Check);
        if (needsTarget && m_arguments.target.isEmpty() && m_arguments.uris.isEmpty())
            fail(missingOperand());
        else if (isOf(Arguments::Verb::Complete) &&
                 m_arguments.promptName.isEmpty() == m_arguments.uriTemplate.isEmpty())
            fail(tr("complete needs either --prompt NAME or --template URI"));
        else if (isOf(Arguments::Verb::LogLevel) && !LogLevelChoice::all().contains(m_arguments.target))
            fail(tr("unknown log level '%1'; use one of %2")
                     .arg(m_arguments.target, LogLevelChoice::all().join(u", "_s)));
        else if (isOf(Arguments::Verb::Request))
            checkMethod();
        else if (isOf(Arguments::Verb::Tasks))
            checkTasks();
    }

    void checkTasks()
    {
        static const QStringList ofOne{u"get"_s, u"result"_s, u"cancel"_s};
        const QString what = m_arguments.target;
        if (!what.isEmpty() && what != "list"_L1 && !ofOne.contains(what))
            fail(tr("'%1' cannot be done with tasks; use list, get, result or cancel").arg(what));
        else if (ofOne.contains(what) && m_arguments.text.isEmpty())
            fail(tr("expected the ID of a task"));
        else if (!ofOne.contains(what) && !m_arguments.text.isEmpty())
            fail(tr("unexpected argument '%1'").arg(m_arguments.text));
    }

    QString missingOperand() const
    {
        switch (m_arguments.verb) {
            case Arguments::Verb::Read:
            case Arguments::Verb::Subscribe:
                return tr("expected a resource URI");
            case Arguments::Verb::Replay:
                return tr("expected a session file");
            case Arguments::Verb::Run:
                return tr("expected a script");
            case Arguments::Verb::Request:
                return tr("expected a method");
            case Arguments::Verb::LogLevel:
                return tr("expected a log level: one of %1").arg(LogLevelChoice::all().join(u", "_s));
            default:
                return tr("expected a name");
        }
    }

    void checkMethod()
    {
        if (m_arguments.target.isEmpty())
            fail(missingOperand());
        else if (m_arguments.target.startsWith("notifications/"_L1))
            fail(tr("'%1' is a notification, which has no response; request sends requests only")
                     .arg(m_arguments.target));
    }

    bool isOneRequest() const
    {
        return isOf(Arguments::Verb::Call) || isOf(Arguments::Verb::Prompt) || isOf(Arguments::Verb::Read);
    }

    void checkParams()
    {
        if (isOf(Arguments::Verb::Request))
            checkMethod();
        else if (!isOneRequest())
            fail(tr("--params is allowed only with call, read, prompt and request"));
        else if (!m_arguments.target.isEmpty() || !m_arguments.argumentsFile.isEmpty())
            fail(tr("--params replaces the name, URI and arguments; do not give both"));
        else if (m_arguments.asTask)
            fail(tr("--params are sent as they are; put a member task into them instead of --task"));
    }

    void checkFiles()
    {
        if (!m_arguments.argumentsFile.isEmpty() && m_arguments.verb != Arguments::Verb::Call &&
            m_arguments.verb != Arguments::Verb::Prompt)
            fail(tr("--args is allowed only with call and prompt"));
        else if (!m_arguments.saveFolder.isEmpty() && !m_isScriptLine && !isOneRequest() &&
                 !isOf(Arguments::Verb::Subscribe) && !isOf(Arguments::Verb::Run))
            fail(tr("--save is allowed only with call, read, prompt, subscribe and run"));
        else if (!m_arguments.saveFolder.isEmpty() && m_arguments.json)
            fail(tr("--save cannot be used with --json, which prints binary data in base64"));
        else if (!m_arguments.recordPath.isEmpty() && QFileInfo::exists(m_arguments.recordPath))
            fail(tr("%1 already exists; --record needs a new file").arg(m_arguments.recordPath));
        else if (!m_arguments.recordPath.isEmpty() && !QFileInfo(m_arguments.recordPath).absoluteDir().exists())
            fail(tr("folder %1 does not exist").arg(QFileInfo(m_arguments.recordPath).absolutePath()));
        else if (!m_arguments.saveFolder.isEmpty() && !QFileInfo(m_arguments.saveFolder).isDir())
            fail(tr("folder %1 does not exist").arg(m_arguments.saveFolder));
        else if (!m_arguments.junitPath.isEmpty() && !QFileInfo(m_arguments.junitPath).absoluteDir().exists())
            fail(tr("folder %1 does not exist").arg(QFileInfo(m_arguments.junitPath).absolutePath()));
    }

    const Arguments &m_arguments;
    const bool m_isScriptLine;
    QString m_problem;
};

}  // namespace

QString problemOf(const Arguments &arguments, bool isScriptLine)
{
    return ArgumentCheck(arguments, isScriptLine).problem();
}

}  // namespace sonde::cli
