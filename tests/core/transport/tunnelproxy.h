// A proxy on 127.0.0.1 that makes tunnels: CONNECT of HTTP, or SOCKS5.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHostAddress>
#include <QList>
#include <QTcpServer>
#include <QTcpSocket>
#include <memory>

namespace sonde::test {

class TunnelProxy final : public QObject {
public:
    // login: "user:password" that it asks for; empty: nothing.
    TunnelProxy(bool isSocks, const QByteArray &login) : m_isSocks(isSocks), m_login(login)
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *client = m_server.nextPendingConnection();
            connect(client, &QTcpSocket::readyRead, client, [this, client, state = std::make_shared<State>()] {
                state->input += client->readAll();
                m_isSocks ? readSocks(client, state.get()) : readConnect(client, state.get());
            });
        });
        m_server.listen(QHostAddress::LocalHost);
    }

    quint16 port() const { return m_server.serverPort(); }
    const QList<QByteArray> &targets() const { return m_targets; }  // "host:port" of each tunnel

private:
    struct State {
        QByteArray input;
        int step = 0;
        QTcpSocket *target = nullptr;
    };

    void readConnect(QTcpSocket *client, State *state)
    {
        if (state->target)
            return pass(state);
        const qsizetype end = state->input.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        const QByteArray head = state->input.left(end);
        state->input.remove(0, end + 4);
        if (!m_login.isEmpty() && !head.contains("Basic " + m_login.toBase64())) {
            client->write("HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        const QByteArray target = head.split(' ').value(1);
        const qsizetype colon = target.lastIndexOf(':');
        open(client, state, target.left(colon), target.mid(colon + 1).toUShort(), "HTTP/1.1 200 OK\r\n\r\n");
    }

    void readSocks(QTcpSocket *client, State *state)
    {
        QByteArray &input = state->input;
        if (state->target)
            return pass(state);
        if (state->step == 0 && input.size() >= 2 && input.size() >= 2 + input[1]) {
            input.remove(0, 2 + input[1]);
            client->write(m_login.isEmpty() ? QByteArray("\x05\x00", 2) : QByteArray("\x05\x02", 2));
            state->step = m_login.isEmpty() ? 2 : 1;
        }
        if (state->step == 1 && input.size() >= 2 && input.size() > 2 + input[1]) {
            const qsizetype nameSize = input[1];
            const qsizetype passwordSize = input[2 + nameSize];
            const QByteArray login = input.mid(2, nameSize) + ':' + input.mid(3 + nameSize, passwordSize);
            input.remove(0, 3 + nameSize + passwordSize);
            client->write(login == m_login ? QByteArray("\x01\x00", 2) : QByteArray("\x01\x01", 2));
            state->step = 2;
        }
        if (state->step != 2 || input.size() < 10)
            return;
        const bool isName = input[3] == 3;
        const qsizetype size = isName ? 5 + input[4] : 8;
        const QByteArray host = isName ? input.mid(5, input[4])
                                       : QHostAddress(quint32(uchar(input[4])) << 24 | uchar(input[5]) << 16 |
                                                      uchar(input[6]) << 8 | uchar(input[7]))
                                             .toString()
                                             .toLatin1();
        const auto port = quint16(uchar(input[size]) << 8 | uchar(input[size + 1]));
        input.remove(0, size + 2);
        open(client, state, host, port, QByteArray("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x01", 10));
    }

    void open(QTcpSocket *client, State *state, const QByteArray &host, quint16 port, const QByteArray &yes)
    {
        m_targets.append(host + ':' + QByteArray::number(port));
        state->target = new QTcpSocket(client);
        QTcpSocket *target = state->target;
        connect(target, &QTcpSocket::connected, client, [client, yes] { client->write(yes); });
        connect(target, &QTcpSocket::readyRead, client, [client, target] { client->write(target->readAll()); });
        connect(target, &QTcpSocket::disconnected, client, [client] { client->disconnectFromHost(); });
        target->connectToHost(QString::fromLatin1(host), port);
        pass(state);
    }

    static void pass(State *state)
    {
        state->target->write(state->input);
        state->input.clear();
    }

    const bool m_isSocks;
    const QByteArray m_login;
    QTcpServer m_server;
    QList<QByteArray> m_targets;
};

}  // namespace sonde::test
