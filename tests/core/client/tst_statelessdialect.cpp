// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/statelessdialect.h"
#include "core/protocol/methods.h"
#include "core/schema/schema.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace {

// JSON written with single quotes: moc loses its place in some raw strings.
QByteArray js(QByteArray text)
{
    return text.replace('\'', '"');
}

QByteArray headerOf(const PreparedRequest &request, const QByteArray &name)
{
    for (const auto &[each, value] : request.headers) {
        if (each == name)
            return value;
    }
    return {};
}

}  // namespace

class TestStatelessDialect : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_transport = std::make_unique<FakeTransport>();
        m_transport->openNow();
        m_client = std::make_unique<Client>(m_transport.get());
        m_client->setCapabilities(js("{'elicitation':{}}"));
        m_client->setDialect(std::make_unique<StatelessDialect>(Revision::R20260728, js("{'elicitation':{}}"), false));
        m_outcomes.clear();
        m_requests.clear();
        connect(m_client.get(), &Client::inputRequested, this,
                [this](InputRequest *request) { m_requests << request; });
    }
    void cleanup()
    {
        m_client.reset();
        m_transport.reset();
    }

    void everyRequestSaysAll()
    {
        const StatelessDialect dialect(Revision::R20260728, js("{'roots':{'listChanged':true},'tasks':{}}"), true);
        CallOptions options;
        options.logLevel = u"info"_s;
        const PreparedRequest request =
            dialect.prepare({u"tools/call"_s, "{\"name\":\"gr\u00f6\u00dfe\",\"_meta\":{\"traceparent\":\"x\"}}"},
                            RequestId(7), options);
        const json::Value meta = json::parse(request.params)[u"_meta"];
        QCOMPARE(meta[u"traceparent"].string(), u"x"_s);
        QCOMPARE(meta[u"io.modelcontextprotocol/protocolVersion"].string(), u"2026-07-28"_s);
        QCOMPARE(meta[u"io.modelcontextprotocol/clientInfo"].bytes(), implementationJson());
        QCOMPARE(meta[u"io.modelcontextprotocol/clientCapabilities"].bytes(), js("{'roots':{}}"));
        QCOMPARE(meta[u"io.modelcontextprotocol/logLevel"].string(), u"info"_s);
        QCOMPARE(meta[u"progressToken"].bytes(), "7"_ba);
        QCOMPARE(headerOf(request, "MCP-Protocol-Version"), "2026-07-28"_ba);
        QCOMPARE(headerOf(request, "Mcp-Method"), "tools/call"_ba);
        QCOMPARE(headerOf(request, "Mcp-Name"), "=?base64?Z3LDtsOfZQ==?="_ba);
        QCOMPARE(request.progressToken, RequestId(7));
        const PreparedRequest reading =
            dialect.prepare({u"resources/read"_s, js("{'uri':'file:///a%20b'}")}, RequestId(8), {});
        QCOMPARE(headerOf(reading, "Mcp-Name"), QByteArray("file:///a%20b"));
        QVERIFY(headerOf(dialect.prepare({u"tools/list"_s, {}}, RequestId(9), {}), "Mcp-Name").isNull());
    }

    void argumentsInHeaders()
    {
        StatelessDialect dialect(Revision::R20260728, "{}", true);
        dialect.learnTools(json::parse(
            js("{'tools':["
               "{'name':'good','inputSchema':{'type':'object','properties':{"
               "'region':{'type':'string','x-mcp-header':'Region'},'count':{'type':'integer','x-mcp-header':'Count'},"
               "'flag':{'type':'boolean','x-mcp-header':'Flag'},'none':{'type':'string','x-mcp-header':'None'},"
               "'plain':{'type':'string'}}}},"
               "{'name':'bad','inputSchema':{'type':'object','properties':{'a':{'type':'number','x-mcp-header':'A'}}}}]"
               "}")));
        const auto call = [&](const QByteArray &params) {
            return dialect.prepare({u"tools/call"_s, params}, RequestId(1), {});
        };
        const PreparedRequest request =
            call(js("{'name':'good','arguments':{'region':' x','count':42,'flag':false,'none':null,'plain':'p'}}"));
        QVERIFY(!request.error);
        QCOMPARE(headerOf(request, "Mcp-Param-Region"), "=?base64?IHg=?="_ba);
        QCOMPARE(headerOf(request, "Mcp-Param-Count"), "42"_ba);
        QCOMPARE(headerOf(request, "Mcp-Param-Flag"), "false"_ba);
        QVERIFY(headerOf(request, "Mcp-Param-None").isNull());
        QCOMPARE(request.headers.size(), 6);
        QVERIFY(call(js("{'name':'good','arguments':{'count':9007199254740992}}")).error);
        QVERIFY(!call(js("{'name':'good','arguments':{'count':-9007199254740991}}")).error);
        QVERIFY(call(js("{'name':'bad','arguments':{}}")).error);
        QVERIFY(!call(js("{'name':'unheard of'}")).error);
    }

    void resultTypes_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<bool>("isGood");
        const QByteArray input = js("{'resultType':'input_required','requestState':'s'}");
        QTest::newRow("complete") << u"tools/call"_s << js("{'resultType':'complete','content':[]}") << true;
        QTest::newRow("none") << u"tools/call"_s << js("{'content':[]}") << true;
        QTest::newRow("unknown") << u"tools/call"_s << js("{'resultType':'maybe','content':[]}") << false;
        QTest::newRow("no string") << u"tools/call"_s << js("{'resultType':1,'content':[]}") << false;
        QTest::newRow("task, which was not declared") << u"tools/call"_s << js("{'resultType':'task'}") << false;
        QTest::newRow("input for a list") << u"tools/list"_s << input << false;
        QTest::newRow("input for nothing") << u"tools/call"_s << js("{'resultType':'input_required'}") << false;
        QTest::newRow("input that is no object")
            << u"tools/call"_s << js("{'resultType':'input_required','inputRequests':[]}") << false;
        QTest::newRow("no input and no state")
            << u"tools/call"_s << js("{'resultType':'input_required','inputRequests':{}}") << false;
        QTest::newRow("state that is no string")
            << u"tools/call"_s << js("{'resultType':'input_required','requestState':{}}") << false;
    }
    void resultTypes()
    {
        QFETCH(QString, method);
        QFETCH(QByteArray, result);
        QFETCH(bool, isGood);
        start(method, js("{'name':'t'}"));
        m_transport->response(m_transport->expectSent(method), result);
        QTRY_COMPARE(m_outcomes.size(), 1);
        QCOMPARE(m_outcomes[0].kind == Outcome::Kind::Ok, isGood);
        // What was received can be looked at whatever became of it.
        QVERIFY(m_outcomes[0].message.kind() == Message::Kind::Result);
    }

    void severalRounds()
    {
        start(u"tools/call"_s, js("{'arguments':{'a':1.0},'name':'greet','requestState':'mine'}"));
        const Message first = m_transport->expectSent(u"tools/call");
        start(u"tools/call"_s, js("{'name':'greet'}"));
        m_transport->response(m_transport->expectSent(u"tools/call"), js("{'resultType':'complete','content':[]}"));
        m_transport->response(
            first,
            js("{'resultType':'input_required','requestState':'\\u00fc \\'a\\\\/b','inputRequests':{"
               "'w\\'ho':{'method':'elicitation/create','params':{'message':'Who?','requestedSchema':{'type':'object',"
               "'properties':{'n':{'type':'string'}}}}}}}"));
        QTRY_COMPARE(m_requests.size(), 1);
        QVERIFY(!m_requests[0]->respond(js("{'action':'accept','content':{'n':'Ada'}}")));
        const Message second = m_transport->expectSent(u"tools/call");
        QVERIFY(second.id() != first.id());
        QVERIFY2(second.params().bytes().startsWith(
                     js("{'arguments':{'a':1.0},'name':'greet','inputResponses':{'w\\'ho':{'action':'accept',"
                        "'content':{'n':'Ada'}}},'requestState':'\\u00fc \\'a\\\\/b','_meta':{")),
                 second.raw().constData());
        // Only the newest state goes back, and none where none was given.
        m_transport->response(
            second, js("{'resultType':'input_required','inputRequests':{'x':{"
                       "'method':'elicitation/"
                       "create','params':{'message':'Sure?','requestedSchema':{'type':'object','properties':{}}}}}}"));
        QTRY_COMPARE(m_requests.size(), 2);
        QVERIFY(!m_requests[1]->decline());
        const Message third = m_transport->expectSent(u"tools/call");
        QVERIFY(!third.params().contains(u"requestState"));
        QCOMPARE(third.params()[u"inputResponses"].bytes(), js("{'x':{'action':'decline'}}"));
        m_transport->response(third, js("{'resultType':'input_required','requestState':'only'}"));
        const Message fourth = m_transport->expectSent(u"tools/call");
        QVERIFY(!fourth.params().contains(u"inputResponses"));
        m_transport->response(fourth, js("{'resultType':'complete','content':[]}"));
        QTRY_COMPARE(m_outcomes.size(), 2);
        QCOMPARE(m_outcomes[1].kind, Outcome::Kind::Ok);
    }

    void inputThatCannotBeGivenFailsTheCall_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::newRow("not declared") << js("{'method':'roots/list'}");
        QTest::newRow("unknown") << js("{'method':'tools/list'}");
        QTest::newRow("no object") << "5"_ba;
        QTest::newRow("no params") << js("{'method':'elicitation/create'}");
        QTest::newRow("wrong params") << js("{'method':'elicitation/create','params':[]}");
    }
    void inputThatCannotBeGivenFailsTheCall()
    {
        QFETCH(QByteArray, entry);
        start(u"tools/call"_s, js("{'name':'greet'}"));
        m_transport->response(m_transport->expectSent(u"tools/call"),
                              js("{'resultType':'input_required','inputRequests':{'a':") + entry + "}}");
        QTRY_COMPARE(m_outcomes.size(), 1);
        QCOMPARE(m_outcomes[0].kind, Outcome::Kind::NoResponse);
        QVERIFY(m_requests.isEmpty());
        QVERIFY(m_transport->sendsNothing());
    }

    void tooManyInputsFailTheCall()
    {
        start(u"tools/call"_s, js("{'name':'greet'}"));
        QByteArray entries;
        for (int i = 0; i < 1001; ++i)
            entries += (i == 0 ? "" : ",") + js("'k" + QByteArray::number(i) + "':{'method':'elicitation/create'}");
        m_transport->response(m_transport->expectSent(u"tools/call"),
                              js("{'resultType':'input_required','inputRequests':{") + entries + "}}");
        QTRY_COMPARE(m_outcomes.size(), 1);
        QVERIFY2(m_outcomes[0].error.message.contains(u"1001 inputs at once"_s),
                 qPrintable(m_outcomes[0].error.message));
        QVERIFY(m_requests.isEmpty());
        QVERIFY(m_transport->sendsNothing());
    }

    void aRequestOfTheServerIsNotRespondedTo()
    {
        QStringList findings;
        connect(m_client.get(), &Client::findingAdded, this, [&](const QString &finding) { findings << finding; });
        m_transport->inject(js("{'jsonrpc':'2.0','id':1,'method':'roots/list'}"));
        QCOMPARE(findings.size(), 1);
        QVERIFY(m_transport->sendsNothing());
    }

    void theRevisionIsNegotiatedOnce()
    {
        start(u"tools/list"_s, {});
        const QByteArray data = js("{'supported':['2026-07-28'],'requested':'2026-07-28'}");
        const Message first = m_transport->expectSent(u"tools/list");
        m_transport->responseError(first, -32022, u"no"_s, data);
        const Message second = m_transport->expectSent(u"tools/list");
        QVERIFY(second.id() != first.id());
        m_transport->responseError(second, -32022, u"no"_s, data);
        QTRY_COMPARE(m_outcomes.size(), 1);
        QCOMPARE(m_outcomes[0].error.code, -32022);
        QVERIFY(m_transport->sendsNothing());
        start(u"tools/list"_s, {});
        m_transport->responseError(m_transport->expectSent(u"tools/list"), -32022, u"no"_s,
                                   js("{'supported':['2024-11-05']}"));
        QTRY_COMPARE(m_outcomes.size(), 2);
        const QString hint = m_outcomes[1].error.hint;
        QVERIFY2(hint.contains(u"supports 2024-11-05, Sonde supports 2026-07-28, 2025-11-25"_s), qPrintable(hint));
        QVERIFY(m_transport->sendsNothing());
    }

    void cancels()
    {
        Call *call = m_client->request(u"tools/call", js("{'name':'slow'}"));
        const Message request = m_transport->expectSent(u"tools/call");
        call->cancel(u"enough"_s);
        const Message cancelled = m_transport->expectSent(methods::Cancelled);
        QCOMPARE(cancelled.params().bytes(), js("{'requestId':") + request.id().toJson() + js(",'reason':'enough'}"));
    }

    void matchesTheSchema_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QString>("definition");
        QTest::newRow("discover") << u"server/discover"_s << ""_ba << u"DiscoverRequest"_s;
        QTest::newRow("list") << u"tools/list"_s << ""_ba << u"ListToolsRequest"_s;
        QTest::newRow("call") << u"tools/call"_s << js("{'name':'t','arguments':{}}") << u"CallToolRequest"_s;
        QTest::newRow("read") << u"resources/read"_s << js("{'uri':'a:b'}") << u"ReadResourceRequest"_s;
        QTest::newRow("prompt") << u"prompts/get"_s << js("{'name':'p'}") << u"GetPromptRequest"_s;
    }
    void matchesTheSchema()
    {
        QFETCH(QString, method);
        QFETCH(QByteArray, params);
        QFETCH(QString, definition);
        QFile file(QStringLiteral(SONDE_SOURCE_DIR "/../shared/schema/2026-07-28.schema.json"));
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("../shared/schema is not there");
        const schema::Schema official(json::parse(file.readAll()));
        start(method, params);
        const Message request = m_transport->expectSent(method);
        const QList<schema::Issue> issues = official.validateAt(official.root()[u"$defs"][definition], request.root());
        for (const schema::Issue &issue : issues)
            QFAIL(qPrintable(issue.instance.toString() + u' ' + issue.message));
    }

private:
    void start(const QString &method, const QByteArray &params)
    {
        Call *call = m_client->request(method, params);
        connect(call, &Call::finished, this, [this](const Outcome &outcome) { m_outcomes << outcome; });
    }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<Client> m_client;
    QList<Outcome> m_outcomes;
    QList<InputRequest *> m_requests;
};

SONDE_TEST(TestStatelessDialect)
#include "tst_statelessdialect.moc"
