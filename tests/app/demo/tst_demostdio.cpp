// The demo server over standard input and output: what it offers.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/demo/demoprocess.h"
#include "tests/support/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

const QString Newest = u"2025-11-25"_s;

QJsonObject resultOf(const QJsonObject &response)
{
    return response.value("result"_L1).toObject();
}

QString textOf(const QJsonObject &response)
{
    return resultOf(response).value("content"_L1).toArray().first().toObject().value("text"_L1).toString();
}

const QByteArray Everything = R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}})";

// Responds to a request of the server.
void respondTo(sonde::test::DemoProcess &server, const QJsonObject &request, const QJsonObject &result)
{
    const QJsonObject response{{"jsonrpc"_L1, "2.0"_L1}, {"id"_L1, request.value("id"_L1)}, {"result"_L1, result}};
    server.send(QJsonDocument(response).toJson(QJsonDocument::Compact));
}

int codeOf(const QJsonObject &response)
{
    return response.value("error"_L1).toObject().value("code"_L1).toInt();
}

}  // namespace

class tst_DemoStdio : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void negotiatesRevisions_data()
    {
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<QString>("proposed");
        QTest::addColumn<QString>("answered");
        for (const char *revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
            QTest::newRow(revision) << QStringList() << QString::fromLatin1(revision) << QString::fromLatin1(revision);
        QTest::newRow("unknown") << QStringList() << u"1999-01-01"_s << Newest;
        QTest::newRow("forced") << QStringList{u"--revision"_s, u"2030-01-01"_s} << Newest << u"2030-01-01"_s;
    }
    void negotiatesRevisions()
    {
        QFETCH(QStringList, switches);
        QFETCH(QString, proposed);
        QFETCH(QString, answered);
        sonde::test::DemoProcess server(switches);
        const QJsonObject result = resultOf(server.handshake(proposed));
        QCOMPARE(result.value("protocolVersion"_L1).toString(), answered);
        QCOMPARE(result.value("serverInfo"_L1).toObject().value("name"_L1).toString(), u"sonde-demo-server"_s);
        QCOMPARE(result.value("serverInfo"_L1).toObject().contains("title"_L1), answered >= "2025-06-18"_L1);
    }

    void refusesWhatComesBeforeTheHandshake()
    {
        sonde::test::DemoProcess server;
        server.send(R"({"jsonrpc":"2.0","id":5,"method":"tools/list"})");
        QCOMPARE(codeOf(server.read()), -32600);
        server.send(R"({"jsonrpc":"2.0","id":6,"method":"ping"})");
        QVERIFY(server.read().contains("result"_L1));
    }

    void responsesBrokenMessages_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::newRow("no JSON") << "nonsense"_ba << -32700;
        QTest::newRow("trailing comma") << R"({"a":1,})"_ba << -32700;
        QTest::newRow("leading zero") << R"({"a":01})"_ba << -32700;
        QTest::newRow("two values") << "{} {}"_ba << -32700;
        QTest::newRow("not UTF-8") << "\"\xff\""_ba << -32700;
        QTest::newRow("too deep") << QByteArray(600, '[') + QByteArray(600, ']') << -32700;
        QTest::newRow("no version") << R"({"id":1,"method":"ping"})"_ba << -32600;
        QTest::newRow("batch") << "[]"_ba << -32600;
        QTest::newRow("fractional id") << R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"_ba << -32600;
        QTest::newRow("params in a list") << R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})"_ba << -32600;
        QTest::newRow("no such method") << R"({"jsonrpc":"2.0","id":1,"method":"frob"})"_ba << -32601;
    }
    void responsesBrokenMessages()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        sonde::test::DemoProcess server;
        server.send(line);
        QCOMPARE(codeOf(server.read()), code);
    }

    void listsInTheOrderWritten()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.send(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
        const QByteArray line = server.readLine();
        const char *names[] = {"text", "notes", "code", "color", "version", "serial"};
        qsizetype last = line.indexOf("\"every-field-kind\"");
        for (const char *name : names) {
            const qsizetype at = line.indexOf('"' + QByteArray(name) + "\":{", last);
            QVERIFY2(at > last, name);
            last = at;
        }
        QVERIFY(line.contains("9223372036854775807"));
        const QJsonArray tools = resultOf(QJsonDocument::fromJson(line).object()).value("tools"_L1).toArray();
        QVERIFY(tools.size() >= 14);
        QSet<QString> seen;
        for (const QJsonValue &tool : tools) {
            QVERIFY(!seen.contains(tool["name"_L1].toString()));
            seen.insert(tool["name"_L1].toString());
            QCOMPARE(tool["inputSchema"_L1]["type"_L1].toString(), u"object"_s);
        }
    }

    void pagesHoldTheSameAsTheWhole_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("member");
        QTest::newRow("tools") << u"tools/list"_s << u"tools"_s;
        QTest::newRow("resources") << u"resources/list"_s << u"resources"_s;
        QTest::newRow("templates") << u"resources/templates/list"_s << u"resourceTemplates"_s;
        QTest::newRow("prompts") << u"prompts/list"_s << u"prompts"_s;
    }
    void pagesHoldTheSameAsTheWhole()
    {
        QFETCH(QString, method);
        QFETCH(QString, member);
        const auto page = [&](sonde::test::DemoProcess &server, const QString &cursor) {
            return server.request(method, cursor.isEmpty() ? QJsonObject() : QJsonObject{{"cursor"_L1, cursor}});
        };
        sonde::test::DemoProcess whole;
        whole.handshake(Newest);
        const QJsonArray all = resultOf(page(whole, {})).value(member).toArray();
        QVERIFY(!all.isEmpty());

        sonde::test::DemoProcess paged({u"--page-size"_s, u"1"_s});
        paged.handshake(Newest);
        QJsonArray gathered;
        QString cursor;
        do {
            const QJsonObject result = resultOf(page(paged, cursor));
            QCOMPARE(result.value(member).toArray().size(), 1);
            gathered.append(result.value(member).toArray().first());
            cursor = result.value("nextCursor"_L1).toString();
        } while (!cursor.isEmpty() && gathered.size() <= all.size());
        QCOMPARE(gathered, all);
        QCOMPARE(codeOf(page(paged, u"made up"_s)), -32602);
    }

    void echoesEveryByte_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("number text") << "[1.0,1e400,-0.00,9007199254740993,123456789012345678901234567890]"_ba;
        QTest::newRow("key order") << R"({"b":1,"a":2})"_ba;
        QTest::newRow("duplicate keys") << R"({"a":1,"a":2})"_ba;
        QTest::newRow("escapes") << R"("\u0041\/\ud83d\ude00\n")"_ba;
        QTest::newRow("scalars") << "[true,false,null,\"\",{},[]]"_ba;
        QTest::newRow("unicode") << "\"naïve 工具 😀\""_ba;
    }
    void echoesEveryByte()
    {
        QFETCH(QByteArray, value);
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        QCOMPARE(textOf(server.call(u"echo"_s, R"({"value":)" + value + "}")).toUtf8(), value);
    }

    void addsExactly_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<QString>("sum");
        QTest::newRow("small") << "2"_ba
                               << "3"_ba << u"5"_s;
        QTest::newRow("beyond double") << "9007199254740993"_ba
                                       << "1"_ba << u"9007199254740994"_s;
        QTest::newRow("beyond int64") << "99999999999999999999"_ba
                                      << "1"_ba << u"100000000000000000000"_s;
        QTest::newRow("fractions") << "0.1"_ba
                                   << "0.2"_ba << u"0.3"_s;
        QTest::newRow("exponents") << "1e3"_ba
                                   << "-5.0E-1"_ba << u"999.5"_s;
        QTest::newRow("to zero") << "-1.50"_ba
                                 << "1.5"_ba << u"0"_s;
        QTest::newRow("negative") << "-7"_ba
                                  << "2.25"_ba << u"-4.75"_s;
        QTest::newRow("far apart") << "1e-20"_ba
                                   << "1e5"_ba << u"100000.00000000000000000001"_s;
    }
    void addsExactly()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(QString, sum);
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        QCOMPARE(textOf(server.call(u"add"_s, R"({"a":)" + a + R"(,"b":)" + b + "}")), sum);
        QVERIFY(resultOf(server.call(u"add"_s, R"({"a":1e999999999,"b":0})")).value("isError"_L1).toBool());
    }

    void showsEveryKindOfContent()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        const QJsonArray content = resultOf(server.call(u"every-content-kind"_s)).value("content"_L1).toArray();
        QStringList kinds;
        for (const QJsonValue &block : content)
            kinds.append(block["type"_L1].toString());
        QCOMPARE(kinds, QStringList({u"text"_s, u"text"_s, u"image"_s, u"audio"_s, u"resource_link"_s, u"resource"_s,
                                     u"resource"_s}));
        const QByteArray png = QByteArray::fromBase64(content.at(2)["data"_L1].toString().toLatin1());
        QVERIFY(png.startsWith("\x89PNG\r\n\x1a\n") && png.endsWith("IEND\xae"
                                                                    "B`\x82"));
        const QByteArray wav = QByteArray::fromBase64(content.at(3)["data"_L1].toString().toLatin1());
        QVERIFY(wav.startsWith("RIFF") && wav.mid(8, 4) == "WAVE");
        QCOMPARE(QByteArray::fromBase64(content.at(6)["resource"_L1]["blob"_L1].toString().toLatin1()).size(), 256);
    }

    void leavesOutWhatTheRevisionDoesNotKnow()
    {
        sonde::test::DemoProcess server;
        server.handshake(u"2024-11-05"_s);
        const QJsonArray content = resultOf(server.call(u"every-content-kind"_s)).value("content"_L1).toArray();
        for (const QJsonValue &block : content)
            QVERIFY(block["type"_L1] != "audio"_L1 && block["type"_L1] != "resource_link"_L1);
        QVERIFY(!resultOf(server.call(u"structured-report"_s)).contains("structuredContent"_L1));
    }

    void failsInEveryWay()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        QVERIFY(resultOf(server.call(u"fail"_s)).value("isError"_L1).toBool());
        const QJsonObject error = server.call(u"protocol-error"_s, R"({"code":-32099,"data":{"field":"a"}})");
        QCOMPARE(codeOf(error), -32099);
        QCOMPARE(error["error"_L1]["data"_L1]["field"_L1].toString(), u"a"_s);
        QCOMPARE(codeOf(server.call(u"no-such-tool"_s)), -32602);
        QCOMPARE(codeOf(server.call(u"now-you-see-me"_s)), -32602);
        QVERIFY(resultOf(server.call(u"add"_s)).value("isError"_L1).toBool());
        QVERIFY(resultOf(server.call(u"delete-everything"_s, R"({"confirm":false})")).value("isError"_L1).toBool());
        QVERIFY(resultOf(server.call(u"big"_s, R"({"bytes":-1})")).value("isError"_L1).toBool());
        QCOMPARE(textOf(server.call(u"big"_s, R"({"bytes":100000})")).size(), 100'000);
    }

    void reportsProgressBeforeTheResponse()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.send(R"({"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"progress","arguments":)"
                    R"({"steps":3,"intervalMs":0},"_meta":{"progressToken":"tok"}}})");
        for (int step = 1; step <= 3; ++step) {
            const QJsonObject params = server.read().value("params"_L1).toObject();
            QCOMPARE(params.value("progressToken"_L1).toString(), u"tok"_s);
            QCOMPARE(params.value("progress"_L1).toInt(), step);
            QCOMPARE(params.value("total"_L1).toInt(), 3);
        }
        QCOMPARE(server.read().value("id"_L1).toString(), u"p"_s);
    }

    void cancelledCallsAreNotAnswered()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.send(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","arguments":)"
                    R"({"seconds":0.05}}})");
        server.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
        QCOMPARE(textOf(server.call(u"slow"_s, R"({"seconds":0.1})")), u"That took 0.1 seconds."_s);
    }

    void logsAtTheLevelInForce()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.send(R"({"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}})");
        QVERIFY(server.read().contains("result"_L1));
        server.send(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"log","arguments":)"
                    R"({"level":"warning","count":2}}})");
        QCOMPARE(server.read().value("id"_L1).toInt(), 3);
        server.send(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"log","arguments":)"
                    R"({"level":"alert","count":1,"data":[1.0]}}})");
        QVERIFY(server.readLine().contains(R"("level":"alert","logger":"demo","data":[1.0])"));
        QCOMPARE(server.read().value("id"_L1).toInt(), 4);
        server.send(R"({"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"loud"}})");
        QCOMPARE(codeOf(server.read()), -32602);
    }

    void announcesChanges()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.sendRequest(u"tools/call"_s, {{"name"_L1, "toggle-tools"_L1}});
        QCOMPARE(server.read().value("method"_L1).toString(), u"notifications/tools/list_changed"_s);
        QVERIFY(server.read().contains("result"_L1));
        QCOMPARE(textOf(server.call(u"now-you-see-me"_s)), u"You see me."_s);

        const QString clock = u"demo://live/clock"_s;
        QVERIFY(server.request(u"resources/subscribe"_s, {{"uri"_L1, clock}}).contains("result"_L1));
        server.sendRequest(u"tools/call"_s, {{"name"_L1, "touch-resource"_L1}});
        QCOMPARE(server.read()["params"_L1]["uri"_L1].toString(), clock);
        QVERIFY(server.read().contains("result"_L1));
        QVERIFY(server.request(u"resources/unsubscribe"_s, {{"uri"_L1, clock}}).contains("result"_L1));
        QVERIFY(textOf(server.call(u"touch-resource"_s)).startsWith("Nobody subscribed"_L1));
    }

    void asksTheClient()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.sendRequest(u"tools/call"_s, {{"name"_L1, "ping-back"_L1}});
        const QJsonObject serverRequest = server.read();
        QCOMPARE(serverRequest.value("method"_L1).toString(), u"ping"_s);
        const QJsonObject response{
            {"jsonrpc"_L1, "2.0"_L1}, {"id"_L1, serverRequest.value("id"_L1)}, {"result"_L1, QJsonObject()}};
        server.send(QJsonDocument(response).toJson(QJsonDocument::Compact));
        const QJsonObject result = resultOf(server.read());
        QVERIFY(result.contains("content"_L1) && !result.value("isError"_L1).toBool());
    }

    void asksForMoreThanAPing_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *tool, const char *method, const QByteArray &result, const char *text) {
            QTest::newRow(tool) << QString::fromLatin1(tool) << QString::fromLatin1(method) << result
                                << QString::fromLatin1(text);
        };
        row("ask-form", "elicitation/create", R"({"action":"decline"})", "decline");
        row("ask-url", "elicitation/create", R"({"action":"accept"})", "The user chose: accept");
        row("ask-model", "sampling/createMessage",
            R"({"role":"assistant","model":"m","content":{"type":"text","text":"Paris"}})", "Paris");
        row("ask-roots", "roots/list", R"({"roots":[]})", "roots");
    }
    void asksForMoreThanAPing()
    {
        QFETCH(QString, tool);
        QFETCH(QString, method);
        QFETCH(QByteArray, result);
        QFETCH(QString, text);
        sonde::test::DemoProcess server;
        server.handshake(Newest, Everything);
        const int id = server.sendRequest(u"tools/call"_s, {{"name"_L1, tool}});
        const QJsonObject asked = server.read();
        QCOMPARE(asked.value("method"_L1).toString(), method);
        respondTo(server, asked, QJsonDocument::fromJson(result).object());
        QJsonObject next = server.read();
        if (tool == "ask-url"_L1) {
            QCOMPARE(next.value("method"_L1).toString(), u"notifications/elicitation/complete"_s);
            QCOMPARE(next["params"_L1]["elicitationId"_L1], asked["params"_L1]["elicitationId"_L1]);
            next = server.read();
        }
        QCOMPARE(next.value("id"_L1).toInt(), id);
        QVERIFY2(textOf(next).contains(text), qPrintable(textOf(next)));
    }

    void requiresAnAddressToBeOpened()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest, Everything);
        const QJsonObject error = server.call(u"ask-url"_s, R"({"asError":true})")["error"_L1].toObject();
        QCOMPARE(error["code"_L1].toInt(), -32042);
        QCOMPARE(error["data"_L1]["elicitations"_L1][0]["mode"_L1].toString(), u"url"_s);
    }

    void withdrawsItsQuestions()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest, Everything);
        server.sendRequest(u"tools/call"_s,
                           {{"name"_L1, "ask-form"_L1}, {"arguments"_L1, QJsonObject{{"withdrawAfterMs"_L1, 1}}}});
        const QJsonObject asked = server.read();
        QCOMPARE(textOf(server.read()), u"The request was withdrawn."_s);
        const QJsonObject cancelled = server.read();
        QCOMPARE(cancelled.value("method"_L1).toString(), u"notifications/cancelled"_s);
        QCOMPARE(cancelled["params"_L1]["requestId"_L1], asked["id"_L1]);
        respondTo(server, asked, {{"action"_L1, "cancel"_L1}});  // too late, and ignored
        QVERIFY(server.request(u"ping"_s).contains("result"_L1));
    }

    void runsTasks()
    {
        sonde::test::DemoProcess server;
        const QJsonObject offered = resultOf(server.handshake(Newest, Everything));
        QVERIFY(offered["capabilities"_L1]["tasks"_L1]["requests"_L1]["tools"_L1].toObject().contains("call"_L1));
        const auto call = [](const char *tool, const QJsonObject &arguments) {
            return QJsonObject{{"name"_L1, QString::fromLatin1(tool)},
                               {"arguments"_L1, arguments},
                               {"task"_L1, QJsonObject{{"ttl"_L1, 60000}}}};
        };
        QCOMPARE(codeOf(server.request(u"tools/call"_s, call("add", {}))), -32601);

        const QJsonObject arguments{{"seconds"_L1, 0}, {"confirm"_L1, true}};
        const QJsonObject created =
            resultOf(server.request(u"tools/call"_s, call("run-as-task", arguments))).value("task"_L1).toObject();
        QCOMPARE(created["status"_L1].toString(), u"working"_s);
        QCOMPARE(created["ttl"_L1].toInt(), 60000);
        const QJsonObject of{{"taskId"_L1, created["taskId"_L1]}};
        QCOMPARE(resultOf(server.request(u"tasks/get"_s, of)).value("status"_L1).toString(), u"input_required"_s);
        const int id = server.sendRequest(u"tasks/result"_s, of);
        const QJsonObject asked = server.read();
        QCOMPARE(asked.value("method"_L1).toString(), u"elicitation/create"_s);
        const QJsonValue related = asked["params"_L1]["_meta"_L1]["io.modelcontextprotocol/related-task"_L1];
        QCOMPARE(related["taskId"_L1], created["taskId"_L1]);
        respondTo(server, asked, {{"action"_L1, "accept"_L1}, {"content"_L1, QJsonObject{{"confirm"_L1, true}}}});
        const QJsonObject outcome = server.readResponse(id);
        QCOMPARE(textOf(outcome), u"The work took 0 seconds."_s);
        QCOMPARE(resultOf(server.request(u"tasks/get"_s, of)).value("status"_L1).toString(), u"completed"_s);
        QCOMPARE(codeOf(server.request(u"tasks/cancel"_s, of)), -32602);
        QCOMPARE(resultOf(server.request(u"tasks/list"_s)).value("tasks"_L1).toArray().size(), 1);

        const QJsonObject failing{{"seconds"_L1, 0}, {"fail"_L1, true}};
        const QJsonObject failed =
            resultOf(server.request(u"tools/call"_s, call("run-as-task", failing))).value("task"_L1).toObject();
        const QJsonObject ofFailed{{"taskId"_L1, failed["taskId"_L1]}};
        QVERIFY(resultOf(server.request(u"tasks/result"_s, ofFailed)).value("isError"_L1).toBool());
        QCOMPARE(resultOf(server.request(u"tasks/get"_s, ofFailed)).value("status"_L1).toString(), u"failed"_s);
    }

    void carriesIconsWhereTheRevisionHasThem()
    {
        for (const char *revision : {"2025-06-18", "2025-11-25"}) {
            sonde::test::DemoProcess server;
            const QJsonObject shaken = resultOf(server.handshake(QString::fromLatin1(revision)));
            const bool has = QLatin1StringView(revision) == Newest;
            QCOMPARE(shaken["serverInfo"_L1].toObject().contains("icons"_L1), has);
            const QJsonObject add = resultOf(server.request(u"tools/list"_s))["tools"_L1][0].toObject();
            QCOMPARE(add["icons"_L1][0]["src"_L1].toString().startsWith("data:image/png;base64,"_L1), has);
        }
    }

    void refusesWithTheIdThatItCouldRead()
    {
        sonde::test::DemoProcess server;
        server.send(R"({"id":"readable","method":"ping"})");
        QCOMPARE(server.read()["id"_L1].toString(), u"readable"_s);
        server.send(R"({"jsonrpc":"2.0","id":[1],"method":"ping"})");
        QVERIFY(server.read()["id"_L1].isNull());
    }

    void readsResourcesAndPrompts()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        const QJsonArray resources = resultOf(server.request(u"resources/list"_s)).value("resources"_L1).toArray();
        for (const QJsonValue &resource : resources) {
            const QJsonObject response = server.request(u"resources/read"_s, {{"uri"_L1, resource["uri"_L1]}});
            const QJsonValue contents = resultOf(response).value("contents"_L1)[0];
            QCOMPARE(contents["uri"_L1], resource["uri"_L1]);
            const qint64 size = contents["blob"_L1].isString()
                                    ? QByteArray::fromBase64(contents["blob"_L1].toString().toLatin1()).size()
                                    : contents["text"_L1].toString().toUtf8().size();
            QVERIFY(size > 0);
            if (resource["size"_L1].isDouble())
                QCOMPARE(size, qint64(resource["size"_L1].toInteger()));
        }
        QCOMPARE(codeOf(server.request(u"resources/read"_s, {{"uri"_L1, "demo://nowhere"_L1}})), -32002);
        QCOMPARE(codeOf(server.request(u"prompts/get"_s, {{"name"_L1, "summarize"_L1}})), -32602);
        const QJsonObject arguments{{"topic"_L1, "waves"_L1}};
        const QJsonObject prompt =
            server.request(u"prompts/get"_s, {{"name"_L1, "summarize"_L1}, {"arguments"_L1, arguments}});
        QCOMPARE(prompt["result"_L1]["messages"_L1][0]["content"_L1]["text"_L1].toString(),
                 u"Summarize waves in a short way."_s);
    }

    void completes()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        const QJsonObject reference{{"type"_L1, "ref/resource"_L1}, {"uri"_L1, "demo://weather/{city}{?unit}"_L1}};
        const QJsonObject argument{{"name"_L1, "city"_L1}, {"value"_L1, "be"_L1}};
        const QJsonObject response =
            server.request(u"completion/complete"_s, {{"ref"_L1, reference}, {"argument"_L1, argument}});
        QCOMPARE(response["result"_L1]["completion"_L1]["values"_L1].toArray(), QJsonArray({u"Berlin"_s, u"Bern"_s}));

        const QJsonObject other{{"name"_L1, "city"_L1}, {"value"_L1, ""_L1}};
        const QJsonObject context{{"arguments"_L1, QJsonObject{{"unit"_L1, "fahrenheit"_L1}}}};
        const QJsonObject american = server.request(
            u"completion/complete"_s, {{"ref"_L1, reference}, {"argument"_L1, other}, {"context"_L1, context}});
        QCOMPARE(american["result"_L1]["completion"_L1]["values"_L1][0].toString(), u"Boston"_s);

        for (const QJsonObject &unknown : {QJsonObject{{"type"_L1, "ref/prompt"_L1}, {"name"_L1, "nobody"_L1}},
                                           QJsonObject{{"type"_L1, "ref/resource"_L1}, {"uri"_L1, "demo://no"_L1}}})
            QCOMPARE(codeOf(server.request(u"completion/complete"_s, {{"ref"_L1, unknown}, {"argument"_L1, argument}})),
                     -32602);
    }

    void endsWithItsInput()
    {
        sonde::test::DemoProcess server;
        server.handshake(Newest);
        server.process().closeWriteChannel();
        QCOMPARE(server.waitForEnd(), 0);
        QCOMPARE(server.process().exitStatus(), QProcess::NormalExit);
    }
};

SONDE_TEST(tst_DemoStdio)
#include "tst_demostdio.moc"
