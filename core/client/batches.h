// Takes the batches of the server apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/batchreply.h"
#include "core/client/client.h"

#include <QTimer>
#include <deque>
#include <memory>

namespace sonde {

// Part of a Client. A large batch takes as many turns of the event loop as it needs; its transport reads no more until
// then. Spec (2025-03-26): basic, "Batching".
class Client::Batches {
public:
    Batches(Client *client, Client::Private *owner);

    void read(const Message &message);
    bool isReading() const { return m_large != nullptr; }
    void hold(const Message &message);  // came in while a large batch is being read
    void stop();                        // the connection is gone

private:
    struct Large {
        Message message;
        std::shared_ptr<BatchReply> reply = std::make_shared<BatchReply>();
        qsizetype next = 0;
        bool isReading = false;  // a worker reads an item that is large itself
        std::shared_ptr<void> hold;
        std::deque<Message> behind;
    };
    void goOn();
    void route(const Message &item, const std::shared_ptr<BatchReply> &reply);

    Client *const q;
    Client::Private *const d;
    QTimer m_timer;
    std::unique_ptr<Large> m_large;
};

}  // namespace sonde
