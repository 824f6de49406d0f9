// SPDX-License-Identifier: Apache-2.0
#include "core/client/inputround.h"

#include "core/client/call.h"
#include "core/client/client.h"

#include <algorithm>

namespace sonde {

InputRound::InputRound(Call *call, Hooks hooks) : m_call(call), m_hooks(std::move(hooks)) {}

InputRound::~InputRound()
{
    close(InputRequest::End::Lost);
}

QList<QPointer<InputRequest>> InputRound::ask(Client *client, const QList<InputEntry> &entries, const Message &result)
{
    QList<QPointer<InputRequest>> requests;
    for (const InputEntry &entry : entries) {
        const std::optional<InputRequest::Kind> kind = InputRequest::kindOf(entry.method);
        Q_ASSERT(kind);
        auto *request = new InputRequest(client, this, *kind, entry, result);
        request->m_call = m_call;
        m_places.push_back({entry.key, request, {}});
        requests.append(request);
    }
    return requests;
}

void InputRound::close(InputRequest::End how, const QString &reason)
{
    m_isClosed = true;
    const std::shared_ptr<InputRound> self = weak_from_this().lock();  // a slot may drop the last other owner
    for (const Place &place : std::exchange(m_places, {})) {
        if (place.request && place.request->isOpen())
            place.request->end(how, reason);
    }
}

InputRound::Place *InputRound::placeOf(const InputRequest *request)
{
    const auto place =
        std::find_if(m_places.begin(), m_places.end(), [&](const Place &each) { return each.request == request; });
    return place == m_places.end() ? nullptr : &*place;
}

Error InputRound::respond(InputRequest *request, const QByteArray &result)
{
    Place *place = m_isClosed ? nullptr : placeOf(request);
    if (!place)
        return Error::local(Client::tr("The call that asked for it has ended."));
    place->result = result;
    if (std::any_of(m_places.begin(), m_places.end(), [](const Place &each) { return !each.result; }))
        return {};
    QMetaObject::invokeMethod(
        m_call,
        [round = weak_from_this()] {
            const std::shared_ptr<InputRound> self = round.lock();
            if (!self || self->m_isClosed)
                return;
            QList<InputResponse> responses;
            for (const Place &each : self->m_places)
                responses.append({each.key, *each.result});
            self->m_hooks.complete(responses);
        },
        Qt::QueuedConnection);
    return {};
}

// There is no way to refuse one entry: without a response to each of them the server cannot go on.
Error InputRound::refuse(InputRequest *request, int, const QString &text, const QByteArray &)
{
    if (m_isClosed || !placeOf(request))
        return Error::local(Client::tr("The call that asked for it has ended."));
    const Error error =
        Error::of(Error::Kind::Cancelled,
                  Client::tr("The server asked for input (%1), which it did not get: %2").arg(request->method(), text));
    QMetaObject::invokeMethod(
        m_call,
        [round = weak_from_this(), error] {
            if (const std::shared_ptr<InputRound> self = round.lock(); self && !self->m_isClosed)
                self->m_hooks.refused(error);
        },
        Qt::QueuedConnection);
    return {};
}

}  // namespace sonde
