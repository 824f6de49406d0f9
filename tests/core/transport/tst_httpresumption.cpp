// Streams that drop, and how they are taken up again.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/methods.h"
#include "core/transport/monotonicclock.h"
#include "tests/core/transport/httpfixture.h"
#include "tests/support/testregistry.h"

using namespace sonde;
using namespace sonde::test;
using Kind = WireEvent::Kind;
using Request = FakeHttpServer::Request;
using Peer = FakeHttpServer::Peer;

class HttpResumptionTest : public QObject {
    Q_OBJECT
private:
    // How the server ends a stream.
    enum class Ending { InOrder, Cut };

    // Waits as little as the server asks for.
    static HttpOptions impatient(int maxResumptions = 5)
    {
        HttpOptions options;
        options.minReconnectMs = 1;
        options.maxResumptions = maxResumptions;
        return options;
    }
    static QList<qint64> waitsOf(const Http &http)
    {
        QList<qint64> waits;
        for (const WireEvent &event : http.probe->of(Kind::State))
            waits += json::parse(event.facts)[u"afterMs"].toInteger().value_or(-1);
        return waits;
    }

    static void end(const Peer &peer, bool inOrder)
    {
        if (inOrder)
            peer.endEvents();
        else
            peer.cut();
    }

private Q_SLOTS:
    // The POST's stream drops before its response; the GET with its last id brings the rest.
    void aDroppedCallIsTakenUpAgain_data()
    {
        QTest::addColumn<bool>("inOrder");
        QTest::addColumn<bool>("isPriming");
        QTest::newRow("closed after a priming event") << true << true;
        QTest::newRow("closed after a message") << true << false;
        QTest::newRow("cut after a priming event") << false << true;
        QTest::newRow("cut after a message") << false << false;
    }
    void aDroppedCallIsTakenUpAgain()
    {
        QFETCH(bool, inOrder);
        QFETCH(bool, isPriming);
        QByteArray response;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            peer.beginEvents();
            if (request.method == "POST") {
                response = resultFor(request);
                if (isPriming)
                    peer.piece("id: ev-1\nretry: 20\ndata:\n\n");
                else
                    peer.piece("id: ev-1\nretry: 20\ndata: " + Message::notification(u"early").raw() + "\n\n");
                end(peer, inOrder);
            } else {
                peer.event(Message::notification(u"late").raw(), "ev-2");
                peer.event(response, "ev-3");
                peer.endEvents();
            }
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(!h.probe->received.isEmpty() && h.probe->received.last().isResponse());
        QCOMPARE(h.probe->received.size(), isPriming ? 2 : 3);
        QCOMPARE(server.requests("POST").size(), 1);
        QCOMPARE(server.requests("GET").size(), 1);
        QCOMPARE(server.requests("GET").first().header("Last-Event-ID"), QByteArray("ev-1"));
        QCOMPARE(server.requests("GET").first().header("Accept"), QByteArray("text/event-stream"));
        QVERIFY(h.probe->failed.isEmpty());
        QCOMPARE(h.probe->facts(Kind::State)[u"afterMs"].toInteger(), std::optional<qint64>(20));
        for (const WireEvent &event : h.probe->of(Kind::HttpRequest))  // one stream, two requests
            QCOMPARE(json::parse(event.facts)[u"stream"].toInteger(), std::optional<qint64>(1));
    }

