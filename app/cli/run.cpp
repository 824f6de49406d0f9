// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run.h"

#include "app/cli/standardoutput.h"
#include "app/cli/targetserver.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QFile>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {

Run::Run(const Arguments &arguments, const Profile &profile, QObject *parent)
    : Job(parent),
      m_arguments(arguments),
      m_profile(profile),
      m_output(arguments),
      m_verb(makeVerb(arguments, m_output))
{
    connect(m_verb.get(), &Verb::finished, this, &Run::end);
}

Run::~Run() = default;

void Run::start()
{
    const Error problem = m_verb->check();
    const Result<ServerSpec> spec = problem ? Result<ServerSpec>(problem) : serverSpec(m_arguments, m_profile);
    if (!spec) {
        wrongUse(spec.error());
        return;
    }
    if (m_arguments.verb != Arguments::Verb::Replay) {
        m_responders = std::make_unique<Responders>(m_arguments, *spec, m_output);
        if (const Error unusable = m_responders->load()) {
            wrongUse(unusable);
            return;
        }
    }
    ConnectionOptions options;
    options.sessionPath = m_verb->recordPath();
    options.capabilities = m_responders ? m_responders->capabilities() : m_verb->capabilities();
    options.loadCatalog = m_verb->needsCatalog();
    options.checkMessages = true;
    options.profile = profileFor(!m_arguments.serverName.isEmpty(), m_profile);
    options.takesUpTasks = false;
    options.hasPerson = m_arguments.verb == Arguments::Verb::Login;
    if (m_arguments.timeout) {
        options.callOptions.timeout = *m_arguments.timeout;
        options.callOptions.maxTotal = std::max(options.callOptions.maxTotal, *m_arguments.timeout);
        options.handshakeTimeout = *m_arguments.timeout;
    }
    m_connection = std::make_unique<Connection>(*spec, options);
    if (Error error = m_connection->session()->error()) {
        error.hint.clear();  // nothing goes on by itself here
        const QString unused = m_connection->session()->path();
        m_connection.reset();
        if (!unused.isEmpty())
            QFile::remove(unused);
        wrongUse(error);  // who asks for a recording does not want to do without
        return;
    }
    m_approval = std::make_unique<ApprovalQuestion>(m_connection.get(), m_arguments, m_output,
                                                    [this](const Error &error) { refuse(error); });
    m_verb->setConnection(m_connection.get());
    m_verb->prepare(m_connection.get());
    m_connection->catalog()->setMaxRetries(0);  // a list that failed is told at once
    if (m_arguments.timeout)
        m_connection->catalog()->setListTimeout(*m_arguments.timeout);
    connect(m_connection.get(), &Connection::stateChanged, this, &Run::onStateChanged);
    if (m_responders)
        m_responders->attach(m_connection.get());
    connect(m_connection.get(), &Connection::notified, this, &Run::onNotified);
    m_connection->open();
}

void Run::onStateChanged()
{
    switch (m_connection->state()) {
        case Connection::State::Connected:
            if (!std::exchange(m_started, true))
                m_verb->start(m_connection.get());
            break;
        case Connection::State::Disconnected:
            if (m_code || !m_verb->isWaiting())  // otherwise its call is about to end, and says more
                disconnected();
            break;
        case Connection::State::Connecting:
        case Connection::State::Closing:
            break;
    }
}

void Run::disconnected()
{
    if (!m_code) {
        const bool isReport = m_arguments.verb == Arguments::Verb::Replay;
        const Error error = m_connection->error();
        m_output.noResponse(isReport ? maskedError(*m_connection, error) : error, findingsOf(*m_connection));
        m_code = m_connection->error().kind == Error::Kind::Remote ? ExitCode::ProtocolError : ExitCode::NoResponse;
    }
    conclude();
}

// Only the end of the recording tells whether the file holds everything.
void Run::conclude()
{
    m_connection->session()->finish();
    if (const Error error = m_connection->session()->error())
        standardoutput::noteFailure(tr("Not everything is recorded: %1").arg(error.message));
    if (const qint64 leftOut = m_connection->session()->leftOut().records();
        leftOut > 0 && !m_connection->session()->path().isEmpty())
        m_output.note(tr("The session reached its limit of %1 bytes. %2 records were counted but not stored; all "
                         "calls are stored.")
                          .arg(grouped(m_connection->session()->limit()), grouped(leftOut)));
    Q_EMIT finished(int(*m_code));
}

void Run::onNotified(const Message &notification)
{
    const bool isPrintedAnyway = m_arguments.verb == Arguments::Verb::LogLevel;
    if (m_output.isVerbose() && !isPrintedAnyway && notification.method() == methods::LogMessage)
        m_output.note(logLine(notification));
}

void Run::interrupt()
{
    if (m_code)
        return;  // on the way out already
    if (m_verb->cancel())
        return;
    const Error error{Error::Kind::Cancelled, 0, tr("Cancelled by you"), {}, {}, {}};
    m_output.noResponse(error, m_connection ? findingsOf(*m_connection) : QStringList());
    end(ExitCode::NoResponse);
}

// The connection is closing.
void Run::refuse(const Error &error)
{
    m_output.note(u"sonde-cli: "_s + error.message + u' ' + error.hint);
    m_code = ExitCode::WrongUse;
}

void Run::wrongUse(const Error &error)
{
    m_output.note(u"sonde-cli: "_s + visibleText(error.message));
    if (!error.hint.isEmpty())
        m_output.note(error.hint);
    Q_EMIT finished(int(ExitCode::WrongUse));
}

void Run::end(ExitCode code)
{
    if (m_code)
        return;
    m_code = code;
    if (!m_connection)
        Q_EMIT finished(int(code));
    else if (m_connection->state() == Connection::State::Disconnected)
        conclude();
    else
        m_connection->close();
}

}  // namespace sonde::cli
