// SPDX-License-Identifier: Apache-2.0
#include "app/demo/httpsession.h"

#include "app/demo/rawjson.h"

using namespace Qt::StringLiterals;

namespace sonde::demo {
namespace {

constexpr int MaxStreams = 200;
constexpr char RetryMs[] = "200";

}  // namespace

HttpSession::HttpSession(const QByteArray &id, ServerState &state, QObject *parent)
    : QObject(parent), m_id(id), m_options(state.options()), m_session(state)
{
    m_streams.insert(0, {});
    connect(&m_session, &Session::sent, this, &HttpSession::route);
    connect(&m_session, &Session::ended, this, &HttpSession::endRequest);
}

HttpSession::~HttpSession()
{
    for (Stream &stream : m_streams)
        close(stream);
}

bool HttpSession::usedUp()
{
    return m_options.forgetSessionAfter > 0 && ++m_posts > m_options.forgetSessionAfter;
}

void HttpSession::post(app::HttpPeer *connection, const QByteArray &message)
{
    const QByteArray id = json::member(message, u"id"_s);
    const QByteArray method = json::member(message, u"method"_s);
    if (id.isEmpty() || method.isEmpty()) {
        connection->respond(202, {}, {});
        m_session.receive(message);
        return;
    }
    const int number = ++m_lastStream;
    Stream stream;
    stream.connection = connection;
    m_streams.insert(number, stream);
    m_streamOf.insert(id, number);
    forgetOldStreams();
    if (json::text(method) == "initialize"_L1)
        m_initializing = id;
    else if (m_options.has(Fault::AlwaysStream))
        begin(number, m_streams[number]);
    m_session.receive(message);
}

void HttpSession::open(app::HttpPeer *connection, const QByteArray &lastEventId)
{
    int number = 0;
    if (!lastEventId.isEmpty()) {
        const QList<QByteArray> parts = lastEventId.split('-');
        bool ok = parts.size() == 2;
        number = ok ? parts.first().toInt(&ok) : 0;
        const qsizetype seen = ok ? parts.last().toLongLong(&ok) : 0;
        if (!ok || !m_streams.contains(number) || seen < 0 || seen > m_streams[number].messages.size()) {
            connection->respond(404, "text/plain; charset=utf-8", "There is no such event to resume from.\n");
            return;
        }
        m_streams[number].delivered = seen;
    }
    Stream &stream = m_streams[number];
    if (stream.connection && lastEventId.isEmpty()) {
        connection->respond(409, "text/plain; charset=utf-8", "This session has its GET stream already.\n");
        return;
    }
    if (stream.connection)
        stream.connection->endEvents();
    stream.connection = connection;
    stream.begun = true;
    connection->beginEvents();
    deliver(number, stream);
    if (stream.ended)
        close(stream);
}

void HttpSession::route(const QByteArray &message, const QByteArray &request)
{
    const int number = m_streamOf.value(request, 0);
    Stream &stream = m_streams[number];
    const bool isResponse = json::member(message, u"method"_s).isEmpty();
    if (number != 0 && !stream.begun && isResponse) {
        app::HttpHeaders headers;
        if (request == m_initializing && !m_session.revision().isEmpty())
            headers.emplaceBack("Mcp-Session-Id", m_id);
        if (stream.connection)
            stream.connection->respond(200, "application/json", message, headers);
        stream.connection = nullptr;
        m_streamOf.remove(request);
        m_streams.remove(number);
        return;
    }
    stream.messages.append(message);
    if (number != 0 && !stream.begun)
        begin(number, stream);
    deliver(number, stream);
}

void HttpSession::endRequest(const QByteArray &request)
{
    const int number = m_streamOf.take(request);
    const auto stream = m_streams.find(number);
    if (number == 0 || stream == m_streams.end())
        return;
    if (!stream->begun)
        begin(number, *stream);  // cancelled: a stream without anything says so
    stream->ended = true;
    close(*stream);
}

void HttpSession::begin(int number, Stream &stream)
{
    stream.begun = true;
    if (!stream.connection)
        return;
    stream.connection->beginEvents();
    if (m_session.isAtLeast("2025-11-25"))
        stream.connection->sendEvent("id: " + QByteArray::number(number) + "-0\nretry: " + RetryMs + "\ndata:\n\n");
    if (m_options.has(Fault::DropStreams))
        close(stream);
}

void HttpSession::deliver(int number, Stream &stream)
{
    if (!stream.connection)
        return;
    for (; stream.delivered < stream.messages.size(); ++stream.delivered) {
        const QByteArray id = QByteArray::number(number) + '-' + QByteArray::number(stream.delivered + 1);
        stream.connection->sendEvent("event: message\nid: " + id + "\ndata: " + stream.messages.at(stream.delivered) +
                                     "\n\n");
    }
}

void HttpSession::close(Stream &stream)
{
    if (stream.connection && stream.begun)
        stream.connection->endEvents();
    stream.connection = nullptr;
}

void HttpSession::forgetOldStreams()
{
    for (auto stream = m_streams.begin(); m_streams.size() > MaxStreams && stream != m_streams.end();) {
        if (stream->ended)
            stream = m_streams.erase(stream);
        else
            ++stream;
    }
}

}  // namespace sonde::demo
