// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"

#include "app/cli/run.h"
#include "app/common/system.h"
#include "core/client/requiredurls.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {

ServerVerb::ServerVerb() : m_ownRun(std::make_unique<Run>(*this)), m_run(m_ownRun.get())
{
    connect(m_run, &Run::finished, this, &Verb::finished);
}

ServerVerb::~ServerVerb() = default;

void ServerVerb::declareShared(app::OptionTable &table)
{
    m_run->declare(table);
}

QString ServerVerb::problem() const
{
    const QString own = ownProblem();
    return own.isEmpty() ? m_run->problem() : own;
}

void ServerVerb::start(const Profile &profile)
{
    m_run->start(profile);
}

void ServerVerb::interrupt()
{
    m_run->interrupt();
}

void ServerVerb::showLogMessage(const Message &notification)
{
    output().note(logLine(notification));
}

Output &ServerVerb::output() const
{
    return m_run->output();
}

bool ServerVerb::cancel()
{
    m_isCancelled = true;
    if (!isWaiting())
        return false;
    m_call->cancel(QStringLiteral("Cancelled by the user"));
    return true;
}

void ServerVerb::follow(Call *call, const std::function<void(const Outcome &)> &then)
{
    m_call = call;
    connect(call, &Call::progressed, this, [this](const Progress &progress) {
        if (!output().isJson())
            output().progress(progress);
    });
    connect(call, &Call::finished, this, [this, then](const Outcome &outcome) {
        output().endProgress();
        Outcome told = outcome;
        if (m_isCancelled && told.error.kind == Error::Kind::Cancelled)
            told.error.message = tr("Cancelled by you");
        then(told);
    });
}

QStringList ServerVerb::connectionFindings() const
{
    return m_connection ? output().unsaid(findingsOf(*m_connection)) : QStringList();
}

void ServerVerb::conclude(const Outcome &outcome, const std::function<void()> &show)
{
    QStringList moreFindings;
    for (const QString &finding : connectionFindings()) {
        if (!outcome.findings.contains(finding))
            moreFindings.append(finding);
    }
    if (output().isJson()) {
        output().outcome(outcome, moreFindings);
    } else if (outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError) {
        show();
        output().findings(outcome.findings + moreFindings);
    } else {
        output().failure(outcome.error);
        if (RequiredUrls::areIn(outcome))
            sayRequiredUrls(outcome.error.data[u"elicitations"]);
        output().findings(outcome.findings + moreFindings);
    }
    Q_EMIT done(exitCodeFor(outcome.kind));
}

// Nothing is opened here, and the server is not told anything: it is the next call that can succeed.
void ServerVerb::sayRequiredUrls(const json::Value &elicitations)
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
        output().note(tr("The server requires that you open this in a browser first. Then run the command again.") +
                      u'\n' + lines.join(u'\n'));
}

bool ServerVerb::mayCall(const Tool &tool)
{
    if (riskOf(tool.annotations) != ToolRisk::MayDestroy || m_run->common().isYes ||
        !app::isTerminal(app::StandardStream::Input))
        return true;
    output().note(
        u"sonde-cli: "_s +
        tr("'%1' says that it may destroy something, so it is not called without --yes.").arg(visibleLine(tool.name)));
    Q_EMIT done(ExitCode::WrongUse);
    return false;
}

void ServerVerb::whenListed(Connection *connection, Catalog::List list, const std::function<void()> &then)
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

}  // namespace sonde::cli
