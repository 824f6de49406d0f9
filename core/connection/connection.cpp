// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"

#include "core/authorization/oauth.h"
#include "core/client/requiredurls.h"
#include "core/connection/connectionprivate.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/server/specsecrets.h"
#include "core/server/transportoptions.h"
#include "core/transport/process/commandline.h"

#include <algorithm>
#include <memory>

namespace sonde {

void ConnectionOptions::take(const ServerTimeouts &timeouts)
{
    callOptions.timeout = timeouts.request.value_or(callOptions.timeout);
    callOptions.maxTotal = timeouts.total.value_or(callOptions.maxTotal);
    handshakeTimeout = timeouts.connection.value_or(handshakeTimeout);
}

Connection::Connection(ServerSpec spec, ConnectionOptions options, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(spec), std::move(options)))
{}

Connection::~Connection()
{
    d->tearDown();
}

const ConnectionOptions &Connection::options() const
{
    return d->options;
}

const ServerSpec &Connection::spec() const
{
    return d->spec;
}

void Connection::setSpec(const ServerSpec &spec)
{
    d->setSpec(spec);
}

void Connection::open()
{
    if (d->state == State::Disconnected)
        d->startAnew();
}

void Connection::close()
{
    d->reopen = false;
    d->stop();
}

void Connection::restart()
{
    if (d->state == State::Disconnected) {
        d->startAnew();
        return;
    }
    d->reopen = true;
    d->stop();
}

void Connection::detectAgain()
{
    d->forgetVerdict();
    restart();
}

Connection::State Connection::state() const
{
    return d->state;
}

const QList<StartStep> &Connection::startSteps() const
{
    return d->steps.all();
}

qint64 Connection::startingForMs() const
{
    return d->state == State::Connecting ? d->steps.elapsedMs() : -1;
}

bool Connection::isRestarting() const
{
    return d->reopen;
}

QString Connection::statusText() const
{
    switch (d->state) {
        case State::Connecting:
            return d->progressText();
        case State::Connected:
            return d->run.trouble ? d->run.troubleText : tr("Connected");
        case State::Closing:
            return d->reopen ? tr("Restarting…") : tr("Stopping…");
        case State::Disconnected:
            break;
    }
    return d->run.error ? d->run.disconnectReason.shortText(d->run.error) : tr("Not connected");
}

Error Connection::error() const
{
    return d->run.error;
}

Error Connection::trouble() const
{
    return d->state == State::Connected || d->state == State::Closing ? d->run.trouble : Error();
}

const Approval *Connection::approval() const
{
    return d->start ? d->start->approval() : nullptr;
}

Error Connection::approve()
{
    return d->start ? d->start->approve() : Error();
}

void Connection::decline()
{
    if (approval())
        close();
}

ToolMemory *Connection::toolMemory() const
{
    return d->toolMemory.get();
}

OAuth *Connection::signIn() const
{
    return d->oauth.get();
}

const ServerInfo &Connection::serverInfo() const
{
    return d->run.serverInfo;
}

QString Connection::revisionReason() const
{
    return d->run.revisionReason;
}

QString Connection::whyNotCallable(const Tool &tool) const
{
    const bool isMirrored = d->spec.kind == ServerSpec::Kind::Http && d->isStateless();
    return isMirrored ? tool.headerProblem : QString();
}

QStringList Connection::findings() const
{
    return d->run.handshakeFindings + d->run.junk.findings();
}

QByteArray Connection::clientCapabilities() const
{
    return d->declaredCapabilities();
}

void Connection::setResponder(InputRequest::Kind kind, QObject *context, std::function<void(InputRequest *)> respond)
{
    d->responders[kind] = {context, std::move(respond)};
}

std::unique_ptr<RequiredUrls> Connection::askForRequiredUrls(const Outcome &outcome)
{
    const bool isDeclared = json::parse(d->declaredCapabilities())[u"elicitation"][u"url"].exists();
    if (!RequiredUrls::areIn(outcome) || !isDeclared || d->state != State::Connected)
        return nullptr;
    auto urls = std::make_unique<RequiredUrls>(d->client.get(), outcome);
    const QList<RequiredUrls::Entry> entries = urls->entries();
    if (entries.isEmpty())
        return nullptr;
    connect(this, &Connection::notified, urls.get(), [urls = urls.get()](const Message &notification) {
        if (notification.method() == methods::ElicitationComplete)
            urls->complete(notification.params()[u"elicitationId"].string());
    });
    connect(this, &Connection::stateChanged, urls.get(), [this, urls = urls.get()] {
        if (d->state != State::Connected)
            urls->lose();
    });
    for (const RequiredUrls::Entry &entry : entries) {
        if (entry.request && entry.request->isOpen())
            d->passOn(entry.request);
    }
    return urls;
}

QString Connection::transportName() const
{
    return d->usesHttpSse() ? QStringLiteral("HTTP+SSE") : d->spec.transportName();
}

