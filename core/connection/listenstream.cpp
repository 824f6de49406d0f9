// SPDX-License-Identifier: Apache-2.0
#include "core/connection/listenstream.h"

#include "core/json/builder.h"
#include "core/protocol/messagerules.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int MaxShownUri = 200;
// How long a server that has cancelled a subscription may take to send its result.
constexpr std::chrono::seconds ResultGrace{5};

Error unacknowledged(std::chrono::milliseconds timeout)
{
    return Error::of(Error::Kind::Timeout,
                     ListenStream::tr("The server did not acknowledge the subscription within %1 s.")
                         .arg(QString::number(double(timeout.count()) / 1000, 'g', 3)));
}

// Whether the same request may succeed a moment later.
bool isLoss(const Error &error)
{
    if (error.kind != Error::Kind::Transport)
        return false;
    constexpr int requestTimeout = 408;
    constexpr int tooManyRequests = 429;
    constexpr int firstServerError = 500;
    return error.reason != Error::Reason::HttpStatus || error.code == requestTimeout || error.code == tooManyRequests ||
           error.code >= firstServerError;
}

// What of it is read as not granted because of its type.
QString problemOfAcknowledgement(const json::Value &granted)
{
    const QStringList findings =
        shapeFindings(granted, u"GrantedFilter", Revision::R20260728, QStringLiteral("notifications"));
    return findings.isEmpty() ? QString() : ListenStream::tr("In the acknowledgement, %1").arg(findings.first());
}

}  // namespace

ListenFilter ListenFilter::fromJson(const json::Value &notifications)
{
    const auto strings = [&notifications](QStringView name) {
        QStringList all;
        const json::Value list = notifications[name];
        for (const json::Value &each : list) {
            if (list.isArray() && each.isString())
                all.append(each.string());
        }
        return all;
    };
    ListenFilter filter;
    filter.tools = notifications[u"toolsListChanged"].toBool();
    filter.prompts = notifications[u"promptsListChanged"].toBool();
    filter.resources = notifications[u"resourcesListChanged"].toBool();
    filter.uris = strings(u"resourceSubscriptions");
    filter.taskIds = strings(u"taskIds");
    return filter;
}

QByteArray ListenFilter::toJson() const
{
    json::Builder builder;
    builder.beginObject();
    if (tools)
        builder.rawMember(u"toolsListChanged", "true");
    if (prompts)
        builder.rawMember(u"promptsListChanged", "true");
    if (resources)
        builder.rawMember(u"resourcesListChanged", "true");
    const auto addStrings = [&builder](QStringView name, const QStringList &all) {
        if (all.isEmpty())
            return;
        builder.key(name).beginArray();
        for (const QString &each : all)
            builder.string(each);
        builder.endArray();
    };
    addStrings(u"resourceSubscriptions", uris);
    addStrings(u"taskIds", taskIds);
    return builder.endObject().take();
}

ListenFilter ListenFilter::without(const ListenFilter &other) const
{
    ListenFilter rest{tools && !other.tools, prompts && !other.prompts, resources && !other.resources, uris, taskIds};
    rest.uris.removeIf([&other](const QString &uri) { return other.uris.contains(uri); });
    rest.taskIds.removeIf([&other](const QString &id) { return other.taskIds.contains(id); });
    return rest;
}

bool isWithin(const QString &changed, const QString &subscribed)
{
    if (!changed.startsWith(subscribed))
        return false;
    if (changed.size() == subscribed.size() || subscribed.endsWith(u'/'))
        return true;
    const QChar next = changed.at(subscribed.size());
    return next == u'/' || next == u'?' || next == u'#';
}

