// The rules of Sonde's HTTP: which headers may be sent, which redirects are followed, what a failure is called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/transport/messageheaders.h"

#include <QAbstractSocket>
#include <QByteArray>
#include <QList>
#include <QSslCertificate>
#include <QSslError>
#include <QUrl>
#include <optional>

class QDateTime;

namespace sonde::http {

using HeaderList = MessageHeaders;

bool isSessionId(QByteArrayView id);  // 0x21 to 0x7E, as MCP has it
// Headers that Sonde sets itself: nobody else may.
bool isReserved(QByteArrayView name);
// The first of a person's headers that cannot be sent, in words; None when all can.
Error checkHeaders(const HeaderList &headers);
Error checkUrl(const QUrl &url);

QList<QByteArray> namesOf(const HeaderList &headers);
QByteArray valueOf(const HeaderList &headers, QByteArrayView name);  // without regard to case; the first one
// "application/json" of "Application/JSON; charset=utf-8".
QByteArray mediaType(QByteArrayView contentType);

QByteArray hostHeader(const QUrl &url);  // the value of Host
bool isSameOrigin(const QUrl &left, const QUrl &right);
bool isRedirect(int status);
// Where to go next, or why not. Credentials and calls stay with the origin they were meant for.
Result<QUrl> redirectTarget(const QUrl &from, int status, const QByteArray &location, int hopsLeft);

QString hostAndPort(const QUrl &url);  // for people
// Why the certificate of a server was not taken.
struct TlsEvidence {
    QList<QSslError> errors;
    QSslCertificate certificate;  // the server's own
    bool acceptsAnother = false;  // the person has made an exception, but not for this one
};
// Whether a failed handshake says that the other side speaks no TLS at all. qtText: of the socket.
bool speaksNoTls(const QString &qtText);
// The network failed: refused, no such host, TLS and so on. UnknownSocketError: the server closed the connection.
Error networkError(QAbstractSocket::SocketError code, const QString &qtText, const QUrl &url, const TlsEvidence &tls);
// The server answered with a status that is no success.
Error statusError(int status, const QByteArray &reason, const HeaderList &headers, const QByteArray &body);
// The server, or something in front of it, cannot respond for now: what it says is no response to the request.
bool isOutage(int status);
// What is shown of a body: its first 2 KiB.
QString shownBody(const QByteArray &body);
// Retry-After in seconds: a number or a date; nothing when it is neither.
std::optional<qint64> retryAfter(const QByteArray &value, const QDateTime &now);

}  // namespace sonde::http
