// The demo server in the stateless era, over standard input and output.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/demo/demoprocess.h"
#include "tests/support/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

const QJsonObject EveryCapability{
    {u"elicitation"_s, QJsonObject{{u"form"_s, QJsonObject()}, {u"url"_s, QJsonObject()}}},
    {u"sampling"_s, QJsonObject{{u"tools"_s, QJsonObject()}}},
    {u"roots"_s, QJsonObject()},
    {u"extensions"_s, QJsonObject{{u"io.modelcontextprotocol/tasks"_s, QJsonObject()}}}};
const QString Prefix = u"io.modelcontextprotocol/"_s;

QJsonObject statelessMeta(const QJsonObject &capabilities = {}, const QString &revision = u"2026-07-28"_s)
{
    return {{Prefix + u"protocolVersion"_s, revision}, {Prefix + u"clientCapabilities"_s, capabilities}};
}

QJsonObject callParams(const QString &tool, const QJsonObject &capabilities = EveryCapability,
                       const QJsonObject &arguments = {})
{
    return {{u"name"_s, tool}, {u"arguments"_s, arguments}, {u"_meta"_s, statelessMeta(capabilities)}};
}

QJsonObject withAnswers(QJsonObject params, const QJsonObject &result, const QJsonObject &answers)
{
    params.insert(u"inputResponses"_s, answers);
    params.insert(u"requestState"_s, result[u"requestState"_s]);
    return params;
}

QJsonObject accepted(const QJsonObject &content)
{
    return {{u"action"_s, u"accept"_s}, {u"content"_s, content}};
}

QString firstText(const QJsonObject &result)
{
    return result[u"content"_s][0][u"text"_s].toString();
}

}  // namespace

