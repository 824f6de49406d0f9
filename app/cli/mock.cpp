// sonde-cli mock: the server that a session recorded.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/mockhttp.h"
#include "app/cli/output.h"
#include "app/cli/sessionfile.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verb.h"
#include "app/cli/verbs.h"
#include "app/common/standardinput.h"

#include "core/protocol/visibletext.h"
#include "core/replay/mockserver.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr qsizetype MaxLine = qsizetype(256) * 1024 * 1024;

// Messages in lines, as the protocol's stdio transport has it.
class StdioMock final : public QObject {
    Q_OBJECT
public:
    StdioMock(std::shared_ptr<const MockScript> script, MockServer::Timing timing) : m_server(std::move(script), timing)
    {
        connect(&m_input, &app::StandardInput::received, this, [this](const QByteArray &line) {
            if (!line.isEmpty())
                m_server.receive(Message::parse(line));
        });
        connect(&m_input, &app::StandardInput::ended, this, &StdioMock::end);
        connect(&m_input, &app::StandardInput::lineTooLong, this, [this] {
            standardoutput::noteFailure(
                Verb::tr("A line on standard input is longer than the limit of %1.").arg(humanSize(MaxLine)));
            end();
        });
        connect(&m_server, &MockServer::sent, this, [this](const QByteArray &message) { write(message); });
        m_input.setMaxLine(MaxLine);
        m_input.setEnabled(true);
    }

Q_SIGNALS:
    void ended();

private:
    // A recorded message can have stood on several lines, over HTTP; here it is one.
    void write(const QByteArray &message)
    {
        if (message.isEmpty() || m_hasEnded)
            return;
        const bool isOneLine = !message.contains('\n') && !message.contains('\r');
        const QByteArray line = (isOneLine ? message : json::compact(json::parse(message))) + '\n';
        if (standardoutput::write(line, standardoutput::Closed::IsNoFailure))
            return;
        end();
    }

    void end()
    {
        m_hasEnded = true;
        m_input.setEnabled(false);
        Q_EMIT ended();
    }

    MockServer m_server;
    app::StandardInput m_input;
    bool m_hasEnded = false;
};

class Mock final : public Verb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takePort = [this](const QString &text) {
            bool ok = text.isEmpty();
            m_options.isHttp = true;
            m_options.port = text.isEmpty() ? 0 : text.toUShort(&ok);
            return ok ? QString() : tr("'%1' is not a port").arg(text);
        };
        table.summary = tr("serve the recorded responses of a session, over stdio");
        table.operands = {sessionOperand(&m_options.path)};
        table.sections = {
            {tr("Options"),
             {{u"--timing"_s, tr("respond with the recorded delays"), &m_options.isTimed},
              {u"--http [PORT]"_s,
               tr("serve over HTTP instead, on 127.0.0.1 only; any program on this machine can then read the session"),
               takePort}}}};
        table.examples = {u"mock session.mcpsession --http 8080"_s, u"info -- sonde-cli mock session.mcpsession"_s};
        table.misuseNote = tr("mock is itself a server and connects to no other");
    }

    void start(const Profile &) override
    {
        Result<std::unique_ptr<Session>> session = Session::open(m_options.path);
        if (!session) {
            refuse(session.error());
            return;
        }
        const Result<std::shared_ptr<const MockScript>> script = MockScript::read(std::move(session).value());
        if (!script) {
            refuse(script.error());
            return;
        }
        const MockServer::Timing timing = m_options.isTimed ? MockServer::Timing::AsRecorded : MockServer::Timing::None;
        if (m_options.isHttp)
            serveHttp(*script, timing);
        else
            serveStdio(*script, timing);
    }

    void interrupt() override { Q_EMIT finished(ExitCode::Ok); }

private:
    void serveStdio(const std::shared_ptr<const MockScript> &script, MockServer::Timing timing)
    {
        m_stdio = std::make_unique<StdioMock>(script, timing);
        connect(m_stdio.get(), &StdioMock::ended, this, [this] { Q_EMIT finished(ExitCode::Ok); });
    }

    void serveHttp(const std::shared_ptr<const MockScript> &script, MockServer::Timing timing)
    {
        m_http = std::make_unique<MockHttp>(script, timing);
        if (const QString problem = m_http->listen(m_options.port); !problem.isEmpty()) {
            m_output.note(u"sonde-cli: "_s + problem);
            Q_EMIT finished(ExitCode::NoResponse);
            return;
        }
        m_output.note(tr("WARNING: every program on this machine can now read the session of '%1'.")
                          .arg(visibleLine(script->session().serverName())));
        m_output.note(tr("listening on %1").arg(m_http->address()));
    }

    void refuse(const Error &error)
    {
        m_output.note(u"sonde-cli: %1: %2"_s.arg(m_options.path, visibleText(error.message)));
        Q_EMIT finished(ExitCode::WrongUse);
    }

    struct {
        QString path;
        bool isTimed = false;
        bool isHttp = false;
        quint16 port = 0;  // a free one
    } m_options;
    const OutputOptions m_outputOptions{};
    Output m_output{m_outputOptions};
    std::unique_ptr<StdioMock> m_stdio;
    std::unique_ptr<MockHttp> m_http;
};

}  // namespace

std::unique_ptr<Verb> makeMock()
{
    return std::make_unique<Mock>();
}

}  // namespace sonde::cli

#include "mock.moc"
