// The demo server over Streamable HTTP, spoken to byte by byte.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/demo/demoprocess.h"
#include "tests/support/testregistry.h"

#include <QDeadlineTimer>
#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>

using namespace Qt::StringLiterals;
using sonde::test::Patience;

namespace {

struct Response {
    int status = 0;
    QMap<QByteArray, QByteArray> headers;
    QByteArray body;  // of an event stream: what has come so far
};

using Headers = QMap<QByteArray, QByteArray>;

// One HTTP exchange on a connection of its own.
class Exchange {
public:
    Exchange(quint16 port, const QByteArray &method, Headers headers, const QByteArray &body = {})
    {
        if (!headers.contains("Host"))
            headers["Host"] = "127.0.0.1:" + QByteArray::number(port);
        const QByteArray path = headers.take(":path");
        QByteArray head = method + ' ' + (path.isEmpty() ? "/mcp"_ba : path) + " HTTP/1.1\r\n";
        for (auto header = headers.cbegin(); header != headers.cend(); ++header)
            head += header.key() + ": " + header.value() + "\r\n";
        if (!body.isEmpty())
            head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
        m_socket.connectToHost(QHostAddress::LocalHost, port);
        m_socket.waitForConnected(Patience);
        m_socket.write(head + "\r\n" + body);
    }

    // Reads on until the text has come, or the whole answer when the text is empty.
    const Response &read(const QByteArray &until = {})
    {
        QDeadlineTimer deadline(Patience);
        while (!isComplete() && (until.isEmpty() || !m_response.body.contains(until)) && !deadline.hasExpired()) {
            if (!m_socket.waitForReadyRead(int(deadline.remainingTime())))
                break;
            m_raw += m_socket.readAll();
            parse();
        }
        return m_response;
    }
    const Response &readHead()
    {
        while (m_response.status == 0 && m_socket.waitForReadyRead(Patience)) {
            m_raw += m_socket.readAll();
            parse();
        }
        return m_response;
    }
    bool isComplete() const { return m_complete; }

private:
    void parse()
    {
        if (m_response.status == 0) {
            const qsizetype end = m_raw.indexOf("\r\n\r\n");
            if (end < 0)
                return;
            const QList<QByteArray> lines = m_raw.first(end).split('\n');
            m_response.status = lines.first().split(' ').value(1).toInt();
            for (const QByteArray &line : lines.mid(1))
                m_response.headers[line.left(line.indexOf(':')).toLower()] = line.mid(line.indexOf(':') + 1).trimmed();
            m_raw.remove(0, end + 4);
        }
        if (m_response.headers.value("transfer-encoding") != "chunked") {
            m_response.body = m_raw;
            m_complete = m_raw.size() >= m_response.headers.value("content-length").toLongLong();
            return;
        }
        for (qsizetype end; !m_complete && (end = m_raw.indexOf("\r\n")) >= 0;) {
            const qsizetype size = m_raw.first(end).toLongLong(nullptr, 16);
            if (m_raw.size() < end + 2 + size + 2)
                return;
            m_response.body += m_raw.mid(end + 2, size);
            m_raw.remove(0, end + 2 + size + 2);
            m_complete = size == 0;
        }
    }

    QTcpSocket m_socket;
    QByteArray m_raw;
    Response m_response;
    bool m_complete = false;
};

const QByteArray Initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}})";
const QByteArray Initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
const QByteArray PingById = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
const QByteArray Progress = R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"progress","arguments":)"
                            R"({"steps":2,"intervalMs":0},"_meta":{"progressToken":1}}})";
const QByteArray Stateless = R"({"jsonrpc":"2.0","id":"s","method":"METHOD","params":{PARAMS"_meta":{)"
                             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

Headers postHeaders()
{
    return {{"Accept", "application/json, text/event-stream"}, {"Content-Type", "application/json"}};
}

class HttpDemo {
public:
    explicit HttpDemo(const QStringList &switches = {}) : m_server(QStringList{u"--http"_s, u"0"_s} + switches)
    {
        QDeadlineTimer deadline(Patience);
        m_server.process().setReadChannel(QProcess::StandardError);
        while (!m_server.process().canReadLine() && !deadline.hasExpired())
            m_server.process().waitForReadyRead(int(deadline.remainingTime()));
        const QByteArray line = m_server.process().readLine().trimmed();
        if (line.startsWith("listening on "))
            m_port = quint16(QUrl(QString::fromLatin1(line.mid(13))).port(0));
    }

