// SPDX-License-Identifier: Apache-2.0
#include "core/replay/mockserver.h"

#include "core/client/inputrequest.h"
#include "core/json/builder.h"
#include "core/protocol/error.h"
#include "core/protocol/methods.h"
#include "core/transport/monotonicclock.h"

#include <QPointer>
#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qint64 MockNsPerMs = 1'000'000;

// The message with its own progress token in place of the recorded one. Empty: nobody asked for progress this time.
QByteArray withToken(const Message &message, const json::Value &token)
{
    const json::Value recorded = message.params()[u"progressToken"];
    if (message.method() != methods::Progress || !recorded.exists())
        return message.raw();
    return token.exists() ? withReplaced(recorded, token.slice()) : QByteArray();
}

}  // namespace

// An exchange on its way out.
struct MockServer::Play {
    RequestId id;
    json::Value token;  // of the progress; Missing when none was asked for
    QList<MockScript::Item> items;
    qsizetype next = 0;
    qint64 startNs = 0;
    bool isCancelled = false;
    bool isTimed = false;  // a timer goes on with it

    // Questions that are open: our number, the recorded one, and the recorded row of their response.
    struct Open {
        RequestId id;
        RequestId recordedId;
        qsizetype responseRow = -1;
    };
    QList<Open> open;

    // Whether this item had come only after a response that is still awaited.
    bool mustWait(const MockScript::Item &item) const
    {
        return std::any_of(open.begin(), open.end(), [&item](const Open &serverRequest) {
            return serverRequest.responseRow >= 0 && serverRequest.responseRow < item.row;
        });
    }
};

MockServer::MockServer(std::shared_ptr<const MockScript> script, Timing timing, QObject *parent)
    : QObject(parent), m_script(std::move(script)), m_timing(timing)
{}

MockServer::~MockServer() = default;

void MockServer::receive(const Message &message)
{
    if (message.kind() == Message::Kind::Notification && message.method() == methods::Cancelled) {
        const RequestId id = RequestId::fromValue(message.params()[u"requestId"]);
        if (const std::shared_ptr<Play> play = m_plays.take(id))
            play->isCancelled = true;
        return;
    }
    if (message.kind() == Message::Kind::Batch && m_script->hasBatches()) {
        const QPointer<MockServer> alive(this);
        for (const Message &element : message.batch()) {
            if (alive)
                receive(element);
        }
        return;
    }
    if (message.kind() == Message::Kind::Invalid || message.kind() == Message::Kind::Batch) {
        Q_EMIT sent(Message::errorResponse(message.id(), errorcodes::InvalidRequest,
                                           tr("Not a single JSON-RPC request: %1").arg(message.problems().join(u' ')))
                        .raw(),
                    message.id(), true);
        return;
    }
    if (message.isResponse())
        receiveResponse(message.id());
    if (message.kind() != Message::Kind::Request)
        return;
    if (message.method() == methods::Initialize) {
        const QByteArray declared = message.params()[u"capabilities"].bytes();
        m_unaskable = InputRequest::methodsFor(m_script->capabilities());
        for (const QString &method : InputRequest::methodsFor(declared))
            m_unaskable.removeAll(method);
    }
    if (message.method() == methods::Ping) {
        Q_EMIT sent(Message::response(message.id(), "{}"_ba).raw(), message.id(), true);
        return;
    }
    QList<qsizetype> matches = m_script->matching(message);
    matches.removeIf([this](qsizetype index) { return m_script->exchanges()[index].call.responseRow < 0; });
    if (matches.isEmpty()) {
        refuse(message);
        return;
    }
    const int use = m_uses[matches.first()]++;
    play(message, m_script->exchanges()[matches[qMin(qsizetype(use), matches.size() - 1)]]);
}

