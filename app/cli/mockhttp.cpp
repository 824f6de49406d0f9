// SPDX-License-Identifier: Apache-2.0
#include "app/cli/mockhttp.h"

#include "core/protocol/methods.h"

#include <QSet>
#include <QUuid>

namespace sonde::cli {
namespace {

constexpr qsizetype MaxConversations = 1000;

// Line breaks of JSON are white space: a line of its own each.
QByteArray eventOf(const QByteArray &message)
{
    QByteArray data = message;
    data.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\ndata: ");
    return "event: message\ndata: " + data + "\n\n";
}

}  // namespace

MockHttp::MockHttp(std::shared_ptr<const MockScript> script, MockServer::Timing timing)
    : m_script(std::move(script)), m_timing(timing)
{
    connect(&m_server, &app::LocalHttpServer::requested, this, &MockHttp::handle);
}

MockHttp::~MockHttp() = default;

void MockHttp::handle(app::HttpPeer *peer, const app::HttpRequest &request)
{
    if (request.method == "POST") {
        post(peer, request);
    } else if (request.method == "DELETE") {
        MockServer *ended = m_conversations.take(request.header("mcp-session-id"));
        peer->respond(ended ? 200 : 404);
        delete ended;
    } else {
        peer->respond(405, app::PlainText, "Only POST and DELETE are understood.\n", {{"Allow", "POST, DELETE"}});
    }
}

MockServer *MockHttp::conversation(const app::HttpRequest &request, const Message &message, QByteArray *newId)
{
    if (message.params()[u"_meta"].contains(u"io.modelcontextprotocol/protocolVersion")) {
        if (!m_stateless)
            m_stateless = new MockServer(m_script, m_timing, this);
        return m_stateless;
    }
    if (message.method() != methods::Initialize)
        return m_conversations.value(request.header("mcp-session-id"));
    if (m_conversations.size() >= MaxConversations)
        return nullptr;
    *newId = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    auto *server = new MockServer(m_script, m_timing, this);
    m_conversations.insert(*newId, server);
    return server;
}

void MockHttp::post(app::HttpPeer *peer, const app::HttpRequest &request)
{
    const Message message = Message::parse(request.body);
    QByteArray newId;
    MockServer *server = conversation(request, message, &newId);
    if (!server) {
        const bool isFull = message.method() == methods::Initialize;
        peer->respond(isFull                                       ? 503
                      : request.headers.contains("mcp-session-id") ? 404
                                                                   : 400,
                      app::PlainText,
                      isFull ? "There are too many conversations.\n"
                             : "Mcp-Session-Id has to name a conversation that initialize began.\n");
        return;
    }
    const bool isBatch = message.kind() == Message::Kind::Batch && m_script->hasBatches();
    QSet<RequestId> awaited;
    for (const Message &each : isBatch ? message.batch() : QList<Message>{message}) {
        if (each.kind() == Message::Kind::Request && each.id().isMatchable())
            awaited.insert(each.id());
    }
    if (awaited.isEmpty()) {
        const bool isUsable = isBatch || message.kind() == Message::Kind::Notification || message.isResponse();
        if (isUsable)
            server->receive(message);
        peer->respond(isUsable ? 202 : 400);
        return;
    }
    peer->beginEvents(newId.isEmpty() ? app::HttpHeaders() : app::HttpHeaders{{"Mcp-Session-Id", newId}});
    // Lives until the response is out or the peer is gone.
    auto *stream = new QObject(peer);
    connect(server, &QObject::destroyed, stream, [peer, stream] {
        peer->endEvents();
        delete stream;
    });
    connect(server, &MockServer::sent, stream,
            [server, peer, stream, awaited](const QByteArray &bytes, const RequestId &about, bool isLast) mutable {
                if (!awaited.contains(about))
                    return;
                if (!bytes.isEmpty())
                    peer->sendEvent(eventOf(bytes));
                if (isLast)
                    awaited.remove(about);
                if (!awaited.isEmpty())
                    return;
                peer->endEvents();
                server->disconnect(stream);
                stream->deleteLater();
            });
    server->receive(message);
}

}  // namespace sonde::cli
