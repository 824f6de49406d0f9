// Batches of a server of revision 2025-03-26, over every transport: what comes back, and in how many messages.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"
#include "tests/support/wrongmessages.h"

#include <QTest>
#include <algorithm>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray withQuotes(QByteArray text)
{
    return text.replace('\'', '"');
}

const QByteArray OldHandshake = withQuotes(
    "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-03-26','capabilities':{},"
    "'serverInfo':{'name':'s','version':'1'}}}");
// Follows the batch: its response shows that all of the batch has been read.
const QByteArray LastRequest = withQuotes("{'jsonrpc':'2.0','id':'end','method':'ping'}");
const QByteArray LastResponse = withQuotes("{'jsonrpc':'2.0','id':'end','result':{}}");

QByteArray pongTo(const QByteArray &id)
{
    return withQuotes("{'jsonrpc':'2.0','id':" + id + ",'result':{}}");
}

// A server that shakes hands, then sends the batch and the last request, and reads on.
struct BatchServer {
    BatchServer(const QString &transport, const QByteArray &batch)
    {
        spec.name = u"batches"_s;
        spec.revision = Revision::R20250326;
        if (transport == u"stdio"_s) {
            spec.command = test::builtProgram(QStringLiteral("fake-stdio-server"));
            spec.arguments = {u"readline"_s, u"say:"_s + QString::fromUtf8(OldHandshake), u"readline"_s};
            for (qsizetype at = 0; at < batch.size(); at += 100'000)  // an argument has a maximum length
                spec.arguments << u"raw:"_s + QString::fromUtf8(batch.mid(at, 100'000));
            spec.arguments << u"say:"_s << u"say:"_s + QString::fromUtf8(LastRequest) << u"waiteof"_s;
            return;
        }
        const bool isOld = transport == u"HTTP+SSE"_s;
        spec.kind = ServerSpec::Kind::Http;
        spec.httpKind = isOld ? ServerSpec::HttpKind::Sse : ServerSpec::HttpKind::Streamable;
        http.setHandler([this, isOld, batch](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
            const Message message = Message::parse(request.body);
            if (request.method == "GET") {
                peer.beginEvents();
                stream = std::make_unique<FakeHttpServer::Peer>(peer);
                if (isOld)
                    peer.piece("event: endpoint\ndata: /messages\n\n");
            } else if (message.method() == u"initialize" && !isOld) {
                return peer.json(OldHandshake);
            } else {
                peer.accept();
            }
            if (message.method() == u"initialize")
                stream->event(OldHandshake);
            const bool isReady = isOld ? message.method() == u"notifications/initialized" : request.method == "GET";
            if (isReady) {
                stream->event(batch);
                stream->event(LastRequest);
            }
        });
        spec.url = http.url();
    }

    ServerSpec spec;
    FakeHttpServer http;
    std::unique_ptr<FakeHttpServer::Peer> stream;
};

}  // namespace

class TestBatches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void responses_data()
    {
        QTest::addColumn<QString>("transport");
        QTest::addColumn<QByteArray>("batch");
        QTest::addColumn<QByteArray>("response");  // empty: none
        const QByteArray notification = withQuotes("{'jsonrpc':'2.0','method':'notifications/x'}");
        const QByteArray ping = withQuotes("{'jsonrpc':'2.0','id':'a','method':'ping'}");
        const QByteArray unknown = withQuotes("{'jsonrpc':'2.0','id':5,'method':'no/such'}");
        const QByteArray noSuch =
            withQuotes("{'jsonrpc':'2.0','id':5,'error':{'code':-32601,'message':'Method not found: no/such'}}");
        const QByteArray invalid =
            withQuotes("{'jsonrpc':'2.0','id':null,'error':{'code':-32600,'message':'Invalid Request'}}");
        const QByteArray of6 = QByteArray(invalid).replace("null", "6");
        const QByteArray noMethod = withQuotes("{'jsonrpc':'2.0','id':6,'method':7}");
        const QByteArray badId = withQuotes("{'jsonrpc':'2.0','id':1.5,'method':'ping'}");
        QByteArray many;
        QByteArray manyResponses;
        for (int id = 0; id < 10'000; ++id) {
            many += ',' + QByteArray(ping).replace("\"a\"", QByteArray::number(id));
            manyResponses += ',' + pongTo(QByteArray::number(id));
        }
        for (const char *transport : {"stdio", "HTTP", "HTTP+SSE"}) {
            const auto row = [&](const char *name, const QByteArray &batch, const QByteArray &response) {
                QTest::addRow("%s, %s", transport, name) << QString::fromLatin1(transport) << batch << response;
            };
            row("mixed", '[' + ping + ',' + notification + ',' + unknown + ']',
                '[' + pongTo("\"a\"") + ',' + noSuch + ']');
            row("one request", '[' + ping + ']', '[' + pongTo("\"a\"") + ']');
            row("notifications", '[' + notification + ',' + notification + ']', {});
            row("empty", "[]", invalid);
            row("no object in it", "[1,\"x\",[]]", '[' + invalid + ',' + invalid + ',' + invalid + ']');
            row("bad items among good ones", '[' + ping + ",null," + noMethod + ',' + badId + ",{},[" + ping + "]]",
                '[' + pongTo("\"a\"") + ',' + invalid + ',' + of6 + ',' + invalid + ',' + invalid + ',' + invalid +
                    ']');
            row("responses to nothing", "[" + pongTo("77") + ",{\"result\":{}}," + pongTo("78") + ']', {});
            row("10,000 requests", '[' + many.mid(1) + ']', '[' + manyResponses.mid(1) + ']');
        }
    }
    void responses()
    {
        QFETCH(QString, transport);
        QFETCH(QByteArray, batch);
        QFETCH(QByteArray, response);
        const WrongMessages wrong("JSON-RPC wants a null ID for some of them, which the schema does not know");
        BatchServer server(transport, batch);
        Connection connection(server.spec, withoutLists());
        connection.open();
        QTRY_VERIFY(sent(connection).contains(LastResponse));
        QList<QByteArray> expected{response, LastResponse};
        expected.removeAll({});
        QCOMPARE(sent(connection), expected);
        if (transport != u"stdio"_s) {
            QTRY_COMPARE(server.http.requests("POST").size(), 2 + expected.size());
            // Each on a connection of its own, so in any order.
            const QList<FakeHttpServer::Request> posts = server.http.requests("POST").mid(2);
            for (const QByteArray &each : std::as_const(expected))
                QVERIFY(std::any_of(posts.begin(), posts.end(), [&](const auto &post) { return post.body == each; }));
        }
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
    }

    void aBatchWaitsForAPerson_data()
    {
        QTest::addColumn<QString>("transport");
        for (const char *transport : {"stdio", "HTTP", "HTTP+SSE"})
            QTest::newRow(transport) << QString::fromLatin1(transport);
    }
    void aBatchWaitsForAPerson()
    {
        QFETCH(QString, transport);
        BatchServer server(transport, withQuotes("[{'jsonrpc':'2.0','id':'r','method':'roots/list'},"
                                                 "{'jsonrpc':'2.0','id':'a','method':'ping'}]"));
        ConnectionOptions options = withoutLists();
        options.capabilities = R"({"roots":{}})";
        Connection connection(server.spec, options);
        QPointer<InputRequest> asked;
        connection.setResponder(InputRequest::Kind::Roots, this, [&](InputRequest *request) { asked = request; });
        connection.open();
        QTRY_COMPARE(sent(connection), QList<QByteArray>{LastResponse});
        QVERIFY(asked);
        QVERIFY(!asked->respond(R"({"roots":[]})"));
        QTRY_COMPARE(sent(connection).size(), 2);
        QCOMPARE(
            sent(connection).last(),
            withQuotes("[{'jsonrpc':'2.0','id':'a','result':{}},{'jsonrpc':'2.0','id':'r','result':{'roots':[]}}]"));
        // In the timeline the batch that asked stands with the one that responded.
        const Session &session = *connection.session();
        qsizetype asking = 0;
        while (session.at(asking).messageKind != Message::Kind::Batch)
            ++asking;
        QCOMPARE(session.at(asking).outcome, RowOutcome::Ok);
        const RecordInfo &reply = session.at(session.partnerOf(asking));
        QCOMPARE(reply.messageKind, Message::Kind::Batch);
        QCOMPARE(reply.direction, Direction::ToServer);
        connection.close();
        QTRY_COMPARE(connection.state(), Connection::State::Disconnected);
    }

private:
    static ConnectionOptions withoutLists()
    {
        ConnectionOptions options;
        options.loadCatalog = false;
        return options;
    }

    // What went out after the handshake.
    static QList<QByteArray> sent(const Connection &connection)
    {
        QList<QByteArray> all;
        Session &session = *connection.session();
        session.flush();
        for (qsizetype row = 0; row < session.size(); ++row) {
            const RecordInfo &record = session.at(row);
            if (record.direction == Direction::ToServer && record.kind == WireEvent::Kind::Message)
                all.append(session.bytes(row));
        }
        return all.mid(2);
    }
};

SONDE_TEST(TestBatches)
#include "tst_batches.moc"
