// The one socket that listens, and everything that must not get through it.
// SPDX-License-Identifier: Apache-2.0
#include "core/authorization/callbackreceiver.h"
#include "tests/support/testregistry.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestCallbackReceiver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void s1_oneAnswerIsTaken()
    {
        CallbackReceiver receiver;
        QSignalSpy received(&receiver, &CallbackReceiver::received);
        QVERIFY(!receiver.listen());
        QCOMPARE(receiver.address().host(), u"127.0.0.1"_s);
        receiver.expect("s1");
        const QUrl address = receiver.address();
        const QByteArray page = send(address, "GET /callback?code=a%2Bb&state=s1 HTTP/1.1\r\nHost: " + host(address));
        QVERIFY2(page.startsWith("HTTP/1.1 200 OK\r\n"), page.constData());
        QVERIFY(!page.contains("a+b") && !page.contains("a%2Bb"));
        QCOMPARE(received.size(), 1);
        QCOMPARE(received.first().first().toUrl().toEncoded(), address.toEncoded() + "?code=a%2Bb&state=s1");
        QVERIFY(!receiver.isListening());
        QVERIFY(receiver.address().isEmpty());
        QTcpSocket late;
        late.connectToHost(u"127.0.0.1"_s, quint16(address.port()));
        QTRY_COMPARE(late.state(), QTcpSocket::UnconnectedState);
    }

    // Nobody but the browser that was sent: the sign-in goes on as if nothing had come.
    void s1_othersAreTurnedAway_data()
    {
        QTest::addColumn<QByteArray>("request");  // %h: the host
        QTest::addColumn<QByteArray>("status");
        QTest::newRow("wrong state") << "GET /callback?code=x&state=s2 HTTP/1.1\r\nHost: %h"_ba
                                     << "400"_ba;
        QTest::newRow("no state") << "GET /callback?code=x HTTP/1.1\r\nHost: %h"_ba
                                  << "400"_ba;
        QTest::newRow("two states") << "GET /callback?code=x&state=s1&state=s1 HTTP/1.1\r\nHost: %h"_ba
                                    << "400"_ba;
        QTest::newRow("another path") << "GET /?code=x&state=s1 HTTP/1.1\r\nHost: %h"_ba
                                      << "404"_ba;
        QTest::newRow("favicon") << "GET /favicon.ico HTTP/1.1\r\nHost: %h"_ba
                                 << "404"_ba;
        QTest::newRow("POST") << "POST /callback?code=x&state=s1 HTTP/1.1\r\nHost: %h"_ba
                              << "404"_ba;
        QTest::newRow("HEAD") << "HEAD /callback?code=x&state=s1 HTTP/1.1\r\nHost: %h"_ba
                              << "404"_ba;
        QTest::newRow("foreign host") << "GET /callback?code=x&state=s1 HTTP/1.1\r\nHost: evil.example"_ba
                                      << "404"_ba;
        QTest::newRow("no host") << "GET /callback?code=x&state=s1 HTTP/1.1\r\nX: y"_ba
                                 << "404"_ba;
        QTest::newRow("absolute form") << "GET http://evil.example/callback?state=s1 HTTP/1.1\r\nHost: %h"_ba
                                       << "404"_ba;
        QTest::newRow("not HTTP") << "\x16\x03\x01 hello"_ba
                                  << "404"_ba;
        QTest::newRow("1 MB request line") << "GET /callback?state=s1&x=" + QByteArray(1024 * 1024, 'a') + " HTTP/1.1"
                                           << "431"_ba;
    }
    void s1_othersAreTurnedAway()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, status);
        CallbackReceiver receiver;
        QSignalSpy received(&receiver, &CallbackReceiver::received);
        QSignalSpy stray(&receiver, &CallbackReceiver::strayReceived);
        QVERIFY(!receiver.listen());
        receiver.expect("s1");
        const QUrl address = receiver.address();
        const QByteArray page = send(address, request.replace("%h", host(address)));
        QVERIFY2(page.startsWith("HTTP/1.1 " + status) || (status == "431" && page.isEmpty()),
                 page.left(80).constData());
        QCOMPARE(received.size(), 0);
        QCOMPARE(stray.size(), status == "400" ? 1 : 0);
        QVERIFY(receiver.isListening());
        QVERIFY(send(address, "GET /callback?code=x&state=s1 HTTP/1.1\r\nHost: " + host(address)).contains("200 OK"));
        QCOMPARE(received.size(), 1);
    }

    // The request may come in pieces, and a browser opens connections that it does not use.
    void aRequestInPieces()
    {
        CallbackReceiver receiver;
        QSignalSpy received(&receiver, &CallbackReceiver::received);
        QVERIFY(!receiver.listen());
        receiver.expect("s1");
        QTcpSocket idle;
        idle.connectToHost(u"127.0.0.1"_s, quint16(receiver.address().port()));
        QTcpSocket socket;
        socket.connectToHost(u"127.0.0.1"_s, quint16(receiver.address().port()));
        QTRY_COMPARE(socket.state(), QTcpSocket::ConnectedState);
        for (const char c : "GET /callback?state=s1 HTTP/1.1\r\nHost: " + host(receiver.address()) + "\r\n\r\n") {
            socket.write(&c, 1);
            socket.flush();
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(received.size(), 1);
    }

    void s1_onlyThisComputer()
    {
        CallbackReceiver receiver;
        QVERIFY(receiver.listen(QUrl(u"http://0.0.0.0:0/callback"_s)));
        QVERIFY(receiver.listen(QUrl(u"http://example.com/callback"_s)));
        QVERIFY(!receiver.isListening());
    }

    void aPortThatIsTakenIsSaid()
    {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        CallbackReceiver receiver;
        const QUrl wanted(u"http://localhost:%1/back"_s.arg(other.serverPort()));
        const Error error = receiver.listen(wanted);
        QVERIFY2(error.message.contains(QString::number(other.serverPort())), qPrintable(error.message));
        other.close();
        QVERIFY(!receiver.listen(wanted));
        QCOMPARE(receiver.address(), wanted);
    }

private:
    static QByteArray host(const QUrl &address) { return address.authority().toLatin1(); }

    // Until the other side closes.
    static QByteArray send(const QUrl &address, const QByteArray &head)
    {
        QTcpSocket socket;
        socket.connectToHost(address.host(), quint16(address.port()));
        if (!QTest::qWaitFor([&] { return socket.state() == QTcpSocket::ConnectedState; }))
            return "not connected";
        socket.write(head + "\r\n\r\n");
        const bool isOver = QTest::qWaitFor([&] { return socket.state() == QTcpSocket::UnconnectedState; });
        return isOver ? socket.readAll() : "not closed"_ba;
    }
};

SONDE_TEST(TestCallbackReceiver)
#include "tst_callbackreceiver.moc"