ListenStream::ListenStream(Client *client, ListenFilter requested, std::chrono::milliseconds acknowledgementTimeout,
                           QObject *parent)
    : QObject(parent), m_requested(std::move(requested))
{
    CallOptions options;
    options.timeout = options.maxTotal = std::chrono::milliseconds::zero();
    options.askForProgress = false;
    if (!m_requested.taskIds.isEmpty())
        options.task.follow = TaskOptions::Follow::Connected;  // declares that tasks are understood
    json::Builder params;
    params.beginObject().rawMember(u"notifications", m_requested.toJson()).endObject();
    m_call = client->request(methods::Listen, params.take(), options);
    connect(m_call, &Call::finished, this, &ListenStream::onFinished);
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this,
            [this, acknowledgementTimeout] { end(End::Unacknowledged, unacknowledged(acknowledgementTimeout)); });
    m_deadline.start(acknowledgementTimeout);
}

ListenStream::~ListenStream()
{
    if (!m_call)
        return;
    m_call->disconnect(this);
    m_call->cancel(u"Not needed any more"_s);  // the server reads it, in English
}

bool ListenStream::take(const Message &notification)
{
    if (m_isOver)
        return false;
    const QString method = notification.method();
    if (method != methods::SubscriptionAcknowledged) {
        const bool granted = isGranted(notification);
        const QString uri = visibleLine(notification.params()[u"uri"].string(), MaxShownUri);
        const QString what = method == methods::ResourceUpdated ? tr("an update of %1").arg(uri) : method;
        if (!m_isAcknowledged)
            tell(tr("The server sent %1 before it acknowledged the subscription.").arg(what));
        else if (!granted)
            tell(tr("The server sent %1, which it had not acknowledged.").arg(what));
        return granted;
    }
    if (m_isAcknowledged) {
        tell(tr("The server acknowledged this subscription twice."));
        return false;
    }
    m_isAcknowledged = true;
    m_deadline.stop();
    const json::Value granted = notification.params()[u"notifications"];
    m_acknowledged = ListenFilter::fromJson(granted);
    if (const QString problem = problemOfAcknowledgement(granted); !problem.isEmpty())
        tell(problem);
    if (!m_acknowledged.without(m_requested).isEmpty())
        tell(tr("The server acknowledged more than was requested."));
    Q_EMIT acknowledgedNow();
    return false;
}

void ListenStream::tell(const QString &finding)
{
    if (m_findings.admit())
        Q_EMIT findingAdded(finding, id());
}

bool ListenStream::isGranted(const Message &notification) const
{
    const ListenFilter &filter = m_isAcknowledged ? m_acknowledged : m_requested;
    const QString method = notification.method();
    if (method == methods::ToolsChanged)
        return filter.tools;
    if (method == methods::PromptsChanged)
        return filter.prompts;
    if (method == methods::ResourcesChanged)
        return filter.resources;
    if (method == methods::TaskChanged)
        return filter.taskIds.contains(notification.params()[u"taskId"].string());
    const QString uri = notification.params()[u"uri"].string();
    return std::any_of(filter.uris.begin(), filter.uris.end(),
                       [&](const QString &subscribed) { return isWithin(uri, subscribed); });
}

void ListenStream::endAsCancelled()
{
    m_isResultDue = true;
    end(End::Graceful, {});
}

void ListenStream::release()
{
    m_isReleased = true;
    if (!m_call || !m_isResultDue) {
        deleteLater();
        return;
    }
    connect(m_call, &Call::finished, this, &QObject::deleteLater);
    QTimer::singleShot(ResultGrace, this, &QObject::deleteLater);
}

void ListenStream::onFinished(const Outcome &outcome)
{
    m_id = m_call->id();
    m_call.clear();
    switch (outcome.kind) {
        case Outcome::Kind::Ok:
        case Outcome::Kind::ToolError:
            return end(End::Graceful, {});
        case Outcome::Kind::ProtocolError:
            return end(End::Refused, outcome.error);
        case Outcome::Kind::NoResponse:
            break;
    }
    end(isLoss(outcome.error) ? End::Lost : End::Refused, outcome.error);
}

void ListenStream::end(End end, const Error &error)
{
    m_deadline.stop();
    if (!std::exchange(m_isOver, true) && !m_isReleased)
        Q_EMIT ended(end, error);
}

}  // namespace sonde
