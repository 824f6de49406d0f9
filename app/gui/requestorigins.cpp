// SPDX-License-Identifier: Apache-2.0
#include "app/gui/requestorigins.h"

#include "core/connection/connection.h"

namespace sonde::app {

namespace {

constexpr qint64 OriginTurnNs = 4'000'000;
constexpr qsizetype MaxOriginRows = 2'000;  // back from the newest; a request is found while it is new
constexpr int MaxOriginBatches = 8;         // of these rows; each is parsed

}  // namespace

// The message that asked: the request itself, a batch with it, or the response that asks for input.
qsizetype RequestOrigins::rowOfAsking(const Session &session, const InputRequest &request)
{
    const Message::Kind kind = request.message().kind();
    int batches = 0;
    for (qsizetype row = session.size() - 1; row >= qMax(qsizetype(0), session.size() - MaxOriginRows); --row) {
        const RecordInfo &info = session.at(row);
        if (info.kind != WireEvent::Kind::Message || info.direction != Direction::FromServer)
            continue;
        if (info.messageKind == Message::Kind::Batch && ++batches <= MaxOriginBatches &&
            requestsOfBatch(session, row).contains(request.message().id()))
            return row;
        if (info.messageKind == kind && Message::parse(session.outline(row)).id() == request.message().id())
            return row;
    }
    return -1;
}

// A batch may hold thousands of requests, each of which is looked for.
const QSet<RequestId> &RequestOrigins::requestsOfBatch(const Session &session, qsizetype row)
{
    if (m_batch.session == &session && m_batch.row == row)
        return m_batch.requests;
    m_batch = {&session, row, {}};
    const Message batch = Message::parse(session.outline(row));
    for (qsizetype i = 0; i < batch.batchSize(); ++i) {
        const Message element = Message::parse(batch.batchBytes(i));
        if (element.kind() == Message::Kind::Request)
            m_batch.requests.insert(element.id());
    }
    return m_batch.requests;
}

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
    m_wanted.append({request, session});
    if (!m_operations.contains(session)) {
        m_operations.insert(session, std::make_shared<Operations>(session));
        connect(session, &Session::appended, this, [this] {
            if (!m_wanted.isEmpty())
                m_turn.start();
        });
        connect(session, &QObject::destroyed, this, [this](const QObject *gone) {
            m_operations.remove(gone);
            m_batch = {};
        });
    }
    m_turn.start();
}

void RequestOrigins::lookOn()
{
    bool isBehind = false;
    const QList<Wanted> before = m_wanted;
    m_wanted.clear();
    for (const Wanted &wanted : before) {
        if (!wanted.request || !wanted.session)
            continue;
        const std::shared_ptr<Operations> operations = m_operations.value(wanted.session);
        if (operations && !operations->advance(OriginTurnNs)) {
            isBehind = true;
            m_wanted.append(wanted);
        } else if (!isSettled(wanted)) {
            m_wanted.append(wanted);  // it is written at the end of this turn
        }
    }
    if (isBehind)
        m_turn.start();
}

bool RequestOrigins::isSettled(const Wanted &wanted)
{
    const std::shared_ptr<Operations> operations = m_operations.value(wanted.session);
    const qsizetype row = rowOfAsking(*wanted.session, *wanted.request);
    if (!operations || row < 0)
        return !operations;
    const qsizetype operation = operations->operationOf(row);
    if (operation < 0 || !operations->at(operation).isLocal)
        return true;
    const RecordInfo &asked = wanted.session->at(operations->requestRow(operation));
    const QString target = wanted.session->name(asked.target);
    const qsizetype waiting = operations->at(operation).currentRow;
    Q_EMIT found(wanted.request, target.isEmpty() ? wanted.session->name(asked.method) : target,
                 Message::parse(wanted.session->outline(waiting)).id());
    return true;
}

}  // namespace sonde::app
