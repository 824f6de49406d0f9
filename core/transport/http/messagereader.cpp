// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/messagereader.h"

#include "core/json/stringcodec.h"
#include "core/protocol/methods.h"
#include "core/transport/appendlarge.h"
#include "core/transport/brokenresponse.h"
#include "core/transport/http/abstracthttptransport.h"
#include "core/transport/http/httpstream.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/turnbudget.h"

#include <QLocale>
#include <QPointer>

#include <new>
#include <utility>

namespace sonde {

namespace {

constexpr qint64 StreamChunkBytes = 64 * 1024;
constexpr qsizetype KeptJson = 64 * 1024;  // to be shown where it is no response

bool isBlank(QByteArrayView bytes)
{
    return bytes.trimmed().isEmpty();
}

}  // namespace

bool isResponseTo(const RequestId &id, const Message &message, bool hasBatches)
{
    if (message.isResponse() || isBrokenResponse(message))
        return message.id() == id;
    if (message.kind() != Message::Kind::Batch || !hasBatches)
        return false;
    for (qsizetype i = 0; i < message.batchSize(); ++i) {
        if (isResponseTo(id, Message::parse(message.batchBytes(i)), hasBatches))
            return true;
    }
    return false;
}

MessageReader::MessageReader(HttpStream *stream, std::unique_ptr<HttpExchange> response, Form form)
    : m_stream(stream),
      m_response(std::move(response)),
      m_form(form),
      m_parser(stream->transport()->options().maxMessageBytes)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &MessageReader::read);
    connect(m_response.get(), &HttpExchange::readable, this, &MessageReader::read);
    connect(m_response.get(), &HttpExchange::finished, this, &MessageReader::read);
    if (m_form == Form::Events)
        m_response->allowSilence();
}

void MessageReader::read()
{
    const auto mustWait = [this] { return m_delivery != Delivery::None || m_stream->transport()->isReadingPaused(); };
    if (m_again.isActive() || mustWait())
        return;
    const QPointer<MessageReader> alive(this);
    TurnBudget budget;
    for (;;) {
        const bool goesOn = m_form == Form::Events ? readEvents(budget) : readJson(budget);
        if (!alive || mustWait())
            return;
        if (budget.isSpent())
            return m_again.start(0);
        if (!goesOn)
            break;
    }
    if (m_response->isAtEnd())
        onRead();
}

// False: nothing more to read for now, or this is gone.
bool MessageReader::readEvents(TurnBudget &budget)
{
    while (!budget.isSpent()) {
        if (const std::optional<SseParser::Event> event = m_parser.next()) {
            if (!onEvent(*event))
                return false;
        } else if (!m_parser.isBusy()) {
            break;
        }
    }
    if (budget.isSpent())
        return true;
    const QByteArray bytes = m_response->read(StreamChunkBytes);
    budget.spend(bytes.size());
    m_parser.append(bytes);
    return !bytes.isEmpty();
}

// False when this is gone, or has to wait.
bool MessageReader::onEvent(const SseParser::Event &event)
{
    if (event.isComment && !m_stream->comments().allow(monotonicNs()))
        return true;
    m_stream->resumption().onEvent(event, !m_stream->call().isNone());
    const QPointer<MessageReader> alive(this);
    if (event.isCut && event.isMessage()) {
        cut(event.length, event.data, event.sha256, event.isOutOfMemory);
        return alive;
    }
    if (event.isMessage() && !isBlank(event.data))
        return deliver(event.data, factsOf(event));
    WireEvent record;
    record.kind = WireEvent::Kind::Sse;
    record.direction = Direction::FromServer;
    if (!event.isComment)
        record.bytes = event.data;
    record.wireLength = event.length;
    record.facts = factsOf(event);
    m_stream->transport()->report(record);
    if (event.hasData)
        Q_EMIT eventReceived(event);
    return alive;
}

QByteArray MessageReader::factsOf(const SseParser::Event &event)
{
    const bool isPlain = !event.hasId && !event.retryMs && !event.isComment;
    if (isPlain && !m_plainFacts.isEmpty() && event.type == m_plainType)
        return m_plainFacts;
    EventFacts about = m_stream->facts();
    if (!event.type.isEmpty())
        about.event = QString::fromUtf8(event.type);
    if (event.hasId)
        about.id = json::quoted(QString::fromUtf8(event.id));
    about.retry = event.retryMs;
    if (event.isComment)
        about.comment = QString::fromUtf8(event.data);
    if (event.isComment && m_stream->comments().takeHasLeftOut())
        about.count = m_stream->comments().count();
    if (!isPlain)
        return about.toJson();
    m_plainType = event.type;
    return m_plainFacts = about.toJson();
}

