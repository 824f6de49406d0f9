// Watches a transport from outside: everything it signalled, in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/transport.h"

#include <QObject>
#include <optional>

namespace sonde::test {

class TransportProbe final : public QObject {
public:
    explicit TransportProbe(Transport *transport)
    {
        connect(transport, &Transport::tapped, this, [this](const WireEvent &event) { events += event; });
        connect(transport, &Transport::opened, this, [this] { ++opened; });
        connect(transport, &Transport::received, this, [this](const Message &message) { received += message; });
        connect(transport, &Transport::failed, this, [this](const RequestId &id, const Error &error) {
            failed.append({id, error});
        });
        connect(transport, &Transport::closed, this, [this](const Error &error) {
            ++closings;
            closed = error;
        });
    }

    QList<WireEvent> of(WireEvent::Kind kind) const
    {
        QList<WireEvent> found;
        for (const WireEvent &event : events) {
            if (event.kind == kind)
                found += event;
        }
        return found;
    }
    // The facts of the only or last event of that kind whose "what" is this (any, when it is empty).
    json::Value facts(WireEvent::Kind kind, const QString &what = {}) const
    {
        json::Value found;
        for (const WireEvent &event : events) {
            const json::Value value = json::parse(event.facts);
            if (event.kind == kind && (what.isEmpty() || value[u"what"].string() == what))
                found = value;
        }
        return found;
    }
    // "value" of the params of the last message with this method.
    json::Value told(const QString &method) const
    {
        json::Value found;
        for (const Message &message : received) {
            if (message.method() == method)
                found = message.params()[u"value"];
        }
        return found;
    }

    QList<WireEvent> events;
    QList<Message> received;
    QList<std::pair<RequestId, Error>> failed;
    std::optional<Error> closed;
    int opened = 0;
    int closings = 0;
};

}  // namespace sonde::test
