// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/client/requiredurls.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace sonde::cli {

bool Verb::cancel()
{
    m_isCancelled = true;
    if (!isWaiting())
        return false;
    m_call->cancel(QStringLiteral("Cancelled by the user"));
    return true;
}

void Verb::follow(Call *call, const std::function<void(const Outcome &)> &then)
{
    m_call = call;
    connect(call, &Call::progressed, this, [this](const Progress &progress) {
        if (!m_output.isJson())
            m_output.progress(progress);
    });
    connect(call, &Call::finished, this, [this, then](const Outcome &outcome) {
        m_output.endProgress();
        Outcome told = outcome;
        if (m_isCancelled && told.error.kind == Error::Kind::Cancelled)
            told.error.message = tr("Cancelled by you");
        then(told);
    });
}

QStringList Verb::connectionFindings() const
{
    return m_connection ? m_output.unsaid(findingsOf(*m_connection)) : QStringList();
}

void Verb::conclude(const Outcome &outcome, const std::function<void()> &show)
{
    QStringList moreFindings;
    for (const QString &finding : connectionFindings()) {
        if (!outcome.findings.contains(finding))
            moreFindings.append(finding);
    }
    if (m_output.isJson()) {
        m_output.outcome(outcome, moreFindings);
    } else if (outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError) {
        show();
        m_output.findings(outcome.findings + moreFindings);
    } else {
        m_output.failure(outcome.error);
        if (RequiredUrls::areIn(outcome))
            sayRequiredUrls(outcome.error.data[u"elicitations"]);
        m_output.findings(outcome.findings + moreFindings);
    }
    Q_EMIT finished(exitCodeFor(outcome.kind));
}

// Nothing is opened here, and the server is not told anything: it is the next call that can succeed.
void Verb::sayRequiredUrls(const json::Value &elicitations)
{
    QStringList lines;
    for (const json::Value &each : elicitations) {
        const QString url = each[u"url"].string();
        if (each[u"mode"].string() != "url"_L1 || url.isEmpty() || lines.size() >= RequiredUrls::MaxEntries)
            continue;
        const QString refusal = ConsentUrl::fromText(url).refusal;
        const QString message = visibleLine(each[u"message"].string(), 200);
        lines.append(u"  "_s + visibleLine(url) + (message.isEmpty() ? QString() : u"  "_s + message) +
                     (refusal.isEmpty() ? QString() : u"\n    "_s + tr("Do not open this one: %1").arg(refusal)));
    }
    if (!lines.isEmpty())
        m_output.note(tr("The server requires that you open this in a browser first. Then run the command again.") +
                      u'\n' + lines.join(u'\n'));
}

bool Verb::mayCall(const Tool &tool)
{
    if (riskOf(tool.annotations) != ToolRisk::MayDestroy || m_arguments.yes || ::isatty(STDIN_FILENO) != 1)
        return true;
    m_output.note(
        u"sonde-cli: "_s +
        tr("'%1' says that it may destroy something, so it is not called without --yes.").arg(visibleLine(tool.name)));
    Q_EMIT finished(ExitCode::WrongUse);
    return false;
}

void Verb::whenListed(Connection *connection, Catalog::List list, const std::function<void()> &then)
{
    Catalog *catalog = connection->catalog();
    const auto isDone = [catalog, list] {
        const Catalog::State state = catalog->status(list).state;
        return state == Catalog::State::Ready || state == Catalog::State::Failed;
    };
    if (!isOffered(*connection, list) || isDone()) {
        then();
        return;
    }
    auto *waiting = new QObject(this);
    connect(catalog, &Catalog::changed, waiting, [this, waiting, isDone, then] {
        if (m_isCancelled || !isDone())
            return;
        const auto next = then;  // deleting the context deletes this closure
        delete waiting;
        next();
    });
}

QString logLine(const Message &notification)
{
    const json::Value params = notification.params();
    const json::Value data = params[u"data"];
    const QString text = data.isString() ? data.string() : QString::fromUtf8(data.bytes());
    return QStringLiteral("[%1] %2: %3")
        .arg(visibleLine(params[u"level"].string()), visibleLine(params[u"logger"].string()), visibleText(text));
}

Error maskedError(const Connection &connection, Error error)
{
    const Session &session = *connection.session();
    for (QString *text : {&error.message, &error.detail, &error.hint})
        *text = QString::fromUtf8(session.masked(text->toUtf8()));
    if (error.data.exists())
        error.data = json::parse(session.masked(error.data.bytes()));
    return error;
}

bool isOffered(const Connection &connection, Catalog::List list)
{
    const json::Value capabilities = connection.serverInfo().capabilities;
    switch (list) {
        case Catalog::List::Tools:
            return capabilities.contains(u"tools");
        case Catalog::List::Resources:
        case Catalog::List::ResourceTemplates:
            return capabilities.contains(u"resources");
        case Catalog::List::Prompts:
            return capabilities.contains(u"prompts");
    }
    return false;
}

std::unique_ptr<Verb> makeVerb(const Arguments &arguments, Output &output)
{
    switch (arguments.verb) {
        case Arguments::Verb::Info:
            return makeInfo(arguments, output);
        case Arguments::Verb::List:
            return makeList(arguments, output);
        case Arguments::Verb::Call:
            return makeCall(arguments, output);
        case Arguments::Verb::Read:
            return makeRead(arguments, output);
        case Arguments::Verb::Prompt:
            return makePrompt(arguments, output);
        case Arguments::Verb::Request:
        case Arguments::Verb::Ping:
            return makeRequest(arguments, output);
        case Arguments::Verb::Complete:
            return makeComplete(arguments, output);
        case Arguments::Verb::Subscribe:
            return makeSubscribe(arguments, output);
        case Arguments::Verb::LogLevel:
            return makeLogLevel(arguments, output);
        case Arguments::Verb::Tasks:
            return makeTasks(arguments, output);
        case Arguments::Verb::Run:
            return makeScript(arguments, output);
        case Arguments::Verb::Replay:
            return makeReplay(arguments, output);
        case Arguments::Verb::Login:
            return makeLogin(arguments, output);
        case Arguments::Verb::Logout:
        case Arguments::Verb::Mock:
        case Arguments::Verb::Diff:
        case Arguments::Verb::Check:
            break;  // see Job
    }
    return nullptr;
}

}  // namespace sonde::cli