    quint16 port() const { return m_port; }
    // A request of the stateless era, with the headers that say the same as its body but for those given here.
    Exchange stateless(const QByteArray &method, const QByteArray &params, const Headers &changed = {})
    {
        QByteArray body = Stateless;
        body.replace("METHOD", method).replace("PARAMS", params + (params.isEmpty() ? "" : ","));
        Headers headers = postHeaders();
        headers["MCP-Protocol-Version"] = "2026-07-28";
        headers["Mcp-Method"] = method;
        for (auto header = changed.cbegin(); header != changed.cend(); ++header) {
            if (header.value().isEmpty())
                headers.remove(header.key());
            else
                headers[header.key()] = header.value();
        }
        return Exchange(m_port, "POST", headers, body);
    }
    const Headers &session() const { return m_session; }

    Response post(const QByteArray &body) { return Exchange(m_port, "POST", m_session, body).read(); }
    Exchange get(const QByteArray &lastEventId = {})
    {
        Headers headers = m_session;
        headers["Accept"] = "text/event-stream";
        if (!lastEventId.isEmpty())
            headers["Last-Event-ID"] = lastEventId;
        return Exchange(m_port, "GET", headers);
    }
    QByteArray touchClock()
    {
        return stateless("tools/call", R"("name":"touch-resource")", {{"Mcp-Name", "touch-resource"}}).read().body;
    }
    bool handshake()
    {
        m_session = postHeaders();
        const Response response = post(Initialize);
        m_session["Mcp-Session-Id"] = response.headers.value("mcp-session-id");
        m_session["MCP-Protocol-Version"] = "2025-11-25";
        return response.status == 200 && !m_session["Mcp-Session-Id"].isEmpty() && post(Initialized).status == 202;
    }

private:
    sonde::test::DemoProcess m_server;
    quint16 m_port = 0;
    Headers m_session;
};

}  // namespace

