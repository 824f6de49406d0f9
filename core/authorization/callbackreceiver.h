// Receives the browser that an authorization server sends back to this computer. RFC 8252, section 7.3.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QObject>
#include <QTimer>
#include <QUrl>
#include <memory>

class QTcpServer;
class QTcpSocket;

namespace sonde {

// The only socket that Sonde listens on, on this computer alone and for one answer: it is closed when that has come,
// after five minutes and with this object. Other requests are rejected and change nothing.
class CallbackReceiver final : public QObject {
    Q_OBJECT
public:
    explicit CallbackReceiver(QObject *parent = nullptr);
    ~CallbackReceiver() override;

    // wanted: an address of this computer whose port has to be that one; empty: any free port of 127.0.0.1.
    Error listen(const QUrl &wanted = {});
    const QUrl &address() const { return m_address; }  // empty while nobody listens
    bool isListening() const;

    // Takes the first request to the address that carries this state.
    void expect(const QByteArray &state);
    void close();  // nobody listens any more

Q_SIGNALS:
    void received(const QUrl &address);  // with its query; nobody listens any more
    void strayReceived();                // at the right address, without the right state: it goes on
    void timedOut();                     // nobody listens any more

private:
    void admit();
    void read(QTcpSocket *socket);
    void respond(QTcpSocket *socket, const QByteArray &status, const QString &text);

    std::unique_ptr<QTcpServer> m_server;
    QUrl m_address;
    QByteArray m_state;
    QTimer m_deadline;
};

}  // namespace sonde
