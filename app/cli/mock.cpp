// sonde-cli mock: the server that a session recorded.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/didyoumean.h"
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
            return ok ? QString() : tr("'%1' is not a port; use a number up to 65535").arg(text);
        };
        table.summary = tr("act as a server that gives recorded responses");
        table.details = tr(
            "Responds as the server of a recorded session did, over standard input and output. Requests are matched by "
            "method and params. A repeated request gets the next recorded response; a request that was not recorded "
            "gets an error. Recorded server requests are sent again if the client declares the capability.");
        table.operands = {sessionOperand(&m_options.path)};
        table.sections = {
            {tr("Options"),
             {{u"--timing"_s, tr("wait as long before each response as the recorded server did"), &m_options.isTimed},
              {u"--http [PORT]"_s,
               tr("serve Streamable HTTP on 127.0.0.1 instead; without PORT or with 0, on a free port. The address is "
                  "printed on standard error. Any program on this computer can then read the session"),
               takePort},
              jsonRow()}}};
        table.examples = {u"mock session.mcpsession --http 8080"_s, u"info -- sonde-cli mock session.mcpsession"_s};
        table.notes =
            exitCodesText({{ExitCode::Ok, tr("the client ended the conversation; over HTTP, Ctrl+C")},
                           {ExitCode::ToolError, {}},
                           {ExitCode::ProtocolError, {}},
                           {ExitCode::NoResponse, tr("the port cannot be used, or output could not be written")},
                           {ExitCode::Interrupted, {}}});
        table.misuseNote = tr("mock is itself a server and does not connect to one");
    }

    QString problem() const override
    {
        return output().isJson() && !m_options.isHttp
                   ? tr("--json needs --http; otherwise standard output belongs to the client")
                   : QString();
    }

    void start(const Profile &) override
    {
        Result<std::unique_ptr<Session>> session = Session::open(m_options.path);
        if (!session) {
            refuse(unusable(m_options.path, session.error()));
            return;
        }
        const Result<std::shared_ptr<const MockScript>> script = MockScript::read(std::move(session).value());
        if (!script) {
            refuse(unusable(m_options.path, script.error()));
            return;
        }
        const MockServer::Timing timing = m_options.isTimed ? MockServer::Timing::AsRecorded : MockServer::Timing::None;
        if (m_options.isHttp)
            serveHttp(*script, timing);
        else
            serveStdio(*script, timing);
    }

    // Ctrl+C is the ordinary end of a server at a terminal.
    void interrupt(app::Interruption interruption) override
    {
        const bool isOrdinary = interruption == app::Interruption::Interrupt;
        Q_EMIT finished(isOrdinary ? ExitCode::Ok : exitCodeFor(interruption));
    }

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
            refuse(Error::of(Error::Kind::Transport, problem), ExitCode::NoResponse);
            return;
        }
        output().note(tr("WARNING: every program on this computer can now read the session of '%1'.")
                          .arg(visibleLine(script->session().serverName())));
        output().note(tr("listening on %1").arg(m_http->address()));
        output().beginEvent();
        output().result(json::Builder().beginObject().member(u"url", m_http->address()).endObject().take());
        output().endPart(ExitCode::Ok);
    }

    struct {
        QString path;
        bool isTimed = false;
        bool isHttp = false;
        quint16 port = 0;  // a free one
    } m_options;
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
