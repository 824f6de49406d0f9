// sonde-cli run: several verbs, one per line, or saved calls, over one connection.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/didyoumean.h"
#include "app/cli/input.h"
#include "app/cli/run.h"
#include "app/cli/savedcallrun.h"
#include "app/cli/serververb.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"
#include "core/transport/process/commandline.h"

#include <QFileInfo>
#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// What cannot work is found before the server is started. A line that fails ends the script, unless --keep-going; a
// saved call that fails ends nothing, unless --stop-on-failure.
class Script final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("run a script or saved calls over one connection");
        table.details = tr(
            "Runs over one connection, in one session: a script, or saved calls (NAME.call.json, or a folder of them), "
            "whose results it compares with what they expect. Each line of a script is a verb that uses a server (info "
            "to tasks, except find) with its own arguments, quoted as for a shell; empty lines and lines that begin "
            "with # are skipped. Everything is checked before the server is started.");
        table.operands = {{u"FILE…"_s, tr("a script or a saved call"), &m_options.paths,
                           tr("a script, - for standard input; or saved calls"), app::Completion::files()}};
        table.sections = {
            {tr("Options"),
             {{u"--keep-going"_s, tr("continue after a line that fails; the worst line gives the exit code"),
               &m_options.keepsGoing},
              {u"--stop-on-failure"_s, tr("skip the saved calls after one that fails"),
               &m_options.calls.stopsOnFailure},
              {u"--accept"_s, tr("write what came back into the saved calls that did not pass"),
               &m_options.calls.accepts},
              {u"--junit FILE"_s, tr("of saved calls: write a JUnit XML report"), &m_options.calls.junitPath,
               app::Completion::files()}}}};
        table.examples = {u"run smoke-test.txt --record smoke.mcpsession --url https://example.com/mcp"_s,
                          u"run calls/ --junit report.xml -- sonde-demo-server"_s};
        table.notes = exitCodesText({{ExitCode::ToolError, tr("a tool error, or an expectation that was not met")},
                                     {ExitCode::ProtocolError, tr("a JSON-RPC error that was not expected")}});
    }

    QString ownProblem() const override
    {
        if (m_options.keepsGoing && m_options.calls.stopsOnFailure)
            return tr("give only one of --keep-going and --stop-on-failure");
        if (m_options.calls.accepts && readsStandardInput())
            return tr("--accept needs files, which standard input is not");
        return problemOfFolderOf(m_options.calls.junitPath);
    }

    bool mayBeInScript() const override { return false; }
    bool savesContent() const override { return true; }
    bool countsFindings() const override { return true; }
    bool readsStandardInput() const override { return m_options.paths.contains(u"-"_s); }

    Error check() override
    {
        QList<SavedCall> calls;
        for (const QString &path : std::as_const(m_options.paths)) {
            const Error error = QFileInfo(path).isDir() ? readFolder(path, &calls) : readFile(path, &calls);
            if (error)
                return error;
        }
        if (calls.isEmpty())
            return {};
        if (!outputOptions().saveFolder.isEmpty())
            return Error::local(tr("--save is for scripts and cannot be used with saved calls"));
        m_calls = std::make_unique<SavedCallRun>(run(), calls, m_options.calls);
        connect(m_calls.get(), &SavedCallRun::finished, this, &Script::done);
        return m_calls->problem();
    }

    bool mayNameServer() const override { return true; }
    Result<QString> namedServer() const override
    {
        return m_calls ? m_calls->server() : Result<QString>(Error::local(ServerOptions().problem()));
    }

    bool needsCatalog() const override
    {
        return m_calls || std::ranges::any_of(m_lines, [](const Line &line) { return line.verb->needsCatalog(); });
    }

    void begin(Connection *connection) override
    {
        m_connection = connection;
        if (!m_calls)
            return next();
        whenListed(connection, Catalog::List::Tools, [this] {
            if (run().hasEnded())
                return;
            whenAllowed(m_calls->destructiveTools(*m_connection->catalog()), [this] { m_calls->start(m_connection); });
        });
    }

    bool isWaiting() const override
    {
        return m_isBetween || (m_current && m_current->isWaiting()) || (m_calls && m_calls->isRunning());
    }

    bool cancel() override
    {
        m_isCancelled = true;
        if (m_calls && m_calls->isRunning()) {
            m_calls->stop();
            return true;
        }
        return m_current && m_current->cancel();
    }

