// SPDX-License-Identifier: Apache-2.0
#include "core/replay/mockserver.h"

#include "core/client/inputrequest.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/revision.h"

#include <QCoreApplication>
#include <QPointer>
#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int InvalidRequest = -32600;
constexpr int MethodNotFound = -32601;
constexpr int InvalidParams = -32602;
constexpr qint64 NsPerMs = 1'000'000;

// What tells calls of one method apart at a glance; equality of the params decides.
QString targetOf(const json::Value &params)
{
    const json::Value name = params[u"name"];
    return name.isString() ? name.string() : params[u"uri"].string();
}

bool speaksBatches(QStringView revision)
{
    const std::optional<Revision> known = revisionFromString(revision);
    return known && supports(*known, Feature::Batches);
}

// The message with its own progress token in place of the recorded one. Empty: nobody asked for progress this time.
QByteArray withToken(const Message &message, const json::Value &token)
{
    const json::Value recorded = message.params()[u"progressToken"];
    if (message.method() != methods::Progress || !recorded.exists())
        return message.raw();
    return token.exists() ? withReplaced(recorded, token.slice()) : QByteArray();
}

}  // namespace

Result<std::shared_ptr<const MockScript>> MockScript::read(std::unique_ptr<Session> session)
{
    auto script = std::make_shared<MockScript>();
    script->m_session = std::move(session);
    const Session &recording = *script->m_session;

    QHash<qsizetype, QList<qsizetype>> askedIn;
    QHash<qsizetype, QList<qsizetype>> answeredIn;
    bool hasHandshake = false;
    for (const RecordedCall &call : recordedCalls(recording)) {
        const qsizetype index = script->m_exchanges.size();
        script->m_exchanges.append({call, {}});
        askedIn[call.row].append(index);
        if (call.answerRow >= 0)
            answeredIn[call.answerRow].append(index);
        const QString method = methodOf(recording, call);
        ++script->m_methods[method];
        script->m_byTarget[{method, targetOf(requestOf(recording, call).params())}].append(index);
        if (method != methods::Initialize || call.answerRow < 0)
            continue;
        hasHandshake = true;
        const json::Value revision = answerOf(recording, call).result()[u"protocolVersion"];
        script->m_hasBatches = speaksBatches(revision.string());
    }
    script->m_capabilities = recordedCapabilities(recording);
    if (!hasHandshake)
        return Error::local(
            QCoreApplication::translate("sonde::MockServer", "The session holds no answered handshake."));

    const QList<RecordedCall> questions = recordedCalls(recording, Direction::FromServer);
    auto question = questions.constBegin();
    QList<qsizetype> open;  // exchanges without their answer yet, the latest last
    QHash<std::pair<int, QByteArray>, qsizetype> tokens;
    qsizetype latest = -1;
    int connection = -1;
    // element: Invalid where the row is no batch.
    const auto takeSaid = [&](qsizetype row, Message::Kind kind, QStringView method, const Message &element) {
        if (kind != Message::Kind::Notification && kind != Message::Kind::Request)
            return;
        Item item{row, 0, Item::Kind::Notification, -1, element};
        if (kind == Message::Kind::Request) {
            item.kind = Item::Kind::Question;
            item.answerRow = question++->answerRow;
        }
        qsizetype owner = open.isEmpty() ? latest : open.constLast();
        if (kind == Message::Kind::Notification && method == methods::Progress) {
            const json::Value token = script->message(item).params()[u"progressToken"];
            owner = tokens.value({connection, token.bytes()}, owner);
        }
        if (owner >= 0)
            script->addItem(item, owner);
    };
    for (qsizetype row = 0; row < recording.size(); ++row) {
        const RecordInfo &info = recording.at(row);
        if (info.kind != WireEvent::Kind::Message)
            continue;
        if (info.connection != connection) {
            connection = info.connection;
            open.clear();
            latest = -1;
        }
        for (const qsizetype index : askedIn.value(row)) {
            latest = index;
            open.append(latest);
            const RecordedCall &call = script->m_exchanges[index].call;
            const json::Value token = requestOf(recording, call).params()[u"_meta"][u"progressToken"];
            if (token.exists())
                tokens.insert({connection, token.bytes()}, latest);
        }
        if (info.direction != Direction::FromServer)
            continue;
        if (info.messageKind != Message::Kind::Batch) {
            takeSaid(row, info.messageKind, recording.name(info.method), {});
        } else {
            for (const Message &element : recording.message(row).batch())
                takeSaid(row, element.kind(), element.method(), element);
        }
        for (const qsizetype index : answeredIn.value(row)) {
            script->addItem({row, 0, Item::Kind::Answer, -1, script->m_exchanges[index].call.answer}, index);
            open.removeAll(index);
        }
    }
    return std::shared_ptr<const MockScript>(script);
}

