// SPDX-License-Identifier: Apache-2.0
#include "core/client/requiredurls.h"

#include "core/client/call.h"
#include "core/client/dialect.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

bool RequiredUrls::areIn(const Outcome &outcome)
{
    return outcome.kind == Outcome::Kind::ProtocolError && outcome.error.kind == Error::Kind::Remote &&
           outcome.error.code == errorcodes::UrlElicitationRequired && outcome.error.data[u"elicitations"].isArray() &&
           !outcome.error.data[u"elicitations"].isEmpty();
}

RequiredUrls::RequiredUrls(Client *client, const Outcome &outcome)
{
    for (const json::Value &params : outcome.error.data[u"elicitations"]) {
        if (m_entries.size() >= MaxEntries)
            break;
        // Only URLs can be required this way; a form in this place has nowhere to be sent to.
        if (params[u"mode"].string() != "url"_L1 || !params[u"url"].isString())
            continue;
        const InputEntry entry{QString::number(m_entries.size()), methods::Elicit.toString(), params};
        auto *request = new InputRequest(client, this, InputRequest::Kind::Elicitation, entry, outcome.message);
        connect(request, &InputRequest::ended, this, [this, request](InputRequest::End how) {
            if (how == InputRequest::End::Lost || how == InputRequest::End::Closed)
                setState(request, State::Lost);
        });
        m_entries.append({params[u"elicitationId"].string(), params[u"url"].string(), State::Open, request});
    }
}

RequiredUrls::~RequiredUrls()
{
    for (const Entry &entry : std::exchange(m_entries, {})) {
        if (entry.request && entry.request->isOpen())
            entry.request->end(InputRequest::End::Done);
    }
}

void RequiredUrls::complete(const QString &id)
{
    const QList<Entry> before = m_entries;
    const QPointer<RequiredUrls> alive(this);
    for (qsizetype i = 0; i < before.size() && alive; ++i) {
        const Entry &entry = before.at(i);
        if (id.isEmpty() || entry.id != id || entry.state == State::Completed)
            continue;
        m_entries[i].state = State::Completed;
        if (entry.request && entry.request->isOpen())
            entry.request->end(InputRequest::End::Done);
        if (alive)
            Q_EMIT changed();
    }
}

void RequiredUrls::lose()
{
    const QList<Entry> before = m_entries;
    for (const Entry &entry : before) {
        if (entry.request && entry.request->isOpen())
            entry.request->end(InputRequest::End::Lost);
    }
}

Error RequiredUrls::respond(InputRequest *request, const QByteArray &result)
{
    const bool accepts = json::parse(result)[u"action"].string() == "accept"_L1;
    setState(request, accepts ? State::Accepted : State::Refused);
    return {};
}

Error RequiredUrls::refuse(InputRequest *request, int, const QString &, const QByteArray &)
{
    setState(request, State::Refused);
    return {};
}

void RequiredUrls::setState(const InputRequest *request, State state)
{
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                                    [request](const Entry &each) { return each.request == request; });
    if (entry == m_entries.end() || entry->state == State::Completed)
        return;
    entry->state = state;
    Q_EMIT changed();
}

}  // namespace sonde
