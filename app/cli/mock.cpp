// sonde-cli mock: the server that a session recorded.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/exitcode.h"
#include "app/cli/job.h"
#include "app/cli/mockhttp.h"
#include "app/cli/output.h"
#include "app/cli/standardoutput.h"

#include "core/protocol/visibletext.h"
#include "core/replay/mockserver.h"

#include <QCoreApplication>
#include <QSocketNotifier>

#include <unistd.h>
#include <cerrno>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

constexpr qsizetype MaxLine = qsizetype(256) * 1024 * 1024;

// Messages in lines, as the protocol's stdio transport has it.
class StdioMock final : public QObject {
    Q_OBJECT
public:
    StdioMock(std::shared_ptr<const MockScript> script, MockServer::Timing timing)
        : m_server(std::move(script), timing), m_notifier(STDIN_FILENO, QSocketNotifier::Read)
    {
        connect(&m_notifier, &QSocketNotifier::activated, this, &StdioMock::read);
        connect(&m_server, &MockServer::sent, this, [this](const QByteArray &message) { write(message); });
    }

Q_SIGNALS:
    void ended();

private:
    void read()
    {
        char chunk[65536];
        const ssize_t count = ::read(STDIN_FILENO, chunk, sizeof chunk);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (count <= 0) {
            end();
            return;
        }
        qsizetype searched = m_buffer.size();
        m_buffer.append(chunk, count);
        qsizetype from = 0;
        for (qsizetype at; (at = m_buffer.indexOf('\n', searched)) >= 0; searched = from) {
            const QByteArray line = m_buffer.mid(from, at - from).trimmed();
            from = at + 1;
            if (!line.isEmpty())
                m_server.receive(Message::parse(line));
        }
        m_buffer.remove(0, from);
        if (m_buffer.size() > MaxLine) {
            standardoutput::noteFailure(
                QCoreApplication::translate("sonde::cli", "A line on standard input is longer than the limit of %1.")
                    .arg(humanSize(MaxLine)));
            end();
        }
    }

    // A recorded message can have stood on several lines, over HTTP; here it is one.
    void write(const QByteArray &message)
    {
        if (message.isEmpty())
            return;
        const bool isOneLine = !message.contains('\n') && !message.contains('\r');
        const QByteArray line = (isOneLine ? message : json::compact(json::parse(message))) + '\n';
        const char *at = line.constData();
        for (qsizetype left = line.size(); left > 0;) {
            const ssize_t written = ::write(STDOUT_FILENO, at, size_t(left));
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0) {
                if (errno != EPIPE)  // that is nobody reading any more
                    standardoutput::noteFailure(
                        QCoreApplication::translate("sonde::cli", "Standard output could not be written: %1")
                            .arg(qt_error_string(errno)));
                end();
                return;
            }
            at += written;
            left -= written;
        }
    }

    void end()
    {
        m_notifier.setEnabled(false);
        Q_EMIT ended();
    }

    MockServer m_server;
    QSocketNotifier m_notifier;
    QByteArray m_buffer;
};

class Mock final : public Job {
public:
    explicit Mock(const Arguments &arguments) : m_arguments(arguments), m_output(arguments) {}

    void start() override
    {
        Result<std::unique_ptr<Session>> session = Session::open(m_arguments.target);
        if (!session) {
            refuse(session.error());
            return;
        }
        const Result<std::shared_ptr<const MockScript>> script = MockScript::read(std::move(session).value());
        if (!script) {
            refuse(script.error());
            return;
        }
        const MockServer::Timing timing =
            m_arguments.timing ? MockServer::Timing::AsRecorded : MockServer::Timing::None;
        if (m_arguments.http)
            serveHttp(*script, timing);
        else
            serveStdio(*script, timing);
    }

    void interrupt() override { Q_EMIT finished(int(ExitCode::Ok)); }

private:
    void serveStdio(const std::shared_ptr<const MockScript> &script, MockServer::Timing timing)
    {
        m_stdio = std::make_unique<StdioMock>(script, timing);
        connect(m_stdio.get(), &StdioMock::ended, this, [this] { Q_EMIT finished(int(ExitCode::Ok)); });
    }

    void serveHttp(const std::shared_ptr<const MockScript> &script, MockServer::Timing timing)
    {
        m_http = std::make_unique<MockHttp>(script, timing);
        if (const QString problem = m_http->listen(m_arguments.port); !problem.isEmpty()) {
            m_output.note(u"sonde-cli: "_s + problem);
            Q_EMIT finished(int(ExitCode::NoResponse));
            return;
        }
        m_output.note(tr("WARNING: every program on this machine can now read the session of '%1'.")
                          .arg(visibleLine(script->session().serverName())));
        m_output.note(tr("listening on %1").arg(m_http->address()));
    }

    void refuse(const Error &error)
    {
        m_output.note(u"sonde-cli: %1: %2"_s.arg(m_arguments.target, visibleText(error.message)));
        Q_EMIT finished(int(ExitCode::WrongUse));
    }

    const Arguments m_arguments;
    Output m_output;
    std::unique_ptr<StdioMock> m_stdio;
    std::unique_ptr<MockHttp> m_http;
};

}  // namespace

std::unique_ptr<Job> makeMock(const Arguments &arguments)
{
    return std::make_unique<Mock>(arguments);
}

}  // namespace sonde::cli

#include "mock.moc"
