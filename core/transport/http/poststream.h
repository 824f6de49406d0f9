// One message in its POST, and what comes back for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/http/httpstream.h"

namespace sonde {

// A request over Streamable HTTP is a call: it ends with its response, which comes as JSON or among events, or with
// failed(). Its stream is resumed by GET. Any other message, and all over HTTP+SSE, ends once it was accepted.
class PostStream final : public HttpStream {
    Q_OBJECT
public:
    PostStream(AbstractHttpTransport *transport, Message message, OutgoingHeaders headers);

    // Its caller has given up: what still comes is delivered, but nothing is resumed and nothing fails.
    void abandon();
    // Nothing is lost when the connection ends now. A notification counts once it was accepted: a server may drop a
    // request whose sender is gone.
    bool mayEnd() const;
    // The server does not work on it.
    bool isUnsent() const { return !wasSent() || isAwaitingCredentials(); }
    RequestId call() const override { return m_isCall ? requestId() : RequestId(); }

private:
    void onHeaders() override;
    void onMessagesRead(const Error &cause) override;
    void onTooLong(const Message &begun, const Error &error) override;
    void onBody() override;
    bool isWaitedFor() const override;
    bool isForAnything() const override;
    bool mayResume() const override;
    Error lossOf(const Error &cause) const override;
    bool isProbe() const;

    const bool m_isCall;
    bool m_wasAccepted = false;
    bool m_isAbandoned = false;
};

}  // namespace sonde
