// SPDX-License-Identifier: Apache-2.0
#include "core/client/batches.h"

#include "core/client/clientprivate.h"
#include "core/client/readmessage.h"
#include "core/protocol/error.h"
#include "core/transport/turnbudget.h"

#include <utility>

namespace sonde {

Client::Batches::Batches(Client *client, Client::Private *owner) : q(client), d(owner)
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, client, [this] { goOn(); });
}

void Client::Batches::hold(const Message &message)
{
    m_large->behind.push_back(message);
}

void Client::Batches::stop()
{
    if (const std::unique_ptr<Large> unread = std::move(m_large))
        d->serverRequests.release(unread->reply);
}

void Client::Batches::read(const Message &message)
{
    if (!q->m_dialect->hasBatches()) {
        d->addFinding(
            Client::tr("Batches are not allowed in revision %1; shown but not processed.").arg(q->m_dialect->name()),
            message);
        return;
    }
    if (message.raw().size() > Message::LargeBytes) {
        m_large = std::make_unique<Large>();
        m_large->message = message;
        m_large->hold = q->m_transport ? q->m_transport->holdReading() : nullptr;
        m_timer.start(0);
        return;
    }
    const QPointer<Client> alive(q);
    if (message.batchSize() == 0) {
        const Error unsent = d->send(BatchReply::invalidRequest());
        if (alive)
            d->addFinding(unsent ? unsent.message : Client::tr("Empty batch."), message);
        return;
    }
    const auto batch = std::make_shared<BatchReply>();
    for (qsizetype i = 0; alive && i < message.batchSize(); ++i)
        route(Message::parse(message.batchBytes(i)), batch);
    if (alive)
        d->serverRequests.release(batch);
}

void Client::Batches::route(const Message &item, const std::shared_ptr<BatchReply> &reply)
{
    const bool isInvalid = BatchReply::isInvalidRequest(item);
    if (reply->isFull() && (isInvalid || item.kind() == Message::Kind::Request)) {
        d->addFinding(
            Client::tr("Max %1 responses to one batch; this request has none.").arg(Message::MaxBatchResponses), item);
    } else if (isInvalid) {
        reply->add(BatchReply::invalidRequest(item.id()));
        d->addFinding(Client::tr("An item of a batch is not a JSON-RPC message: %1")
                          .arg(item.kind() == Message::Kind::Batch ? Client::tr("it is a batch itself.")
                                                                   : item.problems().join(u' ')),
                      item);
    } else {
        d->route(item, {}, reply);
    }
}

void Client::Batches::goOn()
{
    const QPointer<Client> alive(q);
    TurnBudget budget;
    while (alive && m_large && !m_large->isReading) {
        if (budget.isSpent()) {
            m_timer.start(0);
            return;
        }
        if (m_large->next == m_large->message.batchSize()) {
            // What came in behind it may be another one.
            const std::unique_ptr<Large> read = std::move(m_large);
            std::deque<Message> &behind = read->behind;
            d->serverRequests.release(read->reply);
            for (; alive && !behind.empty(); behind.pop_front())
                d->receive(behind.front());
            return;
        }
        const QByteArray bytes = m_large->message.batchBytes(m_large->next++);
        budget.spend(bytes.size());
        if (bytes.size() <= Message::LargeBytes) {
            route(Message::parse(bytes), std::shared_ptr(m_large->reply));
            continue;
        }
        m_large->isReading = true;
        readMessage(&m_timer, bytes, MessageDepth::Envelope, [this, batch = m_large.get()](const Message &item) {
            if (m_large.get() != batch)
                return;  // it was dropped meanwhile
            m_large->isReading = false;
            m_timer.start(0);
            if (!item.raw().isEmpty())
                route(item, std::shared_ptr(batch->reply));
            else
                d->addFinding(Error::outOfMemory(batch->message.raw().size()).message, batch->message);
        });
    }
}

}  // namespace sonde
