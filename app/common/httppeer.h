// One HTTP/1.1 connection to a server of ours: requests in, responses or event streams out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QObject>

class QTcpSocket;

namespace sonde::app {

struct HttpRequest {
    QByteArray method;
    QByteArray path;
    QByteArray query;                       // without its question mark
    QHash<QByteArray, QByteArray> headers;  // names in lower case
    QByteArray body;

    QByteArray header(const char *lowerCaseName) const { return headers.value(lowerCaseName); }
};

using HttpHeaders = QList<std::pair<QByteArray, QByteArray>>;

// Reads the next request only after the previous one got its response. Deletes itself when the client is gone.
class HttpPeer : public QObject {
    Q_OBJECT
public:
    HttpPeer(QTcpSocket *socket, QObject *parent);

    void respond(int status, const QByteArray &contentType = {}, const QByteArray &body = {},
                 const HttpHeaders &headers = {});
    void beginEvents(const HttpHeaders &headers = {});
    void sendEvent(const QByteArray &event);  // whole, with its blank line
    void endEvents();

Q_SIGNALS:
    void requested(const sonde::app::HttpRequest &request);

private:
    void readRequests();
    bool readHead();
    bool readBody();
    bool readChunks();
    void refuse(int status, const QByteArray &why);
    void answered();

    QTcpSocket *m_socket;
    QByteArray m_buffer;
    HttpRequest m_request;
    bool m_haveHead = false;
    bool m_answering = false;
};

}  // namespace sonde::app
