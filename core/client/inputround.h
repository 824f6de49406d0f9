// What a server wants to know before it goes on with a call, and the responses to it as they come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/dialect.h"
#include "core/client/inputrequest.h"

#include <QPointer>

#include <functional>
#include <memory>
#include <vector>

namespace sonde {

// Between two rounds of one call (2026-07-28, "Multi Round-Trip Requests"). Belongs to the call; the code that asked
// for it is told once, a turn later, when all have a response or one was refused.
class InputRound final : public InputResponder, public std::enable_shared_from_this<InputRound> {
public:
    struct Hooks {
        std::function<void(const QList<InputResponse> &)> complete;
        std::function<void(const Error &)> refused;
    };

    // The hooks depend on the life of the call.
    InputRound(Call *call, Hooks hooks);
    ~InputRound() override;

    // Makes an open request for each entry. The caller announces them.
    QList<QPointer<InputRequest>> ask(Client *client, const QList<InputEntry> &entries, const Message &result);
    // What is open ends so, and the hooks are not called any more.
    void close(InputRequest::End how, const QString &reason = {});

    Error respond(InputRequest *request, const QByteArray &result) override;
    Error refuse(InputRequest *request, int code, const QString &text, const QByteArray &data) override;

private:
    struct Place {
        QString key;
        QPointer<InputRequest> request;
        std::optional<QByteArray> result;
    };
    Place *placeOf(const InputRequest *request);

    QPointer<Call> m_call;
    Hooks m_hooks;
    std::vector<Place> m_places;
    bool m_isClosed = false;
};

}  // namespace sonde