void MockScript::addItem(Item item, qsizetype exchange)
{
    Exchange &to = m_exchanges[exchange];
    item.afterNs = m_session->at(item.row).timeNs - m_session->at(to.call.row).timeNs;
    to.items.append(item);
}

Message MockScript::message(const Item &item) const
{
    return item.element.kind() == Message::Kind::Invalid ? m_session->message(item.row) : item.element;
}

QList<qsizetype> MockScript::matching(const Message &request) const
{
    QList<qsizetype> result;
    if (request.method() == methods::Initialize) {
        for (qsizetype i = 0; i < m_exchanges.size(); ++i) {
            const RecordedCall &call = m_exchanges[i].call;
            if (call.answerRow >= 0 && methodOf(*m_session, call) == methods::Initialize)
                result.append(i);
        }
        return result;
    }
    const json::Value params = request.params();
    for (const qsizetype index : m_byTarget.value({request.method(), targetOf(params)})) {
        if (haveSameParams(params, requestOf(*m_session, m_exchanges[index].call).params()))
            result.append(index);
    }
    return result;
}

// An exchange on its way out.
struct MockServer::Play {
    RequestId id;
    json::Value token;  // of the progress; Missing when none was asked for
    QList<MockScript::Item> items;
    qsizetype next = 0;
    qint64 startNs = 0;
    bool isCancelled = false;
    bool isTimed = false;  // a timer goes on with it

    // Questions that are open: our number, the recorded one, and the recorded row of their answer.
    struct Open {
        RequestId id;
        RequestId recordedId;
        qsizetype answerRow = -1;
    };
    QList<Open> open;

    // Whether this item had come only after an answer that is still awaited.
    bool mustWait(const MockScript::Item &item) const
    {
        return std::any_of(open.begin(), open.end(), [&item](const Open &question) {
            return question.answerRow >= 0 && question.answerRow < item.row;
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
        Q_EMIT sent(Message::errorResponse(message.id(), InvalidRequest,
                                           tr("Not a single JSON-RPC request: %1").arg(message.problems().join(u' ')))
                        .raw(),
                    message.id(), true);
        return;
    }
    if (message.isAnswer())
        takeAnswer(message.id());
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
    matches.removeIf([this](qsizetype index) { return m_script->exchanges()[index].call.answerRow < 0; });
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
            const auto wait = std::chrono::milliseconds((waitNs + NsPerMs - 1) / NsPerMs);
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
    if (item.kind == MockScript::Item::Kind::Question)
        bytes = question(play, item);
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
QByteArray MockServer::question(const std::shared_ptr<Play> &play, const MockScript::Item &item)
{
    const Message message = m_script->message(item);
    if (m_unaskable.contains(message.method()))
        return {};
    const RequestId id(m_nextQuestion++);
    play->open.append({id, message.id(), item.answerRow});
    m_asked.insert(id, play);
    return withReplaced(message.root()[u"id"], id.toJson());
}

// The recorded server withdrew a question of its own. Empty: it was not asked this time, or has been answered.
QByteArray MockServer::withdrawal(const std::shared_ptr<Play> &play, const Message &message)
{
    const json::Value recorded = message.params()[u"requestId"];
    for (const Play::Open &question : play->open) {
        if (!(question.recordedId == RequestId::fromValue(recorded)))
            continue;
        const RequestId id = question.id;
        m_asked.remove(id);
        play->open.removeIf([&id](const Play::Open &each) { return each.id == id; });
        return withReplaced(recorded, id.toJson());
    }
    return {};
}

void MockServer::takeAnswer(const RequestId &id)
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
    const QString text = isKnown ? tr("The recording holds no answer to %1 with these params.").arg(request.method())
                                 : tr("The recording holds no %1.").arg(request.method());
    json::Builder data;
    data.beginObject().member(u"recording", m_script->session().serverName());
    data.key(u"params");
    if (request.params().exists())
        data.value(request.params());
    else
        data.null();
    data.endObject();
    Q_EMIT sent(Message::errorResponse(request.id(), isKnown ? InvalidParams : MethodNotFound, text, data.take()).raw(),
                request.id(), true);
}

}  // namespace sonde
