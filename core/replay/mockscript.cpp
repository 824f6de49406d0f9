// SPDX-License-Identifier: Apache-2.0
#include "core/replay/mockscript.h"

#include "core/calls/operations.h"
#include "core/protocol/messagefields.h"
#include "core/protocol/methods.h"
#include "core/protocol/revision.h"
#include "core/session/sessionindex.h"

#include <QCoreApplication>
#include <algorithm>

namespace sonde {

namespace {

bool speaksBatches(QStringView revision)
{
    const std::optional<Revision> known = revisionFromString(revision);
    return known && supports(*known, Feature::Batches);
}

}  // namespace

// Fills a script, going through its recording once for the requests and once for the responses.
class MockScript::Reader {
public:
    explicit Reader(MockScript *script) : m_script(*script), m_recording(*script->m_session) {}

    bool readCalls();  // false: there was no handshake
    void readMessages();

private:
    void beginConnection(int connection);
    void take(qsizetype row);
    void begin(qsizetype exchange);
    void end(qsizetype exchange, qsizetype row);
    void takeSaid(Item item, Message::Kind kind, QStringView method);
    qsizetype ownerOf(const Item &item, QStringView method);
    qsizetype linkedRequest(qsizetype row);

    MockScript &m_script;
    const Session &m_recording;
    std::unique_ptr<Operations> m_operations;      // once several were open at a time
    QHash<qsizetype, QList<qsizetype>> m_askedIn;  // exchanges, by the rows of their requests
    QHash<qsizetype, QList<qsizetype>> m_answeredIn;
    QList<RecordedCall> m_serverRequests;
    qsizetype m_nextServerRequest = 0;
    // Of this connection.
    int m_connection = -1;
    QList<qsizetype> m_open;     // exchanges without their response yet, the latest last
    QList<qsizetype> m_askable;  // those among them in the course of which a server may ask
    qsizetype m_latest = -1;
    QHash<QByteArray, qsizetype> m_tokens;
};

bool MockScript::Reader::readCalls()
{
    bool hasHandshake = false;
    const QList<RecordedCall> calls = recordedCalls(m_recording);
    m_script.m_capabilities = recordedCapabilities(m_recording, calls);
    for (const RecordedCall &call : calls) {
        const qsizetype index = m_script.m_exchanges.size();
        m_script.m_exchanges.append({call, {}});
        m_askedIn[call.row].append(index);
        if (call.responseRow >= 0)
            m_answeredIn[call.responseRow].append(index);
        const QString method = methodOf(m_recording, call);
        ++m_script.m_methods[method];
        m_script.m_byTarget[{method, targetOf(requestOf(m_recording, call))}].append(index);
        if (!isHandshake(m_recording, call))
            continue;
        hasHandshake = true;
        const json::Value revision = responseOf(m_recording, call).result()[u"protocolVersion"];
        m_script.m_hasBatches = speaksBatches(revision.string());
    }
    return hasHandshake;
}

void MockScript::Reader::readMessages()
{
    m_serverRequests = recordedCalls(m_recording, Direction::FromServer);
    for (qsizetype row = 0; row < m_recording.size(); ++row) {
        if (m_recording.at(row).kind == WireEvent::Kind::Message)
            take(row);
    }
}

void MockScript::Reader::beginConnection(int connection)
{
    m_connection = connection;
    m_open.clear();
    m_askable.clear();
    m_latest = -1;
    m_tokens.clear();
}

void MockScript::Reader::take(qsizetype row)
{
    const RecordInfo &info = m_recording.at(row);
    if (info.connection != m_connection)
        beginConnection(info.connection);
    for (const qsizetype exchange : m_askedIn.value(row))
        begin(exchange);
    if (info.direction != Direction::FromServer)
        return;
    if (info.messageKind != Message::Kind::Batch) {
        takeSaid({row, 0, Item::Kind::Notification, -1, {}}, info.messageKind, m_recording.name(info.method));
    } else {
        for (const Message &element : m_recording.message(row).batch())
            takeSaid({row, 0, Item::Kind::Notification, -1, element}, element.kind(), element.method());
    }
    for (const qsizetype exchange : m_answeredIn.value(row))
        end(exchange, row);
}

void MockScript::Reader::begin(qsizetype exchange)
{
    const RecordedCall &call = m_script.m_exchanges[exchange].call;
    m_latest = exchange;
    m_open.append(exchange);
    if (mayBeAskedDuring(methodOf(m_recording, call)))
        m_askable.append(exchange);
    const json::Value token = requestOf(m_recording, call).params()[u"_meta"][u"progressToken"];
    if (token.exists())
        m_tokens.insert(token.bytes(), exchange);
}

void MockScript::Reader::end(qsizetype exchange, qsizetype row)
{
    m_script.addItem({row, 0, Item::Kind::Response, -1, m_script.m_exchanges[exchange].call.response}, exchange);
    m_open.removeAll(exchange);
    m_askable.removeAll(exchange);
}

// What the server said by itself.
void MockScript::Reader::takeSaid(Item item, Message::Kind kind, QStringView method)
{
    if (kind == Message::Kind::Request) {
        item.kind = Item::Kind::ServerRequest;
        item.responseRow = m_serverRequests[m_nextServerRequest++].responseRow;
    } else if (kind != Message::Kind::Notification) {
        return;
    }
    const qsizetype owner = ownerOf(item, method);
    if (owner >= 0)
        m_script.addItem(item, owner);
}

// The exchange in the course of which it was said. Where nothing tells, as on the stream of a GET, the latest one that
// was open; of server requests and logs, the latest in which a server may ask: they do not come on account of a list
// that was refreshed meanwhile.
qsizetype MockScript::Reader::ownerOf(const Item &item, QStringView method)
{
    if (item.kind == Item::Kind::Notification && method == methods::Progress) {
        const json::Value token = m_script.message(item).params()[u"progressToken"];
        if (const auto asked = m_tokens.constFind(token.bytes()); asked != m_tokens.constEnd())
            return *asked;
    }
    if (m_open.size() < 2)
        return m_open.value(0, m_latest);
    const qsizetype request = linkedRequest(item.row);
    const auto owner = std::find_if(m_open.crbegin(), m_open.crend(), [this, request](qsizetype exchange) {
        return m_script.m_exchanges[exchange].call.row == request;
    });
    if (owner != m_open.crend())
        return *owner;
    const bool asksOrLogs = item.kind == Item::Kind::ServerRequest || method == methods::LogMessage;
    if (asksOrLogs && !m_askable.isEmpty())
        return m_askable.constLast();
    return m_open.constLast();
}

qsizetype MockScript::Reader::linkedRequest(qsizetype row)
{
    if (!m_operations) {
        m_operations = std::make_unique<Operations>(&m_recording);
        m_operations->advance();
    }
    return m_operations->requestDuring(row);
}

Result<std::shared_ptr<const MockScript>> MockScript::read(std::unique_ptr<Session> session)
{
    auto script = std::make_shared<MockScript>();
    script->m_session = std::move(session);
    Reader reader(script.get());
    if (!reader.readCalls())
        return Error::local(
            QCoreApplication::translate("sonde::MockServer", "The session does not contain a completed handshake."));
    reader.readMessages();
    return std::shared_ptr<const MockScript>(script);
}
void MockScript::addItem(Item item, qsizetype exchange)
{
    Exchange &to = m_exchanges[exchange];
    item.afterNs = m_session->at(item.row).timeNs - m_session->at(to.call.row).timeNs;
    to.items.append(item);
}

Message MockScript::message(const Item &item) const
{
    return item.element.kind() == Message::Kind::Invalid ? m_session->message(item.row) : item.element;
}

QList<qsizetype> MockScript::matching(const Message &request) const
{
    QList<qsizetype> result;
    if (request.method() == methods::Initialize) {
        for (qsizetype i = 0; i < m_exchanges.size(); ++i) {
            const RecordedCall &call = m_exchanges[i].call;
            if (call.responseRow >= 0 && methodOf(*m_session, call) == methods::Initialize)
                result.append(i);
        }
        return result;
    }
    const json::Value params = request.params();
    for (const qsizetype index : m_byTarget.value({request.method(), targetOf(request)})) {
        if (haveSameParams(params, requestOf(*m_session, m_exchanges[index].call).params()))
            result.append(index);
    }
    return result;
}

}  // namespace sonde