    void theServersWaitIsKept()
    {
        QList<qint64> times;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            times += monotonicNs();
            peer.beginEvents();
            if (request.method == "POST")
                peer.piece("id: 1\nretry: 300\ndata:\n\n");
            else
                peer.event("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            peer.endEvents();
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QVERIFY(times.at(1) - times.at(0) >= 290'000'000);  // never earlier; later is the machine's load
    }

    void nothingIsResumedOnceTheResponseIsThere_data()
    {
        QTest::addColumn<bool>("inOrder");
        QTest::newRow("closed") << true;
        QTest::newRow("cut") << false;
    }
    void nothingIsResumedOnceTheResponseIsThere()
    {
        QFETCH(bool, inOrder);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            peer.beginEvents();
            peer.piece("retry: 1\n\n");
            peer.event(resultFor(request), "ev-1");
            end(peer, inOrder);
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 1);
        QTRY_COMPARE(server.openConnections(), inOrder ? 1 : 0);
        QVERIFY(!h.call(2));
        QTRY_COMPARE(h.probe->received.size(), 2);
        QCOMPARE(server.requests("GET").size(), 0);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void withoutAnEventIdTheCallFails_data()
    {
        QTest::addColumn<bool>("inOrder");
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("closed at once") << true << QByteArray();
        QTest::newRow("cut at once") << false << QByteArray();
        QTest::newRow("cut within the event") << false << QByteArray("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"resu");
        QTest::newRow("cut before the blank line")
            << false << QByteArray("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    }
    void withoutAnEventIdTheCallFails()
    {
        QFETCH(bool, inOrder);
        QFETCH(QByteArray, sent);
        FakeHttpServer server([&](const Request &, const Peer &peer) {
            peer.beginEvents();
            if (!sent.isEmpty())
                peer.piece(sent);
            end(peer, inOrder);
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QCOMPARE(h.probe->failed.first().first, RequestId(1));
        QVERIFY(h.failure()->kind == Error::Kind::Transport);
        QVERIFY(h.probe->received.isEmpty());
        QCOMPARE(server.requests().size(), 1);  // never again, by POST or by GET
        QCOMPARE(h.probe->of(Kind::Partial).size(), sent.isEmpty() ? 0 : 1);
        QCOMPARE(h.transport->state(), Transport::State::Open);
    }

    // What 405 means for the URL of a server is not what it means here.
    void aServerThatRefusesToResume_data()
    {
        QTest::addColumn<int>("status");
        for (const int status : {400, 405, 501})
            QTest::addRow("%d", status) << status;
    }
    void aServerThatRefusesToResume()
    {
        QFETCH(int, status);
        FakeHttpServer server([status](const Request &request, const Peer &peer) {
            if (request.method == "GET")
                return peer.response(status, {}, {});
            peer.beginEvents();
            peer.piece("id: 1\nretry: 1\ndata:\n\n");
            peer.cut();
        });
        Http h(server.url(), impatient(1));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(!h.probe->failed.isEmpty());
        const Error error = h.probe->failed.first().second;
        QVERIFY2(error.message.startsWith(u"The response stream was lost"), qPrintable(error.message));
        QVERIFY2((error.message + error.detail).contains(QString::number(status)), qPrintable(error.detail));
        QVERIFY2(!error.hint.contains(u"HTTP+SSE"), qPrintable(error.hint));
    }

    void attemptsAreCounted()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method == "POST") {
                peer.beginEvents();
                peer.piece("id: 1\nretry: 1\ndata:\n\n");
            }
            peer.cut();
        });
        Http h(server.url(), impatient(3));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(h.failure());
        QCOMPARE(server.requests("POST").size(), 1);
        QCOMPARE(h.probe->of(Kind::State).size(), 3);
        QVERIFY2(h.failure()->message.contains(QStringLiteral("3")), qPrintable(h.failure()->message));
    }

    void somethingNewBeginsTheCountAgain()
    {
        int gets = 0;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            peer.beginEvents();
            if (request.method == "POST")
                peer.piece("id: 0\nretry: 1\ndata:\n\n");
            else if (++gets < 8)
                peer.event(Message::notification(u"progress").raw(), QByteArray::number(gets));
            else
                peer.event("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            peer.endEvents();
        });
        Http h(server.url(), impatient(2));
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->received.size(), 8);
        QCOMPARE(server.requests("GET").last().header("Last-Event-ID"), QByteArray("7"));
        QVERIFY(h.probe->failed.isEmpty());
    }

