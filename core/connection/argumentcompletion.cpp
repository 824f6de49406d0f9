// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentcompletion.h"

#include "core/connection/connection.h"
#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/protocol/revision.h"

#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr auto PauseInTyping = 250ms;
constexpr int MethodNotFound = -32601;
}  // namespace

ArgumentCompletion::ArgumentCompletion(Connection *connection, Reference reference, QObject *parent)
    : QObject(parent), m_connection(connection), m_reference(std::move(reference))
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(PauseInTyping);
    connect(&m_delay, &QTimer::timeout, this, &ArgumentCompletion::ask);
    connect(connection, &Connection::stateChanged, this, [this] {
        if (m_connection && m_connection->state() != Connection::State::Connected)
            m_isUnknown = false;  // another start, perhaps of another version
    });
}

ArgumentCompletion::~ArgumentCompletion()
{
    stop();
}

bool ArgumentCompletion::isOffered() const
{
    if (!m_connection || m_connection->state() != Connection::State::Connected || m_isUnknown)
        return false;
    const ServerInfo &server = m_connection->serverInfo();
    return server.capabilities[u"completions"].exists() ||
           revisionFromString(server.protocolVersion) == Revision::R20241105;
}

void ArgumentCompletion::complete(const QString &argument, const QString &text, const QByteArray &others)
{
    stop();
    m_argument = argument;
    m_text = text;
    m_others = others;
    m_delay.start();
}

void ArgumentCompletion::completeNow(const QString &argument, const QString &text, const QByteArray &others)
{
    complete(argument, text, others);
    m_delay.stop();
    ask();
}

void ArgumentCompletion::stop()
{
    m_delay.stop();
    if (!m_call)
        return;
    m_call->disconnect(this);
    std::exchange(m_call, nullptr)->cancel();
}

void ArgumentCompletion::ask()
{
    if (!isOffered())
        return;
    m_call = m_connection->request(methods::Complete, params());
    connect(m_call, &Call::finished, this, &ArgumentCompletion::onFinished);
}

QByteArray ArgumentCompletion::params() const
{
    const bool isPrompt = m_reference.kind == Reference::Kind::Prompt;
    json::Builder builder;
    builder.beginObject().key(u"ref").beginObject();
    builder.member(u"type", isPrompt ? u"ref/prompt" : u"ref/resource");
    builder.member(isPrompt ? u"name" : u"uri", m_reference.key).endObject();
    builder.key(u"argument").beginObject().member(u"name", m_argument).member(u"value", m_text).endObject();
    // Since 2025-06-18. All values are strings there.
    const std::optional<Revision> revision = revisionFromString(m_connection->serverInfo().protocolVersion);
    const json::Value others = json::parse(m_others);
    if (revision && *revision >= Revision::R20250618 && !others.isEmpty()) {
        builder.key(u"context").beginObject().key(u"arguments").beginObject();
        for (const json::Value &other : others) {
            if (other.isString() && other.key() != m_argument)
                builder.member(other.key(), other.string());
        }
        builder.endObject().endObject();
    }
    return builder.endObject().take();
}

void ArgumentCompletion::onFinished(const Outcome &outcome)
{
    m_call = nullptr;
    m_isUnknown = outcome.kind == Outcome::Kind::ProtocolError && outcome.error.code == MethodNotFound;
    const json::Value completion = outcome.result()[u"completion"];
    if (outcome.kind != Outcome::Kind::Ok || !completion.isObject())
        return;
    Suggestions suggestions{m_argument, m_text, {}, completion[u"total"].toInteger(), completion[u"hasMore"].toBool()};
    for (const json::Value &value : completion[u"values"]) {
        if (suggestions.values.size() == MaxValues) {
            suggestions.hasMore = true;
            break;
        }
        if (value.isString())
            suggestions.values.append(value.string());
    }
    Q_EMIT suggested(suggestions);
}

}  // namespace sonde
