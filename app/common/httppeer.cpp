// SPDX-License-Identifier: Apache-2.0
#include "app/common/httppeer.h"

#include <QTcpSocket>

namespace sonde::app {
namespace {

constexpr qsizetype MaxHead = 64 * 1024;
constexpr qsizetype MaxBody = qsizetype(256) * 1024 * 1024;

QByteArray reason(int status)
{
    static const QHash<int, QByteArray> reasons{{200, "OK"},
                                                {202, "Accepted"},
                                                {400, "Bad Request"},
                                                {403, "Forbidden"},
                                                {404, "Not Found"},
                                                {405, "Method Not Allowed"},
                                                {406, "Not Acceptable"},
                                                {409, "Conflict"},
                                                {411, "Length Required"},
                                                {413, "Content Too Large"},
                                                {415, "Unsupported Media Type"},
                                                {431, "Request Header Fields Too Large"},
                                                {500, "Internal Server Error"},
                                                {503, "Service Unavailable"}};
    return reasons.value(status, "Status");
}

QByteArray head(int status, const HttpHeaders &headers)
{
    QByteArray text = "HTTP/1.1 " + QByteArray::number(status) + ' ' + reason(status) + "\r\n";
    for (const auto &[name, value] : headers)
        text += name + ": " + value + "\r\n";
    return text + "\r\n";
}

}  // namespace

HttpPeer::HttpPeer(QTcpSocket *socket, QObject *parent) : QObject(parent), m_socket(socket)
{
    socket->setParent(this);
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(socket, &QTcpSocket::readyRead, this, &HttpPeer::readRequests);
    connect(socket, &QTcpSocket::disconnected, this, &QObject::deleteLater);
}

void HttpPeer::readRequests()
{
    m_buffer += m_socket->readAll();
    if (m_answering && m_buffer.size() > MaxBody)
        return m_socket->abort();
    while (!m_answering && (m_haveHead || readHead()) && readBody()) {
        m_answering = true;
        m_haveHead = false;
        Q_EMIT requested(std::exchange(m_request, {}));
    }
}

// False: more bytes are needed, or the request was refused.
bool HttpPeer::readHead()
{
    const qsizetype end = m_buffer.indexOf("\r\n\r\n");
    if (end < 0) {
        if (m_buffer.size() > MaxHead)
            refuse(431, "The head of the request is too large.");
        return false;
    }
    const QList<QByteArray> lines = m_buffer.first(end).split('\n');
    const QList<QByteArray> words = lines.first().trimmed().split(' ');
    if (words.size() != 3 || !words.last().startsWith("HTTP/1.")) {
        refuse(400, "This is not HTTP/1.1.");
        return false;
    }
    m_request.method = words.at(0);
    const qsizetype mark = words.at(1).indexOf('?');
    m_request.path = mark < 0 ? words.at(1) : words.at(1).first(mark);
    m_request.query = mark < 0 ? QByteArray() : words.at(1).sliced(mark + 1);
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            m_request.headers.insert(line.first(colon).trimmed().toLower(), line.mid(colon + 1).trimmed());
    }
    m_buffer.remove(0, end + 4);
    m_haveHead = true;
    if (m_request.header("expect").toLower() == "100-continue")
        m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
    return true;
}

bool HttpPeer::readBody()
{
    if (m_request.header("transfer-encoding").toLower() == "chunked")
        return readChunks();
    bool ok = true;
    const QByteArray stated = m_request.header("content-length");
    const qint64 length = stated.isEmpty() ? 0 : stated.toLongLong(&ok);
    if (!ok || length < 0 || length > MaxBody) {
        refuse(ok && length > MaxBody ? 413 : 400, "The Content-Length is invalid or too large.");
        return false;
    }
    if (m_buffer.size() < length)
        return false;
    m_request.body = m_buffer.first(length);
    m_buffer.remove(0, length);
    return true;
}

bool HttpPeer::readChunks()
{
    while (true) {
        const qsizetype lineEnd = m_buffer.indexOf("\r\n");
        if (lineEnd < 0)
            return false;
        bool ok = false;
        const qint64 length = m_buffer.first(lineEnd).split(';').first().trimmed().toLongLong(&ok, 16);
        if (!ok || length < 0 || m_request.body.size() + length > MaxBody) {
            refuse(400, "A chunk of the body is invalid or too large.");
            return false;
        }
        if (m_buffer.size() < lineEnd + 2 + length + 2)
            return false;
        m_request.body += m_buffer.mid(lineEnd + 2, length);
        m_buffer.remove(0, lineEnd + 2 + length + 2);
        if (length == 0)
            return true;
    }
}

void HttpPeer::refuse(int status, const QByteArray &why)
{
    m_answering = true;  // nothing more is read from here
    respond(status, "text/plain; charset=utf-8", why + '\n', {{"Connection", "close"}});
    m_socket->disconnectFromHost();
}

void HttpPeer::respond(int status, const QByteArray &contentType, const QByteArray &body, const HttpHeaders &headers)
{
    HttpHeaders all = headers;
    if (!contentType.isEmpty())
        all.emplaceBack("Content-Type", contentType);
    all.emplaceBack("Content-Length", QByteArray::number(body.size()));
    m_socket->write(head(status, all) + body);
    answered();
}

void HttpPeer::beginEvents(const HttpHeaders &headers)
{
    HttpHeaders all = headers;
    all.emplaceBack("Content-Type", "text/event-stream");
    all.emplaceBack("Cache-Control", "no-cache");
    all.emplaceBack("Transfer-Encoding", "chunked");
    m_socket->write(head(200, all));
}

void HttpPeer::sendEvent(const QByteArray &event)
{
    m_socket->write(QByteArray::number(event.size(), 16) + "\r\n" + event + "\r\n");
}

void HttpPeer::endEvents()
{
    m_socket->write("0\r\n\r\n");
    answered();
}

void HttpPeer::answered()
{
    m_answering = false;
    // A request may be waiting in the buffer; it must not start within the slot that ended the previous one.
    QMetaObject::invokeMethod(this, &HttpPeer::readRequests, Qt::QueuedConnection);
}

}  // namespace sonde::app
