// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run.h"

#include "app/cli/serververb.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"
#include "core/protocol/methods.h"
#include "core/protocol/numbertext.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {

Run::Run(ServerVerb &verb) : m_verb(verb), m_common(verb.outputOptions())
{
    connect(&verb, &ServerVerb::done, this, &Run::end);
}

Run::~Run() = default;

Output &Run::output()
{
    return m_verb.Verb::output();
}

void Run::declare(app::OptionTable &table)
{
    m_server.declare(table);
    app::OptionSection others{CommonOptions::title(), m_common.rows(), true, CommonOptions::topic(),
                              CommonOptions::Explained};
    if (!m_verb.repeatsSession()) {
        others.options += m_responses.rows();
        others.options += m_server.undeclaredRow();
    }
    if (m_verb.savesContent())
        others.options.append(
            {u"--save FOLDER"_s,
             tr("save images, audio and other binary content in this existing folder; not with --json, which "
                "prints it in base64"),
             &m_common.output.saveFolder, app::Completion::folders()});
    if (m_verb.countsFindings())
        others.options.append(m_common.strictRow());
    if (m_verb.printsResponse())
        others.options.append({u"--raw"_s,
                               tr("print the response as received, byte for byte, even if it is not valid JSON"),
                               &m_common.output.isRaw});
    others.options.append({u"--record FILE"_s, tr("record the session to a new file, which Sonde can open and replay"),
                           &m_recordPath, app::Completion::files()});
    table.sections.append(others);
    if (table.notes.isEmpty())
        table.notes = exitCodesText();
}

QString Run::problem() const
{
    const QString &folder = m_common.output.saveFolder;
    const bool isNamedLater = m_server.count() == 0 && m_verb.mayNameServer();
    if (const QString problem = isNamedLater ? QString() : m_server.problem(); !problem.isEmpty())
        return problem;
    if (m_responses.readsStandardInput() && m_verb.readsStandardInput())
        return tr("--responses %1 needs standard input, which is already read as a file").arg(m_responses.path);
    if (!folder.isEmpty() && m_common.output.isJson)
        return tr("--save cannot be used with --json, which prints binary data in base64");
    if (m_common.output.isRaw && (m_common.output.isJson || !folder.isEmpty()))
        return tr("--raw cannot be used with --json or --save");
    if (!m_recordPath.isEmpty() && QFileInfo::exists(m_recordPath))
        return tr("%1 already exists; --record needs a new file").arg(m_recordPath);
    if (!folder.isEmpty() && !QFileInfo(folder).isDir())
        return tr("folder %1 does not exist").arg(folder);
    return problemOfFolderOf(m_recordPath);
}

void Run::start(const Profile &profile)
{
    const Error problem = m_verb.check();
    if (!problem && m_server.count() == 0) {
        const Result<QString> name = m_verb.namedServer();
        if (!name)
            return wrongUse(name.error());
        m_server.name = *name;
        if (const QString unfit = m_server.problem(); !unfit.isEmpty())
            return wrongUse(Error::local(unfit));
    }
    const Result<ServerSpec> given = problem ? Result<ServerSpec>(problem) : m_server.spec(profile);
    if (!given) {
        wrongUse(given.error());
        return;
    }
    ServerSpec spec = *given;
    output().envelope().setServer(spec.name);
    if (!m_verb.repeatsSession()) {
        m_responders = std::make_unique<Responders>(m_responses, spec, output());
        if (const Error unusable = m_responders->load()) {
            wrongUse(unusable);
            return;
        }
    }
    ConnectionOptions options;
    options.sessionPath = m_recordPath;
    options.capabilities = m_responders ? m_responders->capabilities() : QByteArrayLiteral("{}");
    options.loadCatalog = m_verb.needsCatalog();
    options.checkMessages = true;
    options.profile = profileFor(!m_server.name.isEmpty(), profile);
    options.approvalName = m_server.approvalName();
    if (!options.approvalName.isEmpty())
        options.profile.tasks.reset();  // they are kept by the names of saved servers
    options.hasPerson = false;
    options.takesUpTasks = false;
    m_common.setTimeouts(&options, spec.timeouts);
    m_verb.adapt(&spec, &options);
    m_connection = std::make_unique<Connection>(spec, options);
    if (Error error = m_connection->session()->error()) {
        error.hint.clear();  // nothing goes on by itself here
        const QString unused = m_connection->session()->path();
        m_connection.reset();
        if (!unused.isEmpty())
            QFile::remove(unused);
        // Who asks for a recording does not want to do without.
        output().refusal(error);
        Q_EMIT finished(ExitCode::NoResponse);
        return;
    }
    m_approval = std::make_unique<ApprovalQuestion>(m_connection.get(), m_common.isYes, output(),
                                                    [this](const Error &error) { refuse(error); });
    m_verb.setConnection(m_connection.get());
    m_verb.prepare(m_connection.get());
    m_connection->catalog()->setMaxRetries(0);  // a list that failed is told at once
    if (m_common.timeout)
        m_connection->catalog()->setListTimeout(*m_common.timeout);
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
                m_verb.begin(m_connection.get());
            break;
        case Connection::State::Disconnected:
            if (m_code || !m_verb.isWaiting())  // otherwise its call is about to end, and says more
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
        const Error error = m_connection->error();
        output().failure(m_verb.repeatsSession() ? maskedError(*m_connection, error) : error);
        output().findings(findingsOf(*m_connection));
        m_code = m_connection->error().kind == Error::Kind::Remote ? ExitCode::ProtocolError : ExitCode::NoResponse;
    }
    conclude();
}

// Only the end of the recording tells whether the file holds everything.
void Run::conclude()
{
    m_connection->session()->finish();
    if (const Error error = m_connection->session()->error())
        standardoutput::noteFailure(tr("Not everything was recorded: %1").arg(error.message));
    if (const qint64 leftOut = m_connection->session()->leftOut().records();
        leftOut > 0 && !m_connection->session()->path().isEmpty())
        output().note(tr("The session reached its limit of %1 bytes. %2 records were counted but not stored; all "
                         "calls are stored.")
                          .arg(grouped(m_connection->session()->limit()), grouped(leftOut)));
    Q_EMIT finished(*m_code);
}

void Run::onNotified(const Message &notification)
{
    if (output().isVerbose() && notification.method() == methods::LogMessage)
        m_verb.showLogMessage(notification);
}

void Run::interrupt(app::Interruption interruption)
{
    if (m_code)
        return;  // on the way out already
    m_interruption = interruption;
    if (m_verb.cancel())
        return;
    output().failure(errorFor(interruption));
    if (m_connection)
        output().findings(findingsOf(*m_connection));
    end(exitCodeFor(interruption));
}

// The connection is closing.
void Run::refuse(const Error &error)
{
    output().refusal(error);
    m_code = ExitCode::WrongUse;
}

void Run::wrongUse(const Error &error)
{
    output().refusal(error);
    Q_EMIT finished(ExitCode::WrongUse);
}

void Run::end(ExitCode code)
{
    if (m_code)
        return;
    m_code = code;
    if (!m_connection)
        Q_EMIT finished(code);
    else if (m_connection->state() == Connection::State::Disconnected)
        conclude();
    else
        m_connection->close();
}

}  // namespace sonde::cli
