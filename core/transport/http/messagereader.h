// Reads the messages of one response: server-sent events, or one message of JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httpexchange.h"
#include "core/transport/http/sseparser.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace sonde {

struct EventFacts;
class HttpStream;
class TurnBudget;

// Where the revision has batches, the response may be an item of one.
bool isResponseTo(const RequestId &id, const Message &message, bool hasBatches);

// Delivers them to the transport of its stream, a bounded time each turn, and not while the transport has paused
// reading or a worker thread still reads a large one. Deleting it ends it, also from within its signals.
class MessageReader final : public QObject {
    Q_OBJECT
public:
    enum class Form { Events, Json };

    MessageReader(HttpStream *stream, std::unique_ptr<HttpExchange> response, Form form);

    Form form() const { return m_form; }
    const HttpExchange &response() const { return *m_response; }
    // Whether the response to the call of the stream has been delivered.
    bool hasResponse() const { return m_hasResponse; }
    // Of JSON, once it was delivered: what is shown of it.
    const QByteArray &body() const { return m_body; }
    void readOn() { m_again.start(0); }  // after a pause

Q_SIGNALS:
    void eventReceived(const sonde::SseParser::Event &event);  // that is no message
    // A message, of which these are the first bytes, could not be read.
    void tooLong(const sonde::Message &begun, const sonde::Error &error);
    // All of it was delivered, as far as it came. error: why it is not whole, or no message at all.
    void ended(const sonde::Error &error);

private:
    enum class Delivery { None, Now, Late };  // Late: it takes longer than the call that delivers

    void read();
    bool readEvents(TurnBudget &budget);
    bool readJson(TurnBudget &budget);
    bool onEvent(const SseParser::Event &event);
    bool deliver(const QByteArray &bytes, const QByteArray &facts);
    void onDelivered(const Message &message, bool isResponse);
    void cut(qint64 length, const QByteArray &head, const QByteArray &sha256, bool isOutOfMemory);
    void onRead();
    void reportPart(const EventFacts &facts, const QByteArray &bytes, qint64 length);
    QByteArray factsOf(const SseParser::Event &event);

    HttpStream *const m_stream;
    const std::unique_ptr<HttpExchange> m_response;
    const Form m_form;
    SseParser m_parser;
    QTimer m_again;
    QByteArray m_body;
    qint64 m_bodyLength = 0;
    QByteArray m_plainFacts;  // of the last event that had nothing but its type: a flood of them is told once
    QByteArray m_plainType;
    Delivery m_delivery = Delivery::None;
    bool m_hasResponse = false;
    bool m_isBodyDelivered = false;
};

}  // namespace sonde