class tst_DemoStateless : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void discoversAndHints()
    {
        sonde::test::DemoProcess server;
        const QJsonObject found = result(server, u"server/discover"_s, {{u"_meta"_s, statelessMeta()}});
        QCOMPARE(found[u"supportedVersions"_s].toArray(), QJsonArray{u"2026-07-28"_s});
        QCOMPARE(found[u"resultType"_s].toString(), u"complete"_s);
        QVERIFY(found[u"ttlMs"_s].toInt() > 0);
        QCOMPARE(found[u"cacheScope"_s].toString(), u"public"_s);
        QCOMPARE(found[u"_meta"_s][Prefix + u"serverInfo"_s][u"name"_s].toString(), u"sonde-demo-server"_s);
        QVERIFY(found[u"capabilities"_s][u"extensions"_s].toObject().contains(Prefix + u"tasks"_s));
        const QJsonObject clock =
            result(server, u"resources/read"_s, {{u"uri"_s, u"demo://live/clock"_s}, {u"_meta"_s, statelessMeta()}});
        QCOMPARE(clock[u"ttlMs"_s].toInt(-1), 0);
        QCOMPARE(clock[u"cacheScope"_s].toString(), u"private"_s);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QJsonObject>("params");
        QTest::addColumn<int>("code");
        const QJsonObject whole{{u"_meta"_s, statelessMeta()}};
        QTest::newRow("no _meta") << u"server/discover"_s << QJsonObject() << -32602;
        QTest::newRow("no capabilities") << u"tools/list"_s
                                         << QJsonObject{{u"_meta"_s,
                                                         QJsonObject{{Prefix + u"protocolVersion"_s, u"2026-07-28"_s}}}}
                                         << -32602;
        QTest::newRow("other revision") << u"tools/list"_s
                                        << QJsonObject{{u"_meta"_s, statelessMeta({}, u"2099-01-01"_s)}} << -32022;
        QTest::newRow("ping") << u"ping"_s << whole << -32601;
        QTest::newRow("subscribe") << u"resources/subscribe"_s << whole << -32601;
        QTest::newRow("missing capability") << u"tools/call"_s << callParams(u"ask-form"_s, {}) << -32021;
        QTest::newRow("task of nobody") << u"tasks/get"_s
                                        << QJsonObject{{u"taskId"_s, u"x"_s},
                                                       {u"_meta"_s, statelessMeta(EveryCapability)}}
                                        << -32602;
        QTest::newRow("no such resource")
            << u"resources/read"_s << QJsonObject{{u"uri"_s, u"demo://nowhere"_s}, {u"_meta"_s, statelessMeta()}}
            << -32602;
    }
    void refuses()
    {
        QFETCH(QString, method);
        QFETCH(QJsonObject, params);
        QFETCH(int, code);
        sonde::test::DemoProcess server;
        const QJsonObject error = server.request(method, params)[u"error"_s].toObject();
        QCOMPARE(error[u"code"_s].toInt(), code);
        if (code == -32022)
            QCOMPARE(error[u"data"_s][u"supported"_s].toArray(), QJsonArray{u"2026-07-28"_s});
        if (code == -32021)
            QVERIFY(error[u"data"_s][u"requiredCapabilities"_s].toObject().contains(u"elicitation"_s));
    }

    void servesBothErasSideBySide()
    {
        sonde::test::DemoProcess server;
        server.handshake(u"2025-11-25"_s);
        QCOMPARE(result(server, u"tools/call"_s, callParams(u"session-info"_s))[u"structuredContent"_s][u"revision"_s]
                     .toString(),
                 u"2026-07-28"_s);
        QVERIFY(server.request(u"ping"_s).contains(u"result"_s));
    }

    void speaksOneRevisionOnly()
    {
        sonde::test::DemoProcess stateless({u"--revision"_s, u"2026-07-28"_s});
        const QJsonObject refused = stateless.handshake(u"2025-11-25"_s)[u"error"_s].toObject();
        QCOMPARE(refused[u"code"_s].toInt(), -32022);
        QCOMPARE(refused[u"data"_s][u"requested"_s].toString(), u"2025-11-25"_s);
        sonde::test::DemoProcess stateful({u"--revision"_s, u"2025-06-18"_s});
        const QJsonObject unknown = stateful.request(u"server/discover"_s, {{u"_meta"_s, statelessMeta()}});
        QCOMPARE(unknown[u"error"_s][u"code"_s].toInt(), -32601);
    }

    void asksInRounds()
    {
        sonde::test::DemoProcess server;
        const QJsonObject params = callParams(u"ask-twice"_s);
        const QJsonObject first = result(server, u"tools/call"_s, params);
        QCOMPARE(first[u"resultType"_s].toString(), u"input_required"_s);
        QCOMPARE(first[u"inputRequests"_s][u"name"_s][u"method"_s].toString(), u"elicitation/create"_s);
        const QJsonObject second = result(server, u"tools/call"_s,
                                          withAnswers(params, first, {{u"name"_s, accepted({{u"name"_s, u"Ada"_s}})}}));
        QCOMPARE(second[u"resultType"_s].toString(), u"input_required"_s);
        QVERIFY(second[u"requestState"_s] != first[u"requestState"_s]);
        QCOMPARE(second[u"inputRequests"_s].toObject().keys(), QStringList{u"color"_s});
        const QJsonObject answer{{u"color"_s, accepted({{u"color"_s, u"green"_s}})}};
        const QJsonObject third = result(server, u"tools/call"_s, withAnswers(params, second, answer));
        QCOMPARE(firstText(third), u"Ada likes green."_s);

        QJsonObject forged = second;
        forged.insert(u"requestState"_s, second[u"requestState"_s].toString() + u'A');
        QCOMPARE(server.request(u"tools/call"_s, withAnswers(params, forged, answer))[u"error"_s][u"code"_s].toInt(),
                 -32602);
        // The state of one tool is none of another's.
        QCOMPARE(server
                     .request(u"tools/call"_s,
                              withAnswers(callParams(u"ask-everything"_s), second, {}))[u"error"_s][u"code"_s]
                     .toInt(),
                 -32602);
    }

    void asksForEverythingAtOnce()
    {
        sonde::test::DemoProcess server;
        const QJsonObject params = callParams(u"ask-everything"_s);
        const QJsonObject first = result(server, u"tools/call"_s, params);
        QCOMPARE(first[u"inputRequests"_s].toObject().size(), 3);
        const QJsonObject sampled{{u"role"_s, u"assistant"_s},
                                  {u"model"_s, u"by hand"_s},
                                  {u"content"_s, QJsonObject{{u"type"_s, u"text"_s}, {u"text"_s, u"Hello!"_s}}}};
        const QJsonObject partly =
            result(server, u"tools/call"_s, withAnswers(params, first, {{u"greeting"_s, sampled}}));
        QCOMPARE(partly[u"inputRequests"_s].toObject().keys(), (QStringList{u"name"_s, u"roots"_s}));
        const QJsonObject last = result(server, u"tools/call"_s,
                                        withAnswers(params, partly,
                                                    {{u"name"_s, accepted({{u"name"_s, u"Ada"_s}})},
                                                     {u"roots"_s, QJsonObject{{u"roots"_s, QJsonArray()}}}}));
        QCOMPARE(firstText(last), u"Ada: Hello! (0 roots)"_s);
    }

    void logsOnlyWhenARequestSaysSo()
    {
        sonde::test::DemoProcess server;
        QJsonObject params = callParams(u"log"_s);
        server.sendRequest(u"tools/call"_s, params);
        QVERIFY(server.read().contains(u"result"_s));
        QJsonObject meta = params[u"_meta"_s].toObject();
        meta.insert(Prefix + u"logLevel"_s, u"info"_s);
        params.insert(u"_meta"_s, meta);
        server.sendRequest(u"tools/call"_s, params);
        QCOMPARE(server.read()[u"method"_s].toString(), u"notifications/message"_s);
    }

    void listensUntilToldToStop()
    {
        sonde::test::DemoProcess server;
        const QString clock = u"demo://live/clock"_s;
        const QJsonObject filter{{u"toolsListChanged"_s, true},
                                 {u"resourceSubscriptions"_s, QJsonArray{clock, u"demo://nowhere"_s}}};
        const int id = server.sendRequest(u"subscriptions/listen"_s,
                                          {{u"notifications"_s, filter}, {u"_meta"_s, statelessMeta()}});
        const QJsonObject acknowledged = server.read();
        QCOMPARE(acknowledged[u"method"_s].toString(), u"notifications/subscriptions/acknowledged"_s);
        QCOMPARE(acknowledged[u"params"_s][u"notifications"_s][u"resourceSubscriptions"_s].toArray(),
                 QJsonArray{clock});
        server.sendRequest(u"tools/call"_s, callParams(u"touch-resource"_s));
        const QJsonObject updated = server.read();
        QCOMPARE(updated[u"params"_s][u"uri"_s].toString(), clock);
        QCOMPARE(updated[u"params"_s][u"_meta"_s][Prefix + u"subscriptionId"_s].toInt(), id);
        QVERIFY(server.read().contains(u"result"_s));

        server.sendRequest(u"tools/call"_s, callParams(u"end-subscriptions"_s));
        const QJsonObject end = server.read();
        QCOMPARE(end[u"id"_s].toInt(), id);
        QCOMPARE(end[u"result"_s][u"resultType"_s].toString(), u"complete"_s);
        QVERIFY(server.read().contains(u"result"_s));
        QVERIFY(firstText(result(server, u"tools/call"_s, callParams(u"touch-resource"_s)))
                    .startsWith(u"Nobody subscribed"_s));
    }

    void runsTasks()
    {
        sonde::test::DemoProcess server;
        const QJsonObject arguments{{u"seconds"_s, 0}, {u"confirm"_s, true}};
        const QJsonObject meta = statelessMeta(EveryCapability);
        const QJsonObject task =
            result(server, u"tools/call"_s, callParams(u"run-as-task"_s, EveryCapability, arguments));
        QCOMPARE(task[u"resultType"_s].toString(), u"task"_s);
        const QJsonObject of{{u"taskId"_s, task[u"taskId"_s]}, {u"_meta"_s, meta}};
        const QJsonObject waiting = result(server, u"tasks/get"_s, of);
        QCOMPARE(waiting[u"status"_s].toString(), u"input_required"_s);
        QVERIFY(waiting[u"inputRequests"_s].toObject().contains(u"confirm"_s));
        QJsonObject update = of;
        update.insert(u"inputResponses"_s, QJsonObject{{u"confirm"_s, accepted({{u"confirm"_s, true}})}});
        QCOMPARE(result(server, u"tasks/update"_s, update)[u"resultType"_s].toString(), u"complete"_s);
        QTRY_COMPARE(result(server, u"tasks/get"_s, of)[u"status"_s].toString(), u"completed"_s);
        QVERIFY(firstText(result(server, u"tasks/get"_s, of)[u"result"_s].toObject()).contains(u"0 seconds"_s));

        // Without the extension the call waits.
        const QJsonObject waited =
            result(server, u"tools/call"_s, callParams(u"run-as-task"_s, {}, {{u"seconds"_s, 0}}));
        QCOMPARE(waited[u"resultType"_s].toString(), u"complete"_s);
    }

    void cancelsCallsAndTasks()
    {
        sonde::test::DemoProcess server;
        const int slow = server.sendRequest(u"tools/call"_s, callParams(u"slow"_s, {}, {{u"seconds"_s, 0.05}}));
        server.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                    QByteArray::number(slow) + "}}");
        server.sendRequest(u"tools/call"_s, callParams(u"slow"_s, {}, {{u"seconds"_s, 0.1}}));
        QCOMPARE(firstText(server.read()[u"result"_s].toObject()), u"That took 0.1 seconds."_s);

        const QJsonObject task =
            result(server, u"tools/call"_s, callParams(u"run-as-task"_s, EveryCapability, {{u"seconds"_s, 600}}));
        const QJsonObject of{{u"taskId"_s, task[u"taskId"_s]}, {u"_meta"_s, statelessMeta(EveryCapability)}};
        QCOMPARE(result(server, u"tasks/cancel"_s, of)[u"resultType"_s].toString(), u"complete"_s);
        QCOMPARE(result(server, u"tasks/get"_s, of)[u"status"_s].toString(), u"cancelled"_s);
    }

private:
    static QJsonObject result(sonde::test::DemoProcess &server, const QString &method, const QJsonObject &params)
    {
        return server.request(method, params)[u"result"_s].toObject();
    }
};

SONDE_TEST(tst_DemoStateless)
#include "tst_demostateless.moc"
