// SPDX-License-Identifier: Apache-2.0
#include "app/gui/requestorigins.h"

#include "core/connection/connection.h"
#include "core/transport/turnbudget.h"

#include <utility>

namespace sonde::app {

namespace {

constexpr qint64 OriginTurnNs = 4'000'000;

}  // namespace

RequestOrigins::RequestOrigins(QObject *parent) : QObject(parent)
{
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &RequestOrigins::lookOn);
}

RequestOrigins::~RequestOrigins() = default;

void RequestOrigins::find(Connection *connection, InputRequest *request)
{
    Session *session = connection->session();
    m_wanted.append({request, session, connection->startNumber()});
    if (!m_operations.contains(session)) {
        m_operations.insert(session, std::make_shared<Operations>(session));
        connect(session, &Session::appended, this, [this] {
            if (!m_wanted.isEmpty())
                m_turn.start();
        });
        connect(session, &QObject::destroyed, this, [this](const QObject *gone) { m_operations.remove(gone); });
    }
    m_turn.start();
}

void RequestOrigins::lookOn()
{
    const TurnBudget budget;
    bool isBehind = false;
    const QList<Wanted> before = std::exchange(m_wanted, {});
    for (const Wanted &wanted : before) {
        isBehind = isBehind || budget.isSpent();
        if (isBehind)
            m_wanted.append(wanted);
        else if (const auto operations = m_operations.value(wanted.session); !operations || !wanted.request)
            continue;
        else if (isBehind = !operations->advance(OriginTurnNs); isBehind || !isSettled(wanted))
            m_wanted.append(wanted);  // where it is not behind, it is written at the end of this turn
    }
    if (isBehind)
        m_turn.start();
}

bool RequestOrigins::isSettled(const Wanted &wanted)
{
    const std::shared_ptr<Operations> operations = m_operations.value(wanted.session);
    // What asked: the request itself, a batch with it, or the response to a request of ours.
    const Message &asking = wanted.request->message();
    const bool isServerRequest = asking.kind() == Message::Kind::Request;
    const qsizetype row = wanted.session->rowOfRequest(asking.id(), wanted.start,
                                                       isServerRequest ? Direction::FromServer : Direction::ToServer);
    if (row < 0)
        return false;
    const qsizetype operation = operations->operationOf(row);
    if (operation < 0 || !operations->at(operation).isLocal)
        return true;
    const RecordInfo &asked = wanted.session->at(operations->requestRow(operation));
    const QString target = wanted.session->name(asked.target);
    const qsizetype waiting = isServerRequest ? operations->requestDuring(row) : row;
    Q_EMIT found(wanted.request, target.isEmpty() ? wanted.session->name(asked.method) : target,
                 waiting < 0 ? RequestId() : Message::parse(wanted.session->outline(waiting)).id());
    return true;
}

}  // namespace sonde::app
