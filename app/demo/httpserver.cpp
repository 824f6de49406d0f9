// SPDX-License-Identifier: Apache-2.0
#include "app/demo/httpserver.h"

#include "app/demo/httpexchange.h"
#include "app/demo/rawjson.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

// id: of the message that is refused, if it could be read.
void refuse(app::HttpPeer *connection, int status, int code, const QString &message, const QByteArray &id = {})
{
    connection->respond(status, "application/json", errorMessage(id, code, message));
}

}  // namespace

HttpServer::HttpServer(const Options &options, const Offer &offer, QObject *parent)
    : QObject(parent), m_options(options), m_state(options, offer)
{
    connect(&m_server, &app::LocalHttpServer::requested, this, &HttpServer::handle);
}

void HttpServer::handle(app::HttpPeer *connection, const app::HttpRequest &request)
{
    if (m_options.httpSse) {
        handleSse(connection, request);
        return;
    }
    const QByteArray accept = request.header("accept");
    if (request.method == "POST" && !(accept.contains("application/json") && accept.contains("text/event-stream"))) {
        connection->respond(406, app::PlainText,
                            "The Accept header of a POST must list application/json and text/event-stream.\n");
    } else if (request.method == "GET" && !accept.contains("text/event-stream")) {
        connection->respond(406, app::PlainText, "The Accept header of a GET must list text/event-stream.\n");
    } else if (request.method == "POST") {
        handlePost(connection, request);
    } else if (request.method == "GET" || request.method == "DELETE") {
        HttpSession *session = sessionOf(connection, request, {});
        if (session && request.method == "GET") {
            session->open(connection, request.header("last-event-id"));
        } else if (session) {
            m_sessions.remove(session->id());
            delete session;
            connection->respond(200, {}, {});
        }
    } else {
        connection->respond(405, app::PlainText, "Only POST, GET and DELETE are understood.\n",
                            {{"Allow", "POST, GET, DELETE"}});
    }
}

void HttpServer::handlePost(app::HttpPeer *connection, const app::HttpRequest &request)
{
    if (m_options.httpStatus != 0) {
        connection->respond(
            m_options.httpStatus, app::PlainText,
            "This server responds to every POST with status " + QByteArray::number(m_options.httpStatus) + ".\n");
        return;
    }
    QString why;
    if (!json::isValid(request.body, &why)) {
        refuse(connection, 400, ParseError, u"The body is not JSON: %1"_s.arg(why));
        return;
    }
    const QByteArray message = json::compacted(request.body);
    if (!json::isObject(message)) {
        refuse(connection, 400, InvalidRequest, u"The body must be one JSON-RPC message."_s);
        return;
    }
    if (isStatelessRequest(request, message)) {
        (new HttpExchange(m_state, connection, this))->serve(request, message);
        return;
    }
    const QByteArray written = json::member(message, u"id"_s);
    const QByteArray messageId = json::isString(written) || json::isInteger(written) ? written : QByteArray();
    if (json::text(json::member(message, u"method"_s)) != "initialize"_L1) {
        if (HttpSession *session = sessionOf(connection, request, messageId))
            session->post(connection, message);
        return;
    }
    if (!request.header("mcp-session-id").isEmpty()) {
        refuse(connection, 400, InvalidRequest, u"A new session starts without Mcp-Session-Id."_s, messageId);
        return;
    }
    const QByteArray id = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    auto *session = new HttpSession(id, m_state, this);
    session->post(connection, message);
    if (!session->session().revision().isEmpty()) {
        session->usedUp();
        m_sessions.insert(id, session);
    } else if (!m_options.neverResponse.contains(u"initialize"_s)) {
        delete session;  // refused
    }
}

// A session says which era a message is of, then the message itself, then the version in the header.
bool HttpServer::isStatelessRequest(const app::HttpRequest &request, const QByteArray &message) const
{
    if (m_options.era() != Era::Both)
        return m_options.era() == Era::Stateless;
    if (!request.header("mcp-session-id").isEmpty())
        return false;
    const QString stated = QString::fromLatin1(request.header("mcp-protocol-version"));
    return isStateless(message) || (!stated.isEmpty() && !statefulRevisions().contains(stated));
}

void HttpServer::handleSse(app::HttpPeer *connection, const app::HttpRequest &request)
{
    if (request.method == "GET") {
        const QByteArray id = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
        m_sseSessions.removeIf([](const auto &session) { return session.value().isNull(); });
        m_sseSessions.insert(id, new SseSession(m_state, connection, request.path + "?session=" + id, this));
    } else if (request.method == "POST" && request.query.isEmpty()) {
        connection->respond(405, app::PlainText, "This server speaks HTTP+SSE: open its stream with GET first.\n",
                            {{"Allow", "GET"}});
    } else if (SseSession *session = m_sseSessions.value(request.query.sliced(request.query.indexOf('=') + 1))) {
        session->post(connection, request.body);
    } else {
        connection->respond(404, app::PlainText, "There is no such session.\n");
    }
}

HttpSession *HttpServer::sessionOf(app::HttpPeer *connection, const app::HttpRequest &request,
                                   const QByteArray &messageId)
{
    const QByteArray id = request.header("mcp-session-id");
    HttpSession *session = m_sessions.value(id);
    if (id.isEmpty()) {
        refuse(connection, 400, InvalidRequest, u"Mcp-Session-Id is missing."_s, messageId);
        return nullptr;
    }
    if (session && request.method == "POST" && session->usedUp()) {
        m_sessions.remove(id);
        delete std::exchange(session, nullptr);
    }
    if (!session) {
        refuse(connection, 404, InvalidRequest, u"Session not found."_s, messageId);
        return nullptr;
    }
    // Without the header the session knows the revision by itself.
    const QString stated = QString::fromLatin1(request.header("mcp-protocol-version"));
    const bool known =
        stated.isEmpty() || statefulRevisions().contains(stated) || stated == session->session().revision();
    if (session->session().isAtLeast("2025-06-18") && !known) {
        refuse(connection, 400, InvalidRequest,
               u"MCP-Protocol-Version must be %1, not '%2'."_s.arg(session->session().revision(), stated), messageId);
        return nullptr;
    }
    return session;
}

}  // namespace sonde::demo
