// Where the HTTP transport gets what a request says about who it is from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/transport/http/authchallenge.h"
#include "core/transport/wireevent.h"

#include <QHostAddress>
#include <QUrl>
#include <functional>
#include <optional>

namespace sonde {

// Spec: basic/authorization, "Access Token Usage": with every request, to this server only.
class CredentialSource {
public:
    using Headers = QList<std::pair<QByteArray, QByteArray>>;

    // The server did not accept the request (HTTP 401 or 403), which waits to be sent again.
    struct Refusal {
        int status = 0;
        QList<AuthChallenge> challenges;
        Headers responseHeaders;
        Headers credentials;     // that had been sent
        int count = 1;           // of this request, with this one
        Error error;             // what it fails with when nothing else is known
        QHostAddress peer = {};  // who refused; null: not known, as behind a proxy
        QString subject = {};    // the tool, prompt or resource that was asked for; else the method
    };
    struct Request {
        QByteArray verb;
        QUrl url;
        std::optional<Refusal> refusal;  // none: it is about to be sent for the first time
        bool isLast = false;             // nobody waits for what comes of it: what is at hand has to do
    };
    // To be called once, on the transport's thread, at once or when a person has signed in. Headers: the request goes,
    // with these, of which there may be none. Error: it fails. Nobody listens any more once the request was given up.
    using Ready = std::function<void(const Result<Headers> &)>;

    // The connection that asks, which writes down what the source sends and receives by itself.
    struct Observer {
        std::function<void(const WireEvent &)> report;
        std::function<void(const QByteArray &)> conceal;  // a secret, told in the turn in which it is reported
    };

    virtual ~CredentialSource() = default;
    virtual void setObserver(const Observer &) {}
    virtual void provide(const Request &request, const Ready &ready) = 0;
};

}  // namespace sonde
