// The GET stream of the server's own messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httpstream.h"

#include <QElapsedTimer>

namespace sonde {

class EventStream final : public HttpStream {
    Q_OBJECT
public:
    enum class Purpose {
        // Of Streamable HTTP: what the server sends unasked. It need not offer it; where it does, the stream is
        // resumed.
        Unasked,
        // Of HTTP+SSE: all messages of the server. It cannot be resumed: when it ends it has failed.
        Session
    };

    EventStream(AbstractHttpTransport *transport, Purpose purpose);

Q_SIGNALS:
    void eventReceived(const sonde::SseParser::Event &event);  // that is no message
    // The response to this request was too long to be read.
    void responseLost(const sonde::RequestId &id, const sonde::Error &error);

private:
    void onHeaders() override;
    void onMessagesRead(const Error &cause) override;
    void onTooLong(const Message &begun, const Error &error) override;
    void onBody() override;
    bool isForAnything() const override { return true; }
    bool mayResume() const override { return m_purpose == Purpose::Unasked; }
    Error lossOf(const Error &cause) const override;

    const Purpose m_purpose;
    QElapsedTimer m_openClock;
};

}  // namespace sonde