    void aCancelledCallIsNotResumed()
    {
        std::unique_ptr<Peer> calling;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (methodOf(request) == methods::CallTool) {
                calling = std::make_unique<Peer>(peer);
                peer.beginEvents();
                peer.piece("id: 1\nretry: 1\ndata:\n\n");
            } else {
                peer.accept();
            }
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->of(Kind::Sse).size(), 1);
        QVERIFY(h.transport->abandon(RequestId(1)));
        QVERIFY(!h.transport->send(Message::notification(methods::Cancelled, "{\"requestId\":1}")));
        QTRY_COMPARE(server.requests().size(), 2);
        // A late word still gets through; the end of the stream is then the end.
        calling->event(Message::notification(u"late").raw());
        QTRY_COMPARE(h.probe->received.size(), 1);
        calling->endEvents();
        QVERIFY(!h.transport->send(Message::notification(u"after")));
        QTRY_COMPARE(h.probe->of(Kind::HttpResponse).size(), 3);
        QCOMPARE(server.requests("GET").size(), 0);
        QVERIFY(h.probe->failed.isEmpty());
    }

    void theGetStreamIsOpenedAgain()
    {
        int gets = 0;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method != "GET")
                return peer.accept();
            ++gets;
            peer.beginEvents();
            peer.piece("retry: 5\n\n");
            peer.event(Message::notification(u"n").raw(), "g" + QByteArray::number(gets));
            if (gets == 1)
                peer.endEvents();
            else if (gets == 2)
                peer.cut();
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->sessionReady();
        QTRY_COMPARE(gets, 3);
        QTRY_COMPARE(h.probe->received.size(), 3);
        QVERIFY(!server.requests().at(0).has("Last-Event-ID"));
        QCOMPARE(server.requests().at(1).header("Last-Event-ID"), QByteArray("g1"));
        QCOMPARE(server.requests().at(2).header("Last-Event-ID"), QByteArray("g2"));
        QVERIFY(h.probe->failed.isEmpty());
    }

    void aGetStreamThatIsGoneForGoodIsReportedOnce()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method != "GET")
                return peer.accept();
            peer.beginEvents();
            if (!request.has("Last-Event-ID"))
                peer.piece("id: 1\nretry: 1\ndata:\n\n");
            peer.endEvents();
        });
        Http h(server.url(), impatient(2));
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->sessionReady();
        QTRY_VERIFY(h.failure());
        QVERIFY(h.probe->failed.first().first.isNone());
        QCOMPARE(h.probe->failed.size(), 1);
        QCOMPARE(server.requests("GET").size(), 3);
        QCOMPARE(h.transport->state(), Transport::State::Open);
    }

    // Whatever the server asks for: a stream that brings no message is opened ever less often, and then no more.
    void aStormOfReconnectsEnds_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("comments") << QByteArray(": hello\n\n");
        QTest::newRow("pings") << QByteArray("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n");
        QTest::newRow("the same id") << QByteArray("id: 1\ndata:\n\n");
        QTest::newRow("no JSON-RPC") << QByteArray("data: hello\n\n");
    }
    void aStormOfReconnectsEnds()
    {
        QFETCH(QByteArray, sent);
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method != "GET")
                return peer.accept();
            peer.beginEvents();
            peer.piece("retry: 0\n\n" + sent);
            peer.endEvents();
        });
        HttpOptions options;
        options.minReconnectMs = 30;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->sessionReady();
        QTRY_VERIFY(h.failure());
        QCOMPARE(server.requests("GET").size(), 6);
        QCOMPARE(waitsOf(h), QList<qint64>({10, 15, 22, 30, 30}));
        QCOMPARE(h.probe->facts(Kind::State)[u"attempt"].toInteger(), std::optional<qint64>(5));
        QVERIFY2(h.failure()->message.contains(QStringLiteral("not reopened")), qPrintable(h.failure()->message));
        QVERIFY(!h.failure()->hint.isEmpty());
    }

    // A server may let its clients poll as often as it says; only one that wants no pause at all gets one.
    void aPolledGetStreamKeepsThePaceOfItsServer_data()
    {
        QTest::addColumn<QByteArray>("retry");
        QTest::addColumn<qint64>("last");
        QTest::newRow("no pause") << QByteArray("0") << qint64(30);
        QTest::newRow("less than the limit") << QByteArray("20") << qint64(30);
        QTest::newRow("more than the limit") << QByteArray("35") << qint64(35);
    }
    void aPolledGetStreamKeepsThePaceOfItsServer()
    {
        QFETCH(QByteArray, retry);
        QFETCH(qint64, last);
        int gets = 0;
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method != "GET")
                return peer.accept();
            peer.beginEvents();
            peer.piece("id: " + QByteArray::number(++gets) + "\nretry: " + retry + "\ndata:\n\n");
            peer.endEvents();
        });
        HttpOptions options;
        options.maxResumptions = 2;
        options.minReconnectMs = 30;
        Http h(server.url(), options);
        QTRY_COMPARE(h.probe->opened, 1);
        h.transport->sessionReady();
        QTRY_VERIFY(gets >= 10);
        QVERIFY(h.probe->failed.isEmpty());
        QCOMPARE(waitsOf(h).at(0), qMax<qint64>(10, retry.toInt()));
        QCOMPARE(waitsOf(h).at(8), last);
    }

    void aStreamIsNotResumedWithoutAnyPause()
    {
        FakeHttpServer server([](const Request &, const Peer &peer) {
            peer.beginEvents();
            peer.piece("id: 1\nretry: 0\ndata:\n\n");
            peer.endEvents();
        });
        Http h(server.url());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_VERIFY(!h.probe->of(Kind::State).isEmpty());  // and many soon
        QCOMPARE(waitsOf(h).first(), 10);
        QCOMPARE(h.probe->facts(Kind::State)[u"retryMs"].toInteger(), std::optional<qint64>(0));
    }

    void closingWhileWaitingResumesNothing()
    {
        FakeHttpServer server([&](const Request &request, const Peer &peer) {
            if (request.method == "POST") {
                peer.beginEvents();
                peer.piece("id: 1\nretry: 60000\ndata:\n\n");
                peer.endEvents();
            }
        });
        Http h(server.url(), impatient());
        QTRY_COMPARE(h.probe->opened, 1);
        QVERIFY(!h.call(1));
        QTRY_COMPARE(h.probe->of(Kind::State).size(), 1);
        h.transport->close();
        QTRY_VERIFY(h.probe->closed);
        QVERIFY(h.probe->closed->kind == Error::Kind::None);
        QCOMPARE(server.requests().size(), 1);
    }
};

SONDE_TEST(HttpResumptionTest)
#include "tst_httpresumption.moc"
