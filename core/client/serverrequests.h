// The requests of the server: passed on to responders, or responded to at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/batchreply.h"
#include "core/client/client.h"
#include "core/client/inputrequest.h"

#include <QHash>
#include <QStringList>
#include <memory>

namespace sonde {

// Part of a Client. Spec: client/elicitation, client/sampling, client/roots, basic/utilities/ping.
class Client::ServerRequests final : public InputResponder {
public:
    using Batch = std::shared_ptr<BatchReply>;

    ServerRequests(Client *client, Client::Private *owner) : q(client), d(owner) {}

    void setCapabilities(const QByteArray &declared);
    // Why the entries of a result that asks for input cannot be passed on; empty: they can.
    QString problemOf(const QList<InputEntry> &inputs) const;

    // carrier: as in Transport::received(). batch: that the request came in; null for none.
    void route(const Message &request, const RequestId &carrier, const Batch &batch);
    void withdraw(const RequestId &id, const QString &reason);
    // The call has ended: what was asked for during that call alone ends a turn later, unless it is lost before.
    void leave(const Call *call, const QString &reason);
    void end(InputRequest::End how);  // all of them: the connection is gone, or about to be closed
    // Everything in the batch was read, or one of its requests has ended without a response.
    void release(const Batch &batch);

    Error respond(InputRequest *request, const QByteArray &result) override;
    Error refuse(InputRequest *request, int code, const QString &text, const QByteArray &data) override;

private:
    // The calls that may wait for a request, with their pauses.
    using Waiting = QHash<const Call *, std::shared_ptr<void>>;
    struct Open {
        InputRequest *request = nullptr;
        Batch batch;
        Waiting during;
        bool endsWithCall = true;
    };
    void passOn(InputRequest::Kind kind, const Message &request, const RequestId &carrier, const Batch &batch);
    Waiting waitingFor(const Message &request, const RequestId &carrier) const;
    Error reply(const InputRequest *request, const Message &response);
    Error reply(const Message &response, const Batch &batch);
    Error sendBatch(const Batch &batch);
    void end(const Open &asked, InputRequest::End how, const QString &reason = {});

    Client *const q;
    Client::Private *const d;
    json::Value m_capabilities;  // what was declared
    QStringList m_methods;       // of the kinds in it
    QHash<RequestId, Open> m_open;
};

}  // namespace sonde
