// Requests of the server that no person should get to see, because no response to them could be right.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/client.h"
#include "core/client/requestcheck.h"
#include "core/client/responsecheck.h"
#include "core/client/statefuldialect.h"
#include "core/client/statelessdialect.h"
#include "tests/support/faketransport.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::test;

namespace {

using Kind = InputRequest::Kind;

QByteArray quoted(QByteArray text)
{
    return text.replace('\'', '"');
}

QByteArray form(const QByteArray &field)
{
    return "{'message':'m','requestedSchema':{'type':'object','properties':{'a':" + field + "}}}";
}

QByteArray conversation(const QByteArray &messages)
{
    return "{'maxTokens':9,'tools':[],'messages':[" + messages + "]}";
}

constexpr auto Use =
    "{'role':'assistant','content':[{'type':'tool_use','id':'1','name':'t','input':{}},"
    "{'type':'tool_use','id':'2','name':'t','input':{}}]}";
constexpr auto BothResults =
    "{'role':'user','content':[{'type':'tool_result','toolUseId':'2','content':[]},"
    "{'type':'tool_result','toolUseId':'1','content':[]}]}";
constexpr auto OneResult = "{'role':'user','content':{'type':'tool_result','toolUseId':'1','content':[]}}";
constexpr auto Text = "{'role':'user','content':{'type':'text','text':'x'}}";

}  // namespace

class TestRequestCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requests_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QString>("problem");  // a part of it; empty: there is none
        const auto row = [](const char *name, Kind kind, const QByteArray &params, const QString &problem,
                            Revision revision = Revision::R20251125) {
            QTest::newRow(name) << kind << quoted(params) << revision << problem;
        };
        const Kind elicitation = Kind::Elicitation;
        row("a form", elicitation, form("{'type':'string'}"), {});
        row("a form that says so", elicitation,
            "{'mode':'form','message':'m','requestedSchema':{'type':'object','properties':{}}}", {});
        row("an unknown kind of field", elicitation, form("{'type':'money'}"), {});
        row("no params", elicitation, {}, u"'params' is missing"_s);
        row("null for params", elicitation, "null", u"'params' must be an object; it is null"_s);
        row("a list for params", elicitation, "[]", u"'params' must be an object"_s);
        row("no message", elicitation, "{'requestedSchema':{'type':'object','properties':{}}}",
            u"'message' is missing"_s);
        row("a number for a message", elicitation, "{'message':7,'requestedSchema':{'type':'object','properties':{}}}",
            u"it is 7"_s);
        row("no schema", elicitation, "{'message':'m'}", u"'requestedSchema' is missing"_s);
        row("a schema of a string", elicitation, "{'message':'m','requestedSchema':{'type':'string'}}",
            u"'requestedSchema.type' must be \"object\""_s);
        row("a schema without fields", elicitation, "{'message':'m','requestedSchema':{'type':'object'}}",
            u"'requestedSchema.properties' is missing"_s);
        row("a field that is none", elicitation, form("true"), u"'requestedSchema.properties.a' must be an object"_s);
        row("a nested form", elicitation, form("{'type':'object','properties':{}}"), u"forms are flat"_s);
        row("a nested form without a type", elicitation, form("{'properties':{}}"), u"forms are flat"_s);
        row("a nested form or nothing", elicitation, form("{'type':['object','null']}"), u"forms are flat"_s);
        row("a list of strings", elicitation, form("{'type':'array','items':{'type':'string','enum':['x']}}"), {});
        row("a list with titles", elicitation, form("{'type':'array','items':{'anyOf':[{'const':'x','title':'X'}]}}"),
            {});
        row("a list of numbers", elicitation, form("{'type':'array','items':{'type':'number'}}"),
            u"a list of strings"_s);
        row("a list of anything", elicitation, form("{'type':'array'}"), u"a list of strings"_s);
        row("a list, earlier", elicitation, form("{'type':'array','items':{'type':'string','enum':['x']}}"),
            u"which forms of revision 2025-06-18 do not allow"_s, Revision::R20250618);
        row("an unknown mode", elicitation, "{'mode':'video','message':'m'}", u"'mode' must be \"form\" or \"url\""_s);
        row("a mode of null", elicitation, "{'mode':null,'message':'m'}", u"'mode' must be \"form\" or \"url\""_s);
        const QByteArray url = "{'mode':'url','message':'m','url':'https://e.org','elicitationId':'1'}";
        row("a URL", elicitation, url, {});
        row("a URL without one", elicitation, "{'mode':'url','message':'m','elicitationId':'1'}",
            u"'url' is missing"_s);
        row("a URL without an ID", elicitation, "{'mode':'url','message':'m','url':'https://e.org'}",
            u"'elicitationId' is missing"_s);
        row("a URL without an ID, later", elicitation, "{'mode':'url','message':'m','url':'https://e.org'}", {},
            Revision::R20260728);

        const Kind sampling = Kind::Sampling;
        row("messages", sampling, conversation(Text), {});
        row("no messages at all", sampling, conversation({}), {});
        row("no messages", sampling, "{'maxTokens':9}", u"'messages' is missing"_s);
        row("no limit", sampling, "{'messages':[]}", u"'maxTokens' is missing"_s);
        row("an unknown role", sampling, conversation("{'role':'system','content':{'type':'text','text':''}}"),
            u"'messages[0].role' must be \"user\" or \"assistant\""_s);
        row("content that is none", sampling, conversation("{'role':'user','content':'x'}"),
            u"'messages[0].content' must be an object or an array"_s);
        row("several blocks", sampling, conversation("{'role':'user','content':[{'type':'text','text':''}]}"), {});
        row("several blocks, earlier", sampling, conversation("{'role':'user','content':[{'type':'text','text':''}]}"),
            {}, Revision::R20250618);
        row("a tool used as user", sampling,
            conversation("{'role':'user','content':{'type':'tool_use','id':'1','name':'t','input':{}}}"),
            u"'messages[0]' must not use tools as user"_s);
        const QByteArray use = Use;
        row("results of all tools", sampling, conversation(use + ',' + BothResults), {});
        row("results of some tools", sampling, conversation(use + ',' + OneResult),
            u"'messages[1]' must have exactly the results of the tools"_s);
        row("results of no tools", sampling, conversation(use + ',' + Text),
            u"'messages[1]' must have exactly the results of the tools"_s);
        row("results missing at the end", sampling, conversation(use), u"their results do not follow"_s);
        row("results out of nowhere", sampling, conversation(OneResult), u"that the previous message did not use"_s);
        row("results and text", sampling,
            conversation(use + ",{'role':'user','content':[{'type':'tool_result','toolUseId':'1','content':[]},"
                               "{'type':'tool_result','toolUseId':'2','content':[]},{'type':'text','text':''}]}"),
            u"mixes tool results with other content"_s);
        row("roots", Kind::Roots, {}, {});
        row("roots with params", Kind::Roots, "{}", {});
        row("roots with null", Kind::Roots, "null", {});
        row("roots with a list", Kind::Roots, "[]", u"'params' must be an object"_s);
    }
    void requests()
    {
        QFETCH(Kind, kind);
        QFETCH(QByteArray, params);
        QFETCH(Revision, revision);
        QFETCH(QString, problem);
        const json::Value capabilities =
            json::parse("{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}");
        const QString found = problemOfRequest(kind, json::parse(params), capabilities, revision);
        QVERIFY2(problem.isEmpty() ? found.isEmpty() : found.contains(problem), qPrintable(found));
    }

    void whatWasNotDeclaredIsRefused_data()
    {
        QTest::addColumn<QByteArray>("elicitation");
        QTest::addColumn<bool>("isForm");
        QTest::addColumn<bool>("isUrl");
        QTest::newRow("nothing in particular") << "{}"_ba << true << false;
        QTest::newRow("forms") << "{'form':{}}"_ba << true << false;
        QTest::newRow("URLs") << "{'url':{}}"_ba << false << true;
        QTest::newRow("both") << "{'form':{},'url':{}}"_ba << true << true;
    }
    void whatWasNotDeclaredIsRefused()
    {
        QFETCH(QByteArray, elicitation);
        QFETCH(bool, isForm);
        QFETCH(bool, isUrl);
        const json::Value capabilities = json::parse("{\"elicitation\":" + quoted(elicitation) + '}');
        const auto isAllowed = [&](const QByteArray &params) {
            return problemOfRequest(Kind::Elicitation, json::parse(quoted(params)), capabilities, Revision::R20251125)
                .isEmpty();
        };
        QCOMPARE(isAllowed(form("{'type':'string'}")), isForm);
        QCOMPARE(isAllowed("{'mode':'url','message':'m','url':'https://e.org','elicitationId':'1'}"), isUrl);
    }

    // -32602 with a handshake; in 2026-07-28 the call that asks fails.
    void aFaultyRequestReachesNobody()
    {
        FakeTransport transport;
        transport.openNow();
        Client client(&transport);
        client.setCapabilities("{\"elicitation\":{}}");
        client.setDialect(std::make_unique<StatefulDialect>());
        int asked = 0;
        QStringList findings;
        connect(&client, &Client::inputRequested, this, [&] { ++asked; });
        connect(&client, &Client::findingAdded, this, [&](const QString &finding) { findings << finding; });
        transport.inject(quoted("{'jsonrpc':'2.0','id':1,'method':'elicitation/create','params':{'message':'m'}}"));
        const Error error = transport.takeSent().toError();
        QCOMPARE(error.code, -32602);
        QVERIFY2(error.message.contains(u"'requestedSchema' is missing"_s), qPrintable(error.message));
        QCOMPARE(findings.size(), 1);

        client.setDialect(std::make_unique<StatelessDialect>(Revision::R20260728, "{\"elicitation\":{}}", false));
        Outcome outcome;
        Call *call = client.request(u"tools/call", "{\"name\":\"t\"}");
        connect(call, &Call::finished, this, [&](const Outcome &end) { outcome = end; });
        transport.response(transport.expectSent(u"tools/call"),
                           quoted("{'resultType':'input_required','inputRequests':{'who':{'method':"
                                  "'elicitation/create','params':{'message':'m'}}}}"));
        QTRY_VERIFY(outcome.error);
        QVERIFY2(outcome.error.message.contains(u"'who'"_s), qPrintable(outcome.error.message));
        QVERIFY2(outcome.error.message.contains(u"'requestedSchema' is missing"_s), qPrintable(outcome.error.message));
        QCOMPARE(asked, 0);
    }

    void aResponseKeepsTheRulesOfItsRevision_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QString>("problem");
        const QByteArray sampling = "'sampling/createMessage','params':{'maxTokens':9,'messages':[]";
        const QByteArray text = "{'role':'assistant','model':'m','content':[{'type':'text','text':''}]}";
        const QByteArray use =
            "{'role':'assistant','model':'m','content':{'type':'tool_use','id':'1','name':'t','input':{}}}";
        QTest::newRow("a list of blocks") << Revision::R20251125 << sampling << text << QString();
        QTest::newRow("a list of blocks, earlier")
            << Revision::R20250618 << sampling << text << u"must be one object, not a list, in revision 2025-06-18"_s;
        QTest::newRow("a tool") << Revision::R20251125 << sampling + ",'tools':[{'name':'t','inputSchema':{}}]" << use
                                << QString();
        QTest::newRow("a tool that was not offered")
            << Revision::R20251125 << sampling << use << u"the request offers none"_s;
        const QByteArray elicitation = "'elicitation/create','params':" + form("{'type':'money'}").chopped(1);
        const QByteArray list = "{'action':'accept','content':{'a':['x']}}";
        QTest::newRow("a list in a form") << Revision::R20251125 << elicitation << list << QString();
        QTest::newRow("a list in a form, earlier")
            << Revision::R20250618 << elicitation << list << u"'content.a' must not be a list"_s;
    }
    void aResponseKeepsTheRulesOfItsRevision()
    {
        QFETCH(Revision, revision);
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, result);
        QFETCH(QString, problem);
        FakeTransport transport;
        transport.openNow();
        Client client(&transport);
        client.setCapabilities("{\"elicitation\":{},\"sampling\":{\"tools\":{}}}");
        client.setDialect(std::make_unique<StatefulDialect>(revision));
        QString found = u"nobody was asked"_s;
        connect(&client, &Client::inputRequested, this,
                [&](const InputRequest *asked) { found = problemOfResponse(*asked, json::parse(quoted(result))); });
        transport.inject(quoted("{'jsonrpc':'2.0','id':1,'method':" + request + "}}"));
        QVERIFY2(problem.isEmpty() ? found.isEmpty() : found.contains(problem), qPrintable(found));
    }
};

SONDE_TEST(TestRequestCheck)
#include "tst_requestcheck.moc"
