// A request that waits for the credentials it needs, and is sent again with others where the server refuses it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/message.h"
#include "core/transport/http/credentialsource.h"
#include "core/transport/http/httpexchange.h"

#include <QObject>
#include <QPointer>
#include <memory>
#include <optional>

namespace sonde {

class CredentialWait;

// One HttpExchange after the other: to where the server redirects, and again after each refusal (HTTP 401 or 403), with
// what the source then gives. No deadline counts the time in which it waits for the source. Deleting it ends it without
// a signal, also from within one. Spec: basic/authorization, "Error Handling".
class AuthorizedRequest final : public QObject {
    Q_OBJECT
public:
    struct Request : HttpExchange::Request {
        Message message = {};                                // that it carries; Invalid where it carries none
        int maxRedirects = 0;                                // 307 and 308 on the same origin only
        int maxRefusals = 0;                                 // until a refusal is the response
        std::shared_ptr<CredentialSource> credentials = {};  // null: nobody is asked
        int credentialsTimeoutMs = 0;                        // 0: none, since a person may have to sign in
        // Of a body that nobody takes: so much is kept, and so much is read to know its length.
        qint64 maxKeptBytes = 64 * 1024;
        qint64 maxReadBytes = 1024 * 1024;
    };

    AuthorizedRequest(HttpPool *pool, Request request);
    ~AuthorizedRequest() override;

    void start() { ask({}); }
    bool isAwaitingCredentials() const { return bool(m_wait); }
    // The next refusal is the response: nobody waits for another one any more.
    void askNoMore() { m_request.maxRefusals = 0; }

    // From headersArrived() on. Without a response that counts it may be null, have ended within its head, or be a
    // redirect that is not followed.
    HttpExchange *response() const { return m_exchange.get(); }
    bool hasResponse() const { return m_exchange && m_exchange->hasHeaders() && !m_error; }
    // For a caller that reads the body itself. Only from within headersArrived(); finished() does not come then.
    std::unique_ptr<HttpExchange> takeResponse();
    bool isFinished() const;  // that finished() was emitted
    // From finished() on: why there is no response, or why it is not whole.
    const Error &error() const { return m_error || !m_exchange ? m_error : m_exchange->error(); }
    const QByteArray &body() const { return m_body; }
    qint64 bodyLength() const { return m_bodyLength; }
    void reportResponse() { m_exchange->reportResponse(m_body, m_bodyLength); }

Q_SIGNALS:
    void reported(const sonde::WireEvent &event);
    // Never from within start(). As Transport::credentialsAwaited().
    void credentialsAwaited(sonde::CredentialWait *wait);
    void unauthorized(const sonde::Error &error);  // the end: the source gave none; never from within start()
    void sent();                                   // as HttpExchange::sent()
    void headersArrived();
    void finished();

private:
    using Headers = CredentialSource::Headers;

    void ask(std::optional<CredentialSource::Refusal> refusal);
    void onCredentials(const Result<Headers> &credentials);
    void send();
    void onHeaders();
    void redirect();
    void readBody();
    void leaveBody();
    void onBody();

    QPointer<HttpPool> m_pool;
    Request m_request;  // without credentials
    QUrl m_url;         // where it goes; m_request has where it goes first
    int m_redirects = 0;
    int m_refusals = 0;
    Headers m_credentials;
    std::unique_ptr<CredentialWait> m_wait;
    std::unique_ptr<HttpExchange> m_exchange;
    QByteArray m_body;
    qint64 m_bodyLength = 0;
    Error m_error;
};

}  // namespace sonde
