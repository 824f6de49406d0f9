// SPDX-License-Identifier: Apache-2.0
#include "app/common/localhttpserver.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace sonde::app {
namespace {

constexpr char Path[] = "/mcp";

// Browsers send the name of the page's host: a page that was rebound to this address gives itself away.
bool isLocal(const QString &host)
{
    return host == "127.0.0.1"_L1 || host == "localhost"_L1 || host == "::1"_L1;
}

}  // namespace

LocalHttpServer::LocalHttpServer()
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *socket = m_server.nextPendingConnection()) {
            auto *peer = new HttpPeer(socket, this);
            connect(peer, &HttpPeer::requested, this,
                    [this, peer](const HttpRequest &request) { handle(peer, request); });
        }
    });
}

QString LocalHttpServer::listen(quint16 port)
{
    if (m_server.listen(QHostAddress::LocalHost, port))
        return {};
    return u"cannot listen on 127.0.0.1:%1: %2"_s.arg(port).arg(m_server.errorString());
}

QString LocalHttpServer::address() const
{
    return u"http://127.0.0.1:%1%2"_s.arg(m_server.serverPort()).arg(QLatin1StringView(Path));
}

void LocalHttpServer::handle(HttpPeer *peer, const HttpRequest &request)
{
    int status = 0;
    if (const QByteArray why = refusal(request, &status); !why.isEmpty())
        peer->respond(status, PlainText, why + '\n');
    else
        Q_EMIT requested(peer, request);
}

// What is wrong with the request whatever it asks for; empty when nothing is.
QByteArray LocalHttpServer::refusal(const HttpRequest &request, int *status) const
{
    *status = 403;
    const QUrl host(u"http://"_s + QString::fromLatin1(request.header("host")), QUrl::StrictMode);
    if (!isLocal(host.host()) || host.port(80) != m_server.serverPort())
        return "The Host header must name this machine.";
    const QByteArray origin = request.header("origin");
    if (!origin.isEmpty() && !isLocal(QUrl(QString::fromLatin1(origin)).host()))
        return "Pages from other origins may not use this server.";
    *status = 404;
    if (request.path != Path)
        return QByteArray("Nothing here. The endpoint is ") + Path + '.';
    *status = 415;
    if (request.method == "POST" && !request.header("content-type").toLower().startsWith("application/json"))
        return "The body of a POST must be application/json.";
    return {};
}

}  // namespace sonde::app