bool MessageReader::readJson(TurnBudget &budget)
{
    const QByteArray bytes = m_response->read(StreamChunkBytes);
    budget.spend(bytes.size());
    m_bodyLength += bytes.size();
    bool isOutOfMemory = false;
    try {
        appendLarge(m_body, bytes);
    } catch (const std::bad_alloc &) {
        isOutOfMemory = true;
        m_body.truncate(LineFramer::KeptOfCutLine);
        m_body.squeeze();
    }
    if (!isOutOfMemory && m_bodyLength <= m_stream->transport()->options().maxMessageBytes)
        return !bytes.isEmpty();
    cut(m_bodyLength, m_body.left(LineFramer::KeptOfCutLine), {}, isOutOfMemory);
    return false;
}

void MessageReader::cut(qint64 length, const QByteArray &head, const QByteArray &sha256, bool isOutOfMemory)
{
    const qint64 limit = m_stream->transport()->options().maxMessageBytes;
    EventFacts about = m_stream->facts(isOutOfMemory ? EventCode::OutOfMemory : EventCode::TooLong);
    if (!isOutOfMemory)
        about.limit = limit;
    if (!sha256.isEmpty())
        about.sha256 = QString::fromUtf8(sha256);
    reportPart(about, head, length);
    const QLocale locale;
    const QString text = tr("A response of %1 or more exceeds the limit of %2.")
                             .arg(locale.formattedDataSize(length), locale.formattedDataSize(limit));
    Q_EMIT tooLong(Message::parse(head), isOutOfMemory
                                             ? Error::outOfMemory(length)
                                             : Error::of(Error::Kind::Transport, text, {},
                                                         tr("Ask for less at once, such as a page or a part.")));
}

void MessageReader::reportPart(const EventFacts &facts, const QByteArray &bytes, qint64 length)
{
    m_stream->transport()->reportBytes(WireEvent::Kind::Partial, facts, bytes, length);
}

// False when this is gone, or has to wait for a worker thread that reads the message.
bool MessageReader::deliver(const QByteArray &bytes, const QByteArray &facts)
{
    const QPointer<MessageReader> alive(this);
    const RequestId call = m_stream->call();
    const auto isResponse = std::make_shared<bool>(false);
    m_delivery = Delivery::Now;
    m_stream->transport()->deliver(
        *m_stream, bytes, facts,
        {[isResponse, call, hasBatches = m_stream->transport()->hasBatches()](const Message &message) {
             *isResponse = !call.isNone() && isResponseTo(call, message, hasBatches);
         },
         [alive, isResponse](const Message &message) {
             if (alive)
                 alive->onDelivered(message, *isResponse);
         },
         call});
    if (!alive)
        return false;
    if (m_delivery == Delivery::Now)
        m_delivery = Delivery::Late;
    return m_delivery == Delivery::None;
}

void MessageReader::onDelivered(const Message &message, bool isResponse)
{
    m_hasResponse = m_hasResponse || isResponse;
    if (message.kind() != Message::Kind::Invalid && message.method() != methods::Ping)
        m_stream->resumption().onProgress();
    if (std::exchange(m_delivery, Delivery::None) == Delivery::Late)
        m_again.start(0);
}

void MessageReader::onRead()
{
    const Error cause = m_response->error();
    if (m_form == Form::Events) {
        if (const QByteArray rest = m_parser.takeRest(); !rest.isEmpty())
            reportPart(m_stream->facts(EventCode::UnfinishedEvent), rest, rest.size());
    } else if (cause && !m_isBodyDelivered) {
        reportPart(m_stream->facts(EventCode::CutBody), m_body, m_bodyLength);
    } else if (!m_isBodyDelivered && isBlank(m_body)) {
        return Q_EMIT ended(Error::of(Error::Kind::Protocol, tr("The server returned an empty body.")));
    } else if (!m_isBodyDelivered) {
        m_isBodyDelivered = true;
        if (!deliver(std::exchange(m_body, m_body.left(KeptJson)), m_stream->facts().toJson()))
            return;
    }
    Q_EMIT ended(cause);
}

}  // namespace sonde
