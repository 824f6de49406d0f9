// A recording as a server that plays it back needs it: the requests and their responses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/replay/recording.h"

#include <QHash>
#include <memory>

namespace sonde {

// The recording, looked up by what was asked. Shared by the conversations that are held over it.
class MockScript {
public:
    // An Error when the session holds no handshake to give.
    static Result<std::shared_ptr<const MockScript>> read(std::unique_ptr<Session> session);

    // What the server sent on account of one call, in order: notifications and requests of its own, the response, and
    // what followed it until the next call. Whose a message is follows from how it is linked (docs/calls.md);
    // where that does not tell, it belongs to the latest call that was open.
    struct Item {
        enum class Kind : quint8 { Notification, ServerRequest, Response };
        qsizetype row = -1;
        qint64 afterNs = 0;  // the request
        Kind kind = Kind::Notification;
        qsizetype responseRow = -1;  // of a server request: when the client had answered it; -1: never
        Message element{};           // where the row is a batch
    };
    struct Exchange {
        RecordedCall call;
        QList<Item> items;
    };

    const Session &session() const { return *m_session; }
    const QList<Exchange> &exchanges() const { return m_exchanges; }
    // The recorded exchanges with this request, in order: the same method, and params that are equal by value but for
    // the progress token. Any initialize is like any other.
    QList<qsizetype> matching(const Message &request) const;
    // What the recorded client had declared, a JSON object.
    const QByteArray &capabilities() const { return m_capabilities; }
    bool knows(const QString &method) const { return m_methods.contains(method); }
    Message message(const Item &item) const;
    bool hasBatches() const { return m_hasBatches; }  // the recorded revision

private:
    class Reader;
    void addItem(Item item, qsizetype exchange);

    std::shared_ptr<const Session> m_session;
    QList<Exchange> m_exchanges;
    QHash<std::pair<QString, QString>, QList<qsizetype>> m_byTarget;  // method and tool, prompt or URI
    QHash<QString, int> m_methods;
    QByteArray m_capabilities;
    bool m_hasBatches = false;
};

}  // namespace sonde