void MockServer::play(const Message &request, const MockScript::Exchange &exchange)
{
    auto play = std::make_shared<Play>();
    play->id = request.id();
    play->token = request.params()[u"_meta"][u"progressToken"];
    play->items = exchange.items;
    play->startNs = monotonicNs();
    m_plays.insert(play->id, play);
    proceed(play);
}

void MockServer::proceed(const std::shared_ptr<Play> &play)
{
    const QPointer<MockServer> alive(this);
    while (alive && !play->isCancelled && play->next < play->items.size()) {
        const MockScript::Item &item = play->items[play->next];
        if (play->isTimed || play->mustWait(item))
            return;
        const qint64 waitNs = m_timing == Timing::None ? 0 : item.afterNs - (monotonicNs() - play->startNs);
        if (waitNs > 0) {
            const auto wait = std::chrono::milliseconds((waitNs + MockNsPerMs - 1) / MockNsPerMs);
            play->isTimed = true;
            QTimer::singleShot(wait, Qt::PreciseTimer, this, [this, play] {
                play->isTimed = false;
                proceed(play);
            });
            return;
        }
        ++play->next;
        const bool isLast = play->next == play->items.size();
        if (isLast)
            m_plays.remove(play->id);
        send(play, item, isLast);
    }
}

void MockServer::send(const std::shared_ptr<Play> &play, const MockScript::Item &item, bool isLast)
{
    const Message message = m_script->message(item);
    QByteArray bytes;
    const json::Value id = message.root()[u"id"];
    if (item.kind == MockScript::Item::Kind::ServerRequest)
        bytes = serverRequest(play, item);
    else if (message.method() == methods::Cancelled)
        bytes = withdrawal(play, message);
    else if (item.kind == MockScript::Item::Kind::Notification)
        bytes = withToken(message, play->token);
    else if (id.exists())
        bytes = withReplaced(id, play->id.toJson());
    if (!bytes.isEmpty() || isLast)
        Q_EMIT sent(bytes, play->id, isLast);
}

// Empty: the client cannot be asked this.
QByteArray MockServer::serverRequest(const std::shared_ptr<Play> &play, const MockScript::Item &item)
{
    const Message message = m_script->message(item);
    if (m_unaskable.contains(message.method()))
        return {};
    const RequestId id(m_nextServerRequest++);
    play->open.append({id, message.id(), item.responseRow});
    m_asked.insert(id, play);
    return withReplaced(message.root()[u"id"], id.toJson());
}

// The recorded server withdrew a server request of its own. Empty: it was not asked this time, or has been answered.
QByteArray MockServer::withdrawal(const std::shared_ptr<Play> &play, const Message &message)
{
    const json::Value recorded = message.params()[u"requestId"];
    for (const Play::Open &serverRequest : play->open) {
        if (!(serverRequest.recordedId == RequestId::fromValue(recorded)))
            continue;
        const RequestId id = serverRequest.id;
        m_asked.remove(id);
        play->open.removeIf([&id](const Play::Open &each) { return each.id == id; });
        return withReplaced(recorded, id.toJson());
    }
    return {};
}

void MockServer::receiveResponse(const RequestId &id)
{
    const std::shared_ptr<Play> play = m_asked.take(id);
    if (!play)
        return;
    play->open.removeIf([&id](const Play::Open &each) { return each.id == id; });
    proceed(play);
}

void MockServer::refuse(const Message &request)
{
    const bool isKnown = m_script->knows(request.method());
    const QString text = isKnown ? tr("The session contains no response to %1 with these params.").arg(request.method())
                                 : tr("The session contains no %1 request.").arg(request.method());
    json::Builder data;
    data.beginObject().member(u"recording", m_script->session().serverName());
    data.key(u"params");
    if (request.params().exists())
        data.value(request.params());
    else
        data.null();
    data.endObject();
    Q_EMIT sent(Message::errorResponse(request.id(), isKnown ? errorcodes::InvalidParams : errorcodes::MethodNotFound,
                                       text, data.take())
                    .raw(),
                request.id(), true);
}

}  // namespace sonde
