// sonde-cli run: several verbs, one per line, over one connection.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/didyoumean.h"
#include "app/cli/input.h"
#include "app/cli/run.h"
#include "app/cli/serververb.h"
#include "app/cli/verbs.h"

#include "core/protocol/visibletext.h"
#include "core/transport/process/commandline.h"

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// All lines are checked before the server is started. A line that fails ends the script, unless --keep-going.
class Script final : public ServerVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("run a script over one connection");
        table.details = tr(
            "Runs a script over one connection, in one session. Each line is a verb that uses a server (info to tasks, "
            "except find) with its own arguments, quoted as for a shell. Empty lines and lines that begin with # are "
            "skipped. All lines are checked before the server is started. The first line that fails ends the script.");
        table.operands = {{u"SCRIPT"_s, tr("a script"), &m_options.path,
                           tr("a file with one verb per line; - for standard input"), app::Completion::files()}};
        table.sections = {
            {tr("Options"),
             {{u"--keep-going"_s, tr("continue after a line that fails; the exit code is that of the worst line"),
               &m_options.keepsGoing}}}};
        table.examples = {u"run smoke-test.txt --record smoke.mcpsession --url https://example.com/mcp"_s,
                          u"run - --keep-going -- sonde-demo-server"_s};
    }

    bool mayBeInScript() const override { return false; }
    bool savesContent() const override { return true; }
    bool countsFindings() const override { return true; }
    bool readsStandardInput() const override { return m_options.path == "-"_L1; }

    Error check() override
    {
        const QString &path = m_options.path;
        const Result<QByteArray> text = readInput(path);
        if (!text)
            return text.error();
        const QStringList lines = QString::fromUtf8(*text).split(u'\n');
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

    bool needsCatalog() const override
    {
        return std::ranges::any_of(m_lines, [](const Line &line) { return line.verb->needsCatalog(); });
    }

    void begin(Connection *connection) override
    {
        m_connection = connection;
        next();
    }

    bool isWaiting() const override { return m_isBetween || (m_current && m_current->isWaiting()); }

    bool cancel() override
    {
        m_isCancelled = true;
        return m_current && m_current->cancel();
    }

private:
    struct Line {
        int number = 0;
        QString name;
        std::shared_ptr<ServerVerb> verb;
    };

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
            output().note(tr("%1, line %2 failed.").arg(visibleLine(m_options.path)).arg(line.number));
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
        QString path;  // "-" for standard input
        bool keepsGoing = false;
    } m_options;
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