class tst_DemoHttp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shakesHandsAndResponsesWithJson()
    {
        HttpDemo demo;
        QVERIFY(demo.port() != 0);
        QVERIFY(demo.handshake());
        const Response response = demo.post(PingById);
        QCOMPARE(response.status, 200);
        QCOMPARE(response.headers.value("content-type"), "application/json"_ba);
        QCOMPARE(response.body, R"({"jsonrpc":"2.0","id":2,"result":{}})"_ba);
    }

    void refusesWrongRequests_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("status");
        const auto row = [](const char *name, const char *method, const char *header, const char *value, int status) {
            QTest::newRow(name) << QByteArray(method) << QByteArray(header) << QByteArray(value) << status;
        };
        row("foreign host", "POST", "Host", "evil.example:80", 403);
        row("other port", "POST", "Host", "127.0.0.1:1", 403);
        row("foreign origin", "POST", "Origin", "https://evil.example", 403);
        row("local origin", "POST", "Origin", "http://localhost:5173", 200);
        row("other path", "POST", ":path", "/other", 404);
        row("JSON only", "POST", "Accept", "application/json", 406);
        row("no stream wanted", "GET", "Accept", "application/json", 406);
        row("form", "POST", "Content-Type", "text/plain", 415);
        row("type with parameter", "POST", "Content-Type", "application/json; charset=utf-8", 200);
        row("other method", "PUT", "X-Nothing", "x", 405);
        row("no session", "POST", "Mcp-Session-Id", "", 400);
        row("unknown session", "POST", "Mcp-Session-Id", "made-up", 404);
        row("no revision", "POST", "MCP-Protocol-Version", "", 200);
        row("unknown revision", "POST", "MCP-Protocol-Version", "1999-01-01", 400);
        row("other revision", "POST", "MCP-Protocol-Version", "2025-06-18", 200);
        row("unknown event", "GET", "Last-Event-ID", "77-1", 404);
    }
    void refusesWrongRequests()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, value);
        QFETCH(int, status);
        HttpDemo demo;
        QVERIFY(demo.handshake());
        Headers headers = demo.session();
        if (method == "GET")
            headers["Accept"] = "text/event-stream";
        if (value.isEmpty())
            headers.remove(header);
        else
            headers[header] = value;
        const Response response =
            Exchange(demo.port(), method, headers, method == "POST" ? PingById : QByteArray()).read();
        QCOMPARE(response.status, status);
    }

    void refusesBodiesThatAreNoMessage()
    {
        HttpDemo demo;
        QVERIFY(demo.handshake());
        QCOMPARE(demo.post("nonsense").status, 400);
        QCOMPARE(demo.post("[]").status, 400);
        QCOMPARE(demo.post(Initialize).status, 400);  // there is a session already
        const Response refused = Exchange(demo.port(), "POST", postHeaders(),
                                          R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})")
                                     .read();
        QCOMPARE(QJsonDocument::fromJson(refused.body)["error"_L1]["code"_L1].toInt(), -32602);
        QVERIFY(!refused.headers.contains("mcp-session-id"));
    }

    void streamsWhatComesBeforeTheResponse()
    {
        HttpDemo demo;
        QVERIFY(demo.handshake());
        const Response response = demo.post(Progress);
        QCOMPARE(response.headers.value("content-type"), "text/event-stream"_ba);
        QCOMPARE(response.body.count("notifications/progress"), 2);
        const QList<QByteArray> events = response.body.trimmed().split('\n');
        QVERIFY(response.body.startsWith("id: "));  // primed: can be resumed from its start
        QVERIFY(response.body.contains("\nretry: "));
        QVERIFY(events.last().startsWith(R"(data: {"jsonrpc":"2.0","id":3,"result")"));
    }

    void resumesADroppedStream()
    {
        HttpDemo demo({u"--drop-streams"_s});
        QVERIFY(demo.handshake());
        const Response dropped = demo.post(Progress);
        QVERIFY(!dropped.body.contains("\"result\""));
        const QByteArray id = dropped.body.mid(4, dropped.body.indexOf('\n') - 4);
        Exchange rest = demo.get(id);
        const Response response = rest.read("\"result\"");
        QCOMPARE(response.body.count("notifications/progress"), 2);
        QVERIFY(response.body.contains(R"("id":3,"result")"));
        Exchange end = demo.get(id.left(id.indexOf('-')) + "-2");  // and again, from the middle
        QVERIFY(!end.read("\"result\"").body.contains("notifications/progress"));
    }

    void sendsTheRestOnTheGetStream()
    {
        HttpDemo demo;
        QVERIFY(demo.handshake());
        Exchange stream = demo.get();
        QCOMPARE(stream.readHead().status, 200);
        const QByteArray toggle = R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"toggle-tools"}})";
        QCOMPARE(demo.post(toggle).headers.value("content-type"), "application/json"_ba);
        QVERIFY(stream.read("list_changed").body.contains("notifications/tools/list_changed"));
        QVERIFY(!stream.isComplete());
        Exchange second = demo.get();
        QCOMPARE(second.read().status, 409);
    }

    void endsSessions()
    {
        HttpDemo demo;
        QVERIFY(demo.handshake());
        Exchange stream = demo.get();
        QCOMPARE(stream.readHead().status, 200);
        QCOMPARE(Exchange(demo.port(), "DELETE", demo.session()).read().status, 200);
        stream.read();
        QVERIFY(stream.isComplete());
        QCOMPARE(demo.post(PingById).status, 404);

        HttpDemo forgetful({u"--forget-session-after"_s, u"3"_s});
        QVERIFY(forgetful.handshake());
        QCOMPARE(forgetful.post(PingById).status, 200);
        QCOMPARE(forgetful.post(PingById).status, 404);
    }

    void keepsSessionsApart()
    {
        HttpDemo demo;
        QVERIFY(demo.handshake());
        const Headers first = demo.session();
        QVERIFY(demo.handshake());
        QVERIFY(first["Mcp-Session-Id"] != demo.session()["Mcp-Session-Id"]);
        demo.post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"toggle-tools"}})");
        const QByteArray list = R"({"jsonrpc":"2.0","id":5,"method":"tools/list"})";
        QVERIFY(demo.post(list).body.contains("now-you-see-me\",\"title"));
        QVERIFY(!Exchange(demo.port(), "POST", first, list).read().body.contains("now-you-see-me\",\"title"));
    }

    void checksTheHeadersOfTheStatelessEra_data()
    {
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<Headers>("headers");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("code");
        const QByteArray region = R"({"region":"Bern"})";
        const Headers good{{"Mcp-Name", "regional-report"}, {"Mcp-Param-Region", "Bern"}};
        const auto row = [&](const char *name, const char *header, const char *value, int status, int code) {
            Headers headers = good;
            headers[header] = value;
            QTest::newRow(name) << region << headers << status << code;
        };
        row("all agree", "Mcp-Param-Region", "Bern", 200, 0);
        row("Base64", "Mcp-Param-Region", "=?base64?QmVybg==?=", 200, 0);
        row("broken Base64", "Mcp-Param-Region", "=?base64?QmVybg?=", 400, -32020);
        row("other argument", "Mcp-Param-Region", "Basel", 400, -32020);
        row("no argument", "Mcp-Param-Region", "", 400, -32020);
        row("other name", "Mcp-Name", "add", 400, -32020);
        row("no name", "Mcp-Name", "", 400, -32020);
        row("other method", "Mcp-Method", "tools/list", 400, -32020);
        row("no method", "Mcp-Method", "", 400, -32020);
        row("other revision", "MCP-Protocol-Version", "2025-11-25", 400, -32020);
        row("no revision", "MCP-Protocol-Version", "", 400, -32020);
        Headers extra = good;
        QTest::newRow("argument in the header only") << "{}"_ba << extra << 400 << -32020;
    }
    void checksTheHeadersOfTheStatelessEra()
    {
        QFETCH(QByteArray, arguments);
        QFETCH(Headers, headers);
        QFETCH(int, status);
        QFETCH(int, code);
        HttpDemo demo;
        const Response response =
            demo.stateless("tools/call", R"("name":"regional-report","arguments":)" + arguments, headers).read();
        QCOMPARE(response.status, status);
        QCOMPARE(QJsonDocument::fromJson(response.body)["error"_L1]["code"_L1].toInt(), code);
        QCOMPARE(QJsonDocument::fromJson(response.body)["id"_L1].toString(), u"s"_s);
    }

    void refusesWithoutASession()
    {
        HttpDemo demo;
        QCOMPARE(demo.stateless("ping", {}).read().status, 404);
        const Response noMeta = Exchange(demo.port(), "POST",
                                         {{"Accept", "application/json, text/event-stream"},
                                          {"Content-Type", "application/json"},
                                          {"MCP-Protocol-Version", "2026-07-28"},
                                          {"Mcp-Method", "tools/list"}},
                                         R"({"jsonrpc":"2.0","id":9,"method":"tools/list"})")
                                    .read();
        QCOMPARE(noMeta.status, 400);
        QCOMPARE(QJsonDocument::fromJson(noMeta.body)["error"_L1]["code"_L1].toInt(), -32602);
        const Response noSession =
            Exchange(demo.port(), "POST", postHeaders(), R"({"jsonrpc":"2.0","id":9,"method":"tools/list"})").read();
        QCOMPARE(noSession.status, 400);
        QCOMPARE(QJsonDocument::fromJson(noSession.body)["id"_L1].toInt(), 9);
    }

    void keepsAListeningStreamOpen()
    {
        HttpDemo demo;
        const QByteArray granted = "\"resourceSubscriptions\":[\"demo://live/clock\"]";
        {
            Exchange stream = demo.stateless("subscriptions/listen", "\"notifications\":{" + granted + '}');
            QVERIFY(stream.read("acknowledged").body.contains(granted));
            QVERIFY(demo.touchClock().contains("Announced."));
            QVERIFY(stream.read("resources/updated").body.contains("subscriptionId\":\"s\""));
            QVERIFY(!stream.isComplete());
        }
        QTRY_VERIFY(demo.touchClock().contains("Nobody subscribed"));  // its client has gone
    }

    void losesWhatItStreamsWithoutASession()
    {
        HttpDemo demo({u"--drop-streams"_s});
        Exchange stream = demo.stateless("subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
        QVERIFY(stream.read().body.contains("acknowledged"));
        QVERIFY(stream.isComplete());
        QVERIFY(!stream.read().body.contains("resultType"));
    }

    void speaksHttpSse()
    {
        HttpDemo demo({u"--http+sse"_s});
        QCOMPARE(Exchange(demo.port(), "POST", postHeaders(), Initialize).read().status, 405);
        Exchange stream(demo.port(), "GET", {{"Accept", "text/event-stream"}});
        const QByteArray first = stream.read("\n\n").body;
        QVERIFY(first.startsWith("event: endpoint\ndata: /mcp?session="));
        Headers headers = postHeaders();
        headers[":path"] = first.mid(first.indexOf('/')).trimmed();
        QCOMPARE(Exchange(demo.port(), "POST", headers, Initialize).read().status, 202);
        QVERIFY(stream.read("serverInfo").body.contains("event: message\ndata: {"));
        QCOMPARE(Exchange(demo.port(), "POST", headers, PingById).read().status, 202);
        const QByteArray pong = R"("id":2,"result":{})";
        QVERIFY(stream.read(pong).body.contains(pong));
        headers[":path"] = "/mcp?session=nobody";
        QCOMPARE(Exchange(demo.port(), "POST", headers, PingById).read().status, 404);
    }

    void responsesWithTheStatusAskedFor()
    {
        HttpDemo demo({u"--http-status"_s, u"503"_s});
        const Response response = Exchange(demo.port(), "POST", postHeaders(), Initialize).read();
        QCOMPARE(response.status, 503);
        QVERIFY(response.body.contains("503"));
    }

    void saysWhenThePortIsTaken()
    {
        HttpDemo first;
        sonde::test::DemoProcess second({u"--http"_s, QString::number(first.port())});
        QCOMPARE(second.waitForEnd(), 1);
        QVERIFY(second.process().readAllStandardError().contains("cannot listen on 127.0.0.1:"));
    }
};

SONDE_TEST(tst_DemoHttp)
#include "tst_demohttp.moc"
