// SPDX-License-Identifier: Apache-2.0
#include "app/cli/serververb.h"

#include "app/cli/didyoumean.h"
#include "app/cli/run.h"
#include "app/cli/yesnoquestion.h"
#include "core/client/requiredurls.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/consenturl.h"
#include "core/protocol/numbertext.h"
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

void ServerVerb::interrupt(app::Interruption interruption)
{
    m_run->interrupt(interruption);
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
    const bool isTerminated = m_run->interruption() == app::Interruption::Termination;
    m_call->cancel(isTerminated ? u"The client was terminated"_s : u"Cancelled by the user"_s);
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
        if (m_run->interruption() && told.error.kind == Error::Kind::Cancelled)
            told.error.message = errorFor(*m_run->interruption()).message;
        then(told);
    });
}

QList<Finding> ServerVerb::connectionFindings() const
{
    return m_connection ? findingsOf(*m_connection) : QList<Finding>();
}

void ServerVerb::conclude(const Outcome &outcome, const std::function<void()> &show)
{
    report(outcome, show);
    Q_EMIT done(codeOf(outcome));
}

void ServerVerb::suggest(const Outcome &outcome, Connection *connection, Catalog::List list, const QString &name,
                         const std::function<void()> &then)
{
    constexpr std::chrono::seconds maxWait(5);  // this is only to help
    constexpr int resourceNotFound = -32002;
    const bool isAboutName =
        outcome.kind == Outcome::Kind::ProtocolError &&
        (outcome.error.code == errorcodes::InvalidParams || outcome.error.code == resourceNotFound);
    if (!isAboutName || output().isJson() || !isOffered(*connection, list) || name.isEmpty()) {
        then();
        return;
    }
    Catalog *catalog = connection->catalog();
    catalog->setListTimeout(
        m_run->common().timeout ? std::min<std::chrono::milliseconds>(*m_run->common().timeout, maxWait) : maxWait);
    catalog->refreshThen(list, [this, catalog, list, name, then] {
        if (m_run->hasEnded())
            return;
        QStringList names;
        catalog->forEach(list,
                         [&](const Entry &entry) { names.append(entry.value[Catalog::info(list).identity].string()); });
        const QString suggestion = names.contains(name) ? QString() : didYouMean(name, names);
        if (!suggestion.isEmpty())
            output().note(suggestion);
        then();
    });
}

void ServerVerb::report(const Outcome &outcome, const std::function<void()> &show)
{
    output().outcome(outcome);
    if (output().isRaw())
        output().raw(outcome.message);
    else if (!output().isJson() && (outcome.kind == Outcome::Kind::Ok || outcome.kind == Outcome::Kind::ToolError))
        show();
    else if (!output().isJson() && RequiredUrls::areIn(outcome))
        sayRequiredUrls(outcome.error.data[u"elicitations"]);
    output().findings(findingsOf(outcome) + connectionFindings());
}

ExitCode ServerVerb::codeOf(const Outcome &outcome) const
{
    const bool isInterrupted = m_run->interruption() && outcome.error.kind == Error::Kind::Cancelled;
    return isInterrupted ? exitCodeFor(*m_run->interruption()) : exitCodeFor(outcome.kind);
}

void ServerVerb::refuseCall(const Error &error)
{
    output().refusal(error);
    Q_EMIT done(ExitCode::WrongUse);
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
        output().note(tr("The server requires you to open this in a browser first. Then run the command again.") +
                      u'\n' + lines.join(u'\n'));
}

void ServerVerb::whenAllowed(const Tool *tool, const std::function<void()> &then)
{
    const bool isDestructive = tool && riskOf(tool->annotations) == ToolRisk::MayDestroy;
    whenAllowed(isDestructive ? QStringList(tool->name) : QStringList(), then);
}

void ServerVerb::whenAllowed(const QStringList &destructiveTools, const std::function<void()> &then)
{
    if (destructiveTools.isEmpty() || m_run->common().isYes) {
        then();
        return;
    }
    const QString names = visibleLine(destructiveTools.join(u"', '"_s));
    const qsizetype count = destructiveTools.size();
    if (!YesNoQuestion::canBeAsked()) {
        refuseCall(
            Error::local(counted(count, tr("The tool '%1' is marked as destructive and was not called.").arg(names),
                                 tr("The tools '%1' are marked as destructive, and nothing was called.").arg(names)),
                         counted(count, tr("Add --yes to call it."), tr("Add --yes to call them."))));
        return;
    }
    const auto *question =
        new YesNoQuestion(counted(count, tr("The tool '%1' is marked as destructive. Call it?").arg(names),
                                  tr("The tools '%1' are marked as destructive. Call them?").arg(names)),
                          output(), this);
    connect(question, &YesNoQuestion::answered, this, [this, names, count, then](bool isYes) {
        if (m_isCancelled || m_run->hasEnded())
            return;  // meanwhile
        if (isYes)
            then();
        else
            refuseCall(Error::local(counted(count, tr("The tool '%1' was not called.").arg(names),
                                            tr("The tools '%1' were not called.").arg(names))));
    });
}

bool ServerVerb::maySend(const QList<Finding> &findings)
{
    output().warnings(findings);
    if (findings.isEmpty() || !output().isStrict())
        return true;
    refuseCall(Error::local(tr("Not sent, because the arguments do not match what the server declares.")));
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
    if (!connection->options().loadCatalog && catalog->status(list).state == Catalog::State::NotOffered)
        catalog->refresh(list);  // nobody has needed it so far
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
    const QString logger = visibleLine(params[u"logger"].string());
    return u"[%1] %2"_s.arg(visibleLine(params[u"level"].string()),
                            (logger.isEmpty() ? QString() : logger + u": "_s) + visibleText(text));
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

Error unknownTool(const Connection &connection, const QString &name, const QString &hint)
{
    QStringList names;
    for (const Tool &tool : connection.catalog()->tools())
        names.append(tool.name);
    return withSuggestion(Error::local(ServerVerb::tr("The server has no tool '%1'.").arg(visibleLine(name)), hint),
                          didYouMean(name, names));
}

bool isOffered(const Connection &connection, Catalog::List list)
{
    return connection.serverInfo().capabilities.contains(Catalog::info(list).capability);
}

}  // namespace sonde::cli