QString Connection::resolvedTarget() const
{
    return d->run.target.isEmpty() ? shownTarget(d->spec) : d->run.target;
}

qint64 Connection::processId() const
{
    return d->transport ? d->transport->processId() : 0;
}

qint64 Connection::latencyNs() const
{
    return d->run.latencyNs;
}

QStringList Connection::stderrSince(const QDateTime &time) const
{
    constexpr qsizetype maxRows = 10'000;
    constexpr qsizetype maxLines = 20;
    constexpr qsizetype maxLineLength = 4096;
    d->session->flush();
    QStringList lines;
    const qsizetype end = std::max<qsizetype>(0, d->session->size() - maxRows);
    for (qsizetype row = d->session->size() - 1; row >= end && lines.size() < maxLines; --row) {
        const RecordInfo &record = d->session->at(row);
        if (record.kind != WireEvent::Kind::Stderr || record.connection != d->run.number)
            continue;
        if (d->session->wallTime(row) < time)
            break;
        lines.prepend(QString::fromUtf8(d->session->bytes(row).left(maxLineLength)));
    }
    return lines;
}

QStringList Connection::stderrTail() const
{
    return d->stderrTail();
}

Catalog *Connection::catalog() const
{
    return d->catalog.get();
}

Session *Connection::session() const
{
    return d->session.get();
}

int Connection::startNumber() const
{
    return d->run.number;
}

SessionCheck *Connection::messageCheck() const
{
    return d->messageCheck.get();
}

Subscriptions *Connection::subscriptions() const
{
    return d->subscriptions.get();
}

TaskList *Connection::tasks() const
{
    return d->tasks.get();
}

LogLevelChoice *Connection::logLevel() const
{
    return d->logLevel.get();
}

TaskSupport Connection::taskSupport() const
{
    const bool isUsable = d->state == State::Connected && d->mayUseTasks();
    return isUsable ? d->client->dialect().taskSupport() : TaskSupport();
}

std::optional<Outcome> Connection::freshRead(const QString &uri) const
{
    const Outcome *outcome = d->reads.find(uri, QDateTime::currentDateTimeUtc());
    return outcome ? std::optional(*outcome) : std::nullopt;
}

Call *Connection::request(QStringView method, const QByteArray &params)
{
    return request(method, params, d->options.callOptions);
}

Call *Connection::request(QStringView method, const QByteArray &params, const CallOptions &options)
{
    CallOptions own = options;
    if (own.repeat == CallOptions::Repeat::No)
        own.repeat = CallOptions::Repeat::IfHarmless;
    if (own.logLevel.isEmpty())
        own.logLevel = d->logLevel->level();
    if (!d->mayUseTasks())
        own.task = {};
    Call *call = d->client->request(method, params, own);
    if (own.task.follow != TaskOptions::Follow::No)
        d->tasks->watch(call);
    return call;
}

Call *Connection::followTask(const QString &taskId, const QString &tool, TaskOptions::Follow follow)
{
    json::Builder params;
    CallOptions options = d->options.callOptions;
    options.task.follow = follow;
    options.logLevel = d->logLevel->level();
    Call *call = d->client->followTask(taskId, params.beginObject().member(u"name", tool).endObject().take(), options);
    d->tasks->watch(call);
    return call;
}

Call *Connection::callTool(const QString &name, const QByteArray &arguments)
{
    json::Builder params;
    params.beginObject().member(u"name", name);
    if (!arguments.isEmpty())
        params.rawMember(u"arguments", arguments);
    return request(methods::CallTool, params.endObject().take());
}

Call *Connection::readResource(const QString &uri)
{
    json::Builder params;
    return request(methods::ReadResource, params.beginObject().member(u"uri", uri).endObject().take());
}

Call *Connection::getPrompt(const QString &name, const QByteArray &arguments)
{
    json::Builder params;
    params.beginObject().member(u"name", name);
    if (!arguments.isEmpty())
        params.rawMember(u"arguments", arguments);
    return request(methods::GetPrompt, params.endObject().take());
}

Call *Connection::ping()
{
    Call *call = request(d->isStateless() ? methods::Discover : methods::Ping);
    connect(call, &Call::finished, this, [this](const Outcome &outcome) {
        if (outcome.kind != Outcome::Kind::Ok || d->state != State::Connected)
            return;
        d->run.latencyNs = outcome.durationNs;
        Q_EMIT stateChanged();
    });
    return call;
}

Call *Connection::sendRaw(const QByteArray &bytes, const MessageHeaders &headers)
{
    d->secrets.look(json::parse(bytes));
    return d->client->sendRaw(bytes, d->options.callOptions, headers);
}

QList<QByteArray> Connection::headerNames() const
{
    return d->transport ? d->transport->headerNames() : QList<QByteArray>();
}

Error Connection::notify(QStringView method, const QByteArray &params)
{
    return d->client->notify(method, params);
}

void Connection::setTimeouts(const ServerTimeouts &timeouts)
{
    d->options.take(timeouts);
}

}  // namespace sonde