private:
    struct Line {
        int number = 0;
        QString name;
        std::shared_ptr<ServerVerb> verb;
    };

    static Error readFolder(const QString &path, QList<SavedCall> *calls)
    {
        const Result<QList<SavedCall>> found = SavedCall::loadFolder(path);
        if (!found)
            return found.error();
        if (found->isEmpty())
            return Error::local(tr("%1 contains no saved calls.").arg(path),
                                tr("The name of a saved call ends with %1.").arg(SavedCall::fileEnding()));
        *calls += *found;
        return {};
    }

    Error readFile(const QString &path, QList<SavedCall> *calls)
    {
        const Result<QByteArray> text = readInput(path);
        if (!text)
            return text.error();
        if (path.endsWith(SavedCall::fileEnding()) || SavedCall::isMeantBy(*text)) {
            const Result<SavedCall> call = SavedCall::parse(*text, path);
            if (call)
                calls->append(*call);
            return call ? Error() : call.error();
        }
        if (m_options.paths.size() > 1)
            return Error::local(tr("%1 is a script, which is run by itself.").arg(path));
        if (m_options.calls != SavedCallOptions())
            return Error::local(
                tr("%1 is a script; --accept, --junit and --stop-on-failure are for saved calls.").arg(path));
        return readLines(QString::fromUtf8(*text).split(u'\n'));
    }

    Error readLines(const QStringList &lines)
    {
        const QString &path = m_options.paths.first();
        for (int number = 1; number <= lines.size(); ++number) {
            const QString line = lines.at(number - 1).trimmed();
            if (line.isEmpty() || line.startsWith(u'#'))
                continue;
            if (Error error = add(number, line)) {
                error.message.prepend(tr("%1, line %2: ").arg(path).arg(number));
                return error;
            }
        }
        return m_lines.empty() ? Error::local(tr("%1 has no lines to run").arg(path)) : Error();
    }

    Error add(int number, const QString &text)
    {
        const Result<CommandLine> split = splitCommandLine(text);
        if (!split)
            return split.error();
        if (!split->environment.isEmpty())
            return Error::local(
                tr("unknown verb '%1=%2'").arg(split->environment.first().first, split->environment.first().second));
        QStringList words = split->words;
        const qsizetype at = verbPosition(words);
        const QString name = words.value(at);
        const VerbEntry *entry = verbNamed(name);
        if (!entry)
            return Error::local(tr("unknown verb '%1'").arg(visibleLine(name, MaxShown)),
                                didYouMean(name, verbNames()));
        const std::shared_ptr<Verb> made = entry->make();
        const auto verb = std::dynamic_pointer_cast<ServerVerb>(made);
        if (!verb || !verb->mayBeInScript())
            return Error::local(tr("%1 cannot be used in a script").arg(name));
        words.removeAt(at);
        verb->beLineOf(*this);
        if (const QString problem = problemOf(*verb, name, words); !problem.isEmpty())
            return Error::local(problem);
        if (const Error error = verb->check())
            return error;
        m_lines.push_back({number, name, verb});
        return {};
    }

    // What is wrong with the words of a line; otherwise they are read into its verb.
    QString problemOf(ServerVerb &verb, const QString &name, const QStringList &words)
    {
        app::OptionTable table{programOf(name), {}};
        verb.declare(table);
        QStringList command;
        table.command = &command;
        HelpRequest request;
        const app::OptionTable ofRun = tableOf(*this, {}, &request);
        for (const QString &word : words) {
            const QString option = word.section(u'=', 0, 0);
            if (word == "--"_L1 || (ofRun.find(option) && !table.find(option)))
                return tr("%1 is an option of run itself and cannot be used in a script")
                    .arg(visibleLine(word, MaxShown));
        }
        if (const app::Misuse wrong = table.read(words))
            return misuseText(wrong);
        return verb.ownProblem();
    }

    void next()
    {
        const Line &line = m_lines.at(m_next++);
        m_current = line.verb.get();
        output().beginLine(line.number, line.name);
        connect(m_current, &ServerVerb::done, this, &Script::onLineFinished);
        m_current->begin(m_connection);
    }

    void onLineFinished(ExitCode code)
    {
        const Line &line = m_lines.at(m_next - 1);
        m_current->disconnect(this);
        m_current = nullptr;
        code = output().endPart(code);
        m_worst = std::max(m_worst, code);
        if (code != ExitCode::Ok)
            output().note(tr("%1, line %2 failed.").arg(visibleLine(m_options.paths.first())).arg(line.number));
        m_goesOn = code == ExitCode::Ok || m_options.keepsGoing;
        m_isBetween = true;
        QMetaObject::invokeMethod(this, &Script::goOn, Qt::QueuedConnection);
    }

    // A turn later: only then it is known whether the connection ended with the line.
    void goOn()
    {
        m_isBetween = false;
        const bool isCut = m_isCancelled || m_connection->state() != Connection::State::Connected;
        if (m_next == m_lines.size() || !m_goesOn || isCut) {
            output().findings(connectionFindings());
            if (m_next < m_lines.size() && isCut) {
                m_worst =
                    std::max(m_worst, run().interruption() ? exitCodeFor(*run().interruption()) : ExitCode::NoResponse);
                output().note(tr("The lines after line %1 were not run.").arg(m_lines.at(m_next - 1).number));
            }
            Q_EMIT done(m_worst);
            return;
        }
        next();
    }

    static constexpr int MaxShown = 60;

    struct {
        QStringList paths;  // "-" for standard input
        bool keepsGoing = false;
        SavedCallOptions calls;
    } m_options;
    std::unique_ptr<SavedCallRun> m_calls;  // null: a script
    Connection *m_connection = nullptr;
    std::vector<Line> m_lines;
    size_t m_next = 0;
    ServerVerb *m_current = nullptr;
    bool m_isBetween = false;
    bool m_goesOn = true;
    bool m_isCancelled = false;
    ExitCode m_worst = ExitCode::Ok;
};

}  // namespace

std::unique_ptr<Verb> makeScript()
{
    return std::make_unique<Script>();
}

}  // namespace sonde::cli
