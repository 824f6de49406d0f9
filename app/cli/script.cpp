// sonde-cli run: several verbs, one per line, over one connection.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input.h"
#include "app/cli/verb.h"

#include "core/protocol/visibletext.h"
#include "core/transport/process/commandline.h"

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// All lines are checked before the server is started. A line that fails ends the script, unless --keep-going.
class Script final : public Verb {
public:
    using Verb::Verb;

    Error check() override
    {
        const QString path = arguments().target;
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

    void start(Connection *connection) override
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
        std::unique_ptr<Verb> verb;
    };

    Error add(int number, const QString &text)
    {
        const Result<CommandLine> split = splitCommandLine(text);
        if (!split)
            return split.error();
        if (!split->environment.isEmpty())
            return Error::local(
                tr("unknown verb '%1=%2'").arg(split->environment.first().first, split->environment.first().second));
        const ParsedArguments parsed = parseScriptLine(split->words, arguments());
        if (!parsed.problem.isEmpty())
            return Error::local(parsed.problem);
        std::unique_ptr<Verb> verb = makeVerb(parsed.arguments, output());
        if (const Error error = verb->check())
            return error;
        m_lines.push_back({number, std::move(verb)});
        return {};
    }

    void next()
    {
        m_current = m_lines.at(m_next).verb.get();
        const bool isLast = ++m_next == m_lines.size();
        if (isLast)
            m_current->setConnection(m_connection);  // so that findings about the connection are printed once
        connect(m_current, &Verb::finished, this, &Script::onLineFinished);
        m_current->start(m_connection);
    }

    void onLineFinished(ExitCode code)
    {
        const Line &line = m_lines.at(m_next - 1);
        m_current->disconnect(this);
        m_current = nullptr;
        m_worst = std::max(m_worst, code);
        if (code != ExitCode::Ok)
            output().note(tr("%1, line %2 failed.").arg(visibleLine(arguments().target)).arg(line.number));
        m_goesOn = code == ExitCode::Ok || arguments().keepGoing;
        m_isBetween = true;
        QMetaObject::invokeMethod(this, &Script::goOn, Qt::QueuedConnection);
    }

    // A turn later: only then it is known whether the connection ended with the line.
    void goOn()
    {
        m_isBetween = false;
        const bool isCut = m_isCancelled || m_connection->state() != Connection::State::Connected;
        if (m_next == m_lines.size() || !m_goesOn || isCut) {
            if (m_next < m_lines.size())  // otherwise the last line has printed them
                output().findings(output().unsaid(findingsOf(*m_connection)));
            if (m_next < m_lines.size() && isCut) {
                m_worst = std::max(m_worst, ExitCode::NoResponse);
                output().note(tr("The lines after line %1 were not run.").arg(m_lines.at(m_next - 1).number));
            }
            Q_EMIT finished(m_worst);
            return;
        }
        next();
    }

    Connection *m_connection = nullptr;
    std::vector<Line> m_lines;
    size_t m_next = 0;
    Verb *m_current = nullptr;
    bool m_isBetween = false;
    bool m_goesOn = true;
    bool m_isCancelled = false;
    ExitCode m_worst = ExitCode::Ok;
};

}  // namespace

std::unique_ptr<Verb> makeScript(const Arguments &arguments, Output &output)
{
    return std::make_unique<Script>(arguments, output);
}

}  // namespace sonde::cli
